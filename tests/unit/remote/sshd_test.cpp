// `overlane record --host` through OpenSSH itself: keys, a host key that is known, and one that is not. Skipped where
// there is no server, or where it lets this user not in.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <list>

#include "tests/support/expect_text.h"
#include "tests/support/own_sshd.h"
#include "tests/unit/cli/child_program.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::ChildProgram;
using test::TempDir;

constexpr const char* kScript = "echo \"$1\"; exec " OVERLANE_RECORDED_PROGRAM " 5 1 3";

class SshdTest : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!m_server.letsIn())
            GTEST_SKIP() << "no sshd here, or it does not let this user in";
    }
    ChildProgram& record(const std::string& host)
    {
        return m_programs.emplace_back(
            m_outputs.emplace_back(),
            std::vector<std::string>{"record", "--host", host, "--host-folder", m_dir.path("cache"), "--no-stacks",
                                     "--no-gauges", "-o", m_dir.path("x.overlane"), "--overwrite", "--no-cache", "--",
                                     "sh", "-c", kScript, "x", "it's $HOME"});
    }

    test::OwnSshd m_server;
    TempDir m_dir;
    std::list<TempDir> m_outputs;
    std::list<ChildProgram> m_programs;
};

TEST_F(SshdTest, RecordsAndBringsTheTrace)
{
    ChildProgram& program = record("there");
    const int code = program.wait();
    if (program.err().find("cannot record") != std::string::npos)
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(code, 3) << program.err();
    EXPECT_THAT(program.out(), testing::StartsWith("it's $HOME\n"));
    EXPECT_TRUE(fs::exists(m_dir.path("x.overlane")));
    EXPECT_FALSE(fs::exists(m_dir.path("cache")));
}

TEST_F(SshdTest, RefusedLoginsAreOneSentence)
{
    for (const char* host : {"closed", "changed", "nowhere.invalid"}) {
        ChildProgram& program = record(host);
        EXPECT_EQ(program.wait(), 1);
        const std::string words = program.err();
        EXPECT_EQ(std::count(words.begin(), words.end(), '\n'), 1) << words;
        test::expectText(words.substr(0, words.find('(')) + "\n");
        EXPECT_FALSE(fs::exists(m_dir.path("x.overlane")));
    }
}

}  // namespace
}  // namespace overlane
