#include "core/io/named_lanes.h"

#include <gtest/gtest.h>
#include <map>

#include "core/io/format.h"
#include "core/io/kineto_format.h"

namespace overlane
{
namespace
{

Trace readText(const std::string& json)
{
    MemorySource source(json);
    Progress progress;
    Result<Trace> read = readKineto(source, "made.json", progress);
    EXPECT_TRUE(read.ok()) << read.error();
    return std::move(read).value();
}

// "GPU 0 kernel 10 +5", for every event of a device.
std::map<std::string, int> gpuWork(const Trace& trace)
{
    std::map<std::string, int> work;
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex index(at);
        const Track& track = trace.track(trace.trackOf(index));
        if (track.device >= 0)
            ++work["GPU " + std::to_string(track.device) + " " + track.name + ": " +
                   std::string(kindName(trace.kind(index))) + " " + std::string(trace.name(index))];
    }
    return work;
}

std::int64_t counted(const Trace& trace)
{
    std::int64_t sum = static_cast<std::int64_t>(trace.eventCount());
    for (const ImportStat& stat : trace.stats().all())
        sum += stat.count;
    return sum;
}

TEST(NamedLanes, KnowTheNamesOfTensorFlowAndRocprof)
{
    const auto is = [](std::string_view name, LaneKind kind, std::int32_t device, std::int64_t stream) {
        const LaneName lane = parseLaneName(name);
        return lane.kind == kind && lane.device == device && lane.stream == stream;
    };
    EXPECT_TRUE(is("/device:GPU:1/stream:15 Compute", LaneKind::Stream, 1, 15));
    EXPECT_TRUE(is("/gpu:0/stream:7 Compute", LaneKind::Stream, 0, 7));
    EXPECT_TRUE(is("/gpu:0/context#0/stream#1:Kernel Compute", LaneKind::Stream, 0, 1));
    EXPECT_TRUE(is("/device:GPU:0/stream:all Compute", LaneKind::AllStreams, 0, -1));
    EXPECT_TRUE(is("/device:GPU:2/memcpy Compute", LaneKind::AllCopies, 2, -1));
    EXPECT_TRUE(is("GPU3", LaneKind::RocKernels, 3, -1));
    EXPECT_TRUE(is("4 GPU0", LaneKind::RocKernels, 0, -1));
    EXPECT_TRUE(is("COPY", LaneKind::RocCopies, 0, -1));
    EXPECT_TRUE(is("CPU HIP API", LaneKind::RocHipCalls, 0, -1));
    for (const char* host : {"/job:localhost/replica:0/task:0/device:GPU:0 Compute", "/device:CPU:0/stream:1 Compute",
                             "/device:GPU:0/stream:7 Tensors", "/device:GPU:99999999999/stream:7 Compute",
                             "GPU Barriers0", "GPU", "CPU HSA API", "python", "", " Compute"})
        EXPECT_EQ(parseLaneName(host).kind, LaneKind::Host) << host;
}

TEST(NamedLanes, TensorFlowsOperationsAreDrawnOnce)
{
    const Trace trace = readText(R"json({"traceEvents": [
 {"ph":"X","cat":"Op","name":"MEMCPYHtoD","pid":3,"tid":0,"ts":10,"dur":5,"args":{"name":"edge_1","op":"MEMCPYHtoD"}},
 {"ph":"X","cat":"Op","name":"MEMCPYHtoD","pid":1,"tid":0,"ts":10,"dur":5,"args":{"name":"edge_1","op":"MEMCPYHtoD"}},
 {"ph":"X","cat":"Op","name":"Conv2D","pid":2,"tid":0,"ts":20,"dur":9,"args":{"name":"a/Conv2D","op":"Conv2D"}},
 {"ph":"X","cat":"Op","name":"Conv2D","pid":4,"tid":0,"ts":20,"dur":9,"args":{"name":"a/Conv2D","op":"Conv2D"}},
 {"ph":"X","cat":"Op","name":"MatMul","pid":4,"tid":0,"ts":30,"dur":9,"args":{"name":"a/MatMul","op":"MatMul"}},
 {"ph":"X","cat":"Op","name":"Conv2D","pid":5,"tid":0,"ts":2,"dur":1,"args":{"name":"a/Conv2D","op":"Conv2D"}},
 {"ph":"M","name":"process_name","pid":1,"args":{"name":"/device:GPU:0/stream:14 Compute"}},
 {"ph":"M","name":"process_name","pid":2,"args":{"name":"/device:GPU:0/stream:7 Compute"}},
 {"ph":"M","name":"process_name","pid":3,"args":{"name":"/device:GPU:0/memcpy Compute"}},
 {"ph":"M","name":"process_name","pid":4,"args":{"name":"/device:GPU:0/stream:all Compute"}},
 {"ph":"M","name":"process_name","pid":5,"args":{"name":"/job:localhost/replica:0/task:0/device:GPU:0 Compute"}}]})json");
    EXPECT_EQ(gpuWork(trace), (std::map<std::string, int>{{"GPU 0 stream 14: copy H2D MEMCPYHtoD", 1},
                                                          {"GPU 0 stream 7: kernel Conv2D", 1},
                                                          {"GPU 0 whole device: kernel MatMul", 1}}));
    EXPECT_EQ(trace.eventCount(), 4u);
    EXPECT_EQ(trace.stats().count("told_twice"), 2);
    EXPECT_EQ(counted(trace), trace.metadata().sourceEvents);
    ASSERT_EQ(trace.devices().size(), 1u);
}

