// LanePainter: draws the lanes of one canvas: bars, texts, marks, links, labels.
//
// Lives on the GUI thread. The bars are rasterized, and search hits found, once for a range, scroll position and
// size, and kept; hits, selection and hover are drawn over the bars each time. Decides how a bar
// looks; what lies where comes from track_layout.h and lane_geometry.h, which threads of Qt's pool ask for its rows.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <QFont>
#include <QPainter>

#include "app/theme/palette.h"
#include "app/timeline/bar_text.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/idle_lane.h"
#include "app/timeline/lane_geometry.h"
#include "app/timeline/lane_raster.h"
#include "app/timeline/track_badge.h"
#include "app/timeline/track_layout.h"

namespace overlane
{

// What to draw; everything is borrowed for the call.
struct LaneScene {
    const Trace* trace = nullptr;
    const Pyramid* pyramid = nullptr;
    const TrackLayout* layout = nullptr;
    const Palette* palette = nullptr;
    Interval range;
    int scrollPx = 0;
    LanePart part = LanePart::All;  // links go on in the other one
    QSize sizePx;
    QRect dirtyPx;  // what has to be drawn; empty: all  // of the whole canvas, logical
    double devicePixelRatio = 1;
    EventIndex selected;
    EventIndex hovered;
    std::optional<Interval> selectedRange;
    const std::vector<EventIndex>* highlights = nullptr;  // ascending
    const std::vector<Bookmark>* bookmarks = nullptr;
    std::int64_t bookmarkOffsetNs = 0;   // added to their times
    const Analysis* analysis = nullptr;  // of the trace; null: no idle time is colored
    bool idleShown = false;              // all of it; else only the hovered and the selected gap
    std::optional<IdleGapAt> hoveredGap;
    std::optional<IdleGapAt> selectedGap;
    const TrackBadges* badges = nullptr;
};

class LanePainter
{
public:
    // The bars must be drawn anew: another trace, range, layout, scroll position, size or theme.
    void invalidate() { m_dirty = true; }
    // The search has other hits.
    void invalidateHits() { m_hitsDirty = true; }
    // Another trace: texts are other ones too.
    void forgetTexts() { m_texts.clear(); }
    void paint(QPainter& painter, const LaneScene& scene);

private:
    struct TextItem {
        QRect rect;
        EventIndex event;
        std::uint32_t count;
        QColor color;
    };
    struct IdleItem {
        int topPx;
        IdleSpan span;
    };
    struct Hit {
        int leftPx;  // of the canvas
        int rightPx;
        int topPx;
        int heightPx;
        EventKind kind;
    };
    struct Mark {
        int xPx;
        int topPx;
        int heightPx;
    };

    void rasterize(const LaneScene& scene);
    void rasterizeRow(const LaneScene& scene, const LaneRow& row, std::span<const LaneBar> bars,
                      const TimeScale& device);
    void findIdle(const LaneScene& scene);
    void paintTexts(QPainter& painter, const LaneScene& scene);
    void paintMarks(QPainter& painter, const LaneScene& scene);
    void findHits(const LaneScene& scene);
    void paintHits(QPainter& painter, const LaneScene& scene) const;
    void paintBookmarks(QPainter& painter, const LaneScene& scene) const;
    void paintIdle(QPainter& painter, const LaneScene& scene) const;
    void paintGap(QPainter& painter, const LaneScene& scene, const IdleGapAt& gap, bool selected) const;
    void paintSelection(QPainter& painter, const LaneScene& scene) const;
    void paintLinks(QPainter& painter, const LaneScene& scene, EventIndex event) const;
    void paintLabels(QPainter& painter, const LaneScene& scene) const;
    void paintBadge(QPainter& painter, const LaneScene& scene, const LaneRow& row, QRect room) const;

    bool m_dirty = true;
    bool m_hitsDirty = true;
    LaneRaster m_raster;
    BarText m_texts;
    std::vector<TextItem> m_items;
    std::vector<Mark> m_marks;             // where calls returned
    std::vector<std::vector<Hit>> m_hits;  // row by row, those in sight
    std::vector<IdleItem> m_idle;          // while all of it is shown
};

// Whether a row is the compute lane of a device: where idle time shows.
bool isComputeLane(const Trace& trace, const LaneRow& row);

// The rectangle of an event on the canvas (logical pixels), clipped to the time axis; null where it
// is on no lane or out of the range.
QRect eventRect(const LaneScene& scene, EventIndex event);
// Whether the row's name does not fit before the lanes and is elided, in its middle.
bool isLabelCut(const Trace& trace, const LaneRow& row, const QFont& font);

}  // namespace overlane
