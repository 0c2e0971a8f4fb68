#include "app/tables/step_plot.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QToolTip>
#include <qcustomplot.h>

#include "app/tables/step_figures.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/base/saturated.h"

namespace overlane
{

namespace
{

constexpr double kHeadroom = 1.12;
constexpr std::int64_t kMostOverOthers = 2;
constexpr int kSmallestPlotPx = 8;

// More points than this cannot be told apart; of so many, each bucket shows its fastest and its slowest step.
constexpr std::size_t kMostPoints = 3'000;

// A warm-up of many times a step would leave no height for the others; its point then stands at the upper edge.
std::int64_t highestOf(const std::vector<Step>& steps)
{
    std::int64_t all = 1;
    std::int64_t others = 0;
    for (const Step& step : steps) {
        all = std::max(all, step.timeNs);
        others = std::max(others, step.warmUp ? 0 : step.timeNs);
    }
    return others == 0 ? all : std::min(all, saturatedProduct(others, kMostOverOthers));
}

// None lies above `highestNs`.
template <typename Wanted>
QVector<QCPGraphData> pointsOf(const std::vector<Step>& steps, std::int64_t highestNs, Wanted wanted)
{
    const std::size_t bucket = steps.size() <= kMostPoints ? 1 : (2 * steps.size() + kMostPoints - 1) / kMostPoints;
    QVector<QCPGraphData> points;
    for (std::size_t first = 0; first < steps.size(); first += bucket) {
        std::optional<std::size_t> low;
        std::optional<std::size_t> high;
        for (std::size_t i = first; i < std::min(first + bucket, steps.size()); ++i) {
            if (!wanted(steps[i]))
                continue;
            low = !low || steps[i].timeNs < steps[*low].timeNs ? i : *low;
            high = !high || steps[i].timeNs > steps[*high].timeNs ? i : *high;
        }
        for (const auto& kept : {low, low == high ? std::nullopt : high})
            if (kept)
                points.push_back(
                    {static_cast<double>(*kept), static_cast<double>(std::min(steps[*kept].timeNs, highestNs))});
    }
    return points;
}

// A few round times, in the unit that fits.
class TimeTicker : public QCPAxisTicker
{
public:
    TimeTicker() { setTickCount(3); }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return tick < 0.5 ? u"0"_s : durationText(std::llround(tick));
    }
    int getSubTickCount(double) override { return 0; }
};

}  // namespace

StepPlot::StepPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this))
{
    setObjectName("stepPlot");
    setAccessibleName(u"Time of each step"_s);
    // The plot queues replots of its own, also before a layout gave it room: on an area of nothing they fail.
    m_plot->setMinimumSize(kSmallestPlotPx, kSmallestPlotPx);
    m_plot->resize(m_plot->minimumSize());
    m_plot->setViewport(m_plot->rect());
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    setMinimumWidth(140);
    rebuild();
}

void StepPlot::setSteps(const std::vector<Step>& steps)
{
    m_steps = steps;
    m_chosen = {0, 0};
    rebuild();
}

