// GaugePanel: the trace's counters as step plots under the lanes, on the same time axis.
//
// Lives on the GUI thread; shares the trace and follows the visible range it was given. Left and
// right margins are those of the lanes (timeline_metrics.h). Hidden where a trace has no counters.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "core/base/interval.h"
#include "core/trace/trace.h"

class QCustomPlot;
class QCPAxisRect;
class QCPGraph;
class QCPItemText;

namespace overlane
{

class ViewRange;

class GaugePanel : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kMaximumPlots = 5;

    // The owner of the range is not taken over and must outlive the panel.
    explicit GaugePanel(ViewRange* view, QWidget* parent = nullptr);

    void setTrace(std::shared_ptr<const Trace> trace);
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    // How many plots are shown: as many as the height holds, at most kMaximumPlots.
    int plotCount() const { return static_cast<int>(m_gauges.size()); }
    QCustomPlot* plot() const { return m_plot; }
    // The counter whose gauge is at a height of the plot, and its place there; none elsewhere.
    TrackId trackAt(int yPx, QRect* placePx) const;

    QSize sizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Gauge {
        const CounterSeries* series = nullptr;
        QCPAxisRect* rect = nullptr;
        QCPGraph* graph = nullptr;
        QCPItemText* label = nullptr;
    };
    int plotsThatFit() const;
    void rebuild();
    void refresh();

    ViewRange* m_view;
    QCustomPlot* m_plot;
    std::shared_ptr<const Trace> m_trace;
    std::vector<Gauge> m_gauges;
    int m_plotLimit = kMaximumPlots;
    int m_wantedPlots = 0;  // where there is room for all
};

}  // namespace overlane
