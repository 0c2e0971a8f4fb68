// Hits of a search in the lanes: outlined over the others, which are veiled.
#include <random>

#include <QImage>

#include "app/theme/palette.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{
namespace
{

class SearchHitsTest : public TimelineViewTest
{
protected:
    QImage lanes() const { return m_timeline.lanes()->grab().toImage(); }
    QColor at(const QImage& picture, QPoint px) const { return picture.pixelColor(px); }
    const Palette& colors() const { return Palette::current(m_timeline.palette()); }

    // One thread of 100,000 events with gaps, from 1 to 5,000 ns, in a timeline without anything else.
    void showCrowd()
    {
        TraceBuilder builder;
        const TrackId process = builder.addTrack({}, TrackKind::Process, "train.py", -1, 42);
        const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main");
        std::mt19937 random(7);
        std::int64_t atNs = 0;
        for (int i = 0; i < 100'000; ++i) {
            Event event;
            event.track = thread;
            event.kind = EventKind::RuntimeCall;
            event.startNs = atNs;
            event.durationNs = 1 + static_cast<std::int64_t>(random() % 5'000);
            event.name = builder.intern("call");
            builder.addEvent(event);
            atNs += event.durationNs + static_cast<std::int64_t>(random() % 3'000);
        }
        m_crowd = std::make_shared<const Trace>(builder.build(false));
        m_timeline.setTrace(m_crowd);
    }

    // Those that reach beyond the one before them on the picture, looked for one by one.
    std::vector<EventIndex> seenOf(const std::vector<EventIndex>& hits) const
    {
        const Interval range = m_view.range();
        const TimeScale scale(range, kPlotPx);
        std::vector<EventIndex> seen;
        int rightPx = -1;
        for (const EventIndex hit : hits) {
            const Interval at = m_crowd->interval(hit);
            if (at.endNs <= range.startNs || at.startNs >= range.endNs)
                continue;
            const int endPx = static_cast<int>(std::min<double>(kPlotPx + 2, scale.toPx(at.endNs)));
            if (endPx <= rightPx)
                continue;
            rightPx = std::max(endPx, static_cast<int>(std::max(-2.0, scale.toPx(at.startNs))) + 2);
            seen.push_back(hit);
        }
        return seen;
    }

    std::shared_ptr<const Trace> m_crowd;
};

TEST_F(SearchHitsTest, AreOutlinedAndTheOthersVeiled)
{
    const EventIndex hit = eventOf(m_sample.compute, 3);
    const QPoint middle = centerOf(hit);
    const QPoint other = centerOf(eventOf(m_sample.compute, 5)) + QPoint(0, 7);
    const QColor kernel = colors().kind(EventKind::Kernel);
    EXPECT_EQ(at(lanes(), other), kernel);

    m_timeline.setHighlights(eventSet({hit}));
    const QImage marked = lanes();
    const QRect bar = m_timeline.lanes()->rectOf(hit);
    EXPECT_EQ(at(marked, bar.topLeft() + QPoint(4, 4)), kernel);
    for (const QPoint edge : {QPoint(bar.left(), middle.y()), QPoint(bar.left() - 1, middle.y()),
                              QPoint(middle.x(), bar.top()), QPoint(middle.x(), bar.bottom())})
        EXPECT_EQ(at(marked, edge), colors().highlight);
    EXPECT_NE(at(marked, other), kernel);

    m_timeline.setHighlights(eventSet({eventOf(m_sample.compute, 5)}));
    EXPECT_EQ(at(lanes(), other - QPoint(0, 3)), kernel) << "others are found at once";
    m_view.setRange({50 * kNsPerMs, 60 * kNsPerMs});
    const QRect wide = m_timeline.lanes()->rectOf(eventOf(m_sample.compute, 5));
    EXPECT_EQ(at(lanes(), QPoint(wide.left(), wide.center().y())), colors().highlight) << "and in another range";
    m_timeline.setHighlights({});
    EXPECT_EQ(at(lanes(), wide.topLeft() + QPoint(4, 4)), kernel);
}

TEST_F(SearchHitsTest, OfACrowdThoseThatAreSeenAreDrawn)
{
    showCrowd();
    std::mt19937 random(11);
    for (const std::uint32_t every : {1u, 3u, 40u, 3'000u}) {
        std::vector<EventIndex> hits;
        for (std::uint32_t i = random() % every; i < m_crowd->eventCount(); i += 1 + random() % every)
            hits.push_back(EventIndex(i));
        const Interval all = m_view.limits();
        for (const Interval range : {all, Interval{all.lengthNs() / 3, all.lengthNs() / 2},
                                     Interval{all.lengthNs() / 2, all.lengthNs() / 2 + 3'000'000}}) {
            m_view.setRange(range);
            const std::vector<EventIndex> seen = seenOf(hits);
            EXPECT_FALSE(seen.empty());
            m_timeline.setHighlights(eventSet(hits));
            const QImage ofAll = lanes();
            m_timeline.setHighlights(eventSet(seen));
            EXPECT_TRUE(ofAll == lanes()) << every << " " << range.startNs;
        }
    }
}

TEST_F(SearchHitsTest, OfAStripAreDrawnAsInTheWholePicture)
{
    showCrowd();
    std::vector<EventIndex> hits;
    for (std::uint32_t i = 0; i < m_crowd->eventCount(); i += 5)
        hits.push_back(EventIndex(i));
    m_timeline.setHighlights(eventSet(hits));
    LaneCanvas* canvas = m_timeline.lanes();
    QImage whole(canvas->size(), QImage::Format_RGB32);
    canvas->render(&whole);
    QImage strips = whole;
    for (int x = kLabelWidthPx; x < kLabelWidthPx + kPlotPx; x += 31)
        canvas->render(&strips, {x, 0}, QRegion(x, 0, 3, canvas->height()));
    EXPECT_TRUE(strips == whole);
}

}  // namespace
}  // namespace overlane
