// `overlane record --host`, with a script in place of ssh that runs everything on this machine under another HOME and
// breaks connections where it is told to (program/ssh).
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <list>
#include <regex>

#include "tests/support/expect_text.h"
#include "tests/unit/cli/child_program.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::ChildProgram;
using test::TempDir;
using testing::HasSubstr;
using testing::Not;

class RecordThereTest : public testing::Test
{
protected:
    RecordThereTest()
    {
        m_path = std::getenv("PATH");
        setenv("PATH", (std::string(OVERLANE_STAND_IN_SSH ":") + m_path).c_str(), 1);
        setenv("STAND_IN_HOME", m_home.path().c_str(), 1);
        fs::create_directory(m_home.path("bin"));
        setenv("STAND_IN_PATH", m_home.path("bin").c_str(), 1);
    }
    ~RecordThereTest() override
    {
        setenv("PATH", m_path.c_str(), 1);
        for (const char* name : {"STAND_IN_HOME", "STAND_IN_PATH", "STAND_IN_SHELL", "STAND_IN_WORDS"})
            unsetenv(name);
    }
    static bool contains(const std::string& text, const std::string& part)
    {
        return text.find(part) != std::string::npos;
    }
    // So that nothing needs to be sent.
    void install() const { fs::create_symlink(OVERLANE_PROGRAM, m_home.path("bin/overlane")); }
    void addCommand(const std::string& name, const std::string& script) const
    {
        const std::string file = m_home.write("bin/" + name, "#!/bin/sh\n" + script + "\n");
        fs::permissions(file, fs::perms::owner_all);
    }
    // From call `number` on so many bytes come, then the connection breaks.
    void breakAt(int number, int bytes) const
    {
        m_home.write("break-" + std::to_string(number), std::to_string(bytes));
    }
    void breakNoMore() const
    {
        for (const auto& entry : fs::directory_iterator(m_home.path()))
            if (entry.path().filename().string().starts_with("break-"))
                fs::remove(entry.path());
    }
    int calls() const
    {
        const std::string text = test::readFile(m_home.path("calls"));
        return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }
    ChildProgram& start(const std::vector<std::string>& more, const std::vector<std::string>& command)
    {
        std::vector<std::string> arguments{"record", "--host", "me@there", "--no-stacks", "--no-gauges"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        if (!command.empty())
            arguments.emplace_back("--");
        arguments.insert(arguments.end(), command.begin(), command.end());
        return m_programs.emplace_back(m_outputs.emplace_back(), arguments);
    }
    static bool cannotRecord(ChildProgram& program)
    {
        return program.wait() != 0 && program.err().find("cannot record") != std::string::npos;
    }
    std::string trace() const { return m_here.path("x.overlane"); }
    std::vector<std::string> leftThere() const
    {
        std::vector<std::string> names;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(m_home.path(".cache/overlane"), error))
            names.push_back(entry.path().filename().string().substr(0, 4));
        std::sort(names.begin(), names.end());
        return names;
    }
    // Without sizes, times, hashes and this test's folders.
    std::string shown(std::string text) const
    {
        for (const auto& [pattern, words] : std::initializer_list<std::pair<std::string, std::string>>{
                 {m_home.path(), "HOME"},
                 {m_here.path(), "HERE"},
                 {R"(run-\w+)", "run-ID"},
                 {"tool-[0-9a-f]+", "tool-ID"},
                 {R"([\d.]*\d [KM]?i?B\b)", "SIZE"},
                 {R"(Overlane \d\.\S+( [0-9a-f]+\+?)? )", "Overlane VERSION "}})
            text = std::regex_replace(text, std::regex(pattern), words);
        return text;
    }
    static std::string lastLine(std::string text)
    {
        text.pop_back();
        return text.substr(text.rfind('\n') + 1) + "\n";
    }
    std::string runFolder() const
    {
        for (const auto& entry : fs::directory_iterator(m_home.path(".cache/overlane")))
            if (entry.path().filename().string().starts_with("run-"))
                return entry.path();
        return {};
    }

    TempDir m_home;  // there
    TempDir m_here;
    std::string m_path;
    std::list<TempDir> m_outputs;
    std::list<ChildProgram> m_programs;
};

const std::vector<std::string> kProgram{OVERLANE_RECORDED_PROGRAM, "5"};

