#include <array>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>

#include "core/record/record_status.h"
#include "core/record/spool_reader.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using test::TempDir;

struct Outcome {
    std::string output;  // stdout and stderr
    int exitCode = -1;
};

Outcome run(const std::string& command)
{
    Outcome outcome;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr)
        return outcome;
    std::array<char, 4096> buffer{};
    std::size_t got = 0;
    while ((got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
        outcome.output.append(buffer.data(), got);
    const int status = pclose(pipe);
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

std::string program(const std::string& environment, const std::string& arguments = "")
{
    return environment + " " + OVERLANE_PLAIN_PROGRAM + " " + OVERLANE_INJECT_LIBRARY + " " + arguments;
}

std::vector<std::filesystem::path> spools(const TempDir& dir)
{
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path()))
        if (entry.path().extension() == spool::kFileSuffix)
            found.push_back(entry.path());
    return found;
}

TEST(Inject, ExportsItsTwoEntriesAndNothingElse)
{
    const Outcome symbols = run(std::string(OVERLANE_NM) + " -D --defined-only " + OVERLANE_INJECT_LIBRARY);
    ASSERT_EQ(symbols.exitCode, 0) << symbols.output;
    std::vector<std::string> names;
    std::istringstream lines(symbols.output);
    std::string address;
    std::string type;
    std::string name;
    while (lines >> address >> type >> name)
        names.push_back(name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("InitializeInjection", "InitializeInjectionNvtx2"));
}

TEST(Inject, WithoutASpoolDirectoryDoesNothing)
{
    const Outcome outcome = run(program("env -u OVERLANE_SPOOL_DIR"));
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
}

TEST(Inject, WithoutCuptiLeavesTheProgramAloneAndSaysWhy)
{
    const TempDir dir;
    // No driver here either way; a search path without CUPTI makes the reason certain.
    const Outcome outcome =
        run(program("OVERLANE_CUPTI=/nowhere/libcupti.so OVERLANE_SPOOL_DIR=" + dir.path().string()));
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
    const auto files = spools(dir);
    ASSERT_EQ(files.size(), 1u);
    Result<SpoolReader> reader = SpoolReader::open(files[0].string());
    ASSERT_TRUE(reader.ok());
    SpoolFrame frame;
    std::string program;
    std::vector<RecordStatus> states;
    while (reader.value().next(frame)) {
        if (frame.header.kind == spool::FrameKind::ProcessStart)
            frame.each<spool::ProcessStart>(
                [&](const spool::ProcessStart& start) { program = reader.value().text(start.program); });
        if (frame.header.kind == spool::FrameKind::Status)
            frame.each<spool::Status>(
                [&](const spool::Status& status) { states.push_back(static_cast<RecordStatus>(status.code)); });
    }
    EXPECT_EQ(program, "injected_program");
    ASSERT_FALSE(states.empty());
    EXPECT_TRUE(endsRecording(states.back())) << "a machine without a GPU cannot be recorded";
    EXPECT_EQ(reader.value().tailBytes(), 0u);
}

TEST(Inject, ForkedChildrenStayQuiet)
{
    const TempDir dir;
    const Outcome outcome = run(program("OVERLANE_SPOOL_DIR=" + dir.path().string(), "fork"));
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
    EXPECT_EQ(spools(dir).size(), 1u);
}

TEST(Inject, ADirectoryThatIsGoneDoesNotMatter)
{
    const Outcome outcome = run(program("OVERLANE_SPOOL_DIR=/nowhere/at/all"));
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
}

}  // namespace
}  // namespace overlane
