#include "app/sweep/front_plot.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/plot/plot_style.h"
#include "app/sweep/unit_ticker.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/sweep/advisor_text.h"

namespace overlane
{

namespace
{

constexpr int kPxPerTickY = 34;
constexpr double kRoom = 1.12;

}  // namespace

FrontPlot::FrontPlot(QWidget* parent) : PointPlot(parent)
{
    setObjectName("frontPlot");
    setAccessibleName(u"Time per batch against pinned memory"_s);
    setAccessibleDescription(u"Arrow keys go from point to point, Enter uses its settings"_s);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    m_plot->axisRect()->setMargins(QMargins(0, 8, 14, 0));
    redraw();
}

void FrontPlot::setAdvice(const std::optional<Advice>& advice)
{
    m_advice = advice;
    redraw();
}

void FrontPlot::redraw()
{
    const Palette& colors = Palette::current(palette());
    dressPlot(*m_plot, colors);
    m_plot->clearPlottables();
    m_plot->clearItems();
    removeLegend(*m_plot);
    m_plot->xAxis->setLabel(u"Pinned memory"_s);
    nameUpright(*m_plot->yAxis, u"Time per batch"_s, height());
    const auto bytes = [](double value) { return text(formatBytes(std::llround(std::max(0.0, value)))); };
    const auto time = [](double value) { return durationText(std::llround(std::max(0.0, value))); };
    m_plot->yAxis->setTicker(unitTicker(TickKind::Decimal, false, time, std::max(2, height() / kPxPerTickY)));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTicks(m_advice.has_value());  // no numbers that nobody found
        axis->grid()->setVisible(m_advice.has_value());
    }
    if (!m_advice) {
        auto* words = new QCPItemText(m_plot);
        words->setText(u"What each amount of pinned\nmemory can win comes here."_s);
        words->setFont(m_plot->xAxis->labelFont());
        words->setColor(colors.mutedText);
        words->position->setType(QCPItemPosition::ptAxisRectRatio);
        words->position->setCoords(0.5, 0.5);
        m_plot->replot(QCustomPlot::rpQueuedReplot);
        return;
    }
    const auto add = [&](const QString& name, const std::vector<AdvisorCandidate>& candidates,
                         const QCPScatterStyle& style, QCPGraph::LineStyle line, const QColor& color) {
        QCPGraph* graph = m_plot->addGraph();
        graph->setName(name);
        graph->setLineStyle(line);
        graph->setPen(QPen(color, 1.4));
        graph->setScatterStyle(style);
        QVector<double> x, y;
        for (const AdvisorCandidate& candidate : candidates) {
            x << static_cast<double>(candidate.pinnedPeakBytes);
            y << candidate.batchNs;
        }
        graph->setData(x, y);
        return graph;
    };
    // What the simulated time of one stands for.
    const auto addRange = [&](QCPGraph* graph, const AdvisorCandidate& candidate, const QColor& color) {
        const TimeRange range = timeRange(candidate);
        auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
        bars->removeFromLegend();
        bars->setDataPlottable(graph);
        bars->setPen(QPen(color, 1.2));
        bars->setData(QVector<double>{candidate.batchNs - range.lowNs},
                      QVector<double>{range.highNs - candidate.batchNs});
    };
    add(u"best for its memory"_s, m_advice->front,
        QCPScatterStyle(QCPScatterStyle::ssDisc, colors.accent, colors.accent, 5), QCPGraph::lsStepLeft, colors.accent);
    if (m_advice->now.error.empty())
        addRange(add(u"now"_s, {m_advice->now},
                     QCPScatterStyle(QCPScatterStyle::ssCross, QPen(colors.warning, 2), Qt::NoBrush, 10),
                     QCPGraph::lsNone, colors.warning),
                 m_advice->now, colors.warning);
    if (m_advice->kind != AdviceKind::NothingFits)
        addRange(add(u"advised"_s, {m_advice->advised},
                     QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colors.good, 2), Qt::NoBrush, 12),
                     QCPGraph::lsNone, colors.good),
                 m_advice->advised, colors.good);
    double right = static_cast<double>(m_advice->now.pinnedPeakBytes);
    double top = std::max(timeRange(m_advice->now).highNs, timeRange(m_advice->advised).highNs);
    right = std::max(right, static_cast<double>(m_advice->advised.pinnedPeakBytes));
    for (const AdvisorCandidate& candidate : m_advice->front) {
        right = std::max(right, static_cast<double>(candidate.pinnedPeakBytes));
        top = std::max(top, candidate.batchNs);
    }
    if (m_advice->limits.pinnedBytes > 0 && static_cast<double>(m_advice->limits.pinnedBytes) < right * 4) {
        right = std::max(right, static_cast<double>(m_advice->limits.pinnedBytes));
        auto* limit = new QCPItemStraightLine(m_plot);
        limit->setPen(QPen(colors.error, 1, Qt::DashLine));
        limit->point1->setCoords(static_cast<double>(m_advice->limits.pinnedBytes), 0);
        limit->point2->setCoords(static_cast<double>(m_advice->limits.pinnedBytes), 1);
    }
    right = std::max(right, 1024.0 * 1024);
    m_plot->xAxis->setRange(-right * 0.04, right * kRoom);
    m_plot->yAxis->setRange(0, top * kRoom);
    placeLegend(*m_plot, size());
    const int ticks = ticksThatFit(m_plot->xAxis->tickLabelFont(), acrossPx(*m_plot, size()), {bytes(1.5 * (1 << 30))});
    m_plot->xAxis->setTicker(unitTicker(TickKind::Binary, false, bytes, ticks));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QPoint FrontPlot::placeOf(const AdvisorCandidate& candidate) const
{
    return {static_cast<int>(std::lround(m_plot->xAxis->coordToPixel(static_cast<double>(candidate.pinnedPeakBytes)))),
            static_cast<int>(std::lround(m_plot->yAxis->coordToPixel(candidate.batchNs)))};
}

QPoint FrontPlot::placeOf(std::size_t front) const
{
    return placeOf(m_advice->front[front]);
}

QString FrontPlot::describe(const AdvisorCandidate& candidate) const
{
    return u"%1 per batch, %2 pinned, %3 of copy time hidden\n%4\nClick to use these settings"_s.arg(
        text(rangeText(candidate)), text(formatBytes(candidate.pinnedPeakBytes)),
        text(formatShare(candidate.overlapShare)), text(settingsSentence(candidate.scenario)));
}

const AdvisorCandidate& FrontPlot::candidate(std::size_t point) const
{
    const std::size_t front = m_advice->front.size();
    return point < front ? m_advice->front[point] : point == front ? m_advice->advised : m_advice->now;
}

std::optional<std::size_t> FrontPlot::pointNear(QPoint place) const
{
    if (!m_advice)
        return std::nullopt;
    std::optional<std::size_t> nearest;
    double least = kReachPx;
    const auto look = [&](std::size_t point) {
        const QPoint away = placeOf(candidate(point)) - place;
        if (std::hypot(away.x(), away.y()) >= least)
            return;
        least = std::hypot(away.x(), away.y());
        nearest = point;
    };
    const std::size_t front = m_advice->front.size();
    if (m_advice->kind != AdviceKind::NothingFits)
        look(front);
    if (m_advice->now.error.empty())
        look(front + 1);
    for (std::size_t point = 0; point < front; ++point)
        look(point);
    return nearest;
}

std::vector<QPoint> FrontPlot::places() const
{
    std::vector<QPoint> places;
    for (std::size_t front = 0; m_advice && front < m_advice->front.size(); ++front)
        places.push_back(placeOf(front));
    return places;
}

}  // namespace overlane
