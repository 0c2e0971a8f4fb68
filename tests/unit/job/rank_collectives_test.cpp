#include "core/job/rank_collectives.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sample_traces.h"
#include "tests/unit/job/dlrm_job.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
using testing::ElementsAre;

std::vector<std::string> textOf(const RankCollectives& read)
{
    std::vector<std::string> lines;
    for (const DigestCollective& one : read.collectives)
        lines.push_back(fmt::format("{} {} of {} step {} at {} for {}, {} B, exposed {}", collectiveKindName(one.kind),
                                    one.sequence, read.groups[one.group].name, one.step, one.startNs, one.durationNs,
                                    one.bytes, one.exposedNs));
    return lines;
}

TEST(RankCollectives, TheTraceOfDlrmHoldsEightOfOneStream)
{
    const Trace trace = test::dlrmTrace(0);
    const RankCollectives read = rankCollectives(trace, Analysis(trace));
    ASSERT_EQ(read.groups.size(), 1u);
    EXPECT_FALSE(read.groups[0].sequenceIsGlobal);
    std::vector<std::string> kinds;
    for (const DigestCollective& one : read.collectives)
        kinds.push_back(fmt::format("{} {} {}", one.sequence, collectiveKindName(one.kind), one.step));
    // SendRecv kernels, which the operators around their launches call all-to-all.
    EXPECT_THAT(kinds, ElementsAre("0 all-to-all 10", "1 all-to-all 10", "2 all-to-all 10", "3 all-to-all 10",
                                   "4 all-reduce 10", "5 all-to-all 10", "6 all-reduce 10", "7 all-reduce 10"));
}

TEST(RankCollectives, SendsAndReceivesNameTheirEnds)
{
    SampleTrace sample;
    const TrackId stream = sample.stream(TrackKind::EngineCompute, 20);
    const char* const names[] = {"nccl:send 1->2", "nccl:recv 1<-0", "nccl:coalesced"};
    for (std::uint32_t at = 0; at < 3; ++at) {
        const std::int64_t startNs = at * 1000;
        sample.host(EventKind::Annotation, startNs, startNs + 100, names[at]);
        sample.host(EventKind::RuntimeCall, startNs + 10, startNs + 20, "cudaLaunchKernelExC", at + 1);
        sample.add(stream, EventKind::Kernel, startNs + 50, startNs + 500, "ncclDevKernel_SendRecv", at + 1);
    }
    const Trace trace = sample.build();
    const RankCollectives read = rankCollectives(trace, Analysis(trace));
    ASSERT_EQ(read.collectives.size(), 3u);
    EXPECT_EQ(read.groups[read.collectives[0].group].self, 1);
    EXPECT_FALSE(read.collectives[0].receives);
    EXPECT_EQ(read.collectives[0].peer, 2);
    EXPECT_TRUE(read.collectives[1].receives);
    EXPECT_EQ(read.collectives[1].peer, 0);
    EXPECT_EQ(read.collectives[2].peer, -1);
}

TEST(RankCollectives, WhatTheProfilerTellsComesBeforeTheName)
{
    SampleTrace sample;
    const TrackId stream = sample.stream(TrackKind::EngineCompute, 20);
    const TrackId other = sample.stream(TrackKind::EngineCompute, 21);
    const auto add = [&](std::int64_t startNs, const char* name, const CollectiveInfo* info, bool onOther = false) {
        Event event;
        event.track = onOther ? other : stream;
        event.kind = EventKind::Kernel;
        event.startNs = startNs;
        event.durationNs = 100;
        event.name = sample.builder().intern(name);
        sample.builder().addEvent(event, info);
    };
    const CollectiveInfo told{CollectiveKind::AllGather, sample.builder().intern("fsdp"), 41, 4096, 2};
    CollectiveInfo notNumbered = told;
    notNumbered.sequence = -1;
    sample.builder().metadata().properties[kCollectiveGroups] =
        collectiveGroupsText({{"fsdp", {"data parallel", {4, 5}}}});
    add(1000, "ncclDevKernel_Generic", &told);
    add(2000, "ncclDevKernel_Broadcast_RING_LL", &notNumbered);
    // On a stream of a named group it is of this group; on another, of the stream's own.
    add(2500, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", nullptr);
    add(3000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", nullptr, true);
    add(4000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", nullptr, true);
    sample.kernel(1040, 1060);
    sample.kernel(3000, 5000);
    const Trace trace = sample.build();
    const RankCollectives read = rankCollectives(trace, Analysis(trace));
    EXPECT_THAT(textOf(read), ElementsAre("all-gather 41 of fsdp step -1 at 1000 for 100, 4096 B, exposed 80",
                                          "all-gather -1 of fsdp step -1 at 2000 for 100, 4096 B, exposed 100",
                                          "all-reduce -1 of fsdp step -1 at 2500 for 100, 0 B, exposed 100",
                                          "all-reduce 0 of stream 21 step -1 at 3000 for 100, 0 B, exposed 0",
                                          "all-reduce 1 of stream 21 step -1 at 4000 for 100, 0 B, exposed 0"));
    ASSERT_EQ(read.groups.size(), 2u);
    EXPECT_TRUE(read.groups[0].sequenceIsGlobal);
    EXPECT_EQ(read.groups[0].description, "data parallel");
    EXPECT_THAT(read.groups[0].ranks, ElementsAre(4, 5));
    EXPECT_EQ(read.groups[0].size, 2);
    EXPECT_FALSE(read.groups[1].sequenceIsGlobal);
}

TEST(RankCollectives, AStepIsThatOfTheCall)
{
    SampleTrace sample;
    for (int step = 7; step < 10; ++step)
        sample.host(EventKind::Step, step * 1000, step * 1000 + 1000, fmt::format("ProfilerStep#{}", step));
    sample.host(EventKind::HostWork, 7400, 7600, "record_param_comms");
    sample.host(EventKind::Annotation, 7410, 7590, "nccl:all_to_all");
    sample.host(EventKind::RuntimeCall, 7500, 7510, "cudaLaunchKernelExC", 3);
    sample.add(sample.stream(TrackKind::EngineCompute, 20), EventKind::Kernel, 8500, 8600,
               "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 3);
    const Trace trace = sample.build();
    EXPECT_THAT(textOf(rankCollectives(trace, Analysis(trace))),
                ElementsAre("all-to-all 0 of stream 20 step 7 at 8500 for 100, 0 B, exposed 100"));
}

// NVTX ranges of NCCL in a recording.
TEST(RankCollectives, NcclsOwnRangesSayTheKind)
{
    SampleTrace sample;
    sample.host(EventKind::Annotation, 100, 400, "NCCL: ncclReduceScatter");
    sample.host(EventKind::RuntimeCall, 200, 210, "cuLaunchKernelEx", 3);
    sample.add(sample.stream(TrackKind::EngineCompute, 20), EventKind::Kernel, 300, 900, "ncclDevKernel_Generic", 3);
    const Trace trace = sample.build();
    EXPECT_THAT(textOf(rankCollectives(trace, Analysis(trace))),
                ElementsAre("reduce-scatter 0 of stream 20 step -1 at 300 for 600, 0 B, exposed 600"));
}

TEST(RankCollectives, ATraceWithoutAnyHasNone)
{
    SampleTrace sample;
    sample.kernel(0, 100);
    const Trace trace = sample.build();
    const RankCollectives read = rankCollectives(trace, Analysis(trace));
    EXPECT_TRUE(read.groups.empty());
    EXPECT_TRUE(read.collectives.empty());
}

}  // namespace
}  // namespace overlane
