#include "core/cli/nearest_name.h"

#include <gtest/gtest.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

TEST(NearestNameTest, FindsTheOneWithTheFewestEdits)
{
    EXPECT_EQ(nearestName("h20", {"a100", "h200"}), "h200");
    EXPECT_EQ(nearestName("wokers", {"streams", "workers"}), "workers");
    EXPECT_EQ(nearestName("workers", {"workers", "worker"}), "workers");
}

TEST(NearestNameTest, SaysNothingWhereNothingIsNear)
{
    EXPECT_EQ(nearestName("zzzzzzzz", {"h200", "a100"}), "");
    EXPECT_EQ(nearestName("h200", {}), "");
}

TEST(NearestNameTest, TheSentenceListsAllNames)
{
    test::expectText(unknownName("device", "h20", {"a100", "h200"}));
    test::expectText(unknownName("device", "zzzzzzzz", {"a100"}));
}

}  // namespace
}  // namespace overlane
