#include "core/manual/completion.h"

#include <cstdio>
#include <filesystem>
#include <gmock/gmock.h>
#include <sstream>

#include "core/cli/command.h"
#include "core/cli/option_values.h"
#include "core/cli/parser.h"
#include "core/manual/manual_files.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::vector<std::string> linesOf(const std::string& command, int& exitCode)
{
    std::vector<std::string> lines;
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string line;
    for (int letter = 0; (letter = std::fgetc(pipe)) != EOF;) {
        if (letter != '\n') {
            line += static_cast<char>(letter);
            continue;
        }
        lines.push_back(line);
        line.clear();
    }
    exitCode = pclose(pipe);
    return lines;
}

bool isInstalled(const char* program)
{
    return std::system((std::string("command -v ") + program + " > /dev/null").c_str()) == 0;
}

class CompletionTest : public testing::Test
{
protected:
    CompletionTest()
    {
        EXPECT_EQ(test::call({"manual", m_folder.path().string()}).code, kExitOk);
        m_folder.write("one.overlane", "");
        m_folder.write("with blank.overlane", "");
        std::filesystem::create_directory(m_folder.path() / "folder");
    }
    std::string path(const char* name) const { return m_folder.path(name); }
    // The answers of a real bash to a line whose last word is being typed.
    std::vector<std::string> answers(const std::string& words) const
    {
        int code = 0;
        auto lines = linesOf("cd " + m_folder.path().string() + " && bash -c 'source " +
                                 path("bash-completion/completions/overlane") + "; COMP_WORDS=(" + words +
                                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _overlane; " +
                                 "printf \"%s\\n\" \"${COMPREPLY[@]}\"' 2>&1",
                             code);
        EXPECT_EQ(code, 0) << words;
        return lines;
    }

    test::TempDir m_folder;
};

TEST_F(CompletionTest, BashOffersCommandsOptionsValuesAndFiles)
{
    EXPECT_THAT(answers("overlane inf"), ElementsAre("info"));
    EXPECT_THAT(answers("overlane \"\""), Contains("record"));
    EXPECT_THAT(answers("overlane \"\""), Not(Contains("gpu-run")));
    EXPECT_THAT(answers("overlane --ver"), ElementsAre("--version"));
    EXPECT_THAT(answers("overlane run --pre"), ElementsAre("--preset"));
    EXPECT_THAT(answers("overlane run --preset pinned_side"), ElementsAre("pinned_side_stream"));
    EXPECT_THAT(answers("overlane run --preset = pinned_side"), ElementsAre("pinned_side_stream"));
    EXPECT_THAT(answers("overlane run --device ="), Contains("h200"));
    EXPECT_THAT(answers("overlane run --set workers"), ElementsAre("workers="));
    EXPECT_THAT(answers("overlane check --fail-on late"), ElementsAre("late-copies"));
    EXPECT_THAT(answers("overlane doctor --for rec"), ElementsAre("record"));
    EXPECT_THAT(answers("overlane complete f"), ElementsAre("fish"));
    EXPECT_THAT(answers("overlane info on"), ElementsAre("one.overlane"));
    EXPECT_THAT(answers("overlane info wi"), ElementsAre("with blank.overlane"));
    EXPECT_THAT(answers("overlane report one.overlane -o fol"), ElementsAre("folder"));
    EXPECT_THAT(answers("overlane record -- one.ov"), ElementsAre("one.overlane"));
    EXPECT_THAT(answers("overlane record --output one"), ElementsAre("one.overlane"));
}

TEST_F(CompletionTest, ZshAndFishReadTheirs)
{
    int code = 0;
    if (isInstalled("zsh")) {
        EXPECT_THAT(linesOf("zsh -n " + path("zsh/vendor-completions/_overlane") + " 2>&1", code), ElementsAre());
    }
    if (!isInstalled("fish"))
        return;
    const std::string script = path("fish/vendor_completions.d/overlane.fish");
    const auto answer = linesOf("HOME=" + m_folder.path().string() + " fish --no-config -c 'source " + script +
                                    "; complete -C \"overlane run --preset pinned_side\"' 2>&1",
                                code);
    ASSERT_EQ(answer.size(), 1u);
    EXPECT_EQ(answer[0].substr(0, answer[0].find('\t')), "pinned_side_stream");
}

TEST_F(CompletionTest, EveryCommandAndOptionIsOnItsPageAndInEveryScript)
{
    const ProgramSheet program = programSheet();
    std::size_t shown = 0;
    for (const Command* command : allCommands())
        shown += command->description.empty() ? 0 : 1;
    ASSERT_EQ(program.commands.size(), shown);
    const std::string bash = test::readFile(path("bash-completion/completions/overlane"));
    const std::string zsh = test::readFile(path("zsh/vendor-completions/_overlane"));
    const std::string fish = test::readFile(path("fish/vendor_completions.d/overlane.fish"));
    for (const CommandSheet& command : program.commands) {
        const std::string page = test::readFile(path("man/man1/overlane-") + command.name + ".1");
        const std::string help = test::call({command.name, "--help"}).out;
        std::string unescaped;
        for (const char letter : page)
            unescaped += letter == '\\' ? "" : std::string(1, letter);
        EXPECT_FALSE(command.options.empty());
        for (const OptionSheet& option : command.options)
            for (const std::string& name : option.names) {
                EXPECT_NE(help.find(name), std::string::npos) << command.name << name;
                EXPECT_NE(unescaped.find(name), std::string::npos) << command.name << name;
                EXPECT_NE(bash.find(name), std::string::npos) << command.name << name;
                EXPECT_NE(zsh.find(name), std::string::npos) << command.name << name;
                const std::string inFish = name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1);
                EXPECT_NE(fish.find(inFish), std::string::npos) << command.name << name;
            }
    }
}

TEST_F(CompletionTest, ListsOfValuesBelongToOptionsThatThereAre)
{
    const ProgramSheet program = programSheet();
    for (const auto& [wanted, name] : optionsWithValues()) {
        int found = 0;
        for (const CommandSheet& command : program.commands) {
            if (!wanted.empty() && wanted != command.name)
                continue;
            for (const auto* list : {&command.options, &command.positionals})
                for (const OptionSheet& option : *list)
                    found += testing::Value(option.names, Contains(std::string(name))) ? 1 : 0;
        }
        EXPECT_GT(found, 0) << wanted << " " << name;
        EXPECT_FALSE(optionValues(wanted, name).empty()) << name;
    }
}

TEST_F(CompletionTest, PagesAreWithoutWarningsOfMan)
{
    if (!isInstalled("man"))
        GTEST_SKIP() << "no man here";
    int code = 0;
    EXPECT_THAT(linesOf("for page in " + path("man/man1") +
                            "/*; do LC_ALL=C.UTF-8 MANWIDTH=120 man --warnings -l $page 2>&1 > /dev/null; done",
                        code),
                ElementsAre());
}

TEST(CompletionCommand, AnUnknownShellIsAMistake)
{
    EXPECT_EQ(test::call({"complete", "tcsh"}).code, kExitUsage);
    EXPECT_EQ(test::call({"complete", "zsh"}).out, zshCompletion(programSheet()));
}

}  // namespace
}  // namespace overlane
