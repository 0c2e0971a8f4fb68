// Recordings of thousands of processes: what each of them costs the recorder.
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/spool/process_life.h"
#include "core/spool/recording_merger.h"
#include "core/spool/spool_clock.h"
#include "core/spool/spool_writer.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/spool/counting_sink.h"

namespace overlane
{
namespace
{

using test::CountingSink;
using test::TempDir;

constexpr std::int64_t kBase = 1'000'000'000;   // of the spools' clock
constexpr std::uint32_t kFirstPid = 5'242'880;  // no process has such a number: Linux ends at 2^22
constexpr std::uint32_t kMany = 1'000;
constexpr std::uint32_t kLane = 3;

// A process that began and may write more.
class Worker
{
public:
    Worker(const TempDir& dir, std::uint32_t pid)
    {
        EXPECT_TRUE(m_writer.open(dir.path().string(), pid, kBase + pid));
        spool::ProcessStart start;
        start.timeNs = kBase;
        start.pid = pid;
        start.program = m_writer.intern("worker");
        m_writer.add(start);
        m_writer.add(
            spool::Lane{kLane, m_writer.intern("batches"), static_cast<std::uint32_t>(TrackKind::Annotations)});
    }
    // A call and a batch, on disk.
    void work(std::int64_t atNs)
    {
        m_writer.add(spool::ApiCall{atNs, atNs + 10, 1, 1, m_writer.intern("cudaLaunchKernel"), 0});
        m_writer.add(spool::LaneEvent{atNs, atNs + 10, kLane, m_writer.intern("batch"), 0, 0});
        EXPECT_TRUE(m_writer.flush());
    }
    // Its last write is long ago, as far as the file tells.
    void age() const
    {
        const timespec longAgo[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
        EXPECT_EQ(utimensat(AT_FDCWD, m_writer.path().c_str(), longAgo, 0), 0);
    }

private:
    SpoolWriter m_writer;
};

void writeWorkers(const TempDir& dir, std::uint32_t first, std::uint32_t count)
{
    for (std::uint32_t at = first; at < first + count; ++at) {
        Worker worker(dir, kFirstPid + at);
        worker.work(kBase + 10 * std::int64_t{at});
        worker.age();
    }
}

// Of the heap; 0 where a sanitizer has a heap of its own.
std::size_t heapBytes()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// Few open files, as some machine's `ulimit -n` would have it.
class FewDescriptors
{
public:
    explicit FewDescriptors(rlim_t more)
    {
        const auto used = static_cast<rlim_t>(
            std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator()));
        EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &m_before), 0);
        const struct rlimit few = {used + more, m_before.rlim_max};
        EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    }
    ~FewDescriptors() { EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &m_before), 0); }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

private:
    struct rlimit m_before = {};
};

// The most of the heap that was in use at any event, above what was in use at first.
class HeapPeak
{
public:
    explicit HeapPeak(CountingSink& sink)
    {
        sink.onEvent = [this] { m_peak = std::max(m_peak, heapBytes()); };
    }
    std::size_t bytes() const { return m_peak - std::min(m_before, m_peak); }

private:
    std::size_t m_before = heapBytes();
    std::size_t m_peak = 0;
};

constexpr std::size_t kFewBytes = 2u << 20;  // for all of them; one spool's buffers alone were 2 MiB

TEST(ManyProcesses, AreFollowedWithFewDescriptorsAndLittleMemory)
{
    constexpr std::uint32_t kWave = 250;
    const TempDir dir;
    const FewDescriptors few(8);
    CountingSink sink;
    const HeapPeak peak(sink);
    RecordingMerger merger(dir.path().string(), sink);
    for (std::uint32_t first = 0; first < kMany; first += kWave) {
        writeWorkers(dir, first, kWave);
        const Result<void> merged = merger.poll();
        ASSERT_TRUE(merged.ok()) << merged.error();
        EXPECT_FALSE(merger.behind());
        EXPECT_LE(merger.followed(), kWave);
    }
    ASSERT_TRUE(merger.poll().ok());
    EXPECT_EQ(merger.followed(), 0u);
    const Result<void> finished = merger.finish();
    ASSERT_TRUE(finished.ok()) << finished.error();
    EXPECT_EQ(sink.events, 2 * kMany);
    EXPECT_EQ(merger.totals().processes, kMany);
    EXPECT_LT(peak.bytes(), kFewBytes);
}

TEST(ManyProcesses, AreRecoveredWithFewDescriptorsAndLittleMemory)
{
    const TempDir dir;
    writeWorkers(dir, 0, kMany);
    const FewDescriptors few(8);
    CountingSink sink;
    const HeapPeak peak(sink);
    RecordingMerger merger(dir.path().string(), sink);
    const Result<void> finished = merger.finish();
    ASSERT_TRUE(finished.ok()) << finished.error();
    EXPECT_EQ(sink.events, 2 * kMany);
    EXPECT_EQ(merger.totals().processes, kMany);
    EXPECT_LT(peak.bytes(), kFewBytes);
}

TEST(ManyProcesses, ThatMayStillWriteNeedOneDescriptor)
{
    constexpr std::uint32_t kLiving = 500;
    const TempDir dir;
    writeWorkers(dir, 0, kLiving);
    for (const auto& entry : std::filesystem::directory_iterator(dir.path()))
        std::filesystem::last_write_time(entry, std::filesystem::file_time_type::clock::now());
    const FewDescriptors few(8);
    CountingSink sink;
    RecordingMerger merger(dir.path().string(), sink);
    for (int polls = 0; polls < 3; ++polls)
        ASSERT_TRUE(merger.poll().ok());
    EXPECT_EQ(merger.followed(), kLiving) << "their last writes are too fresh";
    EXPECT_EQ(sink.events, 2 * kLiving);
    ASSERT_TRUE(merger.finish().ok());
    EXPECT_EQ(sink.events, 2 * kLiving);
}

