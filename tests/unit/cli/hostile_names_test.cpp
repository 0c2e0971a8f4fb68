// Names that steer a terminal, forge lines or turn the direction of writing: whatever a command writes
// of them, to a stream or to a file, is text that may be shown anywhere.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/printable_text.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::Outcome;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

const std::string kHostile = std::string(OVERLANE_SOURCE_DIR) + "/tests/data/cli/hostile_names.json";

class HostileNamesTest : public testing::Test
{
protected:
    // A file whose own name is hostile, too.
    HostileNamesTest() : m_trace(m_folder.write("t\x1b[31m\n\u202e\xff.json", test::readFile(kHostile))) {}

    static void expectPrintable(const std::string& text, const std::string& what)
    {
        EXPECT_TRUE(isPrintable(text, TextLines::Several)) << what << ":\n" << printableText(text, TextLines::Several);
    }
    static Outcome expectPrintable(const std::vector<std::string>& arguments)
    {
        Outcome outcome = call(arguments);
        expectPrintable(outcome.out, arguments.front() + ", output");
        expectPrintable(outcome.err, arguments.front() + ", errors");
        EXPECT_THAT(outcome.out, Not(HasSubstr("\noverlane:"))) << "a forged line";
        return outcome;
    }

    test::TempDir m_folder;
    std::string m_trace;
};

TEST_F(HostileNamesTest, EveryCommandShowsThemAsText)
{
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"info", m_trace},
                                               {"compare", m_trace, kHostile},
                                               {"check", m_trace, "--fail-on", "step-time:1us"},
                                               {"whatif", m_trace},
                                               {"report", m_trace, "-o", m_folder.path("page.html")},
                                               {"convert", m_trace, m_folder.path("t\x1b[2J.overlane")}}) {
        const Outcome outcome = expectPrintable(arguments);
        EXPECT_NE(outcome.code, kExitUsage) << outcome.err;
        if (arguments.front() != "report" && arguments.front() != "whatif") {  // these print no name
            EXPECT_THAT(outcome.out, HasSubstr("\\u001b")) << arguments.front() << " shows no name: " << outcome.err;
        }
    }
    EXPECT_THAT(call({"info", kHostile, "--json"}).out, Not(HasSubstr("\u202e")));
}

TEST_F(HostileNamesTest, JsonStaysJson)
{
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"info", "--json", m_trace},
                                               {"compare", "--json", m_trace, kHostile},
                                               {"check", "--json", m_trace, "--fail-on", "step-time:1us"}}) {
        const Outcome outcome = expectPrintable(arguments);
        EXPECT_TRUE(Json::accept(outcome.out)) << arguments.front() << outcome.out << outcome.err;
    }
}

TEST_F(HostileNamesTest, FilesForOtherProgramsHoldThemAsText)
{
    const std::string sarif = m_folder.path("log.sarif");
    const std::string junit = m_folder.path("log.xml");
    const std::string page = m_folder.path("page.html");
    EXPECT_EQ(call({"check", m_trace, "--fail-on", "step-time:1us", "--sarif", sarif, "--junit", junit}).code,
              kExitFailed);
    EXPECT_EQ(call({"report", m_trace, "-o", page}).code, kExitOk);
    for (const std::string& path : {sarif, junit, page}) {
        const std::string text = test::readFile(path);
        EXPECT_FALSE(text.empty()) << path;
        for (const char* part : {"\x1b", "\a", "\x9b[", "\u009b", "\u202e", "\xff"})
            EXPECT_THAT(text, Not(HasSubstr(part))) << path;
    }
    EXPECT_TRUE(Json::accept(test::readFile(sarif)));
}

TEST_F(HostileNamesTest, ErrorsNameFilesAsText)
{
    const std::string gone = m_folder.path("gone\x1b]0;x\a\r\n.json");
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"info", gone},
                                               {"compare", gone, gone},
                                               {"check", gone, "--fail-on", "hazard"},
                                               {"run", "--preset", gone},
                                               {gone},
                                               {"info", kHostile, "--\x1bno"},
                                               {"convert", kHostile, gone + ".unknown"}}) {
        const Outcome outcome = expectPrintable(arguments);
        EXPECT_NE(outcome.code, kExitOk);
        EXPECT_THAT(outcome.err + outcome.out, HasSubstr("\\u001b")) << arguments.front();
    }
}

TEST_F(HostileNamesTest, InfoIsAsItShouldBe)
{
    test::expectGolden("cli/info_hostile_names.txt", call({"info", kHostile}).out);
}

}  // namespace
}  // namespace overlane
