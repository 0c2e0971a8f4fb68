#include "core/analysis/copy_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
using testing::ElementsAre;

std::vector<CopyCause> causesIn(const CopyVerdict& verdict)
{
    std::vector<CopyCause> causes;
    for (const CopyReason& reason : verdict.reasons)
        causes.push_back(reason.cause);
    return causes;
}

// The evidence of a role, by the name and start of the event.
std::string evidence(const Trace& trace, const CopyVerdict& verdict, CopyCause cause, EvidenceRole role)
{
    for (const CopyReason& reason : verdict.reasons)
        for (const CopyEvidence& each : reason.evidence)
            if (reason.cause == cause && each.role == role)
                return std::string(trace.name(each.event)) + " at " +
                       std::to_string(trace.interval(each.event).startNs / kUs);
    return {};
}

CopyVerdict verdictOfCopyAt(const Trace& trace, std::int64_t startNs)
{
    for (std::size_t at = 0; at < trace.eventCount(); ++at)
        if (isCopy(trace.kind(EventIndex(at))) && trace.interval(EventIndex(at)).startNs == startNs)
            return copyVerdict(trace, Analysis(trace), EventIndex(at));
    ADD_FAILURE() << "no copy at " << startNs;
    return {};
}

TEST(CopyVerdictTest, ReasonsAreRankedAndEachShowsItsEvents)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 5 * kUs, "cudaLaunchKernel", 1);
    sample.kernel(5 * kUs, 100 * kUs, 7, 1);
    sample.host(EventKind::RuntimeCall, 100 * kUs, 200 * kUs, "cudaMemcpy", 2);
    sample.copy(EventKind::CopyH2D, 110 * kUs, 200 * kUs, MemoryKind::Pageable, 1 << 20, 7, AsyncFlag::Sync, 2);
    sample.host(EventKind::RuntimeCall, 200 * kUs, 205 * kUs, "cudaLaunchKernel", 3);
    sample.kernel(210 * kUs, 300 * kUs, 7, 3);
    const Trace trace = sample.build();
    const CopyVerdict verdict = verdictOfCopyAt(trace, 110 * kUs);
    EXPECT_THAT(causesIn(verdict), ElementsAre(CopyCause::PageableMemory, CopyCause::SynchronousCall,
                                               CopyCause::SameStream, CopyCause::NoCompute));
    EXPECT_EQ(evidence(trace, verdict, CopyCause::PageableMemory, EvidenceRole::Call), "cudaMemcpy at 100");
    EXPECT_EQ(evidence(trace, verdict, CopyCause::SameStream, EvidenceRole::Consumer), "gemm at 210");
    EXPECT_EQ(evidence(trace, verdict, CopyCause::SameStream, EvidenceRole::Before), "gemm at 5");
    EXPECT_EQ(verdict.hiddenNs, 0);
    EXPECT_EQ(verdict.durationNs, 90 * kUs);
}

TEST(CopyVerdictTest, AHiddenCopyShowsTheKernelThatHidesItAndHasNoOtherReason)
{
    SampleTrace sample;
    sample.kernel(0, 30 * kUs, 7);
    sample.kernel(30 * kUs, 200 * kUs, 7);
    sample.copy(EventKind::CopyH2D, 20 * kUs, 100 * kUs, MemoryKind::Pageable, 1 << 20, 20);
    const Trace trace = sample.build();
    const CopyVerdict verdict = verdictOfCopyAt(trace, 20 * kUs);
    EXPECT_THAT(causesIn(verdict), ElementsAre(CopyCause::Hidden));
    EXPECT_EQ(evidence(trace, verdict, CopyCause::Hidden, EvidenceRole::HidingKernel), "gemm at 30");
}

TEST(CopyVerdictTest, ACopyHiddenForTheGreaterPartSaysWhatKeepsTheRest)
{
    SampleTrace sample;
    sample.kernel(0, 100 * kUs, 7);
    sample.copy(EventKind::CopyH2D, 20 * kUs, 120 * kUs, MemoryKind::Pageable, 1 << 20, 20);
    sample.kernel(130 * kUs, 140 * kUs, 7);
    EXPECT_THAT(causesIn(verdictOfCopyAt(sample.build(), 20 * kUs)),
                ElementsAre(CopyCause::Hidden, CopyCause::PageableMemory));
}

