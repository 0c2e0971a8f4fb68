#include <algorithm>
#include <gtest/gtest.h>

#include "core/spool/record_kinds.h"
#include "core/spool/recording_merger.h"
#include "core/spool/spool_writer.h"
#include "tests/support/expect_text.h"
#include "tests/support/golden.h"
#include "tests/support/read_recording.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/spool/counting_sink.h"
#include "tests/unit/spool/recording_text.h"

namespace overlane
{
namespace
{

using test::TempDir;

constexpr std::int64_t kStartNs = 1'000'000'000;  // of the spools' clock
constexpr std::uint8_t kPageable = static_cast<std::uint8_t>(MemoryKind::Pageable);
constexpr std::uint8_t kPinned = static_cast<std::uint8_t>(MemoryKind::Pinned);
constexpr std::uint8_t kDevice = static_cast<std::uint8_t>(MemoryKind::Device);

// One process on GPU `uuid`, which it calls device 0.
class Process
{
public:
    Process(const TempDir& dir, std::uint32_t pid, std::int64_t startNs, std::uint8_t uuid)
    {
        EXPECT_TRUE(m_writer.open(dir.path().string(), pid, startNs));
        spool::ProcessStart start;
        start.timeNs = startNs;
        start.unixOffsetNs = 1'700'000'000'000'000'000;
        start.pid = pid;
        start.program = m_writer.intern("train");
        start.command = m_writer.intern("train --fast");
        m_writer.add(start);
        spool::Device device;
        device.uuid[0] = uuid;
        device.memoryBytes = 80u << 20;
        device.name = m_writer.intern("NVIDIA H200");
        m_writer.add(device);
        m_writer.add(spool::Context{1, 0, 7, 0});
        m_writer.add(spool::ThreadName{pid, m_writer.intern("train")});
    }

    SpoolWriter& writer() { return m_writer; }
    void flush() { EXPECT_TRUE(m_writer.flush()); }

