#include "core/io/nsys_format.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <sqlite3.h>
#include <vector>

#include "core/io/nsys_labels.h"
#include "core/trace/profiler_messages.h"
#include "tests/support/expect_text.h"
#include "tests/unit/io/overlane_trace_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

const std::string kH100 = std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/nsys/nsys_h100_2gpu.sqlite";

struct Unions {
    std::size_t count = 0;
    std::int64_t busyNs = 0;
    std::vector<Interval> parts;
};

// Independent of core/analysis: sort, merge, add.
Unions unite(const Trace& trace, std::int32_t device, auto chosen)
{
    Unions result;
    std::vector<Interval> all;
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex index(at);
        if (trace.track(trace.trackOf(index)).device == device && chosen(trace.kind(index)))
            all.push_back(trace.interval(index));
    }
    result.count = all.size();
    std::sort(all.begin(), all.end(), [](Interval a, Interval b) { return a.startNs < b.startNs; });
    for (const Interval part : all) {
        if (!result.parts.empty() && part.startNs <= result.parts.back().endNs)
            result.parts.back().endNs = std::max(result.parts.back().endNs, part.endNs);
        else
            result.parts.push_back(part);
    }
    for (const Interval part : result.parts)
        result.busyNs += part.lengthNs();
    return result;
}

std::int64_t commonNs(const Unions& a, const Unions& b)
{
    std::int64_t sum = 0;
    for (const Interval left : a.parts)
        for (const Interval right : b.parts)
            sum += std::max<std::int64_t>(left.intersected(right).lengthNs(), 0);
    return sum;
}

std::int64_t skipped(const Trace& trace)
{
    std::int64_t sum = 0;
    for (const ImportStat& stat : trace.stats().all())
        sum += stat.count;
    return sum;
}

