#include "cupti/collector/activity_decoder.h"

#include <cstdlib>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/spool/spool_reader.h"
#include "core/trace/event.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;

// Decodes records made by hand, as CUPTI's newest structures lay them out, and reads the spool.
class ActivityDecoderTest : public testing::Test
{
protected:
    ActivityDecoderTest()
    {
        EXPECT_TRUE(m_writer.open(m_dir.path().string(), 1, 1));
        m_decoder.setOwnThread(kOwnThread);
    }

    template <typename Record>
    void decode(const Record& record)
    {
        m_decoder.decode(reinterpret_cast<const CUpti_Activity&>(record));
    }

    // All records of a kind written so far.
    template <typename Record>
    std::vector<Record> records()
    {
        EXPECT_TRUE(m_writer.flush());
        Result<SpoolReader> reader = SpoolReader::open(m_writer.path());
        EXPECT_TRUE(reader.ok());
        std::vector<Record> result;
        SpoolFrame frame;
        while (reader.value().next(frame))
            if (frame.header.kind == spool::FrameOf<Record>::kKind)
                frame.template each<Record>([&](const Record& record) { result.push_back(record); });
        m_reader.emplace(std::move(reader).value());
        return result;
    }
    std::string text(std::uint32_t id) { return std::string(m_reader->text(id)); }

    template <typename Record>
    Record only()
    {
        const std::vector<Record> all = records<Record>();
        EXPECT_EQ(all.size(), 1u);
        return all.empty() ? Record{} : all.front();
    }

    static constexpr std::uint32_t kOwnThread = 4242;
    test::TempDir m_dir;
    SpoolWriter m_writer;
    ActivityDecoder m_decoder{m_writer,
                              [](CallDomain domain, std::uint32_t number) -> const char* {
                                  if (number == 41)
                                      return domain == CallDomain::Runtime ? "cudaMemcpyAsync_v3020" : "cuSomething";
                                  return nullptr;
                              },
                              CUPTI_API_VERSION};
    std::optional<SpoolReader> m_reader;
};

template <typename Record>
Record made(CUpti_ActivityKind kind)
{
    Record record;
    std::memset(static_cast<void*>(&record), 0, sizeof(record));
    record.kind = kind;
    return record;
}

TEST_F(ActivityDecoderTest, Calls)
{
    auto call = made<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    call.cbid = 41;
    call.start = 1000;
    call.end = 1500;
    call.threadId = 77;
    call.correlationId = 9;
    call.returnValue = 2;
    decode(call);
    call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
    decode(call);
    call.cbid = 9999;
    decode(call);
    const auto calls = records<spool::ApiCall>();
    ASSERT_EQ(calls.size(), 3u);
    EXPECT_EQ(calls[0].startNs, 1000);
    EXPECT_EQ(calls[0].endNs, 1500);
    EXPECT_EQ(calls[0].thread, 77u);
    EXPECT_EQ(calls[0].correlation, 9u);
    EXPECT_EQ(calls[0].result, 2u);
    EXPECT_EQ(text(calls[0].name), "cudaMemcpyAsync_v3020");
    EXPECT_EQ(text(calls[1].name), "cuSomething");
    EXPECT_EQ(text(calls[2].name), "driver call 9999");
    EXPECT_THAT(m_decoder.takeNewThreads(), ElementsAre(77u));
    EXPECT_TRUE(m_decoder.takeNewThreads().empty());
}

TEST_F(ActivityDecoderTest, OwnCallsAreCountedAndNotHandedOn)
{
    auto call = made<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_DRIVER);
    call.threadId = kOwnThread;
    call.start = 1000;
    call.end = 1800;
    decode(call);
    call.end = 1300;
    decode(call);
    EXPECT_TRUE(records<spool::ApiCall>().empty());
    EXPECT_EQ(m_decoder.counts().own, 2u);
    EXPECT_EQ(m_decoder.counts().ownCallNs, 300);
    EXPECT_EQ(m_decoder.counts().records, 0u);
}

TEST_F(ActivityDecoderTest, Kernels)
{
    auto kernel = made<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    kernel.start = 10;
    kernel.end = 30;
    kernel.deviceId = 1;
    kernel.contextId = 2;
    kernel.streamId = 13;
    kernel.correlationId = 99;
    kernel.name = "_Z5saxpyv";
    kernel.graphId = 6;
    decode(kernel);
    const auto decoded = only<spool::Kernel>();
    EXPECT_EQ(decoded.startNs, 10);
    EXPECT_EQ(decoded.endNs, 30);
    EXPECT_EQ(decoded.device, 1u);
    EXPECT_EQ(decoded.context, 2u);
    EXPECT_EQ(decoded.stream, 13u);
    EXPECT_EQ(decoded.correlation, 99u);
    EXPECT_EQ(decoded.graph, 6u);
    EXPECT_EQ(text(decoded.name), "_Z5saxpyv");
    EXPECT_EQ(m_decoder.counts().newestNs, 30);
}

