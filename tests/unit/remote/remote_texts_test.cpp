// What goes over as text: words of shells, ssh's failures, what a machine says of itself, lists of traces, frames.
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/remote/glibc_need.h"
#include "core/remote/remote_frames.h"
#include "core/remote/remote_machine.h"
#include "core/remote/shell_words.h"
#include "core/remote/ssh_words.h"
#include "core/remote/trace_fetch.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;

TEST(ShellWords, QuoteEveryByte)
{
    EXPECT_EQ(shellWord("a b$c"), "'a b$c'");
    EXPECT_EQ(shellWord("it's"), R"('it'\''s')");
    EXPECT_EQ(shellWord(""), "''");
    EXPECT_EQ(typedWord("user@host:/x.overlane"), "user@host:/x.overlane");
    EXPECT_EQ(typedWord("my trace"), "'my trace'");
    EXPECT_EQ(typedWord(""), "''");
}

// csh reads an exclamation mark within quotes, fish a backslash, and neither takes a line's end.
TEST(ShellWords, LoginCommandIsReadAlikeByAllShells)
{
    const std::string command = loginCommand(1234);
    EXPECT_EQ(command.find_first_of("!\\\n"), std::string::npos) << command;
    EXPECT_NE(command.find("count=1234 "), std::string::npos);
}