TEST(CopyVerdictTest, AWaitRightBehindAnAsynchronousCallMakesItSynchronous)
{
    for (const std::int64_t waitAfterUs : {0, 40, 60}) {
        SampleTrace sample;
        sample.kernel(0, 10 * kUs, 7);
        sample.host(EventKind::RuntimeCall, 100 * kUs, 104 * kUs, "cudaMemcpyAsync", 1);
        sample.copy(EventKind::CopyH2D, 106 * kUs, 300 * kUs, MemoryKind::Pinned, 1 << 20, 20, AsyncFlag::Async, 1);
        sample.host(EventKind::RuntimeCall, (104 + waitAfterUs) * kUs, 310 * kUs, "cudaStreamSynchronize");
        sample.kernel(320 * kUs, 400 * kUs, 7);
        const Trace trace = sample.build();
        const CopyVerdict verdict = verdictOfCopyAt(trace, 106 * kUs);
        EXPECT_EQ(verdict.cause(), waitAfterUs <= 50 ? CopyCause::SynchronousCall : CopyCause::NoCompute);
        EXPECT_EQ(evidence(trace, verdict, CopyCause::SynchronousCall, EvidenceRole::Sync).empty(), waitAfterUs > 50);
    }
}

// A copy asked for at 50 us, while a kernel runs until 200 us, that starts at 201 us.
SampleTrace waitingCopy(bool withCall = true)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 4 * kUs, "cudaLaunchKernel", 1);
    sample.kernel(5 * kUs, 200 * kUs, 7, 1);
    if (withCall)
        sample.host(EventKind::RuntimeCall, 50 * kUs, 54 * kUs, "cudaMemcpyAsync", 2);
    sample.copy(EventKind::CopyH2D, 201 * kUs, 300 * kUs, MemoryKind::Pinned, 1 << 20, 20, AsyncFlag::Async, 2);
    sample.kernel(310 * kUs, 400 * kUs, 7);
    return sample;
}

TEST(CopyVerdictTest, WhatNoRecordExplainsIsUnknownAndSaysWhichRecordIsMissing)
{
    const Trace withCall = waitingCopy().build();
    const CopyVerdict known = verdictOfCopyAt(withCall, 201 * kUs);
    EXPECT_THAT(causesIn(known), ElementsAre(CopyCause::Unknown));
    test::expectText(known.reasons[0].missing);
    const Trace withoutCall = waitingCopy(false).build();
    test::expectText(verdictOfCopyAt(withoutCall, 201 * kUs).reasons.at(0).missing);
}

TEST(CopyVerdictTest, WhereKernelsWereNotRecordedNothingIsSaidOfThem)
{
    SampleTrace sample;
    sample.copy(EventKind::CopyH2D, 0, 100 * kUs, MemoryKind::Pinned, 1 << 20, 20);
    sample.copy(EventKind::CopyH2D, 200 * kUs, 300 * kUs, MemoryKind::Pageable, 1 << 20, 20);
    sample.builder().metadata().properties[kRecordedKinds] = "copies,sync";
    const Trace trace = sample.build();
    const CopyVerdict pinned = verdictOfCopyAt(trace, 0);
    EXPECT_THAT(causesIn(pinned), ElementsAre(CopyCause::Unknown));
    test::expectText(pinned.reasons[0].missing);
    EXPECT_THAT(causesIn(verdictOfCopyAt(trace, 200 * kUs)), ElementsAre(CopyCause::PageableMemory));
}

TEST(CopyVerdictTest, AStreamThatWasToldToWaitIsADependency)
{
    SampleTrace sample = waitingCopy();
    sample.host(EventKind::RuntimeCall, 45 * kUs, 48 * kUs, "cuStreamWaitEvent");
    const Trace trace = sample.build();
    const CopyVerdict verdict = verdictOfCopyAt(trace, 201 * kUs);
    EXPECT_EQ(verdict.cause(), CopyCause::EventDependency);
    EXPECT_EQ(evidence(trace, verdict, CopyCause::EventDependency, EvidenceRole::StreamWait),
              "cuStreamWaitEvent at 45");
    EXPECT_EQ(evidence(trace, verdict, CopyCause::EventDependency, EvidenceRole::Before), "gemm at 5");
}

TEST(CopyVerdictTest, AWaitOfAnotherStreamOrForAnEarlierLaunchIsNone)
{
    SampleTrace otherStream = waitingCopy();
    const TrackId row = otherStream.stream(TrackKind::Group, 21);
    otherStream.add(row, EventKind::Sync, 45 * kUs, 46 * kUs, "Stream 21 waits for event 3");
    EXPECT_EQ(verdictOfCopyAt(otherStream.build(), 201 * kUs).cause(), CopyCause::Unknown);
    SampleTrace earlier = waitingCopy();
    earlier.host(EventKind::RuntimeCall, 30 * kUs, 32 * kUs, "cudaStreamWaitEvent");
    earlier.host(EventKind::RuntimeCall, 40 * kUs, 44 * kUs, "cudaLaunchKernel", 9);
    earlier.kernel(400 * kUs, 410 * kUs, 7, 9);
    EXPECT_EQ(verdictOfCopyAt(earlier.build(), 201 * kUs).cause(), CopyCause::Unknown);
}

