#include <CLI/CLI.hpp>
#include <gmock/gmock.h>

#include "core/manual/completion.h"
#include "core/manual/man_page.h"
#include "core/manual/manual_files.h"
#include "core/manual/program_sheet.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Takes = OptionSheet::Takes;

// A program with one of each.
class ManualTest : public testing::Test
{
protected:
    ManualTest() : m_app("Looks at traces.", "looker")
    {
        m_app.set_version_flag("--version", "1");
        CLI::App* see = m_app.add_subcommand("see", "See what a trace has.");
        see->footer(".dots and 'quotes' and a\\b at 5 \xC2\xB5s\n  -x  stays\n");
        see->add_option("FILE", m_text, "The trace")->required();
        see->add_option("-o,--output", m_text, "Where it's written [if at all]")->type_name("FILE");
        see->add_option("--color", m_text, "A color: red, or: blue")->check(CLI::IsMember({"red", "blue"}));
        see->add_option("--device", m_list, "Devices")->allow_extra_args(false)->type_name("NAME");
        see->add_option("--count", m_count, "How many")->capture_default_str();
        see->add_option("--into", m_text, "A folder")->type_name("FOLDER");
        CLI::App* call = m_app.add_subcommand("call", "Call a program.");
        call->add_option("COMMAND", m_list, "The program and its arguments");
        call->add_option("--every", m_seconds, "Seconds");
        see->add_flag("--json", m_flag, "Print JSON");
        see->add_flag("--secret", m_flag)->group("");
        m_app.add_subcommand("hidden", "")->group("");
    }
    ProgramSheet sheet() const
    {
        return readSheet(m_app, "1.2.3", [](std::string_view command, std::string_view option) {
            return command == "see" && option == "--device" ? std::vector<std::string>{"h100", "h200"}
                                                            : std::vector<std::string>{};
        });
    }
    const OptionSheet& option(const std::string& name) const
    {
        static ProgramSheet kept;
        kept = sheet();
        for (const OptionSheet& one : kept.commands.at(0).options)
            if (one.names.back() == name)
                return one;
        throw std::runtime_error("no option " + name);
    }

    CLI::App m_app;
    std::string m_text;
    std::vector<std::string> m_list;
    int m_count = 3;
    double m_seconds = 0;
    bool m_flag = false;
};

TEST_F(ManualTest, TheSheetHasWhatIsShownAndNothingHidden)
{
    const ProgramSheet program = sheet();
    ASSERT_THAT(program.commands, SizeIs(2));
    EXPECT_EQ(program.commands[0].name, "see");
    EXPECT_THAT(program.commands[0].positionals, SizeIs(1));
    EXPECT_TRUE(program.commands[0].positionals[0].required);
    for (const OptionSheet& one : program.commands[0].options)
        EXPECT_NE(one.names.back(), "--secret");
    EXPECT_EQ(option("--output").takes, Takes::Files);
    EXPECT_THAT(option("--output").names, ElementsAre("-o", "--output"));
    EXPECT_THAT(option("--color").values, ElementsAre("red", "blue"));
    EXPECT_THAT(option("--device").values, ElementsAre("h100", "h200"));
    EXPECT_TRUE(option("--device").repeats);
    EXPECT_EQ(option("--count").takes, Takes::Text);
    EXPECT_EQ(option("--into").takes, Takes::Folders);
    EXPECT_EQ(option("--json").takes, Takes::Nothing);
}

TEST_F(ManualTest, TypesSayWhatIsTaken)
{
    EXPECT_EQ(takenBy("TEXT:FILE"), Takes::Files);
    EXPECT_EQ(takenBy("COMMAND"), Takes::Program);
    EXPECT_EQ(takenBy("INT in [1 - 5]"), Takes::Text);
    EXPECT_EQ(takenBy("KEY=VALUE"), Takes::Text);
    EXPECT_THAT(namesWithin("TEXT:{a,b,c}"), ElementsAre("a", "b", "c"));
    EXPECT_THAT(namesWithin("TEXT"), IsEmpty());
}

TEST_F(ManualTest, PagesEscapeWhatTroffWouldRead)
{
    const ProgramSheet program = sheet();
    test::expectText(programPage(program).text);
    test::expectText(commandPage(program, program.commands[0]).text);
}

TEST_F(ManualTest, CompletionKnowsCommandsOptionsAndValues)
{
    test::expectText(bashCompletion(sheet()));
    test::expectText(zshCompletion(sheet()));
    test::expectText(fishCompletion(sheet()));
}

TEST_F(ManualTest, FilesAreWrittenOrTheFailureNamed)
{
    const test::TempDir folder;
    ASSERT_TRUE(writeManual(sheet(), folder.path("share")).ok());
    EXPECT_THAT(test::readFile(folder.path("share/man/man1/looker-see.1")), HasSubstr(".TH LOOKER-SEE 1"));
    folder.write("file", "");
    EXPECT_FALSE(writeManual(sheet(), folder.path("file")).ok());
}

}  // namespace
}  // namespace overlane
