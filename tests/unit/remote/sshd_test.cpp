// `overlane record --host` through OpenSSH itself: `ssh` with a server of its own (sshd -i behind ProxyCommand, so that
// no port is opened), keys, a host key that is known, and one that is not. Skipped where there is no server, or where
// it lets this user not in.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <list>

#include "tests/support/expect_text.h"
#include "tests/unit/cli/child_program.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::ChildProgram;
using test::TempDir;

constexpr const char* kServer = "/usr/sbin/sshd";
constexpr const char* kScript = "echo \"$1\"; exec " OVERLANE_RECORDED_PROGRAM " 5 1 3";
constexpr const char* kClient = "/usr/bin/ssh";

class SshdTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::error_code error;
        if (!fs::exists(kServer, error) || !fs::exists(kClient, error))
            GTEST_SKIP() << "no sshd here";
        for (const char* key : {"host", "other", "key"})
            ASSERT_EQ(run(fmt::format("ssh-keygen -q -t ed25519 -N '' -f {}", m_dir.path(key))), 0);
        fs::copy_file(m_dir.path("key.pub"), m_dir.path("authorized"));
        m_dir.write("server",
                    fmt::format("HostKey {0}/host\nAuthorizedKeysFile {0}/authorized\nPidFile none\nUsePAM no\n"
                                "StrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n",
                                m_dir.path().string()));
        std::string config;
        for (const auto& [name, known, key] :
             {std::array{"there", "known", "key"}, {"changed", "wrong", "key"}, {"closed", "known", "other"}})
            config += fmt::format(
                "Host {1}\n  HostKeyAlias there\n  ProxyCommand {2} -i -f {0}/server\n  IdentityFile {0}/{4}\n"
                "  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile {0}/{3}\n"
                "  GlobalKnownHostsFile none\n  StrictHostKeyChecking yes\n",
                m_dir.path().string(), name, kServer, known, key);
        m_dir.write("config", config);
        for (const auto& [file, key] : {std::pair{"known", "host.pub"}, {"wrong", "other.pub"}})
            m_dir.write(file, "there " + test::readFile(m_dir.path(key)));
        fs::create_directory(m_dir.path("bin"));
        m_dir.write("bin/ssh", fmt::format("#!/bin/sh\nexec {} -F {} \"$@\"\n", kClient, m_dir.path("config")));
        fs::permissions(m_dir.path("bin/ssh"), fs::perms::owner_all);
        m_path = std::getenv("PATH");
        setenv("PATH", (m_dir.path("bin:") + m_path).c_str(), 1);
        if (run("mkdir -p /run/sshd 2>/dev/null; ssh there true") != 0)
            GTEST_SKIP() << "sshd does not let this user in";
    }
    void TearDown() override
    {
        if (!m_path.empty())
            setenv("PATH", m_path.c_str(), 1);
    }
    static int run(const std::string& command)
    {
        return std::system((command + " >/dev/null 2>&1 </dev/null").c_str());
    }
    ChildProgram& record(const std::string& host)
    {
        return m_programs.emplace_back(
            m_outputs.emplace_back(),
            std::vector<std::string>{"record", "--host", host, "--host-folder", m_dir.path("cache"), "--no-stacks",
                                     "--no-gauges", "-o", m_dir.path("x.overlane"), "--overwrite", "--no-cache", "--",
                                     "sh", "-c", kScript, "x", "it's $HOME"});
    }

    TempDir m_dir;
    std::string m_path;
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