TEST(NsysReference, TwoH100AgreeWithAnIndependentReader)
{
    Progress progress;
    const Result<Trace> read = nsysFormat().read(kH100, progress);
    ASSERT_TRUE(read.ok()) << read.error();
    const Trace& trace = read.value();
    const auto isKernel = [](EventKind kind) { return kind == EventKind::Kernel; };
    const auto isH2D = [](EventKind kind) { return kind == EventKind::CopyH2D; };
    const auto isD2H = [](EventKind kind) { return kind == EventKind::CopyD2H; };
    const auto isOther = [](EventKind kind) { return kind == EventKind::CopyD2D || kind == EventKind::CopyOther; };
    const std::map<int, std::array<std::int64_t, 3>> busyNs = {{0, {22'385'163, 920'872'841, 3'808}},
                                                               {1, {22'444'359, 920'757'957, 4'064}}};
    for (const auto& [device, expected] : busyNs) {
        const Unions kernels = unite(trace, device, isKernel);
        const Unions h2d = unite(trace, device, isH2D);
        const Unions d2h = unite(trace, device, isD2H);
        EXPECT_EQ(kernels.count, 1721u);
        EXPECT_EQ(h2d.count, 225u);
        EXPECT_EQ(d2h.count, 2u);
        EXPECT_EQ(unite(trace, device, isOther).count, 225u);
        EXPECT_EQ((std::array{kernels.busyNs, h2d.busyNs, d2h.busyNs}), expected);
        EXPECT_EQ(commonNs(kernels, h2d), 0);
        EXPECT_EQ(commonNs(kernels, d2h), 0);
    }
    // 904 + 22 + 3442 + 5796 + 244 + 198 + 16782 rows, all on tracks.
    EXPECT_EQ(trace.metadata().sourceEvents, 27'388);
    EXPECT_EQ(trace.eventCount(), 27'388u);
    EXPECT_EQ(skipped(trace), 0);
    EXPECT_EQ(trace.metadata().format, "nsys");
    EXPECT_EQ(trace.metadata().properties.at("schema version"), "3.25.0");
}

TEST(NsysReference, CopiesCarryMemoryKindsAndTheFlagOfTheirCall)
{
    Progress progress;
    const Result<Trace> read = nsysFormat().read(kH100, progress);
    ASSERT_TRUE(read.ok()) << read.error();
    const Trace& trace = read.value();
    int pinned = 0;
    int pageable = 0;
    int linked = 0;
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex index(at);
        const CopyInfo* copy = trace.copy(index);
        if (!copy || trace.kind(index) != EventKind::CopyH2D)
            continue;
        pinned += copy->source == MemoryKind::Pinned;
        pageable += copy->source == MemoryKind::Pageable;
        if (!trace.link(index).valid())
            continue;
        EXPECT_EQ(trace.name(trace.link(index)), "cudaMemcpyAsync");
        EXPECT_EQ(copy->async, AsyncFlag::Async);
        ++linked;
    }
    EXPECT_GT(linked, 0);
    EXPECT_EQ(pinned, 446);
    EXPECT_EQ(pageable, 4);
}

class NsysFormatTest : public test::TemporaryFolder
{
protected:
    Result<Trace> readSql(const std::string& sql)
    {
        const std::string path = file("made.sqlite");
        std::filesystem::remove(path);
        sqlite3* database = nullptr;
        sqlite3_open(path.c_str(), &database);
        char* message = nullptr;
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
        sqlite3_close(database);
        return nsysFormat().read(path, m_progress);
    }
    Progress m_progress;
};

const std::string kNames =
    "CREATE TABLE StringIds(id, value); INSERT INTO StringIds VALUES (1, 'cudaMemcpyAsync_v3020'),"
    "(2, 'cudaMemcpy_v3020'), (3, 'gemm'), (4, 'sem_wait'), (5, 'read');";
const std::string kCopyKinds =
    "CREATE TABLE ENUM_CUDA_MEMCPY_OPER(id, name, label);"
    "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'CUDA_MEMCPY_KIND_HTOD', 'x'),"
    "(2, '', 'Device-to-Host'), (10, 'CUDA_MEMCPY_KIND_PTOP', ''),"
    "(11, 'CUDA_MEMCPY_KIND_UVM_HTOD', '');";
const std::string kCopies =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start, end, deviceId, streamId, correlationId,"
    "globalPid, bytes, copyKind, srcKind, dstKind);";

std::int64_t globalId(std::int64_t pid, std::int64_t tid)
{
    return (std::int64_t{1} << 48) | (pid << 24) | tid;
}

TEST_F(NsysFormatTest, ReadsMemoryKindsByTextInBothNumberings)
{
    const std::string nsys =
        "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', ''),"
        "(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', ''), (2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', '');";
    const std::string cupti =
        "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, '', 'Unknown'), (1, '', 'Pageable'),"
        "(2, '', 'Pinned'), (3, '', 'Device');";
    const auto firstSource = [&](const std::string& kinds) {
        const Result<Trace> trace =
            readSql(kNames + kCopyKinds + kCopies + "CREATE TABLE ENUM_CUDA_MEM_KIND(id, name, label);" + kinds +
                    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 0, 7, 1, 5, 100, 1, 1, 2);");
        EXPECT_TRUE(trace.ok()) << trace.error();
        return trace.value().copy(EventIndex(0))->source;
    };
    EXPECT_EQ(firstSource(nsys), MemoryKind::Pinned);
    EXPECT_EQ(firstSource(cupti), MemoryKind::Pageable);
    EXPECT_EQ(firstSource(""), MemoryKind::Pinned);  // by Nsight Systems' own numbers
}

TEST_F(NsysFormatTest, StreamsOfFurtherContextsHaveTracksOfTheirOwn)
{
    const std::string process = std::to_string(globalId(50, 0));
    const std::string columns = "(start, end, deviceId, contextId, streamId, correlationId, globalPid";
    const Result<Trace> read =
        readSql(kNames + kCopyKinds + "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL" + columns + ", shortName);" +
                "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY" + columns + ", bytes, copyKind, srcKind, dstKind);" +
                "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET" + columns + ");" +
                "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION" + columns + ", syncType);" +
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 1, 7, 1, " + process +
                ", 3), (10, 20, 1, 2, 7, 2, " + process + ", 3);" +
                "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (30, 40, 0, 3, 7, 3, " + process +
                ", 100, 1, 1, 2), (50, 60, 1, 2, 7, 4, " + process + ", 100, 1, 1, 2);" +
                "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (70, 80, 0, NULL, 7, 5, " + process + ");" +
                "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (90, 95, 0, 3, 7, 6, " + process +
                ", 2), (90, 95, 0, 2, 7, 7, " + process + ", 2);");
    ASSERT_TRUE(read.ok()) << read.error();
    std::vector<std::string> streams;
    for (const Track& track : read.value().tracks())
        if (track.kind == TrackKind::Stream && !track.events.empty())
            streams.push_back("GPU " + std::to_string(track.device) + " " + read.value().track(track.parent).name +
                              ": " + track.name);
    test::expectText(streams);
}

TEST_F(NsysFormatTest, EveryCopyOfABatchHasItsCallAndFlag)
{
    const std::string thread = std::to_string(globalId(50, 51));
    const std::string process = std::to_string(globalId(50, 0));
    for (const char* call : {"cudaMemcpyBatchAsync_v13000", "cudaMemcpy3DBatchAsync_v13000", "cuMemcpyBatchAsync_v2"}) {
        std::string copies;
        for (int copy = 0; copy < 3; ++copy)
            copies += (copy == 0 ? "(" : ",(") + std::to_string(20 + 10 * copy) + "," + std::to_string(30 + 10 * copy) +
                      ",0,7,1," + process + ",100,1,1,2)";
        const Result<Trace> read = readSql(
            fmt::format("CREATE TABLE StringIds(id, value); INSERT INTO StringIds VALUES (1, '{}');{}{}"
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, nameId, correlationId);"
                        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 15, {}, 1, 1);"
                        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES {};",
                        call, kCopyKinds, kCopies, thread, copies));
        ASSERT_TRUE(read.ok()) << read.error();
        int seen = 0;
        for (std::size_t at = 0; at < read.value().eventCount(); ++at)
            if (const CopyInfo* copy = read.value().copy(EventIndex(at))) {
                ++seen;
                EXPECT_EQ(copy->async, AsyncFlag::Async) << call;
                EXPECT_TRUE(read.value().link(EventIndex(at)).valid()) << call;
            }
        EXPECT_EQ(seen, 3) << call;
    }
}

TEST_F(NsysFormatTest, WorkOfAGraphKnowsItsGraph)
{
    const std::string columns = "(start, end, deviceId, streamId, correlationId, globalPid, graphNodeId";
    const Result<Trace> read = readSql(
        kNames + kCopyKinds + "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL" + columns + ", graphId, shortName);" +
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY" + columns + ", bytes, copyKind, srcKind, dstKind);" +
        "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start, end, deviceId, streamId, graphId);" +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 7, 1, 5, 77, 6, 3), (30, 40, 0, 7, 2, 5, NULL, "
        "NULL, 3), (50, 60, 0, 7, 3, 5, 78, NULL, 3);" +
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (70, 80, 0, 7, 1, 5, 79, 100, 1, 1, 2);" +
        "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (90, 95, 0, 7, 9);");
    ASSERT_TRUE(read.ok()) << read.error();
    std::map<std::int64_t, std::uint32_t> graphs;  // by start
    for (std::size_t at = 0; at < read.value().eventCount(); ++at)
        graphs[read.value().interval(EventIndex(at)).startNs] = read.value().graph(EventIndex(at));
    const std::int64_t startNs = graphs.begin()->first;  // t = 0 is the first event
    EXPECT_THAT(graphs,
                testing::ElementsAre(testing::Pair(startNs, 6u), testing::Pair(startNs + 20, 0u),
                                     testing::Pair(startNs + 40, kUnnumberedGraph),
                                     testing::Pair(startNs + 60, kUnnumberedGraph), testing::Pair(startNs + 80, 9u)));
}

// Before 2022 exports had no ENUM_ tables.
TEST_F(NsysFormatTest, ReadsKindsByNumberWhereTheFileDoesNotExplainThem)
{
    using Kinds = std::pair<EventKind, MemoryKind>;  // of a copy and of its source
    const auto kindsOf = [&](const std::string& copies) {
        const Result<Trace> read =
            readSql(kNames + kCopies + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES " + copies);
        EXPECT_TRUE(read.ok()) << read.error();
        std::map<std::int64_t, Kinds> kinds;  // by start
        for (std::size_t at = 0; at < read.value().eventCount(); ++at) {
            const EventIndex index(at);
            kinds[read.value().interval(index).startNs] = {read.value().kind(index), read.value().copy(index)->source};
        }
        EXPECT_EQ(read.value().stats().count("unknown_copy_direction"), 0);
        EXPECT_EQ(read.value().stats().count("kinds_by_number"), static_cast<std::int64_t>(kinds.size()));
        return kinds;
    };
    // start, end, device, stream, correlation, process, bytes, kind of copy, of source, of target
    EXPECT_EQ(kindsOf("(1, 2, 0, 7, 1, 5, 100, 1, 1, 2), (3, 4, 0, 7, 1, 5, 100, 1, 0, 2),"
                      "(5, 6, 0, 7, 1, 5, 100, 2, 2, 0), (7, 8, 0, 7, 1, 5, 100, 8, 2, 2),"
                      "(9, 10, 0, 7, 1, 5, 100, 11, 4, 4), (11, 12, 0, 7, 1, 5, 100, 10, 2, 2)"),
              (std::map<std::int64_t, Kinds>{{0, {EventKind::CopyH2D, MemoryKind::Pinned}},
                                             {2, {EventKind::CopyH2D, MemoryKind::Pageable}},
                                             {4, {EventKind::CopyD2H, MemoryKind::Device}},
                                             {6, {EventKind::CopyD2D, MemoryKind::Device}},
                                             {8, {EventKind::CopyOther, MemoryKind::Managed}},
                                             {10, {EventKind::CopyD2D, MemoryKind::Device}}}));
    // The same copies in CUPTI's own numbers, which the device's side gives away.
    EXPECT_EQ(kindsOf("(1, 2, 0, 7, 1, 5, 100, 1, 2, 3), (3, 4, 0, 7, 1, 5, 100, 1, 1, 3),"
                      "(5, 6, 0, 7, 1, 5, 100, 2, 3, 1), (9, 10, 0, 7, 1, 5, 100, 11, 5, 5)"),
              (std::map<std::int64_t, Kinds>{{0, {EventKind::CopyH2D, MemoryKind::Pinned}},
                                             {2, {EventKind::CopyH2D, MemoryKind::Pageable}},
                                             {4, {EventKind::CopyD2H, MemoryKind::Device}},
                                             {8, {EventKind::CopyOther, MemoryKind::Managed}}}));
}

TEST_F(NsysFormatTest, ReadsAllOtherKindsByNumberToo)
{
    const Result<Trace> read =
        readSql(kNames +
                "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, end, deviceId, streamId, globalPid, syncType);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1, 2, 0, 7, 5, 3);"
                "CREATE TABLE NVTX_EVENTS(start, end, globalTid, eventType, text); INSERT INTO NVTX_EVENTS VALUES"
                "(3, NULL, 9, 34, 'here'), (4, 5, 9, 59, 'step'), (0, NULL, 9, 75, 'domain');"
                "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start, deviceId, bytes, memKind, memoryOperationType);"
                "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (1, 0, 10, 2, 0), (5, 0, 4, 2, 0), (9, 0, 10, 2, 1);");
    ASSERT_TRUE(read.ok()) << read.error();
    std::vector<std::string> names;
    for (std::size_t at = 0; at < read.value().eventCount(); ++at)
        names.emplace_back(read.value().name(EventIndex(at)));
    test::expectText(names);
    EXPECT_EQ(read.value().stats().count("nvtx_description"), 1);
    ASSERT_EQ(read.value().counters().size(), 1u);
    EXPECT_EQ(read.value().counters()[0].values, (std::vector<double>{10, 14, 4}));
}

TEST_F(NsysFormatTest, JoinsByCorrelationWithinAProcess)
{
    const std::string one = std::to_string(globalId(100, 0));
    const std::string two = std::to_string(globalId(200, 0));
    const Result<Trace> read =
        readSql(kNames + kCopyKinds + kCopies +
                "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, nameId);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 5, " +
                std::to_string(globalId(100, 100)) + ", 9, 1), (2, 6, " + std::to_string(globalId(200, 201)) +
                ", 9, 2);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 20, 0, 7, 9, " +
                one + ", 100, 1, 0, 0), (10, 25, 1, 7, 9, " + two + ", 100, 2, 0, 0), (10, 20, 0, 7, 0, " + one +
                ", 1, 10, 0, 0), (10, 20, 0, 7, 0, " + one + ", 1, 11, 0, 0);");
    ASSERT_TRUE(read.ok()) << read.error();
    const Trace& trace = read.value();
    int linked = 0;
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex index(at);
        if (trace.kind(index) == EventKind::CopyH2D) {
            EXPECT_EQ(trace.copy(index)->async, AsyncFlag::Async);
            EXPECT_EQ(trace.name(trace.link(index)), "cudaMemcpyAsync");
            ++linked;
        }
        if (trace.kind(index) == EventKind::CopyD2H) {
            EXPECT_EQ(trace.copy(index)->async, AsyncFlag::Sync);
            EXPECT_EQ(trace.name(trace.link(index)), "cudaMemcpy");
            EXPECT_EQ(trace.track(trace.trackOf(index)).device, 1);
            ++linked;
        }
    }
    EXPECT_EQ(linked, 2);
    EXPECT_EQ(trace.metadata().sourceEvents, 6);
}

TEST_F(NsysFormatTest, EveryRowIsDrawnOrCounted)
{
    const Result<Trace> read = readSql(
        kNames +
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, demangledName);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 7, 3), (0, 0, 0, 7, 3), (-5, 20, 0, 7, 3),"
        "(20, 10, 0, 7, 3), ('x', 20, 0, 7, 3), (10, NULL, 0, 7, 3), (10, 20, -1, 7, 3), (10, 20, 'gpu', 7, 3),"
        "(10, 9223372036854775807, 0, 7, 3), (30, 40, 0, 7, 777), (50, 60, 0, 7, NULL);"
        "CREATE TABLE OSRT_API(start, end, globalTid, nameId); INSERT INTO OSRT_API VALUES (1, 2, 9, 4), (3, 4, 9, 5);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start, deviceId); INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1, "
        "0);"
        "CREATE TABLE SCHED_EVENTS(start, cpu); INSERT INTO SCHED_EVENTS VALUES (1, 0), (2, 0);"
        "CREATE TABLE NVTX_EVENTS(start, end, globalTid, eventType, text);"
        "INSERT INTO NVTX_EVENTS VALUES (5, 9, 9, 59, 'ProfilerStep#3'), (6, NULL, 9, 34, 'here'),"
        "(6, NULL, 9, 59, 'open'), (0, NULL, 9, 33, 'category');"
        "CREATE TABLE ENUM_NSYS_EVENT_TYPE(id, name); INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES"
        "(33, 'NvtxCategory'), (34, 'NvtxMark'), (59, 'NvtxPushPopRange');");
    ASSERT_TRUE(read.ok()) << read.error();
    const Trace& trace = read.value();
    std::map<EventKind, int> kinds;
    for (std::size_t at = 0; at < trace.eventCount(); ++at)
        ++kinds[trace.kind(EventIndex(at))];
    EXPECT_EQ(kinds, (std::map<EventKind, int>{{EventKind::Kernel, 3},
                                               {EventKind::HostBlocked, 1},
                                               {EventKind::HostWork, 1},
                                               {EventKind::Step, 1},
                                               {EventKind::Instant, 1}}));
    EXPECT_EQ(trace.metadata().sourceEvents, 11 + 2 + 1 + 2 + 4);
    const ImportStats& stats = trace.stats();
    EXPECT_EQ(stats.count("zero_timestamp"), 1);
    EXPECT_EQ(stats.count("time_out_of_range"), 2);
    EXPECT_EQ(stats.count("negative_duration"), 1);
    EXPECT_EQ(stats.count("no_time"), 2);
    EXPECT_EQ(stats.count("no_device"), 2);
    EXPECT_EQ(stats.count("missing_columns"), 1);
    EXPECT_EQ(stats.count("table_not_shown: SCHED_EVENTS"), 2);
    EXPECT_EQ(stats.count("unfinished_range"), 1);
    EXPECT_EQ(stats.count("nvtx_description"), 1);
    EXPECT_EQ(stats.count("unknown_name"), 1);  // drawn, under its number
    EXPECT_EQ(skipped(trace) - 1 + static_cast<std::int64_t>(trace.eventCount()), trace.metadata().sourceEvents);
}

TEST_F(NsysFormatTest, NamesDevicesAndAddsUpMemory)
{
    const Result<Trace> read = readSql(
        kNames +
        "CREATE TABLE TARGET_INFO_GPU(id, name, totalMemory); INSERT INTO TARGET_INFO_GPU VALUES (0, 'big', 80), (1, "
        "'small', 8);"
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId, cudaId); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0);"
        "CREATE TABLE ENUM_CUDA_MEM_KIND(id, name, label); INSERT INTO ENUM_CUDA_MEM_KIND VALUES (2, '', 'Device');"
        "CREATE TABLE ENUM_CUDA_DEV_MEM_EVENT_OPER(id, name, label);"
        "INSERT INTO ENUM_CUDA_DEV_MEM_EVENT_OPER VALUES (0, 'CUDA_DEV_MEM_EVENT_OPR_ALLOCATION', ''),"
        "(1, 'CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION', '');"
        "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start, deviceId, bytes, memKind, memoryOperationType);"
        "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (9, 0, 4, 2, 1), (1, 0, 10, 2, 0), (5, 0, 4, 2, 0),"
        "(7, 0, 1, 2, 5);");
    ASSERT_TRUE(read.ok()) << read.error();
    ASSERT_EQ(read.value().devices().size(), 1u);
    EXPECT_EQ(read.value().devices()[0].name, "small");
    EXPECT_EQ(read.value().devices()[0].memoryBytes, 8);
    ASSERT_EQ(read.value().counters().size(), 1u);
    EXPECT_EQ(read.value().counters()[0].values, (std::vector<double>{10, 14, 10}));
    EXPECT_EQ(read.value().stats().count("unreadable_allocation"), 1);
    EXPECT_EQ(read.value().metadata().sourceEvents, 4);
}

