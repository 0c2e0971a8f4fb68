// Each rule about copies: one loop in which it holds, with its cost to the nanosecond, and one that is
// nearly the same in which it does not.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"
#include "tests/unit/findings/loop_trace.h"

namespace overlane
{
namespace
{

using test::kStepNs;
using test::LoopTrace;

// Copies of 4 ms at the start of every step, for which the host is held, and the kernel after them.
FindingList heldCopies(MemoryKind memory, AsyncFlag async, std::int64_t stream, std::string_view wait = {})
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.copy(EventKind::CopyH2D, {at, at + 4 * kMs - 3 * kUs}, {at, at + 4 * kMs}, memory, stream, async);
        if (!wait.empty())
            loop.call(wait, {at + 4 * kMs - 3 * kUs, at + 4 * kMs - kUs});
        loop.launch(at + 4 * kMs, at + kStepNs);
    });
    return loop.findings();
}

// Pinned, asynchronous copies of 4 ms that are asked for while the kernel before them runs.
FindingList queuedCopies(std::int64_t stream, std::string_view before = {}, std::string_view format = "sample")
{
    LoopTrace loop;
    loop.sample().builder().metadata().format = format;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        if (!before.empty())
            loop.call(before, {at - 5300 * kUs, at - 5200 * kUs});
        loop.copy(EventKind::CopyH2D, {at - 5100 * kUs, at - 5000 * kUs}, {at, at + 4 * kMs}, MemoryKind::Pinned,
                  stream);
        loop.launch(at + 4 * kMs, at + kStepNs, 7, at - 4900 * kUs);
    });
    return loop.findings();
}

TEST(PageableAsync, IsNotJudgedWhereTheGpuReadsPageableMemory)
{
    for (const std::int64_t stream : {7, 13}) {
        LoopTrace loop;
        loop.sample().builder().addDevice({0, "NVIDIA GH200 480GB", 0, 0});
        loop.eachStep([&](std::int64_t at, std::int64_t) {
            loop.copy(EventKind::CopyH2D, {at, at + 4 * kMs - 3 * kUs}, {at, at + 4 * kMs}, MemoryKind::Pageable,
                      stream);
            loop.launch(at + 4 * kMs, at + kStepNs);
        });
        const FindingList list = loop.findings();
        for (const RuleId rule : {RuleId::PageableAsync, RuleId::PageableSideStream}) {
            EXPECT_EQ(list.find(rule), nullptr);
            const auto said = std::find_if(list.notChecked.begin(), list.notChecked.end(),
                                           [rule](const NotChecked& each) { return each.rule == rule; });
            ASSERT_NE(said, list.notChecked.end());
            test::expectText(said->reason);
        }
    }
}

void expectOnly(const FindingList& list, RuleId rule, std::int64_t gpuIdleNs)
{
    ASSERT_EQ(list.findings.size(), 1u) << list.findings.front().sentence << list.findings.back().sentence;
    const Finding& finding = list.findings.front();
    EXPECT_EQ(finding.rule, rule) << finding.sentence;
    EXPECT_EQ(finding.severity, FindingSeverity::Problem);
    EXPECT_EQ(finding.cost.gpuIdleNs, gpuIdleNs) << finding.sentence;
    EXPECT_EQ(finding.cost.gpuIdlePerStepNs, gpuIdleNs / 4);
    EXPECT_DOUBLE_EQ(finding.cost.shareOfWall, static_cast<double>(gpuIdleNs) / (4.0 * kStepNs));
    EXPECT_EQ(finding.device, 0);
    EXPECT_EQ(finding.evidenceCount, 4);
    EXPECT_EQ(finding.evidence.size(), 4u);
    EXPECT_FALSE(finding.changePyTorch.empty());
    EXPECT_FALSE(finding.changeCuda.empty());
}

TEST(PageableAsync, HoldsForPageableCopiesOnTheStreamOfTheKernels)
{
    const FindingList list = heldCopies(MemoryKind::Pageable, AsyncFlag::Async, 7);
    expectOnly(list, RuleId::PageableAsync, 16 * kMs);
    EXPECT_EQ(list.findings[0].cost.hostBlockedNs, 4 * (4 * kMs - 3 * kUs));
    EXPECT_EQ(list.idleNs, list.explainedNs);
    EXPECT_EQ(list.steps, 4);
}

