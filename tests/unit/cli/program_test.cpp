// The built program: what only a process has, exit codes, a full disk and standard output.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using test::TempDir;

const std::string kSmall = OVERLANE_SOURCE_DIR "/tests/data/cli/small.json";

int shell(const std::string& command)
{
    const int status = std::system(("exec bash -c '" + command + "'").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ProgramTest, ExitCodesReachTheShell)
{
    const std::string program = OVERLANE_PROGRAM;
    EXPECT_EQ(shell(program + " info " + kSmall + " >/dev/null"), 0);
    EXPECT_EQ(shell(program + " info /does/not/exist 2>/dev/null"), 1);
    EXPECT_EQ(shell(program + " bogus 2>/dev/null"), 2);
}

TEST(ProgramTest, AFullStandardOutputIsAnError)
{
    if (!std::filesystem::exists("/dev/full"))
        GTEST_SKIP() << "no /dev/full here";
    EXPECT_EQ(shell(std::string(OVERLANE_PROGRAM) + " run --json >/dev/full 2>/dev/null"), 1);
}

TEST(ProgramTest, AFullDiskLeavesTheOldFile)
{
    const TempDir dir;
    const std::string old = dir.write("old.overlane", "old content");
    const std::string command = "trap \"\" XFSZ; ulimit -f 4; " + std::string(OVERLANE_PROGRAM) +
                                " run --set batches=2000 -o " + old + " >/dev/null 2>" + dir.path("err");
    EXPECT_EQ(shell(command), 1);
    EXPECT_EQ(test::readFile(old), "old content");
    EXPECT_NE(test::readFile(dir.path("err")).find("old.overlane"), std::string::npos);
}

}  // namespace
}  // namespace overlane
