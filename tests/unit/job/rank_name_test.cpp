#include "core/job/rank_name.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RankName, TheUsualNamesTellTheRank)
{
    const std::pair<const char*, int> kNames[] = {
        {"worker0_step_12.1694128201545.pt.trace.json.gz", 0},
        {"worker13_step_12.1694128201556.pt.trace.json.gz", 13},
        {"/runs/7/rank3.json.gz", 3},
        {"rank_3_trace.json", 3},
        {"rank-3.json.gz", 3},
        {"Rank=12.json", 12},
        {"host_123.rank_2", 2},
        {"trace-r0-step5.json", 0},
        {"trace_r12_.json", 12},
        {"profile_traces/iteration_10/rank7_trace.json", 7},
        {"rank5/trace.json", 5},
        {"node0/rank_6/1694128201545.pt.trace.json", 6},
        {"report_rank15.sqlite", 15},
        {"gpu3.overlane", 3},
        {"frank7_rank2.json", 2},
        {"step_5_rank_2_of_8.json", 2},
    };
    for (const auto& [name, rank] : kNames) {
        const RankIdentity identity = identityOfName(name);
        EXPECT_EQ(identity.rank, rank) << name;
        EXPECT_EQ(identity.source, "file name") << name;
    }
    EXPECT_EQ(identityOfName("rank_2_of_8.json").worldSize, 8);
    EXPECT_EQ(identityOfName("rank9_of_8.json").worldSize, std::nullopt);
}

TEST(RankName, OtherNumbersAreNoRanks)
{
    for (const char* name :
         {"trace.json", "node1_4242.1694128201545.pt.trace.json", "iteration_10/trace.json", "ranking.json",
          "rank.json", "rank99999999.json", "rank123456789012345678901234567890.json", "error3.json", "rank3d.json",
          "local_rank_2.json", ""})
        EXPECT_EQ(identityOfName(name).rank, std::nullopt) << name;
    EXPECT_EQ(identityOfName("local_rank_2.json").localRank, 2);
    EXPECT_EQ(identityOfName("local_rank_2_rank_10.json").rank, 10);
}

TEST(RankName, TheHandlersNameTellsTheHost)
{
    EXPECT_EQ(identityOfName("a/node-1_x_4242.1694128201545.pt.trace.json.gz").host, "node-1_x");
    EXPECT_EQ(identityOfName("worker0_step_12.pt.trace.json.gz").host, "");
    EXPECT_EQ(identityOfName("_1.1694128201545.pt.trace.json").host, "");
}

TEST(RankName, NumbersThatTellAllApartAreRanks)
{
    EXPECT_THAT(ranksByNumber({"trace_0.json", "trace_1.json", "trace_2.json.gz"}), ElementsAre(0, 1, 2));
    EXPECT_THAT(ranksByNumber({"report.0.sqlite", "report.1.sqlite3"}), ElementsAre(0, 1));
    EXPECT_THAT(ranksByNumber({"a_1694128201545.json", "a_1694128201546.json"}), IsEmpty());
    EXPECT_THAT(ranksByNumber({"a_100.json", "a_200.json"}), IsEmpty());
    EXPECT_THAT(ranksByNumber({"a_0.json", "b_0.json"}), IsEmpty());
    EXPECT_THAT(ranksByNumber({"a_0.json", "b.json"}), IsEmpty());
    EXPECT_THAT(ranksByNumber({"a_0.json"}), IsEmpty());
}

TEST(RankName, NumbersAreOrderedAsNumbers)
{
    std::vector<std::string> names{"rank10", "rank9", "rank010", "a", "rank", "rank9b", "", "rank09"};
    std::sort(names.begin(), names.end(), naturallyLess);
    EXPECT_THAT(names, ElementsAre("", "a", "rank", "rank09", "rank9", "rank9b", "rank010", "rank10"));
}

}  // namespace
}  // namespace overlane