TEST(NamedLanes, ATimelineThatWasRecordedHasItsGpuWork)
{
    Progress progress;
    const Result<Trace> read = readTrace(
        std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/kineto/kittibox_tf1_timeline.json.gz", progress);
    ASSERT_TRUE(read.ok()) << read.error();
    std::map<EventKind, int> kinds;
    for (std::size_t at = 0; at < read.value().eventCount(); ++at)
        if (read.value().track(read.value().trackOf(EventIndex(at))).device >= 0)
            ++kinds[read.value().kind(EventIndex(at))];
    // Lanes of streams hold 4,810 operations; "stream:all" and "memcpy" tell the same 4,810 again.
    int all = 0;
    for (const auto& [kind, count] : kinds)
        all += count;
    EXPECT_EQ(all, 4810);
    EXPECT_EQ(kinds[EventKind::CopyH2D], 5);
    EXPECT_EQ(read.value().stats().count("told_twice"), 4810);
}

// As tblextr.py writes it: times in args, a text for every number, the direction in the name.
TEST(NamedLanes, RocprofsKernelsAndCopiesHaveTheirDeviceAndTheirCall)
{
    const Trace trace = readText(R"json({ "traceEvents":[{}
,{"args":{"name":"CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":0}
,{"args":{"name":"CPU HSA API"},"ph":"M","pid":3,"name":"process_name","sort_index":1}
,{"args":{"name":"COPY"},"ph":"M","pid":1,"name":"process_name","sort_index":2}
,{"args":{"name":"GPU1"},"ph":"M","pid":7,"name":"process_name","sort_index":3}
,{"args":{"name":"GPU Barriers1"},"ph":"M","pid":519,"name":"process_name","sort_index":4}
,{"ts":"1","dur":"3","pid":"2","tid":"44","ph":"X","name":"hipMemcpyAsync","args":{"BeginNs":"1000","EndNs":"4000","pid":"40","tid":"44","Name":"hipMemcpyAsync","args":"( dst(0x7f) src(0x55) sizeBytes(4096) kind(1) stream(stream 1))","Index":"8","Data":"","DurationNs":"3000"}}
,{"ts":"2","dur":"3","pid":"1","tid":"1","ph":"X","name":"CopyHostToDevice","args":{"BeginNs":"2100","EndNs":"5200","dev-id":"1","queue-id":"0","Name":"CopyHostToDevice","pid":"40","tid":"44","roctx-range":"","stream-id":"1","Index":"8","Data":"","DurationNs":"3100"}}
,{"ts":"2","dur":"3","pid":"1","tid":"-1","ph":"X","name":"async-copy","args":{"BeginNs":"2110","EndNs":"5190","Name":"async-copy","pid":"40","tid":"-1","Index":"3","Data":"","DurationNs":"3080"}}
,{"ts":"6","dur":"2","pid":"7","tid":"2","ph":"X","name":"Cijk_CopyHostToDevice_like","args":{"BeginNs":"6000","EndNs":"8500","dev-id":"1","queue-id":"0","Name":"Cijk","pid":"40","tid":"44","roctx-range":"","stream-id":"2","Index":"9","Data":"","DurationNs":"2500"}}
,{"ts":"9","dur":"1","pid":"1","tid":"2","ph":"X","name":"FillBuffer","args":{"BeginNs":"9000","EndNs":"9500","dev-id":"1","queue-id":"0","Name":"FillBuffer","pid":"40","tid":"44","stream-id":"2","Index":"10","DurationNs":"500"}}
,{"ts":"9","dur":"1","pid":"519","tid":"2","ph":"X","name":"<barrier packet>","args":{"BeginNs":"9600","EndNs":"9700","dev-id":"1","queue-id":"0","Name":"<barrier packet>","pid":"40","tid":"44","stream-id":"2","Index":"11","DurationNs":"100"}}
]})json");
    EXPECT_EQ(gpuWork(trace), (std::map<std::string, int>{{"GPU 1 stream 1: copy H2D CopyHostToDevice", 1},
                                                          {"GPU 1 stream 2: kernel Cijk_CopyHostToDevice_like", 1},
                                                          {"GPU 1 stream 2: memset FillBuffer", 1}}));
    EXPECT_EQ(trace.stats().count("told_twice"), 1);
    EXPECT_EQ(counted(trace), trace.metadata().sourceEvents);
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex index(at);
        if (trace.kind(index) != EventKind::CopyH2D)
            continue;
        EXPECT_EQ(trace.interval(index).lengthNs(), 3100);
        EXPECT_EQ(trace.copy(index)->bytes, 4096);
        EXPECT_EQ(trace.copy(index)->async, AsyncFlag::Async);
        EXPECT_EQ(trace.copy(index)->source, MemoryKind::Unknown);
        ASSERT_TRUE(trace.link(index).valid());
        EXPECT_EQ(trace.name(trace.link(index)), "hipMemcpyAsync");
    }
}