// Two ranks of which each sees one GPU, which CUDA calls 0 in both of them.
TEST_F(NsysFormatTest, TellsTheGpusOfRanksApart)
{
    const std::string one = std::to_string(globalId(100, 0));
    const std::string two = std::to_string(globalId(200, 0));
    const std::string gpus =
        "CREATE TABLE TARGET_INFO_GPU(id, name, totalMemory);"
        "INSERT INTO TARGET_INFO_GPU VALUES (0, 'first', 80), (1, 'second', 80);";
    const std::string devices =
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId, cudaId, pid); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES"
        "(0, 0, 100), (1, 0, 200);";
    const auto rows = [&](const std::string& table, const std::string& columns, const std::string& before,
                          const std::string& after) {
        return "CREATE TABLE " + table + "(" + columns + "); INSERT INTO " + table + " VALUES (" + before + ", 0, " +
               one + after + "), (" + before + ", 0, " + two + after + ");";
    };
    const std::string work =
        rows("CUPTI_ACTIVITY_KIND_KERNEL", "start, end, streamId, deviceId, globalPid, demangledName", "10, 20, 7",
             ", 3") +
        rows("CUPTI_ACTIVITY_KIND_MEMCPY", "start, end, streamId, copyKind, bytes, deviceId, globalPid",
             "20, 30, 7, 1, 100", "") +
        rows("CUPTI_ACTIVITY_KIND_MEMSET", "start, end, streamId, deviceId, globalPid", "30, 40, 7", "") +
        rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "start, end, streamId, deviceId, globalPid, graphId", "40, 50, 7",
             ", 1") +
        rows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "start, end, streamId, deviceId, globalPid, syncType",
             "50, 60, 4294967295", ", 4") +
        rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", "timestamp, eventId, deviceId, globalPid", "60, 1", "") +
        rows("CUDA_GPU_MEMORY_USAGE_EVENTS", "start, bytes, memKind, memoryOperationType, deviceId, globalPid",
             "5, 10, 2, 0", "");
    const std::string kinds =
        kCopyKinds +
        "CREATE TABLE ENUM_CUDA_DEV_MEM_EVENT_OPER(id, name, label); INSERT INTO ENUM_CUDA_DEV_MEM_EVENT_OPER VALUES"
        "(0, 'CUDA_DEV_MEM_EVENT_OPR_ALLOCATION', '');";
    // Per GPU the number of events and of samples.
    const auto perGpu = [&](const std::string& mapping) {
        std::map<std::int32_t, std::pair<int, int>> result;
        const Result<Trace> read = readSql(kNames + kinds + gpus + mapping + work);
        EXPECT_TRUE(read.ok()) << read.error();
        const Trace& trace = read.value();
        for (std::size_t at = 0; at < trace.eventCount(); ++at)
            ++result[trace.track(trace.trackOf(EventIndex(at))).device].first;
        for (const CounterSeries& counter : trace.counters())
            result[trace.track(trace.track(counter.track).parent).device].second +=
                static_cast<int>(counter.values.size());
        for (const DeviceInfo& device : trace.devices())
            EXPECT_EQ(device.name, device.id == 0 ? "first" : "second");
        return result;
    };
    using Counts = std::map<std::int32_t, std::pair<int, int>>;
    EXPECT_EQ(perGpu(devices), (Counts{{0, {6, 1}}, {1, {6, 1}}}));
    // Without the pids the numbers are all there is; pids that two nodes share say nothing either.
    EXPECT_EQ(perGpu("CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId, cudaId); INSERT INTO TARGET_INFO_CUDA_DEVICE"
                     " VALUES (0, 0);"),
              (Counts{{0, {12, 2}}}));
    EXPECT_EQ(perGpu(devices + "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (5, 0, 200);"), (Counts{{0, {12, 2}}}));
}

