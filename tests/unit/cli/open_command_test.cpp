#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using test::TempDir;

const std::string kTrace = OVERLANE_SOURCE_DIR "/resources/samples/pipeline_pinned.overlane";

// The command becomes another program, so every test is a process of its own.
class OpenCommandTest : public testing::Test
{
protected:
    void SetUp() override
    {
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "PATH"})
            if (const char* value = std::getenv(variable))
                m_before[variable] = value;
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            unsetenv(variable);
        setenv("PATH", m_folder.path().c_str(), 1);
    }

    void TearDown() override
    {
        for (const auto& [variable, value] : m_before)
            setenv(variable.c_str(), value.c_str(), 1);
    }

    // What `call` writes where it comes back at all.
    static void callAndSay(const std::vector<std::string>& arguments)
    {
        const test::Outcome outcome = call(arguments);
        std::fputs(outcome.err.c_str(), stderr);
        std::_Exit(outcome.code);
    }

    TempDir m_folder;
    std::map<std::string, std::string> m_before;  // variables as they were
};

TEST_F(OpenCommandTest, WithoutADisplayItNamesTheReport)
{
    EXPECT_EXIT(callAndSay({"open", kTrace}), testing::ExitedWithCode(kExitFailed),
                "no display.*overlane report .*pipeline_pinned");
}

TEST_F(OpenCommandTest, WithoutTheWindowItSaysWhereItLooked)
{
    EXPECT_EXIT(
        {
            setenv("DISPLAY", ":7", 1);
            callAndSay({"open", kTrace});
        },
        testing::ExitedWithCode(kExitFailed), "overlane-ui, is not installed here");
}

TEST_F(OpenCommandTest, TheWindowGetsTheFilesAndTheChanges)
{
    const std::string window = m_folder.write("overlane-ui", "#!/bin/sh\necho \"got $*\" >&2\nexit 7\n");
    std::filesystem::permissions(window, std::filesystem::perms::owner_all);
    EXPECT_EXIT(
        {
            setenv("DISPLAY", ":7", 1);
            callAndSay({"open", kTrace, "--compare", kTrace, "--what-if", "pin", "--what-if", "non_blocking"});
        },
        testing::ExitedWithCode(7), "got .*pipeline_pinned.overlane --compare .* --what-if pin --what-if non_blocking");
}

TEST_F(OpenCommandTest, SeveralFilesAndTheWishForARunningWindowArePassedOn)
{
    const std::string window = m_folder.write("overlane-ui", "#!/bin/sh\necho \"got $*\" >&2\nexit 7\n");
    std::filesystem::permissions(window, std::filesystem::perms::owner_all);
    EXPECT_EXIT(
        {
            setenv("DISPLAY", ":7", 1);
            callAndSay({"open", "--reuse", kTrace, kTrace});
        },
        testing::ExitedWithCode(7), "got .*pipeline_pinned.overlane .*pipeline_pinned.overlane --reuse");
}

TEST_F(OpenCommandTest, AFileThatIsNotThereIsNamed)
{
    const auto outcome = call({"open", "none.overlane"});
    expectFailure(outcome, kExitUsage, "none.overlane");
}

}  // namespace
}  // namespace overlane
