#include "core/recorder/native_stacks.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <map>
#include <thread>
#include <unistd.h>

#include "core/analysis/analysis.h"
#include "core/io/format.h"
#include "core/recorder/record_session.h"
#include "core/spool/spool_clock.h"
#include "core/spool/spool_reader.h"
#include "tests/support/expect_text.h"
#include "tests/unit/recorder/record_test.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

// Under the thread sanitizer a look costs ten times as much, and all have a tenth of a core: some are left out, and
// those on both sides become one.
#ifdef __SANITIZE_THREAD__
constexpr bool kLeavesLooksOut = true;
constexpr int kEnoughLooks = 3;
constexpr int kAwaitedLooks = 24;
#else
constexpr bool kLeavesLooksOut = false;
constexpr int kEnoughLooks = 10;
constexpr int kAwaitedLooks = 2 * kEnoughLooks;
#endif

class NativeStacksTest : public test::RecordTest
{
protected:
    RecordOptions options(const std::vector<std::string>& arguments) const
    {
        RecordOptions options = optionsOf(OVERLANE_NATIVE_PROGRAM, arguments);
        options.stacksUs = 5000;
        return options;
    }
    // Of a program that ends once it was looked at often enough, however busy the machine is.
    RecordOptions lasting(const std::vector<std::string>& arguments) const
    {
        RecordOptions lasting = options(arguments);
        lasting.program.environment.emplace_back("NATIVE_PROGRAM_LEAVES", leaves());
        return lasting;
    }
    void record(const RecordOptions& options)
    {
        const std::int64_t startNs = monotonicNs();
        auto session = RecordSession::start(options);
        ASSERT_TRUE(session.ok()) << session.error();
        while (session.value()->poll()) {
            if (isLookedAtEnough())
                std::ofstream(leaves()) << "looked at";
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        const auto outcome = session.value()->finish();
        ASSERT_TRUE(outcome.ok()) << outcome.error();
        m_elapsedNs = monotonicNs() - startNs;
        ASSERT_TRUE(outcome.value().program);
        EXPECT_EQ(outcome.value().program->exitCode, 0);
        m_warnings = outcome.value().warnings;
        if (kLeavesLooksOut)
            std::erase_if(m_warnings, [](const std::string& warning) {
                return warning.find("stacks were left out") != std::string::npos;
            });
        Progress progress;
        auto trace = readTrace(m_file, progress);
        ASSERT_TRUE(trace.ok()) << trace.error();
        m_trace = std::move(trace).value();
    }
    // By what is in the spools, since looks are left out while symbols are read: for how long depends on the machine.
    bool isLookedAtEnough() const
    {
        std::map<std::pair<std::string, std::uint32_t>, int> looks;  // by spool and thread
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(recordingFolder(m_file), none)) {
            SpoolReader reader(entry.path().string());
            for (SpoolFrame frame; entry.path().extension() == spool::kFileSuffix && reader.next(frame);)
                if (frame.header.kind == spool::FrameKind::StackSamples)
                    frame.each<spool::StackSample>([&](const spool::StackSample& sample) {
                        ++looks[{reader.path(), sample.lane}];
                    });
        }
        const auto isEnough = [](const auto& thread) { return thread.second >= kAwaitedLooks; };
        return std::count_if(looks.begin(), looks.end(), isEnough) >= m_threads;
    }
    // A program that goes on until it was looked at often enough finds this file then.
    std::string leaves() const { return m_folder + "/leaves"; }
    // What is below a function on the tracks of stacks: nothing that begins within.
    std::map<std::string, int> innermost(EventKind kind) const
    {
        std::map<std::string, int> counts;
        for (const Track& track : m_trace.tracks()) {
            std::vector<EventIndex> frames;
            for (std::uint32_t at = track.events.first; at < track.events.last; ++at)
                if (track.kind == TrackKind::Stacks && m_trace.kind(EventIndex(at)) == kind)
                    frames.emplace_back(at);
            std::stable_sort(frames.begin(), frames.end(), [&](EventIndex a, EventIndex b) {
                return m_trace.interval(a).startNs < m_trace.interval(b).startNs;
            });
            for (std::size_t at = 0; at < frames.size(); ++at)
                if (at + 1 == frames.size() ||
                    m_trace.interval(frames[at + 1]).startNs >= m_trace.interval(frames[at]).endNs)
                    ++counts[std::string(m_trace.name(frames[at]))];
        }
        return counts;
    }
    int countOf(EventKind kind, std::string_view part) const
    {
        int count = 0;
        for (const auto& [name, times] : innermost(kind))
            count += name.find(part) != std::string::npos ? times : 0;
        return count;
    }
    std::vector<std::string> stackTracks() const
    {
        std::vector<std::string> names;
        for (const Track& track : m_trace.tracks())
            if (track.kind == TrackKind::Stacks)
                names.push_back(track.name);
        return names;
    }
    // Why stacks cannot be taken here; empty where they can.
    static std::string missing()
    {
        if (!NativeCode::isAvailable())
            return "built without libdw";
        int error = 0;
        return PerfRing::open(gettid(), 1'000'000, openPerfEvent, error)
                   ? std::string()
                   : std::string("perf_event_open: ") + std::strerror(error);
    }

    int m_threads = 1;  // that are looked at
    std::int64_t m_elapsedNs = 0;
    std::vector<std::string> m_warnings;
    Trace m_trace;
};

#define SKIP_WITHOUT_STACKS()                            \
    if (const std::string why = missing(); !why.empty()) \
    GTEST_SKIP() << why