// With --hsa-trace alone nothing says which way a copy goes.
TEST(NamedLanes, RocprofsCopiesWithoutADirectionStayCopies)
{
    const Trace trace = readText(R"json({ "traceEvents":[
{"args":{"name":"COPY"},"ph":"M","pid":1,"name":"process_name"}
,{"ts":"2","dur":"3","pid":"1","tid":"-1","ph":"X","name":"async-copy","args":{"BeginNs":"2110","EndNs":"5190","Name":"async-copy","pid":"40","tid":"-1","Index":"3","DurationNs":"3080"}}]})json");
    ASSERT_EQ(trace.eventCount(), 1u);
    EXPECT_EQ(trace.kind(EventIndex(0)), EventKind::CopyOther);
    EXPECT_EQ(counted(trace), trace.metadata().sourceEvents);
}

TEST(NamedLanes, TheJsonOfRocprofv3IsNamed)
{
    MemorySource source(R"json({"rocprofiler-sdk-tool": [{"metadata": {"pid": 1}, "buffer_records": {}}]})json");
    Progress progress;
    const Result<Trace> read = readKineto(source, "made.json", progress);
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.error().find("rocprofv3"), std::string::npos) << read.error();
    EXPECT_NE(read.error().find("torch.profiler"), std::string::npos) << read.error();
}

}  // namespace
}  // namespace overlane
