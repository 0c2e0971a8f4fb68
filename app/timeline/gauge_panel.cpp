#include "app/timeline/gauge_panel.h"

#include <algorithm>

#include <qcustomplot.h>

#include "app/theme/palette.h"
#include "app/timeline/step_samples.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"
#include "core/trace/track_names.h"

namespace overlane
{

namespace
{

constexpr int kPlotPx = 46;
constexpr int kLeastPlotPx = 38;  // lower ones cannot hold the two numbers of their axis
constexpr int kAbovePx = 4;
constexpr int kBelowPx = 7;  // the lower half of the number at the base line
constexpr int kSmallestPlotPx = 16;
constexpr const char* kPinnedGauge = "Pinned memory";
constexpr double kHeadroom = 1.2;  // above the highest value, so that its number stays whole

// A name on one line, else on two, elided where even these are too short.
QString label(const QFontMetrics& metrics, const QString& name, int widthPx)
{
    if (metrics.horizontalAdvance(name) <= widthPx)
        return name;
    QString first;
    QString rest = name;
    for (qsizetype space = name.indexOf(QLatin1Char(' ')); space > 0; space = name.indexOf(QLatin1Char(' '), space + 1))
        if (metrics.horizontalAdvance(name.left(space)) <= widthPx) {
            first = name.left(space);
            rest = name.mid(space + 1);
        }
    rest = metrics.elidedText(rest, Qt::ElideMiddle, widthPx);
    return first.isEmpty() ? rest : first + QLatin1Char('\n') + rest;
}

QString formatted(CounterUnit unit, double value)
{
    const auto whole = static_cast<std::int64_t>(value);
    switch (unit) {
        case CounterUnit::Bytes:
            return QString::fromStdString(formatBytes(whole));
        case CounterUnit::Nanoseconds:
            return QString::fromStdString(formatDuration(whole));
        case CounterUnit::BytesPerSecond:
            return QString::fromStdString(formatRate(whole, kNsPerS));
        case CounterUnit::Percent:
            return QString::number(value, 'f', 0) + QStringLiteral("\u2009%");
        case CounterUnit::Count:
            break;
    }
    return QString::fromStdString(formatCount(whole));
}

// Two ticks at most, in the counter's unit: zero and the top.
class UnitTicker : public QCPAxisTicker
{
public:
    UnitTicker(CounterUnit unit, bool moves) : m_unit(unit), m_moves(moves) {}

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        return m_moves ? QVector<double>{0, range.upper / kHeadroom} : QVector<double>{0};
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return formatted(m_unit, tick); }
    int getSubTickCount(double) override { return 0; }

private:
    CounterUnit m_unit;
    bool m_moves;  // above zero
};

// The counters that move say more than those that stand still, but for pinned memory: what is locked
// stays so for a whole run. Among each, all sources have one order.
std::vector<const CounterSeries*> worthShowing(const Trace& trace, int limit)
{
    std::vector<const CounterSeries*> series;
    for (const CounterSeries& counter : trace.counters())
        if (!counter.timesNs.empty())
            series.push_back(&counter);
    std::stable_sort(series.begin(), series.end(), [&](const CounterSeries* a, const CounterSeries* b) {
        return gaugeRank(trace.track(a->track).name) < gaugeRank(trace.track(b->track).name);
    });
    const auto moves = [&](const CounterSeries* counter) {
        const auto [low, high] = std::minmax_element(counter->values.begin(), counter->values.end());
        return *low != *high || (*high > 0 && trace.track(counter->track).name == kPinnedGauge);
    };
    std::stable_partition(series.begin(), series.end(), moves);
    series.resize(std::min(series.size(), static_cast<std::size_t>(limit)));
    return series;
}

}  // namespace

GaugePanel::GaugePanel(ViewRange* view, QWidget* parent) : QWidget(parent), m_view(view), m_plot(new QCustomPlot(this))
{
    // The plot queues replots of its own, also before a layout gave it room: on an area of nothing they fail.
    m_plot->setMinimumSize(kSmallestPlotPx, kSmallestPlotPx);
    m_plot->resize(m_plot->minimumSize());
    m_plot->setViewport(m_plot->rect());
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setNotAntialiasedElements(QCP::aeAll);
    m_plot->setPlottingHint(QCP::phFastPolylines);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Gauges"));
    connect(view, &ViewRange::rangeChanged, this, &GaugePanel::refresh);
    rebuild();
}

TrackId GaugePanel::trackAt(int yPx, QRect* placePx) const
{
    for (const Gauge& gauge : m_gauges) {
        *placePx = gauge.rect->outerRect();
        if (yPx >= placePx->top() && yPx <= placePx->bottom())
            return gauge.series->track;
    }
    return {};
}

QSize GaugePanel::sizeHint() const
{
    return {800, std::max(1, m_wantedPlots) * (kPlotPx + kAbovePx)};
}

void GaugePanel::setTrace(std::shared_ptr<const Trace> trace)
{
    m_trace = std::move(trace);
    rebuild();
}

void GaugePanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        rebuild();
    QWidget::changeEvent(event);
}

