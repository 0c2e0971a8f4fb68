#include "core/system/pcie_link.h"

#include <gtest/gtest.h>

#include "tests/support/comma_locale.h"

namespace overlane
{
namespace
{

void expectGenerations()
{
    EXPECT_EQ(pcieGeneration("2.5 GT/s PCIe"), 1);
    EXPECT_EQ(pcieGeneration("5.0 GT/s PCIe"), 2);
    EXPECT_EQ(pcieGeneration("16.0 GT/s PCIe"), 4);
    EXPECT_EQ(pcieGeneration("64.0 GT/s PCIe"), 6);
    EXPECT_EQ(pcieGeneration("Unknown"), 0);
    EXPECT_EQ(pcieGeneration(""), 0);
}

TEST(PcieLinkTest, TheSpeedTellsTheGeneration)
{
    expectGenerations();
}

TEST(PcieLinkTest, TheLocaleChangesNothing)
{
    const test::CommaLocale comma;
    if (!comma.active())
        GTEST_SKIP() << "localedef is missing; cmake/install_packages.sh installs it";
    expectGenerations();
}

}  // namespace
}  // namespace overlane
