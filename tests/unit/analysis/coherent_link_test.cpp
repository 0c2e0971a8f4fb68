// GPUs that read pageable memory of their host, and GPUs that several processes share.
#include <gtest/gtest.h>
#include <string>

#include "core/analysis/analysis.h"
#include "core/analysis/pageable_memory.h"
#include "core/analysis/verdict.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

TEST(CoherentLinkTest, IsToldByTheNameOfTheGpu)
{
    for (const char* name : {"NVIDIA GH200 480GB", "NVIDIA GB200", "NVIDIA GB300", "NVIDIA GB10", "Grace Hopper"})
        EXPECT_TRUE(readsPageableMemory(name)) << name;
    for (const char* name :
         {"NVIDIA H200", "NVIDIA B200", "NVIDIA H100 80GB HBM3", "", "NVIDIA RTX A1000", "Sample GPU"})
        EXPECT_FALSE(readsPageableMemory(name)) << name;
}

// Pageable copies between kernels, for each of which the call lasts as long as the copy.
Trace pageableOn(const char* gpu)
{
    SampleTrace sample;
    sample.builder().addDevice({0, gpu, 0, 0});
    std::uint32_t id = 0;
    for (std::int64_t step = 0; step < 5; ++step) {
        const std::int64_t atNs = step * 1000 * kUs;
        sample.host(EventKind::RuntimeCall, atNs, atNs + 400 * kUs, "cudaMemcpyAsync", ++id);
        sample.copy(EventKind::CopyH2D, atNs, atNs + 400 * kUs, MemoryKind::Pageable, 8 << 20, 13, AsyncFlag::Async,
                    id);
        sample.host(EventKind::RuntimeCall, atNs + 401 * kUs, atNs + 405 * kUs, "cudaLaunchKernel", ++id);
        sample.kernel(atNs + 405 * kUs, atNs + 990 * kUs, 7, id);
    }
    return sample.build();
}

TEST(CoherentLinkTest, PageableMemoryIsNotJudgedThere)
{
    const Interval range{0, 5000 * kUs};
    const Trace pcie = pageableOn("NVIDIA H200");
    const Verdict judged = verdict(pcie, range);
    EXPECT_EQ(judged.cause, CopyCause::PageableMemory);
    EXPECT_FALSE(Analysis(pcie).host().blocked.empty());
    const Trace coherent = pageableOn("NVIDIA GH200 480GB");
    const Verdict open = verdict(coherent, range);
    EXPECT_NE(open.cause, CopyCause::PageableMemory);
    test::expectText(open.sentence);
    EXPECT_NE(open.sentence.find("NVLink-C2C"), std::string::npos) << open.sentence;
    EXPECT_EQ(open.sentence.find("stage"), std::string::npos) << open.sentence;
    EXPECT_EQ(open.advice.find("pin_memory"), std::string::npos) << open.advice;
    EXPECT_TRUE(Analysis(coherent).host().blocked.empty());
    test::expectText(judged.sentence);
}

TEST(CoherentLinkTest, NoPartOfACopyIsStagedThere)
{
    const Trace pcie = pageableOn("NVIDIA H200");
    const Trace coherent = pageableOn("NVIDIA GH200 480GB");
    std::int64_t stagedNs = 0;
    for (std::uint32_t at = 0; at < pcie.eventCount(); ++at) {
        stagedNs += stagedPart(pcie, EventIndex(at)).lengthNs();
        EXPECT_TRUE(stagedPart(coherent, EventIndex(at)).empty()) << pcie.name(EventIndex(at));
    }
    EXPECT_EQ(stagedNs, 2000 * kUs);
}

// Two processes with kernels on one GPU, the second's so much later than the first's.
Trace sharedBy(std::int64_t laterNs)
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    const TrackId second = builder.addTrack({}, TrackKind::Process, "server", -1, 200);
    const TrackId thread = builder.addTrack(second, TrackKind::Thread, "main", -1, 201);
    const TrackId own = sample.stream(TrackKind::EngineCompute, 7);
    const TrackId engine = sample.track(sample.device(), TrackKind::EngineCompute, 0, "engine", 0);
    const TrackId other = builder.addTrack(engine, TrackKind::Stream, "stream 7 of process 200", 0, 7);
    const auto add = [&](TrackId track, EventKind kind, Interval when, std::uint32_t id, std::uint32_t process) {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = when.startNs;
        event.durationNs = when.lengthNs();
        event.name = builder.intern(kind == EventKind::Kernel ? "gemm" : "cudaLaunchKernel");
        event.correlation = id;
        event.process = process;
        builder.addEvent(event);
    };
    for (std::uint32_t step = 0; step < 4; ++step) {
        const std::int64_t atNs = std::int64_t{step} * 1000 * kUs;
        add(sample.thread(), EventKind::RuntimeCall, {atNs, atNs + kUs}, step + 1, 1);
        add(own, EventKind::Kernel, {atNs + kUs, atNs + 400 * kUs}, step + 1, 1);
        add(thread, EventKind::RuntimeCall, {atNs + laterNs, atNs + laterNs + kUs}, step + 1, 2);
        add(other, EventKind::Kernel, {atNs + laterNs + kUs, atNs + laterNs + 400 * kUs}, step + 1, 2);
    }
    return builder.build(false);
}

TEST(SharedDeviceTest, ProcessesWhoseKernelsRunAtOnceAreNamed)
{
    EXPECT_EQ(Analysis(sharedBy(200 * kUs)).devices().at(0).processesAtOnce, 2);
    const Verdict judged = verdict(sharedBy(200 * kUs), {0, 4000 * kUs});
    test::expectText(judged.sentence);
    // They take turns: nothing says that the device is shared at a time.
    EXPECT_EQ(Analysis(sharedBy(500 * kUs)).devices().at(0).processesAtOnce, 0);
}

}  // namespace
}  // namespace overlane