// Calls: what is there, which files, the files, the recording, the list, the trace, the end.
TEST_F(RecordThereTest, SendsWhatIsMissingAndBringsTheTrace)
{
    ChildProgram& first = start({"-o", trace()}, kProgram);
    if (cannotRecord(first))
        GTEST_SKIP() << "this build cannot record";
    ASSERT_EQ(first.wait(), 0) << first.err();
    EXPECT_EQ(calls(), 7);
    EXPECT_TRUE(contains(first.err(), " in " + trace())) << first.err();
    EXPECT_TRUE(fs::exists(trace()));
    EXPECT_FALSE(fs::exists(trace() + ".part"));
    EXPECT_THAT(leftThere(), testing::ElementsAre("tool"));
    // Nothing is sent a second time, but what was damaged.
    ChildProgram& second = start({"-o", trace(), "--overwrite"}, kProgram);
    ASSERT_EQ(second.wait(), 0) << second.err();
    EXPECT_EQ(calls(), 7 + 6);
    const fs::path tool = fs::directory_iterator(m_home.path(".cache/overlane"))->path();
    fs::resize_file(tool / "lib/overlane/liboverlane-inject.so", 10);
    ChildProgram& third = start({"-o", trace(), "--overwrite", "--no-cache"}, kProgram);
    ASSERT_EQ(third.wait(), 0) << third.err();
    EXPECT_EQ(calls(), 7 + 6 + 8);
    EXPECT_THAT(leftThere(), testing::ElementsAre());
}

TEST_F(RecordThereTest, ArgumentsAndVariablesReachTheProgramUnchanged)
{
    install();
    const std::vector<std::string> nasty{
        "a b", "it's", "\"q\"", "$HOME `id` $(id)", "two\nlines\n", "\\back\\", "größe ☃", "", "!event",
        "*",   "-x",   "~",     "\xff\xfe",         "'\\''"};
    std::string expected;
    for (const std::string& word : nasty)
        expected += word + "|";
    for (const char* shell : {"sh", "bash", "dash", "csh", "tcsh", "fish", "zsh", "ksh"}) {
        if (std::system((std::string("command -v ") + shell + " >/dev/null 2>&1").c_str()) != 0)
            continue;
        setenv("STAND_IN_SHELL", shell, 1);
        std::vector<std::string> command{"sh", "-c", R"(printf '%s|' "$@" >got; pwd >where; env >variables)", "x"};
        command.insert(command.end(), nasty.begin(), nasty.end());
        fs::create_directories(m_home.path("work here"));
        ChildProgram& program = start({"-o", trace(), "--overwrite", "--directory", "~/work here"}, command);
        if (cannotRecord(program))
            GTEST_SKIP() << "this build cannot record";
        EXPECT_EQ(program.wait(), 0) << shell << program.err();
        EXPECT_EQ(test::readFile(m_home.path("work here/got")), expected) << shell;
        EXPECT_THAT(test::readFile(m_home.path("work here/where")), testing::EndsWith("here\n"));
        EXPECT_THAT(test::readFile(m_home.path("work here/variables")), HasSubstr("OTHER=side\n"));
        fs::remove(m_home.path("work here/got"));
    }
}

TEST_F(RecordThereTest, LibrariesOfTheCopyAreNotTheProgramsOwn)
{
    setenv("STAND_IN_LIBRARIES", "/some/where", 1);
    ChildProgram& program = start({"-o", trace()}, {"sh", "-c", "env >variables"});
    const bool cannot = cannotRecord(program);
    unsetenv("STAND_IN_LIBRARIES");
    if (cannot)
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(program.wait(), 0) << program.err();
    const std::string variables = test::readFile(m_home.path("variables"));
    EXPECT_THAT(variables, HasSubstr("LD_LIBRARY_PATH=/some/where\n"));
    EXPECT_THAT(variables, Not(HasSubstr("OVERLANE_OWN_LIBRARIES")));
}

TEST_F(RecordThereTest, OutputAndExitCodeAreThoseOfTheProgram)
{
    install();
    ChildProgram& code = start({"-o", trace()}, {"sh", "-c", "printf 'a\\tb\\n'; printf 'of stderr\\n' >&2; exit 7"});
    if (cannotRecord(code))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(code.wait(), 7);
    EXPECT_EQ(code.out(), "a\tb\n");
    EXPECT_TRUE(contains(code.err(), "of stderr\n")) << code.err();
    EXPECT_TRUE(fs::exists(trace()));
    ChildProgram& signal = start({"-o", trace(), "--overwrite", "--keep"}, {"sh", "-c", "kill -TERM $$"});
    EXPECT_EQ(signal.wait(), 128 + SIGTERM);
    EXPECT_TRUE(contains(signal.err(), m_home.path(".cache/overlane/run-"))) << signal.err();
    EXPECT_THAT(leftThere(), testing::ElementsAre("run-"));
}

