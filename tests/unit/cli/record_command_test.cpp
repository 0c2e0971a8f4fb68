// `overlane record` as a launcher starts it: each rank of a job in a process of its own.
#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <list>
#include <memory>
#include <regex>

#include "tests/support/expect_text.h"
#include "tests/unit/cli/child_program.h"

namespace overlane
{
namespace
{

using test::ChildProgram;
using test::TempDir;

class RecordCommandTest : public testing::Test
{
protected:
    void TearDown() override
    {
        for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK"})
            unsetenv(name);
    }
    static void beRank(int rank, int worldSize)
    {
        setenv("RANK", std::to_string(rank).c_str(), 1);
        setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
        setenv("WORLD_SIZE", std::to_string(worldSize).c_str(), 1);
    }
    ChildProgram& recordTo(const std::string& output, const std::vector<std::string>& more = {})
    {
        std::vector<std::string> arguments{"record", "--no-stacks", "--no-gauges", "-o", output};
        arguments.insert(arguments.end(), more.begin(), more.end());
        arguments.insert(arguments.end(), {"--", OVERLANE_RECORDED_PROGRAM, "5"});
        return m_programs.emplace_back(m_outputs.emplace_back(), arguments);
    }
    static bool cannotRecord(ChildProgram& program)
    {
        return program.wait() != 0 && program.err().find("cannot record") != std::string::npos;
    }
    // Without this machine's name and the test's folder.
    std::string shown(const std::string& text) const
    {
        static const std::regex kHost(R"((rank\d+)-[^ ]*?\.overlane)");
        return std::regex_replace(text, kHost, "$1-HOST.overlane");
    }

    TempDir m_dir;
    std::list<TempDir> m_outputs;
    std::list<ChildProgram> m_programs;
};

TEST_F(RecordCommandTest, EachRankOfAJobHasAFileAndALineOfItsOwn)
{
    constexpr int kRanks = 4;
    for (int rank = 0; rank < kRanks; ++rank) {
        beRank(rank, kRanks);
        recordTo(m_dir.path("job/"));
    }
    if (cannotRecord(m_programs.front()))
        GTEST_SKIP() << "this build cannot record";
    for (ChildProgram& program : m_programs) {
        EXPECT_EQ(program.wait(), 0);
        test::expectText(shown(program.err()));
    }
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(m_dir.path("job")))
        names.push_back(shown(entry.path().filename().string()));
    EXPECT_THAT(names, testing::UnorderedElementsAre("rank00-HOST.overlane", "rank01-HOST.overlane",
                                                     "rank02-HOST.overlane", "rank03-HOST.overlane"));
}

TEST_F(RecordCommandTest, ANameOfOneFileGetsTheRankAndTheFirstSaysSo)
{
    for (const int rank : {0, 1}) {
        beRank(rank, 2);
        ChildProgram& program = recordTo(m_dir.path("x.overlane"));
        if (cannotRecord(program))
            GTEST_SKIP() << "this build cannot record";
        test::expectText(shown(program.err()));
    }
}

TEST_F(RecordCommandTest, AKindThatIsNotKnownIsSaid)
{
    ChildProgram& program = recordTo(m_dir.path("x.overlane"), {"--kinds", "copies,colors"});
    EXPECT_EQ(program.wait(), 2);
    test::expectText(program.err());
}

TEST_F(RecordCommandTest, APlaceThatIsNotKnownIsSaid)
{
    ChildProgram& program = recordTo(m_dir.path("x-{node}.overlane"));
    EXPECT_EQ(program.wait(), 2);
    test::expectText(program.err());
}

}  // namespace
}  // namespace overlane