    void call(std::int64_t startNs, std::int64_t endNs, std::uint32_t thread, std::uint32_t correlation,
              const char* name)
    {
        m_writer.add(spool::ApiCall{startNs, endNs, thread, correlation, m_writer.intern(name), 0});
    }
    void kernel(std::int64_t startNs, std::int64_t endNs, std::uint32_t stream, std::uint32_t correlation,
                const char* name)
    {
        m_writer.add(spool::Kernel{startNs, endNs, 0, 1, stream, correlation, m_writer.intern(name), 0});
    }
    void copy(std::int64_t startNs, std::int64_t endNs, std::uint32_t stream, std::uint32_t correlation,
              std::uint8_t source, bool asynchronous)
    {
        spool::Copy copy;
        copy.startNs = startNs;
        copy.endNs = endNs;
        copy.bytes = 4096;
        copy.stream = stream;
        copy.context = 1;
        copy.correlation = correlation;
        copy.direction = spool::Direction::HostToDevice;
        copy.source = source;
        copy.destination = kDevice;
        copy.asynchronous = asynchronous ? 1 : 0;
        m_writer.add(copy);
    }
    void memory(std::int64_t timeNs, std::uint64_t address, std::uint64_t bytes, std::uint8_t kind,
                spool::MemoryOperation operation)
    {
        spool::MemoryOp record;
        record.timeNs = timeNs;
        record.address = address;
        record.bytes = bytes;
        record.memory = kind;
        record.operation = operation;
        m_writer.add(record);
    }
    void marker(std::int64_t timeNs, std::uint32_t id, std::uint32_t thread, spool::MarkerType type,
                const char* name = nullptr, const char* domain = nullptr)
    {
        spool::Marker marker;
        marker.timeNs = timeNs;
        marker.id = id;
        marker.thread = thread;
        marker.type = type;
        if (name != nullptr)
            marker.name = m_writer.intern(name);
        if (domain != nullptr)
            marker.domain = m_writer.intern(domain);
        m_writer.add(marker);
    }

private:
    SpoolWriter m_writer;
};

Trace read(const TempDir& dir)
{
    Result<Trace> trace = test::readRecording(dir.path().string());
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
    return trace.ok() ? std::move(trace).value() : TraceBuilder().build();
}

TEST(Recording, OfTwoProcessesBecomesOneTrace)
{
    const TempDir dir;
    Process first(dir, 100, kStartNs, 1);
    first.call(kStartNs + 1'000, kStartNs + 9'000, 100, 1, "cudaMemcpyAsync_v3020");
    first.copy(kStartNs + 3'000, kStartNs + 8'000, 13, 1, kPageable, true);
    first.call(kStartNs + 10'000, kStartNs + 11'000, 100, 2, "cudaLaunchKernel_v7000");
    first.kernel(kStartNs + 12'000, kStartNs + 20'000, 7, 2, "_Z5saxpyifPf");
    first.memory(kStartNs + 500, 0x1000, 4096, kPinned, spool::MemoryOperation::Allocate);
    first.memory(kStartNs + 30'000, 0x1000, 0, kPinned, spool::MemoryOperation::Free);
    first.memory(kStartNs + 600, 0x2000, 65536, kDevice, spool::MemoryOperation::Allocate);
    first.marker(kStartNs + 900, 1, 100, spool::MarkerType::Start, "batch 0", "loader");
    first.writer().add(spool::MarkerData{1, 0, 0xFF336699, spool::PayloadType::Integer, 42});
    first.marker(kStartNs + 9'500, 1, 100, spool::MarkerType::End);
    first.marker(kStartNs + 9'600, 2, spool::kNone, spool::MarkerType::Start, "epoch");
    first.flush();
    first.marker(kStartNs + 50'000, 2, spool::kNone, spool::MarkerType::End);
    first.writer().add(
        spool::Sync{kStartNs + 21'000, kStartNs + 22'000, spool::SyncType::Stream, 1, 7, spool::kNone, 3, 0});
    first.call(kStartNs + 21'000, kStartNs + 22'000, 100, 3, "cudaStreamSynchronize_v3020");
    first.call(kStartNs + 23'000, kStartNs + 23'500, 100, 4, "cudaEventRecord_v3020");
    spool::CudaEvent event;
    event.event = 5;
    event.device = spool::kNone;
    event.context = 1;
    event.stream = 7;
    event.correlation = 4;
    first.writer().add(event);
    first.writer().add(
        spool::Overhead{kStartNs + 24'000, kStartNs + 26'000, spool::OverheadType::Instrumentation, 100, 0, 0});
    first.writer().add(spool::Tick{kStartNs + 60'000, 12, 2, 1, 0, 3'000, 1 << 20, kStartNs + 50'000, 700});
    first.flush();

    // Sees the other GPU and the same one under other numbers.
    Process second(dir, 200, kStartNs + 40'000, 2);
    spool::Device shared;
    shared.id = 1;
    shared.uuid[0] = 1;
    shared.name = second.writer().intern("NVIDIA H200");
    second.writer().add(shared);
    second.call(kStartNs + 41'000, kStartNs + 42'000, 201, 1, "cudaLaunchKernel_v7000");
    second.kernel(kStartNs + 43'000, kStartNs + 44'000, 7, 1, "gemm");
    second.writer().add(
        spool::Kernel{kStartNs + 45'000, kStartNs + 46'000, 1, 2, 7, 0, second.writer().intern("gemm"), 0});
    second.writer().add(spool::Lane{9, second.writer().intern("worker 0"), 2, 0});
    second.writer().add(
        spool::LaneEvent{kStartNs + 41'000, kStartNs + 45'000, 9, second.writer().intern("load"), 10, 0});
    second.writer().add(spool::GaugeDefinition{1, second.writer().intern("Resident memory"), 1, -1, 0, 0});
    second.writer().add(spool::GaugeSample{kStartNs + 41'000, 123456, 1, 0});
    second.writer().add(
        spool::Status{kStartNs + 46'000, static_cast<std::uint32_t>(RecordStatus::TakenOver), 0, spool::kNone, 0});
    second.flush();

    test::expectGolden("record/two_processes.txt", test::recordingText(read(dir)));
}

// Each context numbers its own streams, and has a default stream of its own: cuptiGetStreamIdEx.
TEST(Recording, StreamsOfFurtherContextsHaveTracksOfTheirOwn)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.writer().add(spool::Context{2, 0, 7, 0});
    process.copy(kStartNs + 1'000, kStartNs + 2'000, 7, 1, kPinned, true);
    process.kernel(kStartNs + 1'000, kStartNs + 2'000, 7, 2, "own");
    for (const std::uint32_t stream : {7u, 13u})
        process.writer().add(
            spool::Kernel{kStartNs + 3'000, kStartNs + 4'000, 0, 2, stream, 3, process.writer().intern("other"), 0});
    process.writer().add(
        spool::Sync{kStartNs + 5'000, kStartNs + 6'000, spool::SyncType::StreamWaitsForEvent, 2, 13, 4, 4, 0});
    process.writer().add(spool::Sync{kStartNs + 5'000, kStartNs + 6'000, spool::SyncType::Stream, 1, 7, 0, 5, 0});
    process.call(kStartNs + 7'000, kStartNs + 7'500, 100, 6, "cudaEventRecord_v3020");
    spool::CudaEvent event;
    event.event = 5;
    event.context = 2;
    event.stream = 13;
    event.correlation = 6;
    process.writer().add(event);
    process.flush();
    const Trace trace = read(dir);
    std::vector<std::string> streams;
    for (const Track& track : trace.tracks())
        if (track.kind == TrackKind::Stream)
            streams.push_back(track.name + ", " + std::to_string(track.nativeId));
    std::sort(streams.begin(), streams.end());
    EXPECT_EQ(streams, (std::vector<std::string>{"stream 13 of context 2, 13", "stream 7 (default) of context 2, 7",
                                                 "stream 7 (default), 7", "stream 7 (default), 7"}));
    for (const char* name :
         {"Stream 13 of context 2 waits for event 4", "Host waits for stream 7", "Event 5, stream 13 of context 2"})
        EXPECT_TRUE(trace.strings().find(name).valid()) << name;
}

TEST(Recording, AContextWhoseDefaultStreamIsNamedLateIsRenamed)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.kernel(kStartNs + 1'000, kStartNs + 2'000, 13, 1, "own");
    process.writer().add(
        spool::Kernel{kStartNs + 3'000, kStartNs + 4'000, 0, 2, 13, 2, process.writer().intern("other"), 0});
    process.flush();
    process.writer().add(spool::Context{2, 0, 13, 0});
    process.flush();
    const Trace trace = read(dir);
    std::vector<std::string> streams;
    for (const Track& track : trace.tracks())
        if (track.kind == TrackKind::Stream)
            streams.push_back(track.name);
    EXPECT_EQ(streams, (std::vector<std::string>{"stream 13", "stream 13 (default) of context 2"}));
}

TEST(Recording, WorkOfAGraphKnowsItsGraph)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    SpoolWriter& writer = process.writer();
    writer.add(spool::Kernel{kStartNs + 1'000, kStartNs + 2'000, 0, 1, 7, 9, writer.intern("node"), 5});
    spool::Copy copy;
    copy.startNs = kStartNs + 3'000;
    copy.endNs = kStartNs + 4'000;
    copy.graph = 5;
    writer.add(copy);
    writer.add(spool::Memset{kStartNs + 5'000, kStartNs + 6'000, 64, 0, 1, 7, 9, kDevice, 5});
    process.kernel(kStartNs + 7'000, kStartNs + 8'000, 7, 10, "alone");
    process.flush();
    const Trace trace = read(dir);
    ASSERT_EQ(trace.eventCount(), 4u);
    for (std::size_t at = 0; at < trace.eventCount(); ++at)
        EXPECT_EQ(trace.graph(EventIndex(at)), trace.name(EventIndex(at)) == "alone" ? 0u : 5u);
}

TEST(Recording, FollowedWhileItGrowsGivesTheSameTrace)
{
    const auto write = [](Process& process, int part) {
        const std::int64_t at = kStartNs + std::int64_t{part} * 10'000;
        const auto number = static_cast<std::uint32_t>(part + 1);
        process.call(at, at + 1'000, 100, number, "cudaMemcpyAsync_v3020");
        process.copy(at + 2'000, at + 5'000, 7, number, kPinned, true);
        process.marker(at, number, 100, spool::MarkerType::Start, "step");
        if (part > 0)
            process.marker(at - 100, number - 1, 100, spool::MarkerType::End);
        process.memory(at, std::uint64_t{0x1000} * number, 4096, kPinned, spool::MemoryOperation::Allocate);
        process.flush();
    };
    const TempDir dir;
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(dir.path().string(), sink);
    ASSERT_TRUE(merger.poll().ok());
    EXPECT_EQ(merger.totals().processes, 0u);
    Process process(dir, 100, kStartNs, 1);
    for (int part = 0; part < 4; ++part) {
        write(process, part);
        ASSERT_TRUE(merger.poll().ok());
        EXPECT_EQ(merger.totals().copies, part + 1);
        EXPECT_EQ(merger.totals().newestNs, part * 10'000 + 5'000);
    }
    ASSERT_TRUE(merger.finish().ok());
    EXPECT_EQ(merger.totals().pinnedBytes, 4 * 4096.0);
    // Tracks come in the order in which they were met; everything else is the same.
    EXPECT_EQ(test::recordingText(builder.build()), test::recordingText(read(dir)));
}

TEST(Recording, WorkBeforeItsCallIsTheResidualOfTheClocks)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.call(kStartNs + 10'000, kStartNs + 11'000, 100, 1, "cudaLaunchKernel_v7000");
    process.kernel(kStartNs + 9'400, kStartNs + 12'000, 7, 1, "early");
    process.call(kStartNs + 20'000, kStartNs + 21'000, 100, 2, "cudaLaunchKernel_v7000");
    process.kernel(kStartNs + 25'000, kStartNs + 26'000, 7, 2, "late");
    process.flush();
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(dir.path().string(), sink);
    ASSERT_TRUE(merger.finish().ok());
    EXPECT_EQ(merger.totals().residualNs, 600);
}

TEST(Recording, MemoryRecordsInAnyOrderGiveOneSum)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.memory(kStartNs + 300, 0x2000, 50, kPinned, spool::MemoryOperation::Allocate);
    process.memory(kStartNs + 400, 0x1000, 100, kPinned, spool::MemoryOperation::Free);
    process.memory(kStartNs + 100, 0x1000, 100, kPinned, spool::MemoryOperation::Allocate);
    process.memory(kStartNs + 500, 0x9000, 10, kPinned, spool::MemoryOperation::Free);
    process.kernel(kStartNs, kStartNs + 1'000, 7, 0, "k");
    process.flush();
    const Trace trace = read(dir);
    ASSERT_EQ(trace.counters().size(), 1u);
    EXPECT_EQ(trace.counters()[0].values, (std::vector<double>{100, 150, 50}));
    EXPECT_EQ(trace.counters()[0].timesNs, (std::vector<std::int64_t>{100, 300, 400}));
    EXPECT_EQ(trace.stats().count("free_without_allocation"), 1);
}

TEST(Recording, WhatCannotBeShownIsCounted)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.kernel(0, 0, 7, 1, "no time");
    process.kernel(kStartNs + 200, kStartNs + 100, 7, 2, "backwards");
    process.kernel(kStartNs + 100, kStartNs + 200, 7, 3, "good");
    process.marker(kStartNs, 1, 100, spool::MarkerType::Start, "never ends");
    process.marker(kStartNs, 2, 100, spool::MarkerType::End);
    process.writer().add(spool::Sync{kStartNs, kStartNs + 1, spool::SyncType::Context, 99, 0, 0, 0, 0});
    process.writer().add(spool::LaneEvent{kStartNs, kStartNs + 1, 12, 0, 0, 0});
    process.writer().add(spool::ExternalCorrelation{1, 1, 1});
    process.flush();
    const Trace trace = read(dir);
    EXPECT_EQ(trace.eventCount(), 1u);
    for (const char* reason : {"zero_timestamp", "negative_duration", "unfinished_range", "range_without_start",
                               "sync_without_device", "unreadable_lane_event", "external_correlation"})
        EXPECT_EQ(trace.stats().count(reason), 1) << reason;
    std::int64_t skipped = 0;
    for (const ImportStat& stat : trace.stats().all())
        skipped += stat.count;
    EXPECT_EQ(trace.metadata().sourceEvents, static_cast<std::int64_t>(trace.eventCount()) + skipped);
}

TEST(Recording, OfAKilledProcessKeepsEverythingUpToItsLastFlush)
{
    const TempDir dir;
    std::string path;
    {
        Process process(dir, 100, kStartNs, 1);
        process.kernel(kStartNs + 100, kStartNs + 200, 7, 1, "k");
        process.flush();
        process.kernel(kStartNs + 300, kStartNs + 400, 7, 2, "k");
        process.flush();
        path = process.writer().path();
    }
    const std::string whole = test::readFile(path);
    dir.write("100-1000000000.spool", whole.substr(0, whole.size() - 5));
    const Trace trace = read(dir);
    EXPECT_EQ(trace.eventCount(), 1u);
    EXPECT_EQ(trace.stats().count("cut_tail"), 1);
}

TEST(Recording, ThreadsHaveTheirOwnNamesOrTheirNumber)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.writer().add(spool::ThreadName{101, process.writer().intern("train")});  // as it was started
    process.writer().add(spool::ThreadName{102, process.writer().intern("pin memory")});
    process.writer().add(spool::ThreadName{103, process.writer().intern("pin memory")});
    for (std::uint32_t thread = 100; thread <= 104; ++thread)
        process.call(kStartNs + thread, kStartNs + 200, thread, 0, "cudaMalloc_v3020");
    process.flush();
    process.writer().add(spool::ThreadName{104, process.writer().intern("late")});
    process.flush();
    const Trace trace = read(dir);
    std::vector<std::string> names;
    for (const TrackId id : trace.track(trace.roots()[0]).children)
        names.push_back(trace.track(id).name);
    EXPECT_EQ(names, (std::vector<std::string>{"train main", "thread 101", "pin memory", "pin memory 103", "late"}));
}

TEST(Recording, ThreadsOfALoaderStandInItsOrderAboveOthers)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    std::uint32_t id = 0;
    for (const auto& [name, thread, place] :
         {std::tuple("main", 103u, 2), std::tuple("worker 1", 102u, 1), std::tuple("worker 0", 101u, 0)}) {
        process.call(kStartNs + thread, kStartNs + 200, thread, 0, "cudaMalloc_v3020");
        process.writer().add(spool::ThreadName{thread, process.writer().intern(name)});
        process.writer().add(spool::Lane{++id, process.writer().intern(name),
                                         static_cast<std::uint32_t>(TrackKind::LoaderActor), place, thread});
    }
    process.call(kStartNs + 50, kStartNs + 200, 99, 0, "cudaMalloc_v3020");
    process.flush();
    const Trace trace = read(dir);
    std::vector<std::string> names;
    std::vector<TrackKind> kinds;
    for (const TrackId child : trace.track(trace.roots()[0]).children) {
        names.push_back(trace.track(child).name);
        kinds.push_back(trace.track(child).kind);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"worker 0", "worker 1", "main", "thread 99"}));
    // Though their calls came before it was said what they are.
    EXPECT_EQ(kinds, (std::vector<TrackKind>{TrackKind::LoaderActor, TrackKind::LoaderActor, TrackKind::LoaderActor,
                                             TrackKind::Thread}));
}

TEST(Recording, StacksLieBelowTheirThreadCallersOnTop)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    SpoolWriter& writer = process.writer();
    constexpr auto kStacks = static_cast<std::uint32_t>(TrackKind::Stacks);
    writer.add(spool::Lane{1, writer.intern("stacks"), kStacks, 0, 100, 0});
    writer.add(spool::StackNode{0, spool::kNone, writer.intern("train.py:120 <module>"), 16});
    writer.add(spool::StackNode{1, 0, writer.intern("train.py:88 augment"), 16});
    writer.add(spool::StackNode{2, 1, writer.intern("PIL/Image.py:22 resize"), 17});
    process.call(kStartNs + 100, kStartNs + 200, 100, 0, "cudaMalloc_v3020");
    process.flush();
    writer.add(spool::StackSample{kStartNs + 1000, kStartNs + 1500, 1, 2});
    writer.add(spool::StackSample{kStartNs + 2000, kStartNs + 2500, 1, 1});
    writer.add(spool::StackSample{kStartNs + 3000, kStartNs + 3500, 9, 1});
    process.flush();
    const Trace trace = read(dir);
    test::expectText(test::recordingText(trace));
    EXPECT_EQ(trace.stats().count("unreadable_stack"), 1);
}

TEST(Recording, GaugesStandInTheirOrderNotInThatOfTheirArrival)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.memory(kStartNs + 300, 0x2000, 50, kPinned, spool::MemoryOperation::Allocate);
    std::uint32_t id = 0;
    for (const char* name : {"Major faults per second", "Swap used", "Available RAM", "Process memory"}) {
        process.writer().add(spool::GaugeDefinition{++id, process.writer().intern(name), 1, -1, 0, 1});
        process.writer().add(spool::GaugeSample{kStartNs + 1'000, 1, id, 0});
    }
    process.flush();
    const Trace trace = read(dir);
    std::vector<std::string> names;
    for (const TrackId root : trace.roots())
        for (const TrackId child : trace.track(root).children)
            names.push_back(trace.track(child).name);
    EXPECT_EQ(names, (std::vector<std::string>{"Pinned memory", "Process memory", "Available RAM", "Swap used",
                                               "Major faults per second"}));
}

TEST(Recording, SaysWhichKindsWereAskedFor)
{
    const TempDir dir;
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(dir.path().string(), 100, kStartNs));
    spool::ProcessStart start;
    start.timeNs = kStartNs;
    start.pid = 100;
    start.kinds = RecordKinds::light().bits();
    writer.add(start);
    ASSERT_TRUE(writer.flush());
    EXPECT_EQ(read(dir).metadata().properties.at(kRecordedKinds), "copies,sync,memory,nvtx,overhead");
}

TEST(Recording, KernelsWithoutAnyCallAreSaid)
{
    for (const bool isAsked : {true, false}) {
        const TempDir dir;
        SpoolWriter writer;
        ASSERT_TRUE(writer.open(dir.path().string(), 100, kStartNs));
        spool::ProcessStart start;
        start.timeNs = kStartNs;
        start.pid = 100;
        start.kinds = (isAsked ? RecordKinds::standard() : RecordKinds::light()).bits();
        writer.add(start);
        writer.add(spool::Kernel{kStartNs + 100, kStartNs + 200, 0, 1, 7, 5, writer.intern("_Z4gemmPf"), 0});
        ASSERT_TRUE(writer.flush());
        EXPECT_EQ(read(dir).stats().count("no_calls"), isAsked ? 1 : 0);
    }
    const TempDir dir;
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(dir.path().string(), 100, kStartNs));
    spool::ProcessStart start;
    start.timeNs = kStartNs;
    start.pid = 100;
    start.kinds = RecordKinds::standard().bits();
    writer.add(start);
    writer.add(spool::ApiCall{kStartNs + 50, kStartNs + 90, 100, 5, writer.intern("cudaLaunchKernel_v7000"), 0});
    writer.add(spool::Kernel{kStartNs + 100, kStartNs + 200, 0, 1, 7, 5, writer.intern("_Z4gemmPf"), 0});
    ASSERT_TRUE(writer.flush());
    EXPECT_EQ(read(dir).stats().count("no_calls"), 0);
}

TEST(Recording, MuchThatWaitsIsReadInParts)
{
    constexpr std::uint32_t kCalls = 2'500'000;
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    const std::uint32_t name = process.writer().intern("cudaLaunchKernel_v7000");
    for (std::uint32_t at = 1; at <= kCalls; ++at)
        process.writer().add(spool::ApiCall{kStartNs + at, kStartNs + at + 1, 100, at, name, 0});
    process.flush();
    test::CountingSink sink;
    RecordingMerger merger(dir.path().string(), sink);
    std::uint32_t before = 0;
    int parts = 0;
    do {
        ASSERT_TRUE(merger.poll().ok());
        EXPECT_LT(sink.events - before, 1'200'000u);
        before = sink.events;
        ++parts;
    } while (merger.behind());
    EXPECT_EQ(parts, 3);
    EXPECT_EQ(sink.events, kCalls);
    ASSERT_TRUE(merger.finish().ok());
    EXPECT_EQ(sink.events, kCalls);
}

TEST(Recording, NoticesAreToldOnce)
{
    const TempDir dir;
    Process process(dir, 100, kStartNs, 1);
    process.writer().add(
        spool::Status{kStartNs + 5, static_cast<std::uint32_t>(RecordStatus::RecordsDropped), 12, spool::kNone, 0});
    process.flush();
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(dir.path().string(), sink);
    ASSERT_TRUE(merger.poll().ok());
    const std::vector<RecordingNotice> notices = merger.takeNotices();
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_EQ(notices[0].pid, 100u);
    EXPECT_EQ(notices[0].timeNs, 5);
    test::expectText(notices[0].sentence);
    ASSERT_TRUE(merger.poll().ok());
    EXPECT_TRUE(merger.takeNotices().empty());
}

TEST(Recording, OfAFolderThatIsNotThereFails)
{
    const TempDir dir;
    EXPECT_FALSE(test::readRecording(dir.path("missing")).ok());
}

}  // namespace
}  // namespace overlane
