// The built program: what only a process has, exit codes, a full disk and standard output.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string_view>
#include <sys/wait.h>

#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using test::TempDir;

const std::string kSmallRun = OVERLANE_SOURCE_DIR "/tests/data/cli/small.json";

int shell(const std::string& command)
{
    const int status = std::system(("exec bash -c '" + command + "'").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ProgramTest, ExitCodesReachTheShell)
{
    const std::string program = OVERLANE_PROGRAM;
    EXPECT_EQ(shell(program + " info " + kSmallRun + " >/dev/null"), 0);
    EXPECT_EQ(shell(program + " info /does/not/exist 2>/dev/null"), 1);
    EXPECT_EQ(shell(program + " bogus 2>/dev/null"), 2);
}

TEST(ProgramTest, HasTheWholeHookForPythonBesideIt)
{
    namespace fs = std::filesystem;
    const fs::path beside = fs::path(OVERLANE_PROGRAM).parent_path() / "../../share/overlane/pytorch";
    for (const fs::directory_entry& file : fs::directory_iterator(OVERLANE_SOURCE_DIR "/resources/pytorch"))
        if (file.path().extension() == ".py") {
            EXPECT_EQ(test::readFile(beside / file.path().filename()), test::readFile(file.path())) << file.path();
        }
}

// From the folder of samples beside it, wherever it is started.
TEST(ProgramTest, TheDemoJudgesARunAndTheSamples)
{
    const TempDir dir;
    const std::string out = (dir.path() / "demo.txt").string();
    ASSERT_EQ(shell("cd / && " OVERLANE_PROGRAM " demo >" + out), 0);
    const std::string text = test::readFile(out);
    for (const char* part : {"\n2. ", "\n3. ", "/samples/dataloader_pageable_blocking.overlane"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in:\n" << text;
}

TEST(ProgramTest, AFullStandardOutputIsAnError)
{
    if (!std::filesystem::exists("/dev/full"))
        GTEST_SKIP() << "no /dev/full here";
    for (const char* arguments : {" run --json", " --help", " info --help", " --version", " machine"}) {
        EXPECT_EQ(shell(std::string(OVERLANE_PROGRAM) + arguments + " >/dev/full 2>/dev/null"), 1) << arguments;
        EXPECT_EQ(shell(std::string(OVERLANE_PROGRAM) + arguments + " >&- 2>/dev/null"), 1) << arguments;
    }
}

// With the signal that a limit sends by default, which ends a program without a word.
TEST(ProgramTest, AFileThatMayNotGrowIsAnErrorOfEveryCommand)
{
    const std::string program = OVERLANE_PROGRAM;
    for (const char* arguments :
         {"run --set batches=2000 -o out.overlane", "convert in.overlane out.overlane",
          "report in.overlane -o out.html", "sweep --over batches=10..60 -o out.jsonl",
          "sweep --over batches=10..60 --csv out.csv", "whatif in.overlane --change drop_syncs -o out.overlane",
          "info in.overlane --json"}) {
        const TempDir dir;
        const std::string folder = dir.path().string();
        const auto within = [&](std::string_view limit, std::string_view what) {
            return shell(fmt::format("cd {}; {} {} {}", folder, limit, program, what));
        };
        ASSERT_EQ(within("", "run --set batches=500 -o in.overlane >/dev/null"), 0);
        EXPECT_EQ(within("ulimit -f 2;", fmt::format("{} >out 2>err", arguments)), 1) << arguments;
        EXPECT_NE(test::readFile(dir.path("err")).find("overlane: "), std::string::npos) << arguments;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            EXPECT_NE(entry.path().extension(), ".tmp") << arguments << " leaves " << entry.path();
    }
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