TEST_F(ActivityDecoderTest, ANameThatChangesUnderItsAddressIsReadAgain)
{
    std::string name = "first";
    auto kernel = made<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    kernel.start = kernel.end = 1;
    kernel.name = name.data();
    decode(kernel);
    name.assign("other");
    kernel.name = name.data();
    decode(kernel);
    const auto kernels = records<spool::Kernel>();
    EXPECT_EQ(text(kernels[0].name), "first");
    EXPECT_EQ(text(kernels[1].name), "other");
}

TEST_F(ActivityDecoderTest, Copies)
{
    auto copy = made<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC;
    copy.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    copy.bytes = 4096;
    copy.start = 100;
    copy.end = 200;
    copy.deviceId = 3;
    copy.streamId = 14;
    copy.correlationId = 8;
    copy.channelID = 21;
    copy.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
    decode(copy);
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC;
    copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    copy.flags = 0;
    decode(copy);
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
    copy.srcKind = 99;
    decode(copy);
    const auto copies = records<spool::Copy>();
    ASSERT_EQ(copies.size(), 3u);
    EXPECT_EQ(copies[0].direction, spool::Direction::HostToDevice);
    EXPECT_EQ(copies[0].source, static_cast<int>(MemoryKind::Pinned));
    EXPECT_EQ(copies[0].destination, static_cast<int>(MemoryKind::Device));
    EXPECT_EQ(copies[0].asynchronous, 1);
    EXPECT_EQ(copies[0].bytes, 4096u);
    EXPECT_EQ(copies[0].device, 3u);
    EXPECT_EQ(copies[0].stream, 14u);
    EXPECT_EQ(copies[0].channel, 21u);
    EXPECT_EQ(copies[0].channelType, 2);
    EXPECT_EQ(copies[0].sourceDevice, spool::kNone);
    EXPECT_EQ(copies[1].direction, spool::Direction::DeviceToHost);
    EXPECT_EQ(copies[1].source, static_cast<int>(MemoryKind::Managed));
    EXPECT_EQ(copies[1].destination, static_cast<int>(MemoryKind::Pageable));
    EXPECT_EQ(copies[1].asynchronous, 0);
    EXPECT_EQ(copies[2].direction, spool::Direction::Other);
    EXPECT_EQ(copies[2].source, static_cast<int>(MemoryKind::Unknown));
}

TEST_F(ActivityDecoderTest, PeerCopies)
{
    auto copy = made<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    copy.srcKind = copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    copy.start = 1;
    copy.end = 2;
    copy.srcDeviceId = 0;
    copy.dstDeviceId = 1;
    copy.correlationId = 5;
    decode(copy);
    const auto decoded = only<spool::Copy>();
    EXPECT_EQ(decoded.direction, spool::Direction::BetweenDevices);
    EXPECT_EQ(decoded.sourceDevice, 0u);
    EXPECT_EQ(decoded.destinationDevice, 1u);
    EXPECT_EQ(decoded.correlation, 5u);
}

TEST_F(ActivityDecoderTest, Memsets)
{
    auto memset = made<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
    memset.start = 1;
    memset.end = 2;
    memset.bytes = 64;
    memset.streamId = 7;
    memset.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    decode(memset);
    const auto decoded = only<spool::Memset>();
    EXPECT_EQ(decoded.bytes, 64u);
    EXPECT_EQ(decoded.stream, 7u);
    EXPECT_EQ(decoded.memory, static_cast<std::uint32_t>(MemoryKind::Device));
}

TEST_F(ActivityDecoderTest, Waits)
{
    auto sync = made<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    sync.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    sync.start = 5;
    sync.end = 6;
    sync.contextId = 1;
    sync.streamId = 13;
    sync.cudaEventId = 4;
    sync.correlationId = 3;
    decode(sync);
    const auto decoded = only<spool::Sync>();
    EXPECT_EQ(decoded.type, spool::SyncType::StreamWaitsForEvent);
    EXPECT_EQ(decoded.stream, 13u);
    EXPECT_EQ(decoded.event, 4u);
    EXPECT_EQ(decoded.correlation, 3u);
}

TEST_F(ActivityDecoderTest, AllocationsWithPinnedMemory)
{
    auto memory = made<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
    memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    memory.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    memory.address = 0xABC000;
    memory.bytes = 1 << 20;
    memory.timestamp = 50;
    memory.streamId = CUPTI_INVALID_STREAM_ID;
    decode(memory);
    memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    memory.timestamp = 60;
    decode(memory);
    const auto operations = records<spool::MemoryOp>();
    ASSERT_EQ(operations.size(), 2u);
    EXPECT_EQ(operations[0].operation, spool::MemoryOperation::Allocate);
    EXPECT_EQ(operations[0].memory, static_cast<int>(MemoryKind::Pinned));
    EXPECT_EQ(operations[0].address, 0xABC000u);
    EXPECT_EQ(operations[0].bytes, 1u << 20);
    EXPECT_EQ(operations[0].stream, spool::kNone);
    EXPECT_EQ(operations[1].operation, spool::MemoryOperation::Free);
}