TEST(PageableAsync, DoesNotHoldForPinnedMemory)
{
    EXPECT_EQ(queuedCopies(7).find(RuleId::PageableAsync), nullptr);
}

TEST(PageableAsync, IsNotCheckedWhereTheMemoryIsUnknown)
{
    const FindingList list = heldCopies(MemoryKind::Unknown, AsyncFlag::Async, 7);
    EXPECT_EQ(list.find(RuleId::PageableAsync), nullptr);
    EXPECT_EQ(std::count_if(list.notChecked.begin(), list.notChecked.end(),
                            [](const NotChecked& each) { return each.rule == RuleId::PageableAsync; }),
              1);
}

TEST(SyncCopies, HoldsForSynchronousCalls)
{
    expectOnly(heldCopies(MemoryKind::Pinned, AsyncFlag::Sync, 7), RuleId::SyncCopies, 16 * kMs);
    expectOnly(heldCopies(MemoryKind::Pageable, AsyncFlag::Sync, 7), RuleId::SyncCopies, 16 * kMs);
}

TEST(SyncCopies, HoldsForAPageableCopyWithAWaitRightBehindIt)
{
    expectOnly(heldCopies(MemoryKind::Pageable, AsyncFlag::Unknown, 7, "cudaStreamSynchronize"), RuleId::SyncCopies,
               16 * kMs);
}

TEST(SyncCopies, DoesNotHoldForAsynchronousCalls)
{
    EXPECT_EQ(queuedCopies(7).find(RuleId::SyncCopies), nullptr);
    EXPECT_EQ(heldCopies(MemoryKind::Pageable, AsyncFlag::Async, 7).find(RuleId::SyncCopies), nullptr);
}

TEST(PageableSideStream, HoldsForPageableCopiesOnAStreamWithoutKernels)
{
    expectOnly(heldCopies(MemoryKind::Pageable, AsyncFlag::Async, 20), RuleId::PageableSideStream, 16 * kMs);
    EXPECT_EQ(heldCopies(MemoryKind::Pageable, AsyncFlag::Async, 7).find(RuleId::PageableSideStream), nullptr);
}

TEST(SameStream, HoldsForPinnedCopiesOnTheStreamOfTheKernels)
{
    expectOnly(queuedCopies(7), RuleId::SameStream, 16 * kMs);
    EXPECT_EQ(queuedCopies(20, "cudaStreamWaitEvent").find(RuleId::SameStream), nullptr);
}

TEST(StreamWait, HoldsForCopiesThatWereToldToWait)
{
    expectOnly(queuedCopies(20, "cudaStreamWaitEvent"), RuleId::StreamWait, 16 * kMs);
    EXPECT_EQ(queuedCopies(20).find(RuleId::StreamWait), nullptr);
}

TEST(DefaultStream, HoldsForCopiesBesideTheLegacyDefaultStream)
{
    // Streams 7 and 20 of a CUDA trace: the kernels are on the default stream, the copies are not.
    expectOnly(queuedCopies(20, {}, "kineto"), RuleId::DefaultStream, 16 * kMs);
    const FindingList unknown = queuedCopies(20);
    EXPECT_EQ(unknown.find(RuleId::DefaultStream), nullptr);
    EXPECT_NE(std::find_if(unknown.notChecked.begin(), unknown.notChecked.end(),
                           [](const NotChecked& each) { return each.rule == RuleId::DefaultStream; }),
              unknown.notChecked.end());
}

FindingList smallCopies(std::int64_t perStep)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        for (std::int64_t copy = 0; copy < perStep; ++copy) {
            const std::int64_t startNs = at + copy * 100 * kUs;
            loop.copy(EventKind::CopyH2D, {startNs, startNs + 90 * kUs}, {startNs, startNs + 100 * kUs},
                      MemoryKind::Pageable, 7, AsyncFlag::Async, 4096);
        }
        loop.launch(at + perStep * 100 * kUs, at + kStepNs);
    });
    return loop.findings();
}

TEST(SmallCopies, HoldsForManyInAStepOrDearOnes)
{
    const FindingList list = smallCopies(10);
    const Finding* finding = list.find(RuleId::SmallCopies);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 4 * kMs);
    EXPECT_EQ(finding->evidenceCount, 40);
    EXPECT_EQ(list.findings.size(), 1u);
    EXPECT_NE(smallCopies(2).find(RuleId::SmallCopies), nullptr);
    EXPECT_EQ(smallCopies(1).find(RuleId::SmallCopies), nullptr);
}

