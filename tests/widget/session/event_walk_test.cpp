#include "app/session/event_walk.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(EventWalkTest, GoesInTheOrderThatWasFoundAndMarksInThatOfTheLanes)
{
    const std::vector<EventIndex> order{EventIndex(7), EventIndex(2), EventIndex(5)};
    Result<FoundEvents> both = found(order);
    ASSERT_TRUE(both.ok());
    EventWalk walk;
    walk.set(std::move(both).value());
    EXPECT_EQ(walk.events(), order);
    ASSERT_NE(walk.marks(), nullptr);
    EXPECT_EQ(*walk.marks(), (std::vector<EventIndex>{EventIndex(2), EventIndex(5), EventIndex(7)}));
    EXPECT_EQ(walk.next(), EventIndex(7));
    EXPECT_EQ(walk.next(), EventIndex(2));
    const EventWalk copy = walk;
    EXPECT_EQ(copy.marks(), walk.marks()) << "marks are shared";
}

TEST(EventWalkTest, OfNothingFoundHasNoMarks)
{
    Result<FoundEvents> none = found(std::vector<EventIndex>{});
    ASSERT_TRUE(none.ok());
    EXPECT_EQ(none.value().marks, nullptr);
    const Result<FoundEvents> cancelled = found(Result<std::vector<EventIndex>>(Error::cancelled()));
    ASSERT_FALSE(cancelled.ok());
    EXPECT_TRUE(cancelled.isCancelled());
}

}  // namespace
}  // namespace overlane