TEST_F(RecordThereTest, CtrlCIsPassedOnAndTheTraceComes)
{
    install();
    ChildProgram& program = start(
        {"-o", trace()}, {"sh", "-c", "trap 'echo ended; exit 5' INT; echo started; while :; do sleep 0.02; done"});
    if (!program.waitUntil([&] { return program.out() == "started\n"; }))
        GTEST_SKIP() << "this build cannot record: " << program.err();
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), 5) << program.err();
    EXPECT_EQ(program.out(), "started\nended\n");
    EXPECT_TRUE(fs::exists(trace()));
    EXPECT_THAT(leftThere(), testing::ElementsAre());
}

// Calls: what is there, the recording, the list, the trace, the end.
TEST_F(RecordThereTest, BrokenTransferGoesOnFromItsByte)
{
    install();
    breakAt(4, 5000);
    breakAt(5, 5000);
    ChildProgram& program = start({"-o", trace(), "--keep"}, kProgram);
    if (cannotRecord(program))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(program.wait(), 0) << program.err();
    EXPECT_EQ(calls(), 6);
    EXPECT_EQ(test::readFile(trace()), test::readFile(runFolder() + "/trace/x.overlane"));
}

TEST_F(RecordThereTest, TransferThatFailsLeavesAPartThatFetchCompletes)
{
    install();
    breakAt(4, 5000);
    breakAt(5, 0);
    ChildProgram& program = start({"-o", trace()}, kProgram);
    if (cannotRecord(program))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(program.wait(), 1);
    test::expectText(shown(lastLine(program.err())));
    EXPECT_FALSE(fs::exists(trace()));
    const auto had = fs::file_size(trace() + ".part");
    EXPECT_GT(had, 4000u);
    const std::string run = runFolder();
    const std::string whole = test::readFile(run + "/trace/x.overlane");
    // Damage within what is here is found by the hash, and the trace comes anew.
    for (const bool damaged : {false, true}) {
        breakNoMore();
        if (damaged)
            std::ofstream(trace() + ".part") << std::string(had, 'x');
        ChildProgram& fetch = start({"-o", trace(), "--fetch", run, "--overwrite", "--keep"}, {});
        EXPECT_EQ(fetch.wait(), 0) << fetch.err();
        EXPECT_EQ(test::readFile(trace()), whole);
        EXPECT_FALSE(fs::exists(trace() + ".part"));
    }
    ChildProgram& last = start({"-o", m_here.path("y.overlane"), "--fetch", run}, {});
    EXPECT_EQ(last.wait(), 0) << last.err();
    test::expectText(shown(last.err()));
    EXPECT_THAT(leftThere(), testing::ElementsAre());
}

TEST_F(RecordThereTest, BrokenConnectionLeavesTheProgramRecorded)
{
    install();
    breakAt(2, 400);
    ChildProgram& program = start(
        {"-o", trace()}, {"sh", "-c", "while ! [ -e go ]; do sleep 0.02; done; exec " OVERLANE_RECORDED_PROGRAM " 5"});
    if (cannotRecord(program))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(program.wait(), 1);
    test::expectText(shown(program.err()));
    const std::string run = runFolder();
    breakNoMore();
    // It waits for the end.
    ChildProgram& fetch = start({"-o", trace(), "--fetch", run}, {});
    EXPECT_TRUE(fetch.waitUntil([&] { return contains(fetch.err(), "me@there"); })) << fetch.err();
    m_home.write("go", "");
    EXPECT_EQ(fetch.wait(), 0) << fetch.err();
    EXPECT_TRUE(fs::exists(trace()));
    EXPECT_THAT(leftThere(), testing::ElementsAre());
}

// The whole session, its keeper too; never that of this test.
TEST_F(RecordThereTest, KilledRecorderIsRecovered)
{
    install();
    const std::string script =
        OVERLANE_RECORDED_PROGRAM " 5; [ \"$(cut -d ' ' -f 6 /proc/$$/stat)\" = \"$0\" ] || kill -9 0";
    ChildProgram& program = start({"-o", trace()}, {"sh", "-c", script, std::to_string(::getsid(0))});
    if (cannotRecord(program))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(program.wait(), 1);
    test::expectText(shown(program.err()));
    EXPECT_TRUE(fs::exists(trace()));
    EXPECT_TRUE(fs::exists(m_here.path("x-rest.overlane")));
    EXPECT_THAT(leftThere(), testing::ElementsAre());
}

