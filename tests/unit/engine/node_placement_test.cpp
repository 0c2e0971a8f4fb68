#include "core/engine/node_placement.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(NodePlacementTest, OneNodeHasNoWrongPlace)
{
    EXPECT_EQ(placementText({}), "one node: where memory lies makes no difference");
}

TEST(NodePlacementTest, ThePenaltyIsThatOfEachOtherNode)
{
    EXPECT_EQ(placementText({2, 1, {41e9, 55e9}}),
              "GPU on node 1; copies to it 55.0 GB/s from node 1, 41.0 GB/s (25 % less) from node 0");
}

TEST(NodePlacementTest, ASystemThatHidesTheNodeIsSaidToHideIt)
{
    EXPECT_EQ(placementText({2, -1, {}}), "2 nodes; the system does not say which the GPU is on");
}

}  // namespace
}  // namespace overlane
