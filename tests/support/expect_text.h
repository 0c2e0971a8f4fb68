// Texts that a person reads, held whole: expectText(finding.sentence) compares with the text kept under the
// test's name in tests/golden/texts/<suite>.txt, so that rewording costs one run with OVERLANE_UPDATE_GOLDEN=1
// and a look at the difference. A test's first text has its name, the next ones its name and their number.
// A failure is told at the line of the call. A path below the directory for temporary files is <temp>, the sources'
// directory <source>.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace overlane::test
{

void expectText(std::string_view text, const char* file = __builtin_FILE(), int line = __builtin_LINE());
// One below the other.
void expectText(const std::vector<std::string>& texts, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());

// What a text says around its figures, for those that a run measured: "12.9 ms a batch" -> "# a batch".
std::string withoutFigures(const std::string& text);

// What a reader sees of an HTML page, one element a line; pictures are left out.
std::string pageText(const std::string& html);

}  // namespace overlane::test
