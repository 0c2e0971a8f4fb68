#include "core/system/child_process.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <unistd.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

class ChildProcessTest : public testing::Test
{
protected:
    ~ChildProcessTest() override { std::filesystem::remove(m_path); }

    // Runs a shell line and returns how it ended; its output goes to a file.
    ProgramEnd run(const std::string& line, ProgramStart start = {})
    {
        start.command = {"sh", "-c", line};
        start.outputFile = open(m_path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        auto child = ChildProcess::start(start);
        close(start.outputFile);
        EXPECT_TRUE(child.ok());
        return child.ok() ? child.value().wait() : ProgramEnd{-1, 0};
    }
    std::string output() const
    {
        std::ostringstream text;
        text << std::ifstream(m_path).rdbuf();
        return text.str();
    }

    std::string m_path = testing::TempDir() + "overlane_child_" + std::to_string(getpid());
};

TEST_F(ChildProcessTest, TellsTheExitCode)
{
    EXPECT_EQ(run("exit 7").exitCode, 7);
    EXPECT_EQ(run("true").exitCode, 0);
}

TEST_F(ChildProcessTest, TellsTheSignalThatEndedIt)
{
    const ProgramEnd end = run("kill -TERM $$");
    EXPECT_EQ(end.signal, SIGTERM);
}

TEST_F(ChildProcessTest, OfAVariableThatIsSetTwiceTheLastCounts)
{
    ProgramStart start;
    start.environment = {{"OVERLANE_TEST_TWICE", "first"}, {"OVERLANE_TEST_TWICE", "last"}};
    run("env | grep OVERLANE_TEST_TWICE", start);
    EXPECT_EQ(output(), "OVERLANE_TEST_TWICE=last\n");
}

// Names of the processes of a group that run; one that waits for a parent to take its end is over.
std::vector<std::string> runningIn(pid_t group)
{
    std::vector<std::string> running;
    std::error_code error;
    for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
        std::string text;
        std::getline(std::ifstream(process.path() / "stat"), text);
        std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 2)));
        char state = 0;
        pid_t parent = 0, itsGroup = 0;
        if (rest >> state >> parent >> itsGroup && itsGroup == group && state != 'Z' && state != 'X')
            running.push_back(text.substr(text.find('(')));
    }
    return running;
}

TEST_F(ChildProcessTest, AGroupOfItsOwnEndsWithAllThatIsInItAndReadsNothing)
{
    const auto waitFor = [](auto condition) {
        for (int polls = 0; polls < 5000; ++polls, usleep(1000))
            if (condition())
                return true;
        return false;
    };
    const auto sleeps = [](const std::vector<std::string>& names) {
        return std::any_of(names.begin(), names.end(), [](const auto& name) { return name.starts_with("(sleep)"); });
    };
    ProgramStart start;
    start.ownGroup = true;
    start.command = {"sh", "-c", "cat; sleep 600 & wait"};
    auto child = ChildProcess::start(start);
    ASSERT_TRUE(child.ok());
    const pid_t group = child.value().pid();
    EXPECT_FALSE(child.value().hasEnded());
    EXPECT_EQ(getpgid(group), group);
    EXPECT_TRUE(waitFor([&] { return sleeps(runningIn(group)); })) << "cat had nothing to read";
    child.value().signalGroup(SIGKILL);
    EXPECT_TRUE(waitFor([&] { return child.value().hasEnded(); }));
    EXPECT_TRUE(child.value().hasEnded()) << "as often as it is asked";
    EXPECT_EQ(child.value().wait().signal, SIGKILL);
    EXPECT_TRUE(child.value().hasEnded());
    EXPECT_TRUE(waitFor([&] { return runningIn(group).empty(); }));
}

TEST_F(ChildProcessTest, PassesArgumentsDirectoryAndEnvironment)
{
    setenv("OVERLANE_TEST_KEPT", "kept", 1);
    setenv("OVERLANE_TEST_CHANGED", "before", 1);
    ProgramStart start;
    start.directory = "/";
    start.environment = {{"OVERLANE_TEST_CHANGED", "after"}, {"OVERLANE_TEST_NEW", "new"}};
    run("pwd; echo $OVERLANE_TEST_KEPT $OVERLANE_TEST_CHANGED $OVERLANE_TEST_NEW; echo wrong >&2", start);
    EXPECT_EQ(output(), "/\nkept after new\nwrong\n");
}

TEST_F(ChildProcessTest, NamesAProgramThatIsNotThere)
{
    ProgramStart start;
    start.command = {"no-such-program-at-all"};
    const auto child = ChildProcess::start(start);
    ASSERT_FALSE(child.ok());
    EXPECT_THAT(child.error(), HasSubstr("no-such-program-at-all"));
    test::expectText(child.error());
}

TEST_F(ChildProcessTest, SignalsReachItAndPollSeesTheEnd)
{
    ProgramStart start;
    start.command = {"sleep", "100"};
    std::signal(SIGINT, SIG_DFL);  // a shell's job in the background ignores it, and so would the child
    auto child = ChildProcess::start(start);
    ASSERT_TRUE(child.ok());
    EXPECT_FALSE(child.value().poll());
    child.value().signal(SIGINT);
    EXPECT_EQ(child.value().wait().signal, SIGINT);
    EXPECT_TRUE(child.value().poll());
    child.value().signal(SIGINT);  // nobody is hit once it has ended
}

TEST_F(ChildProcessTest, KeepsSignalsIgnoredThatWereIgnored)
{
    const auto before = signal(SIGHUP, SIG_IGN);
    const ProgramEnd end = run("kill -HUP $$; exit 3");
    signal(SIGHUP, before);
    EXPECT_EQ(end.exitCode, 3);
}

}  // namespace
}  // namespace overlane
