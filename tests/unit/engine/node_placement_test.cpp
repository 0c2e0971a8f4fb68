#include "core/engine/node_placement.h"

#include <gtest/gtest.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

TEST(NodePlacementTest, OneNodeHasNoWrongPlace)
{
    test::expectText(placementText({}));
}

TEST(NodePlacementTest, ThePenaltyIsThatOfEachOtherNode)
{
    test::expectText(placementText({2, 1, {41e9, 55e9}}));
}

TEST(NodePlacementTest, ASystemThatHidesTheNodeIsSaidToHideIt)
{
    test::expectText(placementText({2, -1, {}}));
}

}  // namespace
}  // namespace overlane
