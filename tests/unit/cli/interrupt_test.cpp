// Ctrl+C and SIGTERM at long work, sent to the built program; and its progress on a terminal.
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cli/cli.h"
#include "core/cli/long_task.h"
#include "tests/unit/cli/child_program.h"

namespace overlane
{
namespace
{

using test::ChildProgram;
using test::TempDir;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kLongRun{"run", "--set", "batches=100000", "--set", "tensors=10", "--set", "workers=16"};
constexpr const char* kCancelled = "overlane: Cancelled.\n";

// A trace that takes a second or so to read and to write.
std::string longTrace(const TempDir& dir)
{
    std::ofstream file(dir.path("long.json"));
    file << "{\"traceEvents\": [\n";
    for (int at = 0; at < 400'000; ++at)
        file << fmt::format(
            "{}{{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"kernel {}\",\"pid\":0,\"tid\":7,\"ts\":{},"
            "\"dur\":2,\"args\":{{\"device\":0,\"stream\":7}}}}",
            at == 0 ? "" : ",\n", at % 1000, at * 3);
    file << "]}\n";
    return dir.path("long.json");
}

class InterruptTest : public testing::TestWithParam<int>
{
};

TEST_P(InterruptTest, AnOuterTaskIsCancelledBesideAndBehindAnInnerOne)
{
    LongTask outer("Outer", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
    {
        LongTask inner("Inner", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
        EXPECT_FALSE(inner.cancelled());
    }
    std::raise(GetParam());
    EXPECT_TRUE(outer.cancelled());

    LongTask other("Other", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
    LongTask within("Within", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
    std::raise(GetParam());
    EXPECT_TRUE(within.cancelled());
    EXPECT_TRUE(other.cancelled());
}

TEST_P(InterruptTest, ASimulationStopsWithOneSentence)
{
    const TempDir dir;
    ChildProgram program(dir, kLongRun);
    ASSERT_TRUE(program.waitUntil([&] { return program.catches(GetParam()); }));
    program.send(GetParam());
    EXPECT_EQ(program.wait(), kExitCancelled);
    EXPECT_EQ(program.err(), kCancelled);
    EXPECT_EQ(program.out(), "");
}

TEST_P(InterruptTest, ReadingStopsWithOneSentence)
{
    const TempDir dir;
    ChildProgram program(dir, {"info", longTrace(dir)});
    ASSERT_TRUE(program.waitUntil([&] { return program.catches(GetParam()); }));
    program.send(GetParam());
    EXPECT_EQ(program.wait(), kExitCancelled);
    EXPECT_EQ(program.err(), kCancelled);
    EXPECT_EQ(program.out(), "");
}

TEST_P(InterruptTest, WritingLeavesTheOldFileAndNoOther)
{
    const TempDir dir;
    const TempDir target;
    const std::string old = target.write("old.overlane", "old content");
    ChildProgram program(dir, {"convert", longTrace(dir), old});
    const auto filesInTarget = [&] {
        return std::distance(std::filesystem::directory_iterator(target.path()), std::filesystem::directory_iterator());
    };
    ASSERT_TRUE(program.waitUntil([&] { return filesInTarget() > 1; })) << program.err();
    program.send(GetParam());
    EXPECT_EQ(program.wait(), kExitCancelled);
    EXPECT_EQ(program.err(), kCancelled);
    EXPECT_EQ(filesInTarget(), 1);
    EXPECT_EQ(test::readFile(old), "old content");
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptTest, testing::Values(SIGINT, SIGTERM),
                         [](const auto& each) { return each.param == SIGINT ? "CtrlC" : "Terminate"; });

// Neither of the two ever looks at its progress; the one that must answer outlives the other.
TEST(LongTaskDeathTest, WorkThatDoesNotAnswerEndsWithTheProcessUnlessItMustAnswer)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto work = [] {
        const pid_t reader = fork();  // while no other thread holds a lock that a child would never get
        if (reader == 0) {
            const LongTask reading("Reading", LongTask::Drawing::Never);
            raise(SIGINT);
            for (;;)
                pause();
        }
        const LongTask writing("Writing", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
        raise(SIGTERM);
        int status = 0;
        waitpid(reader, &status, 0);
        std::_Exit(WIFEXITED(status) && WEXITSTATUS(status) == kExitCancelled && writing.cancelled() ? 42 : 0);
    };
    EXPECT_EXIT(work(), testing::ExitedWithCode(42), "^overlane: Cancelled.\n$");
}

TEST(ProgressTest, IsShownOnATerminalAndRemovedAndStaysAwayFromJson)
{
    if (!ChildProgram::terminalsExist())
        GTEST_SKIP() << "no pseudo-terminal here";
    const TempDir dir;
    std::vector<std::string> arguments = kLongRun;
    arguments.emplace_back("--json");
    ChildProgram json(dir, arguments, ChildProgram::Errors::ToTerminal);
    ASSERT_TRUE(json.waitUntil([&] { return json.catches(SIGINT); }));
    const TempDir besideIt;
    ChildProgram program(besideIt, kLongRun, ChildProgram::Errors::ToTerminal);
    ASSERT_TRUE(program.waitUntil([&] { return program.err().find("% (Ctrl+C cancels)") != std::string::npos; }));
    EXPECT_THAT(program.err(), HasSubstr("Simulating"));
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), kExitCancelled);
    EXPECT_THAT(program.err(), HasSubstr("\r\x1b[Koverlane: Cancelled."));
    json.send(SIGINT);
    EXPECT_EQ(json.wait(), kExitCancelled);
    EXPECT_THAT(json.err(), Not(HasSubstr("Simulating")));
}

}  // namespace
}  // namespace overlane
