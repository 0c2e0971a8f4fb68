#include "app/sweep/front_plot.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <qcustomplot.h>

#include "app/plot/plot_cursor.h"
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

FrontPlot::FrontPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this)), m_cursor(new PlotCursor(this))
{
    setObjectName("frontPlot");
    setAccessibleName(u"Time per batch against pinned memory"_s);
    setMinimumSize(160, 90);
    m_plot->setMinimumSize(kSmallestPlotPx, kSmallestPlotPx);
    m_plot->resize(m_plot->minimumSize());
    m_plot->setViewport(m_plot->rect());
    m_plot->setMouseTracking(true);
    m_plot->setFocusPolicy(Qt::NoFocus);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleDescription(u"Arrow keys go from point to point, Enter uses its settings"_s);
    m_plot->installEventFilter(this);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    m_plot->axisRect()->setMargins(QMargins(0, 8, 14, 0));
    rebuild();
}

void FrontPlot::setAdvice(const std::optional<Advice>& advice)
{
    m_advice = advice;
    rebuild();
}

void FrontPlot::rebuild()
{
    const Palette& colours = Palette::current(palette());
    dressPlot(*m_plot, colours);
    m_plot->clearPlottables();
    m_plot->clearItems();
    removeLegend(*m_plot);
    m_plot->xAxis->setLabel(u"Pinned memory"_s);
    m_plot->yAxis->setLabel(u"Time per batch"_s);
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
        words->setColor(colours.mutedText);
        words->position->setType(QCPItemPosition::ptAxisRectRatio);
        words->position->setCoords(0.5, 0.5);
        m_plot->replot(QCustomPlot::rpQueuedReplot);
        return;
    }
    const auto add = [&](const QString& name, const std::vector<AdvisorCandidate>& candidates,
                         const QCPScatterStyle& style, QCPGraph::LineStyle line, const QColor& colour) {
        QCPGraph* graph = m_plot->addGraph();
        graph->setName(name);
        graph->setLineStyle(line);
        graph->setPen(QPen(colour, 1.4));
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
    const auto addRange = [&](QCPGraph* graph, const AdvisorCandidate& candidate, const QColor& colour) {
        const TimeRange range = timeRange(candidate);
        auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
        bars->removeFromLegend();
        bars->setDataPlottable(graph);
        bars->setPen(QPen(colour, 1.2));
        bars->setData(QVector<double>{candidate.batchNs - range.lowNs},
                      QVector<double>{range.highNs - candidate.batchNs});
    };
    add(u"best for its memory"_s, m_advice->front,
        QCPScatterStyle(QCPScatterStyle::ssDisc, colours.accent, colours.accent, 5), QCPGraph::lsStepLeft,
        colours.accent);
    if (m_advice->now.error.empty())
        addRange(add(u"now"_s, {m_advice->now},
                     QCPScatterStyle(QCPScatterStyle::ssCross, QPen(colours.warning, 2), Qt::NoBrush, 10),
                     QCPGraph::lsNone, colours.warning),
                 m_advice->now, colours.warning);
    if (m_advice->kind != AdviceKind::NothingFits)
        addRange(add(u"advised"_s, {m_advice->advised},
                     QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colours.good, 2), Qt::NoBrush, 12),
                     QCPGraph::lsNone, colours.good),
                 m_advice->advised, colours.good);
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
        limit->setPen(QPen(colours.error, 1, Qt::DashLine));
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

QPoint FrontPlot::placeOf(std::size_t front) const
{
    const AdvisorCandidate& candidate = m_advice->front[front];
    return {static_cast<int>(std::lround(m_plot->xAxis->coordToPixel(static_cast<double>(candidate.pinnedPeakBytes)))),
            static_cast<int>(std::lround(m_plot->yAxis->coordToPixel(candidate.batchNs)))};
}

QString FrontPlot::describe(const AdvisorCandidate& candidate) const
{
    return u"%1 per batch, %2 pinned, %3 of copy time hidden\n%4\nClick to use these settings"_s.arg(
        text(rangeText(candidate)), text(formatBytes(candidate.pinnedPeakBytes)),
        text(formatShare(candidate.overlapShare)), text(settingsSentence(candidate.scenario)));
}

const AdvisorCandidate* FrontPlot::candidateAt(QPoint place) const
{
    if (!m_advice)
        return nullptr;
    const AdvisorCandidate* nearest = nullptr;
    double least = kReachPx;
    const auto look = [&](const AdvisorCandidate& candidate) {
        const double x = m_plot->xAxis->coordToPixel(static_cast<double>(candidate.pinnedPeakBytes)) - place.x();
        const double y = m_plot->yAxis->coordToPixel(candidate.batchNs) - place.y();
        if (std::hypot(x, y) >= least)
            return;
        least = std::hypot(x, y);
        nearest = &candidate;
    };
    if (m_advice->kind != AdviceKind::NothingFits)
        look(m_advice->advised);
    if (m_advice->now.error.empty())
        look(m_advice->now);
    for (const AdvisorCandidate& candidate : m_advice->front)
        look(candidate);
    return nearest;
}

void FrontPlot::placeCursor()
{
    std::vector<QPoint> places;
    for (std::size_t front = 0; m_advice && front < m_advice->front.size(); ++front)
        places.push_back(placeOf(front));
    m_cursor->setPlaces(std::move(places));
}

void FrontPlot::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    placeCursor();
    if (enter && m_cursor->current()) {
        emit candidateChosen(AdvisorCandidate(m_advice->front[*m_cursor->current()]));
        return;
    }
    if (!m_cursor->move(event->key())) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (m_cursor->current())
        showReadOut(*m_plot, mapToGlobal(m_cursor->place()), describe(m_advice->front[*m_cursor->current()]));
}

void FrontPlot::focusInEvent(QFocusEvent* event)
{
    placeCursor();
    m_cursor->setShown(event->reason() != Qt::MouseFocusReason);
    QWidget::focusInEvent(event);
}

void FrontPlot::focusOutEvent(QFocusEvent* event)
{
    m_cursor->setShown(false);
    showReadOut(*m_plot, {}, {});
    QWidget::focusOutEvent(event);
}

bool FrontPlot::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const AdvisorCandidate* candidate = candidateAt(mouse->pos());
        m_plot->setCursor(candidate != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
        showReadOut(*m_plot, mouse->globalPosition().toPoint(),
                    candidate != nullptr ? describe(*candidate) : QString());
        return true;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const AdvisorCandidate* candidate = candidateAt(mouse->pos());
        if (mouse->button() == Qt::LeftButton && candidate != nullptr)
            emit candidateChosen(AdvisorCandidate(*candidate));
        return true;
    }
    return event->type() == QEvent::MouseButtonPress || QWidget::eventFilter(watched, event);
}

void FrontPlot::resizeEvent(QResizeEvent*)
{
    m_plot->setGeometry(rect());
    rebuild();
    placeCursor();
}

void FrontPlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        rebuild();
    QWidget::changeEvent(event);
}

}  // namespace overlane