TEST_F(NsysFormatTest, SaysWhatIsMissingAndWhatToDo)
{
    const Result<Trace> foreign = readSql("CREATE TABLE bookmarks(url)");
    ASSERT_FALSE(foreign.ok());
    EXPECT_THAT(foreign.error(), HasSubstr("StringIds"));
    test::expectText(foreign.error());
    const Result<Trace> nothing = readSql(kNames);
    ASSERT_FALSE(nothing.ok());
    EXPECT_THAT(nothing.error(), HasSubstr("CUPTI_ACTIVITY_KIND_KERNEL"));
    EXPECT_THAT(nothing.error(), HasSubstr("--trace=cuda"));
    const Result<Trace> view = readSql(kNames + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start");
    EXPECT_FALSE(view.ok());
    std::ofstream(file("report.nsys-rep")) << "binary";
    const Result<Trace> report = nsysFormat().read(file("report.nsys-rep"), m_progress);
    ASSERT_FALSE(report.ok());
    test::expectText(report.error());
}

// Nsight Systems records a program without a word on its GPU where CUPTI fails; the file knows why.
TEST_F(NsysFormatTest, SaysWhatTheProfilerSaysOfItsRecord)
{
    const std::string diagnostics =
        "CREATE TABLE DIAGNOSTIC_EVENT(timestamp, source, severity, text);"
        "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 'Process 7 was launched by the profiler'),"
        "(2, 1, 2, 'No CUDA events collected. Does the process use CUDA?'),"
        "(3, 1, 3, 'CUPTI_ERROR_NOT_INITIALIZED in the tracer'),"
        "(4, 1, 2, 'No CUDA events collected. Does the process use CUDA?'),"
        "(5, 1, 1, 'Number of CUDA events collected: 0');";
    const Result<Trace> read =
        readSql(kNames + diagnostics +
                "CREATE TABLE OSRT_API(start, end, globalTid, nameId); INSERT INTO OSRT_API VALUES (1, 2, 9, 4);");
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().metadata().properties.at(kProfilerSays),
              "No CUDA events collected. Does the process use CUDA? CUPTI_ERROR_NOT_INITIALIZED in the tracer");
    const ImportStats& stats = read.value().stats();
    EXPECT_EQ(stats.count("profiler_message: No CUDA events collected. Does the process use CUDA?"), 2);
    EXPECT_EQ(stats.count("profiler_message: Process 7 was launched by the profiler"), 1);
    EXPECT_EQ(skipped(read.value()) + 1, read.value().metadata().sourceEvents);

    const Result<Trace> nothing = readSql(kNames + diagnostics);
    ASSERT_FALSE(nothing.ok());
    EXPECT_THAT(nothing.error(), HasSubstr("CUPTI_ERROR_NOT_INITIALIZED"));

    std::string many = "CREATE TABLE DIAGNOSTIC_EVENT(timestamp, text); INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 'x')";
    for (int at = 0; at < 60; ++at)
        many += ", (1, 'CUDA message " + std::to_string(at) + "')";
    const Result<Trace> bounded = readSql(kNames + many + "; CREATE TABLE OSRT_API(start, end, globalTid, nameId);");
    ASSERT_TRUE(bounded.ok()) << bounded.error();
    EXPECT_EQ(bounded.value().metadata().properties.at(kProfilerSays), "CUDA message 0 CUDA message 1 CUDA message 2");
    EXPECT_EQ(bounded.value().stats().count("profiler_message: others"), 41);
}

