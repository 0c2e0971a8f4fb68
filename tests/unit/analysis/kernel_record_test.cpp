#include "core/analysis/kernel_record.h"

#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/trace/trace_builder.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

// Two copies of 10 ms in 200 ms, and a kernel beside the second where there are kernels.
Trace trace(const char* kinds, bool kernels)
{
    TraceBuilder builder;
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    const TrackId h2d = builder.addTrack(device, TrackKind::EngineH2D, "H2D", 0);
    const TrackId compute = builder.addTrack(device, TrackKind::EngineCompute, "compute", 0);
    const auto add = [&](TrackId track, EventKind kind, std::int64_t startMs, std::int64_t lengthMs) {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startMs * kNsPerMs;
        event.durationNs = lengthMs * kNsPerMs;
        event.name = builder.intern("work");
        if (isCopy(kind))
            event.copy = CopyInfo{1 << 20, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async};
        builder.addEvent(event);
    };
    add(h2d, EventKind::CopyH2D, 0, 10);
    add(h2d, EventKind::CopyH2D, 190, 10);
    if (kernels)
        add(compute, EventKind::Kernel, 185, 15);
    if (kinds != nullptr)
        builder.metadata().properties[kRecordedKinds] = kinds;
    return builder.build(false);
}

Verdict told(const Trace& trace, Interval range)
{
    const Analysis analysis(trace);
    return withinRecord(verdict(trace, range), trace, analysis.summarize(range));
}

TEST(KernelRecordTest, OnlyWhatARecordingSaysOfItselfCounts)
{
    EXPECT_EQ(kernelRecord(trace(nullptr, false)), KernelRecord::All);
    EXPECT_EQ(kernelRecord(trace("copies,kernels,sync", false)), KernelRecord::All);
    EXPECT_EQ(kernelRecord(trace("copies,kernels,kernel-sample", false)), KernelRecord::All);
    EXPECT_EQ(kernelRecord(trace("copies,kernel-sample", false)), KernelRecord::Sampled);
    EXPECT_EQ(kernelRecord(trace("copies,sync", false)), KernelRecord::None);
}

TEST(KernelRecordTest, TimeWithoutRecordedKernelsIsNoCauses)
{
    const auto unknownNs = [](const Trace& trace) {
        const DeviceSummary device = Analysis(trace).summarize().devices.at(0);
        return device.lostNs[static_cast<std::size_t>(LostCause::Unknown)];
    };
    EXPECT_EQ(unknownNs(trace("copies,sync", false)), 200 * kNsPerMs);
    EXPECT_EQ(unknownNs(trace("copies,kernel-sample", true)), 185 * kNsPerMs);  // no window there
    EXPECT_LT(unknownNs(trace("copies,kernels", true)), 185 * kNsPerMs);
}

TEST(KernelRecordTest, WithoutKernelsInTheRecordNothingIsSaidOfWhatHidesTheCopies)
{
    const Trace light = trace("copies,sync", false);
    const Verdict verdict = told(light, light.span());
    EXPECT_EQ(verdict.tone, VerdictTone::Nothing);
    EXPECT_EQ(verdict.copies, 2);
    EXPECT_EQ(verdict.nowNs, 0);
    EXPECT_FALSE(verdict.mainLoss);
    test::expectText(verdict.sentence);
    test::expectText(verdict.advice);
    // Where every kernel would be there, their absence is a finding.
    const Trace whole = trace("copies,kernels", false);
    EXPECT_EQ(told(whole, whole.span()).sentence, overlane::verdict(whole, whole.span()).sentence);
}

TEST(KernelRecordTest, ASampleIsJudgedWhereItWasTaken)
{
    const Trace sampled = trace("copies,kernel-sample", true);
    test::expectText(told(sampled, sampled.span()).sentence);
    const Interval empty{0, 50 * kNsPerMs};
    test::expectText(told(sampled, empty).sentence);
    const Interval window{120 * kNsPerMs, 200 * kNsPerMs};
    EXPECT_EQ(told(sampled, window).sentence, verdict(sampled, window).sentence);
}

}  // namespace
}  // namespace overlane