TEST_F(ActivityDecoderTest, Markers)
{
    auto marker = made<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
    marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_START;
    marker.timestamp = 10;
    marker.id = 3;
    marker.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    marker.objectId.pt.threadId = 77;
    marker.name = "batch";
    marker.domain = "loader";
    decode(marker);
    marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_END;
    marker.name = nullptr;
    marker.timestamp = 20;
    decode(marker);
    marker.flags = CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS;
    marker.objectKind = CUPTI_ACTIVITY_OBJECT_PROCESS;
    decode(marker);
    auto data = made<CUpti_ActivityMarkerData2>(CUPTI_ACTIVITY_KIND_MARKER_DATA);
    data.id = 3;
    data.flags = CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB;
    data.color = 0xFF00FF00;
    data.payloadKind = CUPTI_METRIC_VALUE_KIND_INT64;
    data.payload.metricValueInt64 = -5;
    decode(data);
    const auto markers = records<spool::Marker>();
    ASSERT_EQ(markers.size(), 3u);
    EXPECT_EQ(markers[0].type, spool::MarkerType::Start);
    EXPECT_EQ(markers[0].thread, 77u);
    EXPECT_EQ(text(markers[0].name), "batch");
    EXPECT_EQ(text(markers[0].domain), "loader");
    EXPECT_EQ(markers[1].type, spool::MarkerType::End);
    EXPECT_EQ(markers[1].name, spool::kNone);
    EXPECT_EQ(markers[2].type, spool::MarkerType::Instant);
    EXPECT_EQ(markers[2].thread, spool::kNone);
    const auto decoded = only<spool::MarkerData>();
    EXPECT_EQ(decoded.color, 0xFF00FF00);
    EXPECT_EQ(decoded.payloadType, spool::PayloadType::Integer);
    EXPECT_EQ(static_cast<std::int64_t>(decoded.payload), -5);
}

TEST_F(ActivityDecoderTest, OverheadFreesWhatItOwns)
{
    auto overhead = made<CUpti_ActivityOverhead3>(CUPTI_ACTIVITY_KIND_OVERHEAD);
    overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL;
    overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    overhead.objectId.pt.threadId = 12;
    overhead.start = 1;
    overhead.end = 4;
    overhead.overheadData = std::malloc(sizeof(CUpti_ActivityOverheadCommandBufferFullData));
    decode(overhead);
    const auto decoded = only<spool::Overhead>();
    EXPECT_EQ(decoded.type, spool::OverheadType::CommandBuffer);
    EXPECT_EQ(decoded.thread, 12u);
    EXPECT_EQ(decoded.endNs, 4);
}

TEST_F(ActivityDecoderTest, EventsContextsStreamsAndGraphs)
{
    auto event = made<CUpti_ActivityCudaEvent2>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
    event.eventId = 5;
    event.streamId = 7;
    event.deviceId = 1;
    event.correlationId = 6;
    event.cudaEventSyncId = 77;
    decode(event);
    auto context = made<CUpti_ActivityContext3>(CUPTI_ACTIVITY_KIND_CONTEXT);
    context.contextId = 1;
    context.deviceId = 2;
    context.nullStreamId = 7;
    decode(context);
    auto stream = made<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM);
    stream.streamId = 13;
    stream.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
    decode(stream);
    auto graph = made<CUpti_ActivityGraphTrace2>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
    graph.start = 1;
    graph.end = 9;
    graph.graphId = 4;
    decode(graph);
    auto external = made<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    external.externalId = 1234;
    external.correlationId = 6;
    decode(external);
    EXPECT_EQ(only<spool::CudaEvent>().device, 1u);
    EXPECT_EQ(only<spool::CudaEvent>().syncId, 77u);
    EXPECT_EQ(only<spool::Context>().defaultStream, 7u);
    EXPECT_EQ(only<spool::Context>().device, 2u);
    EXPECT_EQ(only<spool::Stream>().flags, 2u);
    EXPECT_EQ(only<spool::ExternalCorrelation>().id, 1234u);
    const auto kernel = only<spool::Kernel>();
    EXPECT_EQ(text(kernel.name), "CUDA graph 4");
    EXPECT_EQ(kernel.endNs, 9);
}

TEST_F(ActivityDecoderTest, RecordsWithoutATimeAndUnknownKindsAreCounted)
{
    auto kernel = made<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    kernel.name = "k";
    decode(kernel);
    kernel.start = 10;
    decode(kernel);
    auto copy = made<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    decode(copy);
    auto strange = made<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_NVLINK);
    decode(strange);
    EXPECT_EQ(m_decoder.counts().zeroTimes, 3u);
    EXPECT_EQ(m_decoder.counts().unknown, 1u);
    EXPECT_EQ(m_decoder.counts().records, 0u);
}

}  // namespace
}  // namespace overlane