TEST_F(RecordThereTest, RanksComeAsAFolder)
{
    install();
    addCommand("launch", "for rank in 0 1; do RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=2 \"$@\" || exit; done");
    ChildProgram& program = start({"-o", m_here.path("job/"), "--launcher", "launch"}, kProgram);
    if (cannotRecord(program))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(program.wait(), 0) << program.err();
    EXPECT_TRUE(contains(program.err(), "`overlane job " + m_here.path("job") + "`")) << program.err();
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_here.path("job")))
        names.push_back(entry.path().filename().string().substr(0, 6));
    EXPECT_THAT(names, testing::UnorderedElementsAre("rank00", "rank01"));
    EXPECT_THAT(leftThere(), testing::ElementsAre());
}

TEST_F(RecordThereTest, WhatFailsIsOneSentence)
{
    const auto failure = [&](const std::vector<std::string>& more) {
        std::vector<std::string> options{"-o", trace()};
        options.insert(options.end(), more.begin(), more.end());
        ChildProgram& program = start(options, kProgram);
        EXPECT_NE(program.wait(), 0);
        EXPECT_FALSE(fs::exists(trace()));
        return shown(program.err());
    };
    setenv("STAND_IN_WORDS", "me@there: Permission denied (publickey).", 1);
    test::expectText(failure({}));
    unsetenv("STAND_IN_WORDS");
    setenv("STAND_IN_SHELL", "true", 1);
    test::expectText(failure({}));
    unsetenv("STAND_IN_SHELL");
    test::expectText(failure({"--fetch", m_home.path("bin")}));
    test::expectText(failure({"--host-folder", "/proc/none"}));
    addCommand("uname", "echo sparc64");
    test::expectText(failure({}));
    addCommand("uname", "[ \"$1\" = -s ] && echo Linux || echo sparc64");
    if (std::string text = failure({}); text.find("cannot record") != std::string::npos)
        GTEST_SKIP() << "this build cannot record";
    else
        test::expectText(text);
    fs::remove(m_home.path("bin/uname"));
    addCommand("df", "echo head; echo /dev/x 1000 990 10 99% /home");
    test::expectText(failure({}));
    fs::remove(m_home.path("bin/df"));
    install();
    test::expectText(failure({"--directory", "nowhere"}));
    EXPECT_THAT(leftThere(), testing::ElementsAre());
    m_here.write("x.overlane", "kept");
    ChildProgram& there = start({"-o", trace()}, kProgram);
    EXPECT_EQ(there.wait(), 1);
    test::expectText(shown(there.err()));
}

TEST_F(RecordThereTest, AFileThatCannotBeWrittenIsSaidBeforeAnythingStarts)
{
    const fs::path file = m_here.write("kept.overlane", "kept");
    fs::permissions(file, fs::perms::owner_read);
    const std::vector<std::vector<std::string>> all{
        {"-o", "/proc/none.overlane"}, {"-o", "/proc/"}, {"-o", file, "--overwrite"}, {"-o", file.string() + "/x"}};
    for (std::vector<std::string> options : all) {
        for (const bool fetches : {false, true}) {
            if (fetches)
                options.insert(options.end(), {"--fetch", "run-x"});
            ChildProgram& program = start(options, fetches ? std::vector<std::string>() : kProgram);
            EXPECT_EQ(program.wait(), 1);
            test::expectText(shown(program.err()));
        }
    }
    EXPECT_FALSE(fs::exists(m_home.path("calls")));
}

TEST_F(RecordThereTest, AnotherVersionThereIsNotUsed)
{
    addCommand("overlane", "[ \"$1\" = --version ] && echo 'overlane 0.0.1 (GCC 12)' || exit 2");
    ChildProgram& program = start({"-o", trace()}, kProgram);
    if (cannotRecord(program))
        GTEST_SKIP() << "this build cannot record";
    EXPECT_EQ(program.wait(), 0) << program.err();
    EXPECT_TRUE(contains(program.err(), "overlane 0.0.1 (GCC 12)")) << program.err();
    EXPECT_THAT(leftThere(), testing::ElementsAre("tool"));
}

}  // namespace
}  // namespace overlane
