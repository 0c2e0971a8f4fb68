// The spans of the strip of the whole run: the same from every thread, and looked up once.
#include "app/timeline/overview_spans.h"

#include <gtest/gtest.h>
#include <thread>

#include <QThreadPool>

#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{
namespace
{

constexpr int kWidthPx = 800;

TEST(OverviewSpansTest, AreTheSameFromThePoolAndFromWhoPaints)
{
    const auto pyramids = std::make_shared<const TracePyramids>(sampleTrace(15'000).trace);
    ASSERT_GT(pyramids->trace->eventCount(), 100'000) << "large enough for a thread";
    const Interval limits = pyramids->trace->span();
    OverviewSpans own(pyramids, limits, kWidthPx);
    const std::shared_ptr<OverviewSpans> begun = OverviewSpans::begun(pyramids, limits, kWidthPx);
    EXPECT_EQ(begun->bands(), own.bands()) << "waited for, or looked up here";
    EXPECT_TRUE(QThreadPool::globalInstance()->waitForDone());
    for (const std::vector<LaneSpan>& band : begun->bands())
        EXPECT_FALSE(band.empty());
    const LaneSpan* first = begun->bands()[0].data();
    std::thread([&] { EXPECT_EQ(begun->bands()[0].data(), first) << "looked up once"; }).join();
}

TEST(OverviewSpansTest, AreOfOneWidthAndRange)
{
    const auto pyramids = std::make_shared<const TracePyramids>(sampleTrace().trace);
    const Interval limits = pyramids->trace->span();
    const OverviewSpans spans(pyramids, limits, kWidthPx);
    EXPECT_TRUE(spans.isOf(limits, kWidthPx));
    EXPECT_FALSE(spans.isOf(limits, kWidthPx + 1));
    EXPECT_FALSE(spans.isOf({limits.startNs, limits.endNs + 1}, kWidthPx));
}

}  // namespace
}  // namespace overlane
