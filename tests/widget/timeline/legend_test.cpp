#include <gtest/gtest.h>

#include "app/timeline/legend_row.h"
#include "app/timeline/timeline_metrics.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{

namespace
{

std::vector<std::string> texts(const std::vector<LegendEntry>& entries)
{
    std::vector<std::string> result;
    result.reserve(entries.size());
    for (const LegendEntry& entry : entries)
        result.push_back(entry.text.toStdString());
    return result;
}

}  // namespace

TEST(Legend, ExplainsWhatTheTracesHold)
{
    const SampleTrace pageable = sampleTrace(3, true);
    const SampleTrace pinned = sampleTrace(3, false);
    const Pyramid ofPageable(*pageable.trace);
    const Pyramid ofPinned(*pinned.trace);
    test::expectText(texts(legendEntries({})));
    test::expectText(texts(legendEntries({&ofPageable})));
    test::expectText(texts(legendEntries({nullptr, &ofPinned, &ofPageable})));
}

TEST(Legend, TakesAsManyLinesAsItNeedsAndLeavesNothingOut)
{
    const std::vector<int> widths = {100, 100, 100, 2'000, 100};
    for (const int width : {260, 400, 2'100}) {
        const std::vector<QRect> places = legendPlaces(widths, width);
        ASSERT_EQ(places.size(), widths.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            EXPECT_LE(places[i].right(), width);
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_FALSE(places[i].intersects(places[k]));
        }
    }
    EXPECT_EQ(legendPlaces({100, 100}, 400).back().top(), 0);
    EXPECT_EQ(legendPlaces({100, 100}, 210).back().top(), kLegendPx);
}

TEST(Legend, GrowsWhereItsWidgetIsNarrow)
{
    const SampleTrace sample = sampleTrace(3, true);
    LegendRow legend;
    const Pyramid pyramid(*sample.trace);
    legend.setTraces({&pyramid});
    legend.resize(1'600, 20);
    legend.grab();
    const int oneLine = legend.height();
    legend.resize(300, 20);
    legend.grab();
    EXPECT_GE(legend.height(), 2 * kLegendPx);
    legend.resize(1'600, legend.height());
    legend.grab();
    EXPECT_EQ(legend.height(), oneLine);
}

}  // namespace overlane
