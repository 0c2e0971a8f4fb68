#include "core/trace/collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Collective, KindsAreToldFromTheNamesOfPyTorchAndNccl)
{
    const std::pair<const char*, CollectiveKind> rows[] = {
        {"allreduce", CollectiveKind::AllReduce},
        {"allreduce_coalesced", CollectiveKind::AllReduce},
        {"nccl:all_reduce", CollectiveKind::AllReduce},
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::AllReduce},
        {"_allgather_base", CollectiveKind::AllGather},
        {"all_gather_into_tensor_coalesced", CollectiveKind::AllGather},
        {"_reduce_scatter_base", CollectiveKind::ReduceScatter},
        {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", CollectiveKind::ReduceScatter},
        {"all_to_allv", CollectiveKind::AllToAll},
        {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)",
         CollectiveKind::SendReceive},
        {"send", CollectiveKind::SendReceive},
        {"recvAnySource", CollectiveKind::SendReceive},
        {"broadcast_oop", CollectiveKind::Broadcast},
        {"reduce", CollectiveKind::Reduce},
        {"barrier", CollectiveKind::Barrier},
        {"gather", CollectiveKind::Gather},
        {"scatter", CollectiveKind::Scatter},
        {"void vllm::cross_device_reduce_1stage<__half, 8>(vllm::RankData*)", CollectiveKind::AllReduce},
        {"wait", CollectiveKind::Unknown},
        {"", CollectiveKind::Unknown},
        {"ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::Unknown},
    };
    for (const auto& [name, kind] : rows)
        EXPECT_EQ(collectiveKindName(collectiveKindOf(name)), collectiveKindName(kind)) << name;
}

TEST(Collective, KindsHaveNamesOfTheirOwn)
{
    std::set<std::string_view> names;
    for (int kind = 0; kind < kCollectiveKindCount; ++kind)
        names.insert(collectiveKindName(static_cast<CollectiveKind>(kind)));
    EXPECT_EQ(names.size(), std::size_t{kCollectiveKindCount});
}

TEST(Collective, ListsOfRanksAreReadWholeOrNotAtAll)
{
    EXPECT_THAT(ranksOfText("[3, 1, 2, 1]"), ElementsAre(1, 2, 3));
    EXPECT_THAT(ranksOfText("0,1"), ElementsAre(0, 1));
    for (const char* text : {"", "[]", "[0, 1, ...]", "0,,1", "-1", "99999999", "1 2", "[1"})
        EXPECT_THAT(ranksOfText(text), IsEmpty()) << text;
}

TEST(Collective, GroupsComeBackFromTheirText)
{
    const CollectiveGroups groups{{"0", {"default_pg", {0, 1, 2, 3}}}, {"odd\tname\n", {"a\nb", {}}}};
    const CollectiveGroups again = collectiveGroupsOf(collectiveGroupsText(groups));
    ASSERT_EQ(again.size(), 2u);
    EXPECT_EQ(again.at("0").description, "default_pg");
    EXPECT_THAT(again.at("0").ranks, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(again.at("odd name ").description, "a b");
    EXPECT_EQ(collectiveGroupsOf("x").at("x").description, "");
    EXPECT_TRUE(collectiveGroupsOf("").empty());
}

}  // namespace
}  // namespace overlane
