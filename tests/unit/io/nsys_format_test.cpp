#include "core/io/nsys_format.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <sqlite3.h>
#include <vector>

#include "core/io/nsys_labels.h"
#include "tests/unit/io/native_trace_text.h"

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
    EXPECT_EQ(firstSource(""), MemoryKind::Unknown);
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
        "INSERT INTO ENUM_CUDA_DEV_MEM_EVENT_OPER VALUES (0, 'X_ALLOCATION', ''), (1, 'X_FREE', '');"
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

TEST_F(NsysFormatTest, SaysWhatIsMissingAndWhatToDo)
{
    const Result<Trace> foreign = readSql("CREATE TABLE bookmarks(url)");
    ASSERT_FALSE(foreign.ok());
    EXPECT_THAT(foreign.error(), HasSubstr("StringIds"));
    EXPECT_THAT(foreign.error(), HasSubstr("nsys export --type sqlite"));
    const Result<Trace> nothing = readSql(kNames);
    ASSERT_FALSE(nothing.ok());
    EXPECT_THAT(nothing.error(), HasSubstr("CUPTI_ACTIVITY_KIND_KERNEL"));
    EXPECT_THAT(nothing.error(), HasSubstr("--trace=cuda"));
    const Result<Trace> view = readSql(kNames + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start");
    EXPECT_FALSE(view.ok());
    std::ofstream(file("report.nsys-rep")) << "binary";
    const Result<Trace> report = nsysFormat().read(file("report.nsys-rep"), m_progress);
    ASSERT_FALSE(report.ok());
    EXPECT_THAT(report.error(), HasSubstr("nsys export --type sqlite"));
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
