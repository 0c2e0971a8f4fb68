#include "core/io/chrome_time.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(ParseMicroseconds, keepsEveryNanosecondOfAnEpochTime)
{
    EXPECT_EQ(parseMicroseconds("1712195495519689.125"), 1712195495519689125);
    EXPECT_EQ(parseMicroseconds("1712195495519689.0"), 1712195495519689000);
    EXPECT_EQ(parseMicroseconds("4203669604595.407"), 4203669604595407);
    EXPECT_EQ(parseMicroseconds("9223372036854775.807"), 9223372036854775807);
}

TEST(ParseMicroseconds, roundsBeyondTheNanosecondHalfUp)
{
    EXPECT_EQ(parseMicroseconds("0.0004"), 0);
    EXPECT_EQ(parseMicroseconds("0.0005"), 1);
    EXPECT_EQ(parseMicroseconds("0.00149999999999999999999999999"), 1);
    EXPECT_EQ(parseMicroseconds("-0.0015"), -2);
    EXPECT_EQ(parseMicroseconds("0.00049999999999999999999999999"), 0);
}

TEST(ParseMicroseconds, readsExponents)
{
    EXPECT_EQ(parseMicroseconds("1.5e3"), 1500000);
    EXPECT_EQ(parseMicroseconds("1.712195495519689125E15"), 1712195495519689125);
    EXPECT_EQ(parseMicroseconds("25e-4"), 3);
    EXPECT_EQ(parseMicroseconds("1e-400"), 0);
    EXPECT_EQ(parseMicroseconds("0e999999999"), 0);
}

TEST(ParseMicroseconds, refusesWhatIsNoTime)
{
    for (const char* text : {"", "-", "NaN", "Infinity", "inf", "1e400", "9223372036854775.808", "1.2.3", "12x", "1e",
                             ".5", "99999999999999999999999999", "0x10", "1 2"})
        EXPECT_FALSE(parseMicroseconds(text).has_value()) << text;
}

TEST(ParseInteger, takesExactIntegersOnly)
{
    EXPECT_EQ(parseInteger("50331648"), 50331648);
    EXPECT_EQ(parseInteger("-1"), -1);
    EXPECT_EQ(parseInteger("7.0"), 7);
    EXPECT_EQ(parseInteger("9223372036854775807"), 9223372036854775807);
    for (const char* text : {"10159970886766084423", "7.5", "stream 7", "", "null"})
        EXPECT_FALSE(parseInteger(text).has_value()) << text;
}

}  // namespace
}  // namespace overlane
