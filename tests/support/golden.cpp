#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "tests/support/temp_dir.h"

namespace overlane::test
{

std::string firstDifference(const std::string& text, const std::string& golden)
{
    std::istringstream is(text), was(golden);
    std::string now, before;
    for (int line = 1;; ++line) {
        const bool more = static_cast<bool>(std::getline(is, now)),
                   moreBefore = static_cast<bool>(std::getline(was, before));
        if (!more && !moreBefore)
            return "line ends";
        if (more != moreBefore || now != before)
            return "line " + std::to_string(line) + ":\n  " + (more ? now : "(nothing)") + "\ninstead of\n  " +
                   (moreBefore ? before : "(nothing)");
    }
}

std::filesystem::path goldenFolder()
{
    return std::filesystem::path(OVERLANE_SOURCE_DIR) / "tests" / "golden";
}

bool goldenIsWritten()
{
    const char* update = std::getenv("OVERLANE_UPDATE_GOLDEN");
    return update && std::string_view(update) == "1";
}

void expectGolden(std::string_view name, const std::string& text)
{
    const auto path = goldenFolder() / name;
    if (goldenIsWritten()) {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; run with OVERLANE_UPDATE_GOLDEN=1";
    const std::string golden = readFile(path);
    EXPECT_TRUE(text == golden) << "differs from " << path << " in " << firstDifference(text, golden)
                                << "\nif it should, run with OVERLANE_UPDATE_GOLDEN=1 and read the difference";
}

}  // namespace overlane::test