TEST(ShellWords, LineIsReadByTheRulesOfAShell)
{
    EXPECT_THAT(wordsOfLine("srun  -n 8"), ElementsAre("srun", "-n", "8"));
    EXPECT_THAT(wordsOfLine(R"(mpirun --x "a b" 'c "d' e\ f '')"),
                ElementsAre("mpirun", "--x", "a b", "c \"d", "e f", ""));
    EXPECT_THAT(wordsOfLine("  "), ElementsAre());
}

TEST(SshFailure, NamesTheReasonAndTheNextStep)
{
    for (const char* words : {
             "ssh: Could not resolve hostname nowhere: Name or service not known\r\n",
             "Warning: Permanently added 'x'.\nme@gpu: Permission denied (publickey,password).\r\n",
             "@@@@@@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@@\nHost key verification "
             "failed.\r\n",
             "No ED25519 host key is known for gpu and you have requested strict checking.\nHost key verification "
             "failed.\n",
             "ssh: connect to host gpu port 22: Connection refused\n",
             "kex_exchange_identification: read: Connection reset by peer\n",
             "",
         })
        test::expectText(sshFailure("me@gpu", words).message + "\n");
}

TEST(SshFailure, OfACommandThereSaysItsWords)
{
    test::expectText(scriptFailure("gpu", "cat: write error: No space left on device\nhead: error\n").message + "\n");
    test::expectText(scriptFailure("gpu", "mktemp: failed to create directory: Permission denied\n").message + "\n");
}

TEST(SshFailure, KeepsControlCharactersOut)
{
    EXPECT_EQ(sshFailure("gpu", "bad \x1b[31m thing\n").message.find('\x1b'), std::string::npos);
}

TEST(SshFailure, NoShellSaysWhatWasPrinted)
{
    test::expectText(noShell("gpu", "This account is currently not available.\n").message + "\n");
}

constexpr std::string_view kAnswer =
    "system Linux\nmachine x86_64\nglibc glibc 2.31\nfolder /home/me/my cache/overlane\n"
    "free /dev/disk with name 1000 400 600 40% /home\ninstalled /usr/bin/overlane\nfacts overlane-there 1 0.1.0 "
    "records\n"
    "version overlane 0.1.0 (GCC 12)\n";

TEST(RemoteMachineTest, IsReadFromItsAnswer)
{
    const RemoteMachine machine = parseMachine(kAnswer);
    EXPECT_EQ(machine.system, "Linux");
    EXPECT_EQ(machine.machine, "x86_64");
    EXPECT_EQ(machine.glibc, (GlibcVersion{2, 31}));
    EXPECT_EQ(machine.folder, "/home/me/my cache/overlane");
    EXPECT_EQ(machine.freeBytes, 600 * 1024);
    EXPECT_EQ(machine.installed, "/usr/bin/overlane");
    EXPECT_EQ(machine.installedFacts, toolFacts("0.1.0", true));
    EXPECT_TRUE(checkMachine(machine, "gpu").ok());
}

TEST(RemoteMachineTest, WhatHindersIsOneSentence)
{
    const auto sentence = [](const RemoteMachine& machine, const Result<void>& found) {
        EXPECT_FALSE(found.ok()) << machine.machine;
        return found.ok() ? std::string() : found.error() + "\n";
    };
    RemoteMachine machine = parseMachine(kAnswer);
    ToolFiles tool;
    tool.machine = "x86_64";
    tool.glibc = {2, 36};
    std::string text = sentence(machine, checkCopy(machine, tool, "gpu", "0.1.0"));
    machine.glibc.reset();
    text += sentence(machine, checkCopy(machine, tool, "gpu", "0.1.0"));
    machine.machine = "aarch64";
    text += sentence(machine, checkCopy(machine, tool, "gpu", "0.1.0"));
    machine.folderError = "mkdir: cannot create directory '/home/me': Read-only file system";
    text += sentence(machine, checkMachine(machine, "gpu"));
    machine.missing = "sha256sum";
    text += sentence(machine, checkMachine(machine, "gpu"));
    machine.system = "Darwin";
    text += sentence(machine, checkMachine(machine, "gpu"));
    test::expectText(text);
}

TEST(GlibcNeed, IsReadFromAProgram)
{
    const GlibcVersion need = neededGlibc(OVERLANE_PROGRAM);
    EXPECT_GE(need, (GlibcVersion{2, 2}));
    EXPECT_LT(need, (GlibcVersion{3, 0}));
    EXPECT_EQ(neededGlibc(OVERLANE_STAND_IN_SSH "/ssh"), GlibcVersion{});
    EXPECT_EQ(parseGlibc("GLIBC_PRIVATE", "GLIBC_"), std::nullopt);
    EXPECT_LT((GlibcVersion{2, 4}), (GlibcVersion{2, 31}));
}

TEST(RemoteTracesTest, TakeNamesOfTracesOnly)
{
    const std::string hash(64, 'a');
    const auto traces = parseTraces("tool env X='1' /x/overlane\ntrace 12 " + hash + " my trace.overlane\n");
    ASSERT_TRUE(traces.ok()) << traces.error();
    EXPECT_EQ(traces.value().tool, "env X='1' /x/overlane");
    ASSERT_EQ(traces.value().traces.size(), 1u);
    EXPECT_EQ(traces.value().traces[0].name, "my trace.overlane");
    EXPECT_EQ(traces.value().traces[0].bytes, 12);
    for (const char* name : {"../x.overlane", ".overlane", ".x.overlane", "x.sh", "/etc/x.overlane", ""})
        EXPECT_FALSE(parseTraces("trace 12 " + hash + " " + name + "\n").ok()) << name;
    EXPECT_FALSE(parseTraces("trace many " + hash + " x.overlane\n").ok());
    EXPECT_TRUE(parseTraces("runs\n").value().goesOn);
}

TEST(Frames, ComeBackByteByByte)
{
    const std::string bytes = bytesOf({RemoteFrame::Kind::Output, std::string("a\n{\0}", 5), {}}) +
                              bytesOf({RemoteFrame::Kind::Status, "recording", {}}) +
                              bytesOf({RemoteFrame::Kind::Ended, {}, {3, 9}});
    FrameReader reader;
    std::vector<RemoteFrame> frames;
    for (const char byte : bytes) {
        reader.add({&byte, 1});
        auto frame = reader.next();
        ASSERT_TRUE(frame.ok());
        if (frame.value())
            frames.push_back(*frame.value());
    }
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_EQ(frames[0].text, std::string("a\n{\0}", 5));
    EXPECT_EQ(frames[1].kind, RemoteFrame::Kind::Status);
    EXPECT_EQ(frames[2].end.exitCode, 3);
    EXPECT_EQ(frames[2].end.signal, 9);
}

TEST(Frames, OtherBytesAreAnError)
{
    for (const std::string& text : {std::string("hello\n"), std::string(R"({"kind":"other","bytes":1})") + "\n",
                                    std::string(R"({"kind":"output","bytes":-1})") + "\n", std::string(300, 'x')}) {
        FrameReader reader;
        reader.add(text);
        EXPECT_FALSE(reader.next().ok()) << text;
    }
}

}  // namespace
}  // namespace overlane
