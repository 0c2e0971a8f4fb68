#include "core/base/number_text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/support/comma_locale.h"

namespace overlane
{
namespace
{

void expectNumbers()
{
    EXPECT_EQ(parseReal("1.5"), 1.5);
    EXPECT_EQ(parseReal("-0.25e2"), -25.0);
    EXPECT_EQ(parseReal("17"), 17.0);
    for (const char* text : {"", "1,5", "1.5x", " 1", "x", "nan", "inf", "-infinity", "1e999"})
        EXPECT_EQ(parseReal(text), std::nullopt) << text;

    std::string_view speed = "16.5 GT/s PCIe";
    EXPECT_EQ(takeReal(speed), 16.5);
    EXPECT_EQ(speed, " GT/s PCIe");
    EXPECT_EQ(takeReal(speed), std::nullopt);
    EXPECT_EQ(speed, " GT/s PCIe");

    EXPECT_EQ(roundedToDigits(5.31234567e10, 6), 5.31235e10);
    EXPECT_EQ(roundedToDigits(0.1 + 0.2, 12), 0.3);
    EXPECT_EQ(roundedToDigits(-1.0 / 3, 3), -0.333);
    EXPECT_EQ(roundedToDigits(0, 6), 0);
    EXPECT_TRUE(std::isinf(roundedToDigits(std::numeric_limits<double>::infinity(), 6)));
}

TEST(NumberTextTest, ReadsAndRoundsWithAPoint)
{
    expectNumbers();
}

TEST(NumberTextTest, TheLocaleChangesNothing)
{
    const test::CommaLocale comma;
    if (!comma.active())
        GTEST_SKIP() << "localedef is missing; cmake/install_packages.sh installs it";
    expectNumbers();
}

}  // namespace
}  // namespace overlane
