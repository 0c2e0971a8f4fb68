#include "core/io/overlane_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/overlane_format.h"
#include "tests/unit/io/overlane_trace_text.h"

namespace overlane
{
namespace
{

class OverlaneWriterTest : public test::TemporaryFolder
{
protected:
    Result<Trace> read(const std::string& path) { return overlaneFormat().read(path, m_progress); }
    Progress m_progress;
};

// One flush of a recorder: ten events under a new name, and a sample.
void addBatch(OverlaneWriter& writer, TrackId track, TrackId counter, int batch)
{
    Event event;
    event.track = track;
    event.name = writer.intern("batch " + std::to_string(batch));
    event.kind = EventKind::CopyH2D;
    event.copy = CopyInfo{batch, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async};
    for (int at = 0; at < 10; ++at) {
        event.startNs = std::int64_t{batch} * 1000 + std::int64_t{at} * 100;
        event.durationNs = 50;
        writer.addEvent(event);
    }
    writer.addSample(counter, std::int64_t{batch} * 1000, batch);
    writer.metadata().sourceEvents += 10;
}

TEST_F(OverlaneWriterTest, KeepsWhatWasFlushedWhenItIsDropped)
{
    const std::string path = file("recording.overlane");
    {
        Result<OverlaneWriter> writer = OverlaneWriter::create(path);
        ASSERT_TRUE(writer.ok()) << writer.error();
        const TrackId track = writer.value().addTrack({}, TrackKind::Thread, "first", -1, 5);
        const TrackId counter = writer.value().addCounter(track, "bytes", CounterUnit::Bytes);
        addBatch(writer.value(), track, counter, 0);
        ASSERT_TRUE(writer.value().flush().ok());
        writer.value().renameTrack(track, "renamed", 4);
        writer.value().addDevice({2, "late device", 1, 2});
        addBatch(writer.value(), track, counter, 1);
        ASSERT_TRUE(writer.value().flush().ok());
        Result<Trace> running = read(path);  // while the recorder goes on
        ASSERT_TRUE(running.ok()) << running.error();
        EXPECT_EQ(running.value().eventCount(), 20u);
        addBatch(writer.value(), track, counter, 2);
    }
    Result<Trace> trace = read(path);
    ASSERT_TRUE(trace.ok()) << trace.error();
    EXPECT_EQ(trace.value().eventCount(), 20u);
    EXPECT_EQ(trace.value().metadata().sourceEvents, 20);
    EXPECT_EQ(trace.value().tracks()[0].name, "renamed");
    ASSERT_EQ(trace.value().devices().size(), 1u);
    EXPECT_EQ(trace.value().name(EventIndex(19)), "batch 1");
    EXPECT_EQ(trace.value().counters()[0].values, (std::vector<double>{0, 1}));
}

TEST_F(OverlaneWriterTest, AnEmptyRecordingOpens)
{
    ASSERT_TRUE(OverlaneWriter::create(file("a.overlane")).ok());
    Result<Trace> trace = read(file("a.overlane"));
    ASSERT_TRUE(trace.ok()) << trace.error();
    EXPECT_EQ(trace.value().eventCount(), 0u);
}

TEST_F(OverlaneWriterTest, DoesNotWriteOverAFile)
{
    ASSERT_TRUE(OverlaneWriter::create(file("a.overlane")).ok());
    const Result<OverlaneWriter> second = OverlaneWriter::create(file("a.overlane"));
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(second.error(), testing::HasSubstr("exists"));
}

TEST_F(OverlaneWriterTest, JoinsCallsAndWorkByProcess)
{
    {
        Result<OverlaneWriter> writer = OverlaneWriter::create(file("a.overlane"));
        ASSERT_TRUE(writer.ok());
        for (const std::uint32_t process : {10u, 20u}) {
            const TrackId track = writer.value().addTrack({}, TrackKind::Thread, "t", -1, process);
            Event event;
            event.track = track;
            event.kind = EventKind::RuntimeCall;
            event.correlation = 7;
            event.process = process;
            event.durationNs = 5;
            writer.value().addEvent(event);
            event.kind = EventKind::Kernel;
            event.startNs = 10;
            writer.value().addEvent(event);
        }
        ASSERT_TRUE(writer.value().flush().ok());
    }
    Result<Trace> trace = read(file("a.overlane"));
    ASSERT_TRUE(trace.ok());
    EXPECT_EQ(trace.value().link(EventIndex(0)), EventIndex(1));
    EXPECT_EQ(trace.value().link(EventIndex(3)), EventIndex(2));
}

TEST_F(OverlaneWriterTest, AKilledRecorderLeavesWholeFlushes)
{
    for (int round = 0; round < 8; ++round) {
        const std::string path = file("killed" + std::to_string(round) + ".overlane");
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            Result<OverlaneWriter> writer = OverlaneWriter::create(path);
            if (!writer.ok())
                _exit(1);
            const TrackId track = writer.value().addTrack({}, TrackKind::Thread, "t");
            const TrackId counter = writer.value().addCounter(track, "c", CounterUnit::Count);
            for (int batch = 0;; ++batch) {
                addBatch(writer.value(), track, counter, batch);
                if (!writer.value().flush().ok())
                    _exit(2);
            }
        }
        while (!std::filesystem::exists(path) || std::filesystem::file_size(path) < 200'000)
            usleep(500);
        usleep(static_cast<useconds_t>(round) * 1300);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status));
        Result<Trace> trace = read(path);
        ASSERT_TRUE(trace.ok()) << trace.error();
        EXPECT_GT(trace.value().eventCount(), 0u);
        EXPECT_EQ(trace.value().eventCount() % 10, 0u);
        EXPECT_EQ(static_cast<std::int64_t>(trace.value().eventCount()), trace.value().metadata().sourceEvents);
        EXPECT_EQ(trace.value().counters()[0].values.size() * 10, trace.value().eventCount());
    }
}

}  // namespace
}  // namespace overlane
