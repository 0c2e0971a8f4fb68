#include "core/simulation/event_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(EventQueueTest, EarliestFirstAndSameTimesInOrderOfArrival)
{
    EventQueue queue;
    std::uint32_t index = 0;
    for (const std::int64_t timeNs : {30, 10, 20, 10, 30, 10})
        queue.push({timeNs, 0, {}, index++, 0});
    std::vector<std::uint32_t> order;
    while (!queue.empty())
        order.push_back(queue.pop().index);
    EXPECT_THAT(order, testing::ElementsAre(1, 3, 5, 2, 0, 4));
}

}  // namespace
}  // namespace overlane
