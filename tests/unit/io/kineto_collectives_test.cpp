// The collectives that PyTorch's profiler writes to kernels and to the operators behind them.
#include "core/io/kineto_collectives.h"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/io/format.h"
#include "core/io/kineto_format.h"
#include "core/trace/trace_slice.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

Trace readEvents(std::string_view events)
{
    const std::string text = fmt::format(R"({{"schemaVersion": 1, "traceEvents": [{}]}})", events);
    MemorySource source(text);
    Progress progress;
    Result<Trace> trace = readKineto(source, "rank3.json", progress);
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
    return trace.ok() ? std::move(trace).value() : Trace();
}

std::string kernel(int startUs, std::string_view name, std::string_view args)
{
    return fmt::format(
        R"json({{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":20,"ts":{},"dur":5,"args":{{"device":0,"stream":20{}}}}})json",
        name, startUs, args);
}

std::string comms(std::string_view args)
{
    return fmt::format(
        R"json({{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":9,"tid":9,"ts":1,"dur":1,"args":{{{}}}}})json",
        args);
}

// The kernels of a trace in order of start, nullptr where nothing is told of one.
std::vector<const CollectiveInfo*> kernelsOf(const Trace& trace)
{
    std::vector<const CollectiveInfo*> kernels;
    for (std::size_t at = 0; at < trace.eventCount(); ++at)
        if (trace.kind(EventIndex(at)) == EventKind::Kernel)
            kernels.push_back(trace.collective(EventIndex(at)));
    return kernels;
}

std::string textOf(const Trace& trace, const CollectiveInfo* info)
{
    if (info == nullptr)
        return "none";
    return fmt::format("{} '{}' {} {} B of {}", collectiveKindName(info->kind),
                       info->group.valid() ? trace.strings().view(info->group) : "", info->sequence, info->bytes,
                       info->groupSize);
}

// PyTorch 2.4 and later write all but the number to the kernel, and the number to the operator only.
constexpr const char* kOfOperator =
    R"("External id":12,"Collective name":"allreduce","dtype":"BFloat16","In msg nelems":1000,"Out msg nelems":1000,"Group size":4,"Process Group Name":"0","Process Group Description":"default_pg","Process Group Ranks":"[0, 1, 2, 3]","Seq":77)";
constexpr const char* kOfKernel =
    R"(,"External id":12,"Collective name":"allreduce","dtype":"BFloat16","In msg nelems":1000,"Out msg nelems":1000,"Group size":4,"Process Group Name":"0","Process Group Description":"default_pg","Process Group Ranks":"[0, 1, 2, 3]")";

TEST(KinetoCollectives, KernelsCarryWhatTheirArgumentsAndTheirOperatorSay)
{
    const std::string name = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    for (const std::string& events : {kernel(10, name, kOfKernel) + "," + comms(kOfOperator),
                                      comms(kOfOperator) + "," + kernel(10, name, R"(,"External id":12)")}) {
        const Trace trace = readEvents(events + "," + kernel(30, "gemm", R"(,"External id":12)") + "," +
                                       kernel(50, name, R"(,"External id":13)"));
        const std::vector<const CollectiveInfo*> kernels = kernelsOf(trace);
        ASSERT_EQ(kernels.size(), 3u);
        EXPECT_EQ(textOf(trace, kernels[0]), "all-reduce '0' 77 2000 B of 4");
        EXPECT_EQ(kernels[1], nullptr);
        EXPECT_EQ(kernels[2], nullptr);
        const CollectiveGroups groups = trace.collectiveGroups();
        ASSERT_EQ(groups.size(), 1u);
        EXPECT_EQ(groups.at("0").description, "default_pg");
        EXPECT_THAT(groups.at("0").ranks, ElementsAre(0, 1, 2, 3));
        EXPECT_EQ(trace.eventCount(), 4u);
    }
}

TEST(KinetoCollectives, TheLargerSideOfAGatherCounts)
{
    const Trace trace = readEvents(kernel(
        10, "ncclDevKernel_AllGather_RING_LL",
        R"(,"Collective name":"_allgather_base","dtype":"Float","In msg nelems":256,"Out msg nelems":1024,"Group size":4)"));
    EXPECT_EQ(textOf(trace, kernelsOf(trace).at(0)), "all-gather '' -1 4096 B of 4");
    EXPECT_TRUE(trace.collectiveGroups().empty());
}

TEST(KinetoCollectives, ACutListOfRanksIsCompletedWhereTheyAreEvenlyApart)
{
    const Trace trace = readEvents(comms(
        R"("External id":1,"Collective name":"allreduce","Process Group Name":"dp","Group size":40,"Process Group Ranks":"[0, 2, 4, 6, ...]","Global rank start":1,"Global rank stride":2)"));
    const std::vector<int> ranks = trace.collectiveGroups().at("dp").ranks;
    ASSERT_EQ(ranks.size(), 40u);
    EXPECT_EQ(ranks.front(), 1);
    EXPECT_EQ(ranks.back(), 79);
}

TEST(KinetoCollectives, ImpossibleFiguresAreUnknown)
{
    const Trace trace = readEvents(kernel(
        10, "ncclDevKernel_AllReduce",
        R"(,"Collective name":"allreduce","dtype":"Double","In msg nelems":9223372036854775807,"Out msg nelems":-4,"Group size":-1,"Seq":-9,"Process Group Name":"0","Process Group Ranks":"[-4, x]","Global rank start":5,"Global rank stride":9223372036854775807)"));
    EXPECT_EQ(textOf(trace, kernelsOf(trace).at(0)), "all-reduce '0' -1 0 B of 0");
    EXPECT_THAT(trace.collectiveGroups().at("0").ranks, IsEmpty());
}

TEST(KinetoCollectives, FormatsAndPartsKeepThem)
{
    const Trace trace = readEvents(comms(kOfOperator) + "," + kernel(10, "ncclDevKernel_AllReduce", kOfKernel) + "," +
                                   kernel(20, "gemm", ""));
    const std::string told = "all-reduce '0' 77 2000 B of 4";
    const test::TempDir folder;
    for (const char* name : {"a.overlane", "a.json", "a.json.gz"}) {
        Progress progress;
        ASSERT_TRUE(writeTrace(trace, folder.path(name), progress).ok());
        const Result<Trace> again = readTrace(folder.path(name), progress);
        ASSERT_TRUE(again.ok()) << again.error();
        EXPECT_EQ(textOf(again.value(), kernelsOf(again.value()).at(0)), told) << name;
        EXPECT_EQ(kernelsOf(again.value()).at(1), nullptr);
        EXPECT_THAT(again.value().collectiveGroups().at("0").ranks, ElementsAre(0, 1, 2, 3)) << name;
    }
    const Trace part = sliceTrace(trace, {9'000, 30'000}, trace.metadata());
    EXPECT_EQ(textOf(part, kernelsOf(part).at(0)), told);
    EXPECT_EQ(part.collectiveGroups().size(), 1u);
}

}  // namespace
}  // namespace overlane