// Their tables look alike, or not at all: without a word of its own such a file has "no GPU work".
TEST_F(NsysFormatTest, NamesTheFilesOfOtherProfilers)
{
    const auto refusal = [&](const std::string& sql) {
        const Result<Trace> read = readSql(sql);
        EXPECT_FALSE(read.ok());
        return read.ok() ? std::string() : read.error();
    };
    const std::string nvprof = refusal(
        "CREATE TABLE StringTable(_id_, value); INSERT INTO StringTable VALUES (1, 'gemm');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(_id_, copyKind, srcKind, dstKind, flags, bytes, start, end, deviceId,"
        "contextId, streamId, correlationId, runtimeCorrelationId);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 1, 2, 3, 0, 100, 5, 9, 0, 1, 7, 3, 0);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(_id_, start, end, deviceId, streamId, name);");
    EXPECT_THAT(nvprof, HasSubstr("nvprof"));
    test::expectText(nvprof);
    for (const char* rpd :
         {"CREATE TABLE rocpd_op(id, gpuId, queueId, start, end, description_id, opType_id);"
          "CREATE TABLE rocpd_string(id, string);",
          "CREATE TABLE rocpd_kernel_dispatch_00002f1c(id, guid, nid, pid, tid, agent_id, start, end)"}) {
        EXPECT_THAT(refusal(rpd), HasSubstr("rocpd"));
        EXPECT_THAT(refusal(rpd), HasSubstr("torch.profiler"));
    }
    const std::string rocprof = refusal(
        "CREATE TABLE HIP(BeginNs, EndNs, pid, tid, Name, args); CREATE TABLE COPY(BeginNs, EndNs, Name);"
        "CREATE TABLE OPS(BeginNs, EndNs, Name)");
    EXPECT_THAT(rocprof, HasSubstr("rocprof"));
    EXPECT_THAT(rocprof, HasSubstr(".json"));
}