TEST(CopyVerdictTest, TheCopyAheadOnTheEngineIsTheEvidenceOfABusyOne)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 4 * kUs, "cudaLaunchKernel", 1);
    sample.kernel(5 * kUs, 180 * kUs, 7, 1);
    sample.copy(EventKind::CopyH2D, 10 * kUs, 200 * kUs, MemoryKind::Pinned, 1 << 24, 30);
    sample.host(EventKind::RuntimeCall, 50 * kUs, 54 * kUs, "cudaMemcpyAsync", 2);
    sample.copy(EventKind::CopyH2D, 201 * kUs, 300 * kUs, MemoryKind::Pinned, 1 << 20, 20, AsyncFlag::Async, 2);
    sample.kernel(310 * kUs, 400 * kUs, 7);
    const Trace trace = sample.build();
    const CopyVerdict verdict = verdictOfCopyAt(trace, 201 * kUs);
    EXPECT_EQ(verdict.cause(), CopyCause::EngineBusy);
    EXPECT_EQ(evidence(trace, verdict, CopyCause::EngineBusy, EvidenceRole::OtherCopy), "Memcpy at 10");
}

TEST(CopyVerdictTest, ASyncBeforeTheCallIsTheReasonUnlessTheLoaderWasLateAnyway)
{
    for (const bool loaderLate : {false, true}) {
        SampleTrace sample;
        sample.host(EventKind::RuntimeCall, 0, 4 * kUs, "cudaLaunchKernel", 1);
        sample.kernel(5 * kUs, 200 * kUs, 7, 1);
        sample.host(EventKind::RuntimeCall, 10 * kUs, 204 * kUs, "cudaDeviceSynchronize");
        const std::int64_t callNs = (loaderLate ? 500 : 210) * kUs;
        if (loaderLate)
            sample.host(EventKind::LoaderWait, 210 * kUs, 495 * kUs, "wait for a batch");
        sample.host(EventKind::RuntimeCall, callNs, callNs + 4 * kUs, "cudaMemcpyAsync", 2);
        sample.copy(EventKind::CopyH2D, callNs + 5 * kUs, callNs + 100 * kUs, MemoryKind::Pinned, 1 << 20, 20,
                    AsyncFlag::Async, 2);
        sample.kernel(callNs + 110 * kUs, callNs + 300 * kUs, 7);
        const Trace trace = sample.build();
        const CopyVerdict verdict = verdictOfCopyAt(trace, callNs + 5 * kUs);
        EXPECT_EQ(verdict.cause(), loaderLate ? CopyCause::NoCompute : CopyCause::HostSync);
        EXPECT_EQ(evidence(trace, verdict, verdict.cause(), loaderLate ? EvidenceRole::HostDoing : EvidenceRole::Sync),
                  loaderLate ? "wait for a batch at 210" : "cudaDeviceSynchronize at 10");
    }
}

TEST(CopyVerdictTest, MigrationsOfUnifiedMemoryAreSaidToBeThat)
{
    SampleTrace sample;
    sample.kernel(0, 10, 7);
    sample.add(sample.stream(TrackKind::EnginePeer, 7), EventKind::CopyOther, 20, 30, "Unified memory HtoD");
    sample.add(sample.stream(TrackKind::EnginePeer, 7), EventKind::CopyOther, 40, 50, "Memcpy HtoH");
    const Trace trace = sample.build();
    EXPECT_EQ(verdictOfCopyAt(trace, 20).cause(), CopyCause::UnifiedMemory);
    EXPECT_TRUE(verdictOfCopyAt(trace, 40).empty());
}

TEST(CopyVerdictTest, OtherEventsHaveNoVerdict)
{
    const Trace trace = test::serialTrace();
    const Analysis analysis(trace);
    EXPECT_TRUE(copyVerdict(trace, analysis, EventIndex(0)).empty());
    EXPECT_TRUE(copyVerdict(trace, analysis, EventIndex()).empty());
    EXPECT_TRUE(copyVerdict(trace, analysis, EventIndex(1'000'000)).empty());
}

}  // namespace
}  // namespace overlane
