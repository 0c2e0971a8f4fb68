// The start of a recording, killed at every call that changes a file: what is under its name opens, and
// nothing older is gone.
#include "core/recorder/recording_files.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "core/io/format.h"
#include "tests/support/killed_at_call.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::killedAtCall;
using test::TempDir;

constexpr int kManyCalls = 1000;

void start(const std::string& output)
{
    StartedFiles files(output);
    if (!files.makeFolder(RecordCaller::Terminal).ok())
        ::_exit(2);
    Result<OverlaneWriter> writer = files.makeOutput();
    if (!writer.ok())
        ::_exit(3);
    files.keep();
    writer.value().addTrack({}, TrackKind::Thread, "one");
    (void)writer.value().flush();
}

// The title of the trace, or why it does not open.
std::string titleOf(const std::string& file)
{
    Progress progress;
    const Result<Trace> trace = readTrace(file, progress);
    return trace.ok() ? trace.value().metadata().title : "error: " + trace.error();
}

void makeOld(const std::string& file)
{
    Result<OverlaneWriter> writer = OverlaneWriter::create(file);
    ASSERT_TRUE(writer.ok()) << writer.error();
    writer.value().metadata().title = "old";
    ASSERT_TRUE(writer.value().finish().ok());
}

TEST(RecordingFilesTest, AStartThatIsKilledLeavesTheOldRecordingOrANewOneThatOpens)
{
    int kept = 0;
    int replaced = 0;
    int call = 0;
    for (bool killed = true; killed && call < kManyCalls; ++call) {
        SCOPED_TRACE(call);
        const TempDir dir;
        const std::string file = dir.path("out.overlane");
        ASSERT_NO_FATAL_FAILURE(makeOld(file));
        killed = killedAtCall(call, [&] { start(file); });
        const std::string title = titleOf(file);
        if (title == "old") {
            ++kept;
        } else {
            ++replaced;
            EXPECT_EQ(title, "") << "it opens, and nothing is in it yet";
            EXPECT_EQ(titleOf(replacedFile(file)), "old");
        }
        // The same again: a start that recorded nothing leaves nothing in the way of the next.
        if (title == "old") {
            StartedFiles again(file);
            ASSERT_TRUE(again.makeFolder(RecordCaller::Terminal).ok());
            const Result<OverlaneWriter> writer = again.makeOutput();
            EXPECT_TRUE(writer.ok()) << writer.error();
        }
        if (title == "old") {
            EXPECT_EQ(titleOf(file), "old") << "the second start was taken back";
            EXPECT_FALSE(fs::exists(replacedFile(file)));
            EXPECT_FALSE(fs::exists(recordingFolder(file)));
        }
    }
    if (call == 1)
        GTEST_SKIP() << "nothing may be traced here";
    EXPECT_GT(kept, 5);
    EXPECT_GT(replaced, 5);
}

TEST(RecordingFilesTest, AStartThatIsKilledLeavesNoNameThatDoesNotOpen)
{
    int none = 0;
    int made = 0;
    int call = 0;
    for (bool killed = true; killed && call < kManyCalls; ++call) {
        SCOPED_TRACE(call);
        const TempDir dir;
        const std::string file = dir.path("out.overlane");
        killed = killedAtCall(call, [&] { start(file); });
        if (!fs::exists(file)) {
            ++none;
            continue;
        }
        ++made;
        EXPECT_EQ(titleOf(file), "");
    }
    if (call == 1)
        GTEST_SKIP() << "nothing may be traced here";
    EXPECT_GT(none, 5);
    EXPECT_GT(made, 5);
}

}  // namespace
}  // namespace overlane