void StepPlot::setChosen(std::pair<int, int> steps)
{
    if (steps == m_chosen)
        return;
    m_chosen = steps;
    m_shade->setVisible(steps.first < steps.second);
    m_shade->topLeft->setCoords(steps.first - 0.5, 0);
    m_shade->bottomRight->setCoords(steps.second - 0.5, 1);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void StepPlot::rebuild()
{
    const Palette& colors = Palette::current(palette());
    m_plot->clearItems();
    m_plot->clearGraphs();
    m_plot->setBackground(colors.panel);
    m_plot->axisRect()->setBackground(colors.lanes);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    m_plot->axisRect()->setMargins(QMargins(0, 6, 8, 0));
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new TimeTicker));
    QFont small = font();
    small.setPixelSize(11);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(QPen(colors.border));
        axis->setTickPen(QPen(colors.border));
        axis->setSubTicks(false);
        axis->setTickLabelFont(small);
        axis->setTickLabelColor(colors.mutedText);
        axis->setTickLength(0, 3);
        axis->grid()->setPen(QPen(colors.grid));
        axis->grid()->setZeroLinePen(QPen(colors.grid));
    }
    m_plot->xAxis->grid()->setVisible(false);
    // Whole steps, however few.
    const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
    whole->setTickStep(1);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    whole->setTickCount(4);
    m_plot->xAxis->setTicker(whole);

    m_highestNs = highestOf(m_steps);
    const StepStatistics statistics = statisticsOf(m_steps);
    m_medianNs = statistics.medianNs;
    m_shade = new QCPItemRect(m_plot);
    for (QCPItemPosition* corner : {m_shade->topLeft, m_shade->bottomRight}) {
        corner->setTypeX(QCPItemPosition::ptPlotCoords);
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    QColor shade = colors.accent;
    shade.setAlpha(50);
    m_shade->setPen(Qt::NoPen);
    m_shade->setBrush(shade);
    m_shade->setVisible(false);
    const auto last = static_cast<double>(m_steps.size());
    if (statistics.steps > 0) {
        auto* band = new QCPItemRect(m_plot);
        QColor quiet = colors.mutedText;
        quiet.setAlpha(45);
        band->setPen(Qt::NoPen);
        band->setBrush(quiet);
        band->topLeft->setCoords(-0.5, static_cast<double>(statistics.upperQuartileNs));
        band->bottomRight->setCoords(last - 0.5, static_cast<double>(statistics.lowerQuartileNs));
        auto* median = new QCPItemLine(m_plot);
        median->setPen(QPen(colors.mutedText, 1, Qt::DashLine));
        median->start->setCoords(-0.5, static_cast<double>(statistics.medianNs));
        median->end->setCoords(last - 0.5, static_cast<double>(statistics.medianNs));
    }
    const auto points = [&](const QCPScatterStyle& style, auto wanted) {
        const QVector<QCPGraphData> places = pointsOf(m_steps, m_highestNs, wanted);
        QCPGraph* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(style);
        graph->data()->set(places);
    };
    const double size = m_steps.size() > 200 ? 3 : 5;
    points(QCPScatterStyle(QCPScatterStyle::ssDisc, colors.accent, colors.accent, size),
           [](const Step& step) { return !step.warmUp && !step.outlier; });
    points(QCPScatterStyle(QCPScatterStyle::ssCircle, colors.mutedText, size + 1),
           [](const Step& step) { return step.warmUp; });
    points(QCPScatterStyle(QCPScatterStyle::ssTriangle, colors.warning, colors.warning, size + 3),
           [](const Step& step) { return step.outlier; });

    m_plot->xAxis->setRange(-0.5, std::max(0.5, last - 0.5));
    m_plot->yAxis->setRange(0, static_cast<double>(m_highestNs) * kHeadroom);
    const std::pair<int, int> chosen = m_chosen;
    m_chosen = {0, 0};
    setChosen(chosen);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

int StepPlot::stepAt(int xPx) const
{
    const auto step = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(xPx)));
    return std::clamp(step, 0, static_cast<int>(m_steps.size()) - 1);
}

QWidget* StepPlot::canvas() const
{
    return m_plot;
}

QPoint StepPlot::placeOf(int step) const
{
    const auto timeNs = static_cast<double>(std::min(m_steps[static_cast<std::size_t>(step)].timeNs, m_highestNs));
    return {static_cast<int>(std::lround(m_plot->xAxis->coordToPixel(step))),
            static_cast<int>(std::lround(m_plot->yAxis->coordToPixel(timeNs)))};
}

bool StepPlot::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_plot || m_steps.empty())
        return QWidget::eventFilter(watched, event);
    const bool pressed = event->type() == QEvent::MouseButtonPress;
    const bool moved = event->type() == QEvent::MouseMove;
    const bool released = event->type() == QEvent::MouseButtonRelease;
    if (!pressed && !moved && !released)
        return QWidget::eventFilter(watched, event);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (pressed && mouse->button() == Qt::LeftButton) {
        m_pressed = stepAt(mouse->pos().x());
        return true;
    }
    if (moved) {
        const int at = stepAt(mouse->pos().x());
        const Step& step = m_steps[static_cast<std::size_t>(at)];
        const QString mark = stepMarkText(step, m_medianNs);
        QToolTip::showText(mouse->globalPosition().toPoint() + QPoint(12, 12),
                           mark.isEmpty() ? u"%1: %2"_s.arg(text(step.name), durationText(step.timeNs))
                                          : u"%1: %2, %3"_s.arg(text(step.name), durationText(step.timeNs), mark),
                           this);
        if (m_pressed)
            setChosen({std::min(at, *m_pressed), std::max(at, *m_pressed) + 1});
        return true;
    }
    if (released && m_pressed) {
        const int at = stepAt(mouse->pos().x());
        const int from = *m_pressed;
        m_pressed.reset();
        emit stepsChosen(std::min(at, from), std::max(at, from));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void StepPlot::resizeEvent(QResizeEvent*)
{
    m_plot->setGeometry(rect());
}

void StepPlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        rebuild();
    QWidget::changeEvent(event);
}

}  // namespace overlane
