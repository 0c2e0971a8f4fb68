// A timeline over its gauges at 1920x1080 with everything shown that the timeline can show at once, for the benchmark
// of its frames.
//
// Lives on the GUI thread. A frame is drawn as the window draws it: what asked for an update, into the backing store.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>
#include <qcustomplot.h>

#include "app/theme/palette.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/track_arrangement.h"
#include "app/timeline/track_layout.h"
#include "app/timeline/view_range.h"
#include "core/analysis/analysis.h"
#include "core/lod/trace_pyramids.h"

namespace overlane
{

class CrowdedWindow
{
public:
    static constexpr int kBookmarks = 40;
    static constexpr int kStepMarks = 200;

    CrowdedWindow(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const TracePyramids>& pyramids)
        : m_timeline(&m_view, &m_selection), m_gauges(&m_view)
    {
        constexpr int kGaugesPx = 500;
        m_window.resize(1920, 1080);
        m_timeline.setParent(&m_window);
        m_gauges.setParent(&m_window);
        m_timeline.setGeometry(0, 0, m_window.width(), m_window.height() - kGaugesPx);
        m_gauges.setGeometry(0, m_window.height() - kGaugesPx, m_window.width(), kGaugesPx);
        m_timeline.setTrace(trace, pyramids);
        m_gauges.setTrace(trace, pyramids);
        m_timeline.expandAll();
        m_window.show();
        m_timeline.setAnalysis(std::make_shared<const Analysis>(*trace));
        m_timeline.setIdleShown(true);
        mark(*trace);
        arrange(*trace);
        SecondTrace second;
        second.trace = trace;
        second.pyramids = pyramids;
        second.badge = "B";
        second.firstBadge = "A";
        second.title = "the same";
        second.offsetNs = trace->span().lengthNs() / 1000;
        m_timeline.below()->setSecond(second);
        m_timeline.below()->lanes()->changeCollapse(
            [](CollapseState& state, const Trace& shown) { state.setAll(shown, false); });
        QCoreApplication::processEvents();
    }

    ViewRange& view() { return m_view; }
    int gauges() const { return m_gauges.plotCount(); }
    std::size_t hits() const { return m_hits; }
    bool isWhole() const
    {
        return m_timeline.pinned()->isVisible() && m_timeline.below()->isVisible() && m_timeline.lanes()->height() > 0;
    }

    // Selects a linked event in the middle of what is shown, and the range around it.
    void selectInSight()
    {
        const Trace& trace = *m_timeline.trace();
        const Interval range = m_view.range();
        const std::int64_t middleNs = range.startNs + range.lengthNs() / 2;
        for (const Track& track : trace.tracks())
            if (track.kind == TrackKind::Stream && !track.rows.empty()) {
                const EventRange seen = visibleEvents(trace, track.rows.front(), {middleNs, middleNs + 1'000'000});
                if (seen.first < seen.last) {
                    m_selection.setEvent(EventIndex(seen.first));
                    break;
                }
            }
        m_selection.setRange(Interval{middleNs - range.lengthNs() / 8, middleNs + range.lengthNs() / 8});
        m_view.cursor()->measureFrom(middleNs - range.lengthNs() / 4);
    }

    void pointAt(double share)
    {
        const Interval range = m_view.range();
        m_view.cursor()->pointAt(range.startNs +
                                 static_cast<std::int64_t>(share * static_cast<double>(range.lengthNs())));
    }

    void drawRange()
    {
        m_gauges.plot()->replot(QCustomPlot::rpQueuedRefresh);
        drawCursor();
    }
    // What the cursor left and came to; the gauges keep their curves.
    void drawCursor()
    {
        QEvent request(QEvent::UpdateRequest);
        QCoreApplication::sendEvent(&m_window, &request);
    }

private:
    void mark(const Trace& trace)
    {
        const Interval span = trace.span();
        for (int i = 0; i < kBookmarks; ++i)
            m_timeline.bookmarks()->add(span.startNs + span.lengthNs() * (2 * i + 1) / (2 * kBookmarks),
                                        "bookmark " + QString::number(i));
        std::vector<RulerMark> steps;
        for (int i = 0; i < kStepMarks; ++i) {
            const std::int64_t fromNs = span.startNs + span.lengthNs() * i / kStepMarks;
            steps.push_back({{fromNs, fromNs + span.lengthNs() / (2 * kStepMarks)},
                             i < 3 ? RulerMark::Kind::WarmUp : RulerMark::Kind::Outlier,
                             {}});
        }
        m_timeline.setStepMarks(std::move(steps));
        TrackBadges badges;
        for (std::size_t i = 0; i < trace.tracks().size(); ++i)
            badges[TrackId(i)] = {{"42 % exposed", "42 %"}, Qt::red, {}};
        m_timeline.setBadges(std::move(badges));
        std::vector<EventIndex> hits;
        for (std::size_t i = 0; i < trace.eventCount(); ++i)
            if (trace.name(EventIndex(i)).find("kernel_1") != std::string_view::npos)
                hits.push_back(EventIndex(i));
        m_hits = hits.size();
        m_timeline.setHighlights(eventSet(std::move(hits)));
    }

    // One engine in sight at all times, and a color for each thread.
    void arrange(const Trace& trace)
    {
        m_timeline.arrange([&trace](TrackArrangement& arrangement, const Trace&) {
            std::uint32_t color = 0xFF3060A0;
            for (std::size_t i = 0; i < trace.tracks().size(); ++i) {
                const Track& track = trace.tracks()[i];
                const std::string path = trackPath(trace, TrackId(i));
                TrackLook look = arrangement.of(path);
                look.pinned = track.kind == TrackKind::EngineH2D;
                if (track.kind == TrackKind::Thread)
                    look.color = color += 0x070305;
                arrangement.set(path, look);
            }
        });
    }

    ViewRange m_view;
    Selection m_selection;
    QWidget m_window;  // outlived by none of its children
    TimelineView m_timeline;
    GaugePanel m_gauges;
    std::size_t m_hits = 0;
};

}  // namespace overlane