TEST_F(NativeStacksTest, ABusyFunctionIsNamedWithFileAndLine)
{
    SKIP_WITHOUT_STACKS();
    record(lasting({"burn"}));
    EXPECT_THAT(m_warnings, IsEmpty());
    test::expectText(stackTracks());
    // About 60; a machine that is short of cores gives no fewer, since looks go by processor time.
    EXPECT_GE(countOf(EventKind::ProgramFrame, "program/native_program.cpp:"), kEnoughLooks);
    EXPECT_GE(countOf(EventKind::ProgramFrame, " pipeline::augment"), kEnoughLooks);
    // On the clock of the recording.
    for (const Track& track : m_trace.tracks())
        for (std::uint32_t at = track.events.first; track.kind == TrackKind::Stacks && at < track.events.last; ++at) {
            EXPECT_GE(m_trace.interval(EventIndex(at)).startNs, 0);
            EXPECT_LE(m_trace.interval(EventIndex(at)).endNs, m_elapsedNs);
        }
}

TEST_F(NativeStacksTest, TheVerdictNamesWhatTheDeviceWaitsFor)
{
    SKIP_WITHOUT_STACKS();
    record(options({"train"}));
    const Analysis analysis(m_trace);
    ASSERT_EQ(analysis.devices().size(), 1u);
    const DeviceActivity& device = analysis.devices().front();
    std::vector<Interval> gaps;
    for (const IdleGap& gap : device.idle)
        gaps.push_back(gap.interval);
    const std::vector<CodeShare> places =
        analysis.stacks().behind(device, analysis.host(), IntervalSet(std::move(gaps)), {0, m_elapsedNs});
    ASSERT_FALSE(places.empty());
    EXPECT_THAT(places.front().place, testing::EndsWith(" pipeline::augment"));
    EXPECT_EQ(codePlace(places.front().place).function, "pipeline::augment");
    EXPECT_GT(codePlace(places.front().place).line, 0);
    EXPECT_GT(places.front().share, 0.5);
}

TEST_F(NativeStacksTest, AThreadThatWaitsIsSeenWaiting)
{
    SKIP_WITHOUT_STACKS();
    record(lasting({"wait"}));
    if (countOf(EventKind::LibraryFrame, "kernel ") == 0)
        GTEST_SKIP() << "the system does not tell where a thread waits";
    EXPECT_GE(countOf(EventKind::LibraryFrame, "kernel nanosleep"), kEnoughLooks);
    EXPECT_GE(countOf(EventKind::ProgramFrame, " pipeline::receive"), 1) << "which all of them lie below";
}

TEST_F(NativeStacksTest, ThreadsThatComeLaterHaveTracksOfTheirOwn)
{
    SKIP_WITHOUT_STACKS();
    m_threads = 4;
    record(lasting({"threads"}));
    EXPECT_THAT(stackTracks(), testing::SizeIs(4));
    EXPECT_GE(countOf(EventKind::ProgramFrame, " pipeline::augment"), 3 * kEnoughLooks);
}

TEST_F(NativeStacksTest, AProgramThatIsRemovedFromDiskIsNamed)
{
    SKIP_WITHOUT_STACKS();
    const std::string copy = m_folder + "/copied_program";
    fs::copy_file(OVERLANE_NATIVE_PROGRAM, copy);
    RecordOptions removed = lasting({"unlink", "burn"});
    removed.program.command.front() = copy;
    record(removed);
    EXPECT_FALSE(fs::exists(copy));
    EXPECT_GE(countOf(EventKind::ProgramFrame, " pipeline::augment"), kEnoughLooks);
}

TEST_F(NativeStacksTest, AProgramThatBecomesAnotherIsFollowed)
{
    SKIP_WITHOUT_STACKS();
    m_threads = 2;
    record(lasting({"pause", "exec"}));
    EXPECT_THAT(m_warnings, IsEmpty());
    EXPECT_GE(countOf(EventKind::ProgramFrame, " pipeline::augment"), kEnoughLooks);
}

TEST_F(NativeStacksTest, WhatIsRefusedIsSaidOnceAndNothingElseSuffers)
{
    if (!NativeCode::isAvailable())
        GTEST_SKIP() << "built without libdw";
    const std::string asked = m_folder + "/asked";
    std::atomic<int> opened{0};
    RecordOptions refused = options({"wait", "threads"});
    refused.program.environment.emplace_back("NATIVE_PROGRAM_GOES", asked);
    refused.openPerfEvent = [&](perf_event_attr&, pid_t) {
        ++opened;
        std::ofstream(asked) << "asked";
        errno = EACCES;
        return -1;
    };
    record(refused);
    EXPECT_GE(opened, 1);
    EXPECT_LE(opened, 4) << "nothing is tried again and again";
    ASSERT_THAT(m_warnings, testing::SizeIs(1));
    EXPECT_THAT(m_warnings[0], HasSubstr("perf_event_paranoid"));
    EXPECT_THAT(stackTracks(), IsEmpty());
    ASSERT_EQ(m_trace.stats().count("recording_note_stacks"), 1);
}

TEST_F(NativeStacksTest, WithoutStacksNothingIsAskedFor)
{
    RecordOptions none = options({});
    none.stacksUs = 0;
    none.program.environment.emplace_back("NATIVE_PROGRAM_GOES", m_folder);
    none.openPerfEvent = [](perf_event_attr&, pid_t) {
        ADD_FAILURE();
        return -1;
    };
    record(none);
    EXPECT_THAT(m_warnings, IsEmpty());
    EXPECT_THAT(stackTracks(), IsEmpty());
}

TEST(NativeStacks, EachRefusalSaysWhatToDo)
{
    EXPECT_THAT(nativeStacksRefused(EPERM), HasSubstr("seccomp"));
    test::expectText(nativeStacksRefused(ENOMEM));
    test::expectText(nativeStacksRefused(EMFILE));
    EXPECT_FALSE(hasPython(getpid()));
}

}  // namespace
}  // namespace overlane