// A copy back of 2 ms behind the kernel, alone or beside a copy to the device in the same gap.
FindingList copiesBack(std::int64_t bytes, MemoryKind memory, bool hidden, bool withCopyIn)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        const Interval work = hidden ? Interval{at + 5 * kMs, at + 7 * kMs} : Interval{at, at + 2 * kMs};
        loop.copy(EventKind::CopyD2H, {at - 20 * kUs, at - 10 * kUs}, work, memory, 20, AsyncFlag::Async, bytes);
        if (withCopyIn)
            loop.copy(EventKind::CopyH2D, {at - 9 * kUs, at - 5 * kUs}, {at + 2 * kMs, at + 4 * kMs},
                      MemoryKind::Pinned, 7);
        loop.launch(at + (withCopyIn ? 4 : 2) * kMs, at + kStepNs, 7, at - kUs);
    });
    return loop.findings();
}

TEST(ReadBack, HoldsForCopiesBackThatNoKernelHides)
{
    expectOnly(copiesBack(8 * kMiB, MemoryKind::Pinned, false, false), RuleId::ReadBack, 8 * kMs);
    EXPECT_EQ(copiesBack(8 * kMiB, MemoryKind::Pinned, true, false).find(RuleId::ReadBack), nullptr);
}

TEST(OneDirection, HoldsWhereBothDirectionsRunAloneInOneGap)
{
    const FindingList list = copiesBack(8 * kMiB, MemoryKind::Pinned, false, true);
    const Finding* finding = list.find(RuleId::OneDirection);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 8 * kMs);
    EXPECT_EQ(list.find(RuleId::ReadBack), nullptr);
    EXPECT_EQ(copiesBack(8 * kMiB, MemoryKind::Pinned, false, false).find(RuleId::OneDirection), nullptr);
}

// Copies of 40 MB in 4 ms, 10 GB/s, on the stream of the kernels.
FindingList ratedCopies(double linkBytesPerSecond, std::string_view gpu)
{
    LoopTrace loop;
    loop.sample().builder().metadata().format = "simulated";
    loop.sample().builder().addDevice({0, std::string(gpu), 0, linkBytesPerSecond});
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.copy(EventKind::CopyH2D, {at - 700 * kUs, at - 600 * kUs}, {at, at + 4 * kMs}, MemoryKind::Pinned, 7,
                  AsyncFlag::Async, 40'000'000);
        loop.launch(at + 4 * kMs, at + kStepNs, 7, at - 500 * kUs);
    });
    return loop.findings();
}

TEST(SlowLink, CostsWhatTheLinkWouldNotHaveNeeded)
{
    const FindingList list = ratedCopies(20e9, "Sample GPU");
    ASSERT_NE(list.find(RuleId::SlowLink), nullptr);
    EXPECT_EQ(list.find(RuleId::SlowLink)->cost.gpuIdleNs, 8 * kMs);
    EXPECT_EQ(list.find(RuleId::SlowLink)->evidenceCount, 4);
    ASSERT_NE(list.find(RuleId::SameStream), nullptr);
    EXPECT_EQ(list.find(RuleId::SameStream)->cost.gpuIdleNs, 8 * kMs);
    EXPECT_EQ(ratedCopies(11e9, "Sample GPU").find(RuleId::SlowLink), nullptr);
}

TEST(SlowLink, CopiesThatRunAtTheSameTimeShareTheLink)
{
    // Two streams that fill a link of 20 GB/s together, and two that fill half of it.
    const auto twoStreams = [](std::int64_t bytes) {
        LoopTrace loop;
        loop.sample().builder().metadata().format = "simulated";
        loop.sample().builder().addDevice({0, "Sample GPU", 0, 20e9});
        loop.eachStep([&](std::int64_t at, std::int64_t) {
            for (const std::int64_t stream : {20, 21})
                loop.copy(EventKind::CopyH2D, {at - 50 * kUs, at - 40 * kUs}, {at, at + 4 * kMs}, MemoryKind::Pinned,
                          stream, AsyncFlag::Async, bytes);
            loop.launch(at + 4 * kMs, at + kStepNs);
        });
        return loop.findings();
    };
    EXPECT_EQ(twoStreams(39'000'000).find(RuleId::SlowLink), nullptr);
    const FindingList slow = twoStreams(20'000'000);
    ASSERT_NE(slow.find(RuleId::SlowLink), nullptr);
    EXPECT_EQ(slow.find(RuleId::SlowLink)->cost.gpuIdleNs, 8 * kMs);
    test::expectText(slow.find(RuleId::SlowLink)->sentence);
}

