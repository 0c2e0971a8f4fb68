#include "core/job/shared_list.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(SharedList, CopiesShareUntilOneIsChanged)
{
    SharedList<int> first;
    EXPECT_TRUE(std::as_const(first).empty());
    first.push_back(1);
    first.push_back(2);
    SharedList<int> second = first;
    EXPECT_EQ(&std::as_const(first).front(), &std::as_const(second).front());
    EXPECT_EQ(first, second);
    second[1] = 7;
    EXPECT_EQ(std::as_const(first).at(1), 2);
    EXPECT_EQ(std::as_const(second).at(1), 7);
    EXPECT_NE(first, second);
    second.clear();
    EXPECT_EQ(std::as_const(first).size(), 2u);
    EXPECT_TRUE(std::as_const(second).empty());
}

}  // namespace
}  // namespace overlane