TEST(ManyProcesses, ThatAreGoneAreNotOpenedAgain)
{
    const TempDir dir;
    writeWorkers(dir, 0, 1'000);
    CountingSink sink;
    RecordingMerger merger(dir.path().string(), sink);
    ASSERT_TRUE(merger.poll().ok());
    ASSERT_TRUE(merger.poll().ok());
    const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    ASSERT_GE(inotify_add_watch(watch, dir.path().c_str(), IN_OPEN), 0);
    writeWorkers(dir, 1'000, 1);
    ASSERT_TRUE(merger.poll().ok());
    int spools = 0;
    alignas(inotify_event) char events[16'384];
    for (ssize_t got = 0; (got = read(watch, events, sizeof(events))) > 0;)
        for (ssize_t at = 0; at < got;) {
            const auto* event = reinterpret_cast<const inotify_event*>(events + at);
            spools += (event->mask & IN_ISDIR) == 0;
            at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        }
    close(watch);
    EXPECT_EQ(spools, 2) << "made by the worker and read";
    EXPECT_EQ(sink.events, 2'002u);
}

TEST(ManyProcesses, OneThatWasTakenForGoneIsReadOn)
{
    const TempDir dir;
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(dir.path().string(), sink);
    Worker worker(dir, kFirstPid);
    worker.work(kBase + 100);
    worker.age();
    ASSERT_TRUE(merger.poll().ok());
    ASSERT_TRUE(merger.poll().ok());
    ASSERT_EQ(merger.followed(), 0u);
    for (int round = 1; round <= 3; ++round) {
        worker.work(kBase + 100 + std::int64_t{1'000} * round);
        worker.age();
        ASSERT_TRUE(merger.poll().ok());
        EXPECT_EQ(merger.followed(), 1u) << "it is not let go a second time";
    }
    ASSERT_TRUE(merger.finish().ok());
    EXPECT_EQ(merger.totals().processes, 1u);
    EXPECT_EQ(merger.totals().spoolBytes, std::filesystem::file_size(*std::filesystem::directory_iterator(dir.path())));
    const Trace trace = builder.build();
    EXPECT_EQ(trace.stats().all().size(), 0u);
    int batches = 0;
    for (const Track& track : trace.tracks())
        if (track.name == "batches")
            batches += static_cast<int>(track.events.size());
    EXPECT_EQ(batches, 4);
    EXPECT_EQ(trace.eventCount(), 8u);
}

TEST(ManyProcesses, WithoutAnyDescriptorAreAnErrorThatSaysSo)
{
    const TempDir dir;
    writeWorkers(dir, 0, 3);
    CountingSink sink;
    RecordingMerger merger(dir.path().string(), sink);
    Result<void> merged;
    {
        const FewDescriptors few(8);
        std::vector<int> all;
        for (int file = 0; (file = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;)
            all.push_back(file);
        merged = merger.poll();
        for (const int file : all)
            close(file);
    }
    ASSERT_FALSE(merged.ok());
    test::expectText(merged.error());
    ASSERT_TRUE(merger.finish().ok()) << "what was not read is read later";
    EXPECT_EQ(sink.events, 6u);
}

TEST(ProcessLife, IsAskedByNumberAndTime)
{
    const std::int64_t nowNs = monotonicNs();
    EXPECT_TRUE(lives({getpid(), nowNs}));
    EXPECT_FALSE(lives({getpid(), 1})) << "this one began after the spool: it got the number later";
    EXPECT_FALSE(lives({static_cast<std::int32_t>(kFirstPid), nowNs}));
    const SpoolOwner owner = spoolOwner("1234-567890-pytorch.spool");
    EXPECT_EQ(owner.pid, 1234);
    EXPECT_EQ(owner.sinceNs, 567890);
    EXPECT_EQ(spoolOwner("something.spool").pid, 0);
}

TEST(ProcessLife, EndsBeforeTheParentAsksForIt)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    siginfo_t info = {};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(mayLive({child, monotonicNs()})) << "its number is taken still";
    EXPECT_FALSE(lives({child, monotonicNs()}));
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(ProcessLife, IsWhatTheKernelSays)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    const auto stat = [](char state, int threads, int startTicks) {
        return "42 (a) strange) name) " + std::string(1, state) + " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 " +
               std::to_string(threads) + " 0 " + std::to_string(startTicks) + " 1000 10\n";
    };
    const SpoolOwner owner{42, 100 * kSecond};
    const auto alive = [&](const std::string& text) {
        return livesAsStatSays(text, owner, 500 * kSecond, 600 * kSecond, 100);  // slept for 100 s
    };
    EXPECT_TRUE(alive(stat('S', 1, 19'000)));
    EXPECT_FALSE(alive(stat('S', 1, 30'000))) << "began 100 s after the spool";
    EXPECT_FALSE(alive(stat('Z', 1, 19'000)));
    EXPECT_TRUE(alive(stat('Z', 2, 19'000))) << "another thread goes on";
    EXPECT_FALSE(alive(""));
}

}  // namespace
}  // namespace overlane