TEST(SlowLink, KnowsTheLinksOfDataCenterGpusByName)
{
    for (const char* other : {"NVIDIA RTX A1000 Laptop GPU", "NVIDIA RTX A4000", "NVIDIA RTX A400", "NVIDIA RTX A3000"})
        EXPECT_EQ(ratedCopies(0, other).find(RuleId::SlowLink), nullptr) << other;
    for (const char* known : {"NVIDIA A10", "NVIDIA A10G", "NVIDIA L40S", "NVIDIA A100-SXM4-80GB", "NVIDIA A30"})
        EXPECT_NE(ratedCopies(0, known).find(RuleId::SlowLink), nullptr) << known;
    EXPECT_NE(ratedCopies(0, "NVIDIA H100 80GB HBM3").find(RuleId::SlowLink), nullptr);
    EXPECT_EQ(ratedCopies(0, "Tesla V100-SXM2-16GB").find(RuleId::SameStream)->cost.gpuIdleNs, 16 * kMs - 3'692'308);
    const FindingList unknown = ratedCopies(0, "NVIDIA GH200 480GB");
    EXPECT_EQ(unknown.find(RuleId::SlowLink), nullptr);
    EXPECT_EQ(std::count_if(unknown.notChecked.begin(), unknown.notChecked.end(),
                            [](const NotChecked& each) { return each.rule == RuleId::SlowLink; }),
              1);
}

TEST(LinkBound, HoldsWhereTheLinkIsBusyLongerThanTheKernels)
{
    const auto copiesOf = [](std::int64_t copyNs) {
        LoopTrace loop;
        loop.eachStep([&](std::int64_t at, std::int64_t) {
            loop.copy(EventKind::CopyH2D, {at - 50 * kUs, at - 40 * kUs}, {at, at + copyNs}, MemoryKind::Pinned, 7);
            loop.launch(at + copyNs, at + kStepNs, 7, at - 30 * kUs);
        });
        return loop.findings();
    };
    expectOnly(copiesOf(8 * kMs), RuleId::LinkBound, 32 * kMs);
    EXPECT_EQ(copiesOf(4 * kMs).find(RuleId::LinkBound), nullptr);
}

TEST(UnifiedMemory, HoldsForMigrationsWhileNoKernelRuns)
{
    const auto migrations = [](std::string_view name) {
        LoopTrace loop;
        loop.eachStep([&](std::int64_t at, std::int64_t) {
            loop.sample().add(loop.sample().stream(TrackKind::EnginePeer, 9), EventKind::CopyOther, at, at + 2 * kMs,
                              name);
            loop.launch(at + 2 * kMs, at + kStepNs);
        });
        return loop.findings();
    };
    expectOnly(migrations("Unified memory HtoD"), RuleId::UnifiedMemory, 8 * kMs);
    EXPECT_EQ(migrations("Memcpy HtoH").find(RuleId::UnifiedMemory), nullptr);
}

TEST(LateCopies, HoldsForPinnedCopiesOfASideStreamThatNoKernelIsLeftToHide)
{
    const auto copies = [](std::int64_t aheadNs) {
        LoopTrace loop;
        loop.eachStep([&](std::int64_t at, std::int64_t) {
            const std::int64_t startNs = at + kMs - aheadNs;
            loop.copy(EventKind::CopyH2D, {startNs - 5 * kUs, startNs}, {startNs, startNs + 3 * kMs},
                      MemoryKind::Pinned, 20);
            loop.launch(at + 4 * kMs, at + kStepNs, 7, at + kMs);
        });
        return loop.findings();
    };
    const FindingList late = copies(0);
    ASSERT_NE(late.find(RuleId::LateCopies), nullptr);
    EXPECT_EQ(late.find(RuleId::LateCopies)->cost.gpuIdleNs, 12 * kMs);
    EXPECT_EQ(copies(5 * kMs).find(RuleId::LateCopies), nullptr);
}

}  // namespace
}  // namespace overlane
