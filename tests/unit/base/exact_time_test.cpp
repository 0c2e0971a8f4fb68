#include "core/base/exact_time.h"

#include <gtest/gtest.h>
#include <limits>

namespace overlane
{
namespace
{

TEST(ExactTime, HasEveryDigitInGroups)
{
    EXPECT_EQ(formatExactTime(0), "0\u2009ns");
    EXPECT_EQ(formatExactTime(512), "512\u2009ns");
    EXPECT_EQ(formatExactTime(129'432), "129.432\u2009\u00b5s");
    EXPECT_EQ(formatExactTime(5'129'032), "5.129\u2009032\u2009ms");
    EXPECT_EQ(formatExactTime(21'366'129'432), "21.366\u2009129\u2009432\u2009s");
    EXPECT_EQ(formatExactTime(7'200'000'000'001), "7\u2009200.000\u2009000\u2009001\u2009s");
    EXPECT_EQ(formatExactTime(-1'000), "-1.000\u2009\u00b5s");
    EXPECT_EQ(formatExactTime(std::numeric_limits<std::int64_t>::min()),
              "-9\u2009223\u2009372\u2009036.854\u2009775\u2009808\u2009s");
}

}  // namespace
}  // namespace overlane
