// Golden texts: expectGolden("analysis/one_stream.txt", text) compares a text with the file under
// tests/golden. With OVERLANE_UPDATE_GOLDEN=1 in the environment it writes the file instead.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace overlane::test
{

void expectGolden(std::string_view name, const std::string& text);

// tests/golden of the sources.
std::filesystem::path goldenFolder();
// Whether texts are to be written, not compared.
bool goldenIsWritten();
// "line 12: <as it is> instead of <as in the file>": a whole text would say too much.
std::string firstDifference(const std::string& text, const std::string& golden);

}  // namespace overlane::test
