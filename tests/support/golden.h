// Golden texts: expectGolden("analysis/one_stream.txt", text) compares a text with the file under
// tests/golden. With OVERLANE_UPDATE_GOLDEN=1 in the environment it writes the file instead.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace overlane::test
{

inline void expectGolden(std::string_view name, const std::string& text)
{
    const auto path = std::filesystem::path(OVERLANE_SOURCE_DIR) / "tests" / "golden" / name;
    const char* update = std::getenv("OVERLANE_UPDATE_GOLDEN");
    if (update && std::string_view(update) == "1") {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; run with OVERLANE_UPDATE_GOLDEN=1";
    EXPECT_EQ(text, readFile(path)) << "differs from " << path << "; if it should, run with OVERLANE_UPDATE_GOLDEN=1";
}

}  // namespace overlane::test
