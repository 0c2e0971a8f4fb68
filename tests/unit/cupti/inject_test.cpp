#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "core/spool/record_status.h"
#include "core/spool/spool_reader.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cupti/outcome.h"

namespace overlane
{
namespace
{

using test::injectedProgram;
using test::Outcome;
using test::runCommand;
using test::TempDir;

std::vector<std::filesystem::path> spools(const TempDir& dir)
{
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path()))
        if (entry.path().extension() == spool::kFileSuffix)
            found.push_back(entry.path());
    return found;
}

TEST(Inject, ExportsItsThreeEntriesAndNothingElse)
{
    const Outcome symbols = runCommand(std::string(OVERLANE_NM) + " -D --defined-only " + OVERLANE_INJECT_LIBRARY);
    ASSERT_EQ(symbols.exitCode, 0) << symbols.output;
    std::vector<std::string> names;
    std::istringstream lines(symbols.output);
    std::string address;
    std::string type;
    std::string name;
    while (lines >> address >> type >> name)
        names.push_back(name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("InitializeInjection", "InitializeInjectionNvtx2",
                                                     "InitializeInjectionNvtxExtension"));
}

TEST(Inject, WithoutASpoolDirectoryDoesNothing)
{
    const Outcome outcome = runCommand(injectedProgram("-u OVERLANE_SPOOL_DIR"));
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
}

TEST(Inject, WithoutCuptiLeavesTheProgramAloneAndSaysWhy)
{
    const TempDir dir;
    // No driver here either way; a search path without CUPTI makes the reason certain.
    const Outcome outcome =
        runCommand(injectedProgram("OVERLANE_CUPTI=/nowhere/libcupti.so OVERLANE_SPOOL_DIR=" + dir.path().string()));
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
    const Outcome outcome = runCommand(injectedProgram("OVERLANE_SPOOL_DIR=" + dir.path().string(), "fork"));
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
    EXPECT_EQ(spools(dir).size(), 1u);
}

TEST(Inject, ADirectoryThatIsGoneDoesNotMatter)
{
    const Outcome outcome = runCommand(injectedProgram("OVERLANE_SPOOL_DIR=/nowhere/at/all"));
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
}

}  // namespace
}  // namespace overlane