void GaugePanel::resizeEvent(QResizeEvent*)
{
    m_plot->setGeometry(rect());
    if (plotsThatFit() != m_plotLimit)
        rebuild();
    else
        refresh();
}

void GaugePanel::showEvent(QShowEvent*)
{
    refresh();
}

int GaugePanel::plotsThatFit() const
{
    return std::clamp(height() / kLeastPlotPx, 1, kMaximumPlots);
}

void GaugePanel::rebuild()
{
    const Palette& colors = Palette::current(palette());
    m_gauges.clear();
    m_plot->clearItems();
    m_plot->clearPlottables();
    m_plot->plotLayout()->clear();
    m_plot->setBackground(colors.panel);
    m_plot->plotLayout()->setRowSpacing(0);
    m_plot->plotLayout()->setMargins(QMargins(0, 0, 0, 0));
    m_plotLimit = plotsThatFit();
    auto series = m_trace ? worthShowing(*m_trace, kMaximumPlots) : std::vector<const CounterSeries*>{};
    m_wantedPlots = static_cast<int>(series.size());
    series.resize(std::min(series.size(), static_cast<std::size_t>(m_plotLimit)));
    for (std::size_t i = 0; i < series.size(); ++i) {
        Gauge gauge;
        gauge.series = series[i];
        gauge.rect = new QCPAxisRect(m_plot, false);
        gauge.rect->addAxes(QCPAxis::atLeft | QCPAxis::atBottom);
        m_plot->plotLayout()->addElement(static_cast<int>(i), 0, gauge.rect);
        gauge.rect->setAutoMargins(QCP::msNone);
        gauge.rect->setMargins(QMargins(kLabelWidthPx, kAbovePx, kRightMarginPx, kBelowPx));
        gauge.rect->setMinimumSize(1, 1);  // the panel decides how many fit
        gauge.rect->setBackground(colors.lanes);
        QCPAxis* left = gauge.rect->axis(QCPAxis::atLeft);
        QCPAxis* bottom = gauge.rect->axis(QCPAxis::atBottom);
        left->setTicker(QSharedPointer<QCPAxisTicker>(new UnitTicker(
            gauge.series->unit, *std::max_element(gauge.series->values.begin(), gauge.series->values.end()) > 0)));
        left->setTickLabelColor(colors.mutedText);
        QFont small = font();
        small.setPixelSize(11);
        left->setTickLabelFont(small);
        left->setTickLength(0, 3);
        for (QCPAxis* axis : {left, bottom}) {
            axis->setBasePen(QPen(colors.border));
            axis->setTickPen(QPen(colors.border));
            axis->grid()->setPen(QPen(colors.grid));
            axis->grid()->setZeroLinePen(QPen(colors.grid));
        }
        bottom->setTicks(false);
        bottom->setTickLabels(false);
        bottom->grid()->setVisible(false);
        gauge.graph = m_plot->addGraph(bottom, left);
        gauge.graph->setLineStyle(QCPGraph::lsStepLeft);
        gauge.graph->setAdaptiveSampling(false);
        const QColor color = colors.series[i % colors.series.size()];
        gauge.graph->setPen(QPen(color, 1));
        QColor fill = color;
        fill.setAlpha(50);
        gauge.graph->setBrush(fill);
        gauge.label = new QCPItemText(m_plot);
        gauge.label->setClipToAxisRect(false);
        gauge.label->setTextAlignment(Qt::AlignLeft);
        gauge.label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        gauge.label->position->setType(QCPItemPosition::ptAbsolute);
        gauge.label->setColor(colors.text);
        gauge.label->setFont(font());
        m_gauges.push_back(gauge);
    }
    setVisible(!m_gauges.empty());
    setMinimumHeight(m_gauges.empty() ? 0 : kLeastPlotPx);
    updateGeometry();
    refresh();
}

void GaugePanel::refresh()
{
    if (m_gauges.empty() || m_plot->viewport().isEmpty() || !isVisible())
        return;
    const Interval range = m_view->range();
    for (Gauge& gauge : m_gauges) {
        const StepSamples samples = stepSamples(*gauge.series, range, plotWidthPx(width()));
        QVector<QCPGraphData> points;
        points.reserve(static_cast<qsizetype>(samples.points.size()));
        for (const StepPoint& point : samples.points)
            points.push_back({static_cast<double>(point.timeNs - range.startNs), point.value});
        gauge.graph->data()->set(points, true);
        gauge.rect->axis(QCPAxis::atBottom)
            ->setRange(0, static_cast<double>(std::max<std::int64_t>(1, range.lengthNs())));
        const double top = *std::max_element(gauge.series->values.begin(), gauge.series->values.end());
        gauge.rect->axis(QCPAxis::atLeft)->setRange(0, top > 0 ? top * kHeadroom : 1);
        const QString name = QString::fromStdString(m_trace->track(gauge.series->track).name);
        // The plots share the height evenly.
        const double middlePx = (static_cast<double>(&gauge - m_gauges.data()) + 0.5) * height() / plotCount();
        const QFontMetrics metrics(font());
        gauge.label->setText(label(metrics, name, kLabelWidthPx - 76));
        gauge.label->position->setPixelPosition(QPointF(8, middlePx));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace overlane
