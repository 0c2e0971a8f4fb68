// GaugePanel: the trace's counters as step plots under the lanes, on the same time axis.
//
// Lives on the GUI thread; shares the trace and its pyramids, and follows the visible range it was given.
// The time pointed at is read out over it; the wheel zooms there. Left and right margins are those of the lanes
// (timeline_metrics.h). The curves end where the trace does. Hidden where a trace has no counters.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/timeline/track_arrangement.h"
#include "core/base/interval.h"
#include "core/lod/trace_pyramids.h"
#include "core/trace/trace.h"

class QCustomPlot;
class QCPAxisRect;
class QCPItemText;

namespace overlane
{

class CounterCurve;
class GaugeReadout;
class ViewRange;

// What a place of the gauges is about.
struct GaugeSpot {
    TrackId track;                   // its counter
    std::optional<std::int64_t> ns;  // none beside the time axis
};

class GaugePanel : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kUsualPlots = 5;  // that it asks for room for
    static constexpr int kMaximumPlots = 10;

    // The owner of the range is not taken over and must outlive the panel.
    explicit GaugePanel(ViewRange* view, QWidget* parent = nullptr);

    // Makes the pyramids where none are given.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids = {});
    // Which are hidden, their order and scales, as a person arranged the tracks.
    void setArrangement(const TrackArrangement& arrangement);
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    const std::shared_ptr<const TracePyramids>& pyramids() const { return m_pyramids; }
    // How many plots are shown: as many as the height holds, the sixth to the tenth at full height only.
    int plotCount() const { return static_cast<int>(m_gauges.size()); }
    QCustomPlot* plot() const { return m_plot; }
    // The values at the time pointed at.
    const GaugeReadout* readout() const { return m_readout; }
    // The counter whose gauge is at a height of the plot, and its place there; none elsewhere.
    TrackId trackAt(int yPx, QRect* placePx) const;

    // By the place of the gauge, from above; none where there is no such gauge.
    std::optional<GaugeSpot> spot(int number) const;
    const CounterPyramid* counter(int number) const { return gauge(number).counter; }
    QRect placeOf(int number) const;
    // At the time pointed at; none elsewhere, and none behind the trace's end. As text, as it is drawn there.
    std::optional<double> valueAtCursor(int number) const;
    QString valueText(int number) const;
    // The gauge that keys are for: Up and Down go to another, Left and Right from change to change.
    int current() const { return m_current; }
    void setCurrent(int number);

    // Samples and nodes of pyramids that the last frame needed.
    std::size_t lookedAt() const { return m_lookedAt; }

    QSize sizeHint() const override;

signals:
    void contextMenuRequested(const overlane::GaugeSpot& spot, QPoint globalPos);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    struct Gauge {
        const CounterPyramid* counter = nullptr;
        QCPAxisRect* rect = nullptr;
        CounterCurve* curve = nullptr;
        QCPItemText* label = nullptr;
    };
    const Gauge& gauge(int number) const { return m_gauges[static_cast<std::size_t>(number)]; }
    int plotsThatFit() const;
    void stepCursor(int by);
    void rebuild();
    void refresh();
    void readOut();

    ViewRange* m_view;
    QCustomPlot* m_plot;
    GaugeReadout* m_readout;
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const TracePyramids> m_pyramids;
    TrackArrangement m_arrangement;
    std::vector<Gauge> m_gauges;
    int m_current = 0;
    std::size_t m_lookedAt = 0;
    int m_plotLimit = kMaximumPlots;
    int m_wantedPlots = 0;  // where there is room for all
};

}  // namespace overlane
