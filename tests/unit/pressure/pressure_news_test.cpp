#include "core/pressure/pressure_news.h"

#include <gtest/gtest.h>

#include "core/pressure/pressure_blocks.h"

namespace overlane
{
namespace
{

TEST(PressureNewsTest, AReportComesBackAsItWasTold)
{
    PressureReport report;
    report.ended = "Stopped with Ctrl+C.";
    PressureStep& step = report.steps.emplace_back();
    step.pinnedBytes = 64;
    step.batches = 7;
    step.medianBatchNs = 3'100'000;
    step.slowBatchNs = 4'200'000;
    step.usage.pageCacheBytes = 128;
    step.usage.swapBytes = 32;
    step.expected = {130, 31};
    step.refaultedBytesPerSecond = 512;
    step.pressurePercent = 12.5;
    const auto back = parsePressureReport(jsonOf({}, report));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->ended, report.ended);
    ASSERT_EQ(back->steps.size(), 1U);
    EXPECT_EQ(tabSeparated(pressureTable(*back)), tabSeparated(pressureTable(report)));
    EXPECT_EQ(pressureConclusion(*back), pressureConclusion(report));
}

TEST(PressureNewsTest, WhatIsNoReportIsNone)
{
    for (const char* other : {"", "{", "{}", "[]", R"({"ended": "", "steps": [{}]})", R"({"ended": 1, "steps": []})"})
        EXPECT_FALSE(parsePressureReport(other)) << other;
}

}  // namespace
}  // namespace overlane
