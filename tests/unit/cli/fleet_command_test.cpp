#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/cli/fleet_scan.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using test::TempDir;

// The command becomes Python, so every test of that is a process of its own.
class FleetCommandTest : public testing::Test
{
protected:
    void SetUp() override
    {
        for (const char* variable : {"OVERLANE_PYTHON", "PATH", "PYTHONPATH"}) {
            const char* value = std::getenv(variable);
            m_before[variable] = value == nullptr ? "" : value;
        }
        unsetenv("OVERLANE_PYTHON");
        setenv("PATH", m_folder.path().c_str(), 1);
    }

    void TearDown() override
    {
        for (const auto& [variable, value] : m_before)
            value.empty() ? unsetenv(variable.c_str()) : setenv(variable.c_str(), value.c_str(), 1);
    }

    std::string python(const std::string& name)
    {
        const std::string file =
            m_folder.write(name, "#!/bin/sh\nshift 2\necho \"got [$*] with $PYTHONPATH\" >&2\nexit 7\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file;
    }

    static void callAndSay(const std::vector<std::string>& arguments)
    {
        const test::Outcome outcome = call(arguments);
        std::fputs(outcome.err.c_str(), stderr);
        std::_Exit(outcome.code);
    }

    TempDir m_folder;
    std::map<std::string, std::string> m_before;  // variables as they were
};

TEST_F(FleetCommandTest, PythonGetsEveryOption)
{
    python("python3");
    EXPECT_EXIT(
        callAndSay({"fleet", "scan", "runs", "s3://bucket/x", "-o", "out", "--engine", "dask://host:8786", "--group",
                    "-a(.)", "--version-of", "v(.)", "--only", "x", "--retry-failed", "--no-easiest"}),
        testing::ExitedWithCode(7),
        "got \\[scan --output out --engine dask://host:8786 --group=-a\\(.\\) --version-of=v\\(.\\) --only=x "
        "--retry-failed --no-easiest -- runs s3://bucket/x\\]");
}

TEST_F(FleetCommandTest, OptionsThatAreLeftOutAreThePackagesOwn)
{
    python("python3");
    EXPECT_EXIT(callAndSay({"fleet", "scan", "runs", "--workers", "3"}), testing::ExitedWithCode(7),
                "got \\[scan --output fleet --engine local --workers 3 -- runs\\]");
}

TEST_F(FleetCommandTest, AnotherPythonIsNamed)
{
    const std::string other = python("other");
    EXPECT_EXIT(
        {
            setenv("OVERLANE_PYTHON", other.c_str(), 1);
            callAndSay({"fleet", "scan", "runs"});
        },
        testing::ExitedWithCode(7), "got \\[scan .*\\]");
}

TEST_F(FleetCommandTest, WithoutPythonItSaysWhatToInstall)
{
    EXPECT_EXIT(callAndSay({"fleet", "scan", "runs"}), testing::ExitedWithCode(kExitFailed),
                "overlane: .*python3.*pip install overlane.fleet.");
}

TEST_F(FleetCommandTest, AReportNeedsNoPython)
{
    const std::string fleet = OVERLANE_SOURCE_DIR "/tests/data/fleet";
    const test::Outcome text = call({"fleet", "report", fleet, "--worst", "3"});
    EXPECT_EQ(text.code, kExitOk) << text.err;
    test::expectText(text.out);
    const test::Outcome json = call({"fleet", "report", fleet, "--json", "--group", "resnet", "--cause", "copies"});
    EXPECT_EQ(json.code, kExitOk) << json.err;
    const auto read = nlohmann::json::parse(json.out);
    EXPECT_EQ(read["read"], 59);
    EXPECT_EQ(read["runs"].size(), 15u);
    EXPECT_EQ(read["changes"][0]["claim"], "higher");
    const test::Outcome page = call({"fleet", "report", fleet, "-o", m_folder.path("page.html")});
    EXPECT_EQ(page.code, kExitOk) << page.err;
    EXPECT_NE(test::readFile(m_folder.path("page.html")).find("</html>"), std::string::npos);
}

TEST_F(FleetCommandTest, AReportNamesWhatIsNotThere)
{
    const std::string fleet = OVERLANE_SOURCE_DIR "/tests/data/fleet";
    expectFailure(call({"fleet", "report", fleet, "--group", "vision"}), kExitUsage, "resnet");
    expectFailure(call({"fleet", "report", fleet, "--cause", "swap"}), kExitUsage, "batches");
    expectFailure(call({"fleet", "report", m_folder.path().string()}), kExitFailed, "fleet.sqlite");
    expectFailure(call({"fleet", "report", fleet, fleet}), kExitUsage, "FOLDER");
}

TEST_F(FleetCommandTest, WhatIsMissingIsAsked)
{
    expectFailure(call({"fleet", "scan"}), kExitUsage, "overlane fleet scan URL");
    expectFailure(call({"fleet", "scna", "runs"}), kExitUsage, "scna");
}

}  // namespace
}  // namespace overlane