TEST_F(NsysFormatTest, ACutFileSaysWhatToDoNext)
{
    std::ifstream stream(kH100, std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(stream), {});
    ASSERT_GT(bytes.size(), 100'000u);
    bytes.resize(100'000);
    std::ofstream(file("cut.sqlite"), std::ios::binary | std::ios::trunc) << bytes;
    const Result<Trace> trace = nsysFormat().read(file("cut.sqlite"), m_progress);
    ASSERT_FALSE(trace.ok());
    test::expectText(trace.error());
}

TEST_F(NsysFormatTest, SurvivesDamageAnywhere)
{
    std::ifstream stream(kH100, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    ASSERT_FALSE(bytes.empty());
    std::mt19937 random(5);
    int refused = 0;
    for (int round = 0; round < 30; ++round) {
        std::string broken = bytes;
        for (int change = 0; change < 200; ++change)
            broken[random() % broken.size()] = static_cast<char>(random());
        if (round % 3 == 0)
            broken.resize(random() % broken.size());
        std::ofstream(file("bad.sqlite"), std::ios::binary | std::ios::trunc) << broken;
        const Result<Trace> trace = nsysFormat().read(file("bad.sqlite"), m_progress);
        refused += trace.ok() ? 0 : 1;
    }
    EXPECT_GE(refused, 10);  // every cut file at least
}

TEST(NsysLabels, ReadNamesAndKinds)
{
    EXPECT_EQ(nsysApiName("cudaMemcpyAsync_v3020"), "cudaMemcpyAsync");
    EXPECT_EQ(nsysApiName("cudaLaunchKernelExC_v11060"), "cudaLaunchKernelExC");
    EXPECT_EQ(nsysApiName("cuMemcpyHtoDAsync_v2"), "cuMemcpyHtoDAsync_v2");
    EXPECT_EQ(nsysApiName("_v"), "_v");
    EXPECT_EQ(nsysAsyncFlag("cuMemcpyHtoDAsync_v2"), AsyncFlag::Async);
    EXPECT_EQ(nsysAsyncFlag("cudaMemcpy2D"), AsyncFlag::Sync);
    EXPECT_EQ(nsysAsyncFlag("cudaLaunchKernel"), AsyncFlag::Unknown);
    EXPECT_EQ(nsysMemoryKind("Managed Static"), MemoryKind::Managed);
    EXPECT_EQ(nsysMemoryKind("CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC"), MemoryKind::Device);
    EXPECT_EQ(nsysMemoryKind(""), MemoryKind::Unknown);
    EXPECT_EQ(nsysCopy("Unified Host-to-Device").kind, EventKind::CopyOther);
    EXPECT_EQ(nsysCopy("Host-to-Array").kind, EventKind::CopyH2D);
    EXPECT_EQ(nsysCopy("something new").kind, EventKind::CopyOther);
    EXPECT_TRUE(nsysIsWait("pthread_cond_timedwait"));
    EXPECT_FALSE(nsysIsWait("read"));
    EXPECT_TRUE(isNsysReport("a/b.nsys-rep"));
    EXPECT_FALSE(isNsysReport("a/b.sqlite"));
}

}  // namespace
}  // namespace overlane
