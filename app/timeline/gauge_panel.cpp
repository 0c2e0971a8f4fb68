#include "app/timeline/gauge_panel.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <qcustomplot.h>

#include "app/theme/palette.h"
#include "app/timeline/counter_curve.h"
#include "app/timeline/counter_samples.h"
#include "app/timeline/gauge_order.h"
#include "app/timeline/gauge_readout.h"
#include "app/timeline/in_parallel.h"
#include "app/timeline/timeline_accessible.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/lod/counter_text.h"
#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

constexpr int kPlotPx = 46;
constexpr int kLeastPlotPx = 38;  // lower ones cannot hold the two numbers of their axis
constexpr int kAbovePx = 4;
constexpr int kBelowPx = 8;  // the lower half of the number at the base line
constexpr int kSmallestPlotPx = 16;
constexpr double kHeadroom = 1.2;  // above the highest value, so that its number stays whole

// A name on one line, else on two, elided where even these are too short; what it is of on the second.
QString label(const QFontMetrics& metrics, const QString& name, int widthPx)
{
    if (const qsizetype dot = name.indexOf(u" \u00b7 "_s); dot > 0)
        return metrics.elidedText(name.left(dot), Qt::ElideMiddle, widthPx) + QLatin1Char('\n') +
               metrics.elidedText(name.mid(dot + 3), Qt::ElideMiddle, widthPx);
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

// What is seen of an ink of `alpha` (of 255) on a ground.
QColor over(const QColor& ground, const QColor& ink, int alpha)
{
    const auto mix = [alpha](int below, int above) { return (below * (255 - alpha) + above * alpha + 127) / 255; };
    return {mix(ground.red(), ink.red()), mix(ground.green(), ink.green()), mix(ground.blue(), ink.blue())};
}

QString formatted(CounterUnit unit, double value)
{
    return QString::fromStdString(counterText(unit, value));
}

// Two ticks at most, in the counter's unit: where the scale begins, and the top.
class UnitTicker : public QCPAxisTicker
{
public:
    UnitTicker(CounterUnit unit, double bottom, double top) : m_unit(unit), m_bottom(bottom), m_top(top) {}

protected:
    QVector<double> createTickVector(double, const QCPRange&) override
    {
        return m_top > m_bottom ? QVector<double>{m_bottom, m_top} : QVector<double>{m_bottom};
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return formatted(m_unit, tick); }
    int getSubTickCount(double) override { return 0; }

private:
    CounterUnit m_unit;
    double m_bottom;
    double m_top;
};

}  // namespace

GaugePanel::GaugePanel(ViewRange* view, QWidget* parent)
    : QWidget(parent), m_view(view), m_plot(new QCustomPlot(this)), m_readout(new GaugeReadout(view, this))
{
    // The plot queues replots of its own, also before a layout gave it room: on an area of nothing they fail.
    m_plot->setMinimumSize(kSmallestPlotPx, kSmallestPlotPx);
    m_plot->resize(m_plot->minimumSize());
    m_plot->setViewport(m_plot->rect());
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setNotAntialiasedElements(QCP::aeAll);
    m_plot->setPlottingHint(QCP::phFastPolylines);
    m_plot->setPlottingHint(QCP::phImmediateRefresh, false);  // else it paints once more beside the frame of the lanes
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    QAccessible::installFactory(timelineAccessible);
    setAccessibleName(u"Gauges"_s);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(view, &ViewRange::rangeChanged, this, &GaugePanel::refresh);
    connect(view->cursor(), &TimeCursor::moved, this, &GaugePanel::readOut);
    rebuild();
}

TrackId GaugePanel::trackAt(int yPx, QRect* placePx) const
{
    for (const Gauge& gauge : m_gauges) {
        *placePx = gauge.rect->outerRect();
        if (yPx >= placePx->top() && yPx <= placePx->bottom())
            return gauge.counter->series().track;
    }
    return {};
}

void GaugePanel::setArrangement(const TrackArrangement& arrangement)
{
    if (arrangement == m_arrangement)
        return;
    m_arrangement = arrangement;
    rebuild();
}

QSize GaugePanel::sizeHint() const
{
    return {800, std::clamp(m_wantedPlots, 1, kUsualPlots) * (kPlotPx + kAbovePx)};
}

void GaugePanel::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids)
{
    m_trace = std::move(trace);
    m_pyramids = pyramids || !m_trace ? std::move(pyramids) : std::make_shared<const TracePyramids>(m_trace);
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
    m_readout->setGeometry(rect());
    m_readout->raise();
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
    const int usual = std::min(height() / kLeastPlotPx, kUsualPlots);
    return std::clamp(std::max(usual, height() / (kPlotPx + kAbovePx)), 1, kMaximumPlots);
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
    auto choices = m_pyramids ? gaugeOrder(*m_pyramids, m_arrangement) : std::vector<GaugeChoice>{};
    std::erase_if(choices, [](const GaugeChoice& choice) { return choice.look.hidden; });
    m_wantedPlots = static_cast<int>(std::min(choices.size(), std::size_t{kMaximumPlots}));
    choices.resize(std::min(choices.size(), static_cast<std::size_t>(m_plotLimit)));
    for (std::size_t i = 0; i < choices.size(); ++i) {
        Gauge gauge;
        gauge.counter = choices[i].counter;
        gauge.rect = new QCPAxisRect(m_plot, false);
        gauge.rect->addAxes(QCPAxis::atLeft | QCPAxis::atBottom);
        m_plot->plotLayout()->addElement(static_cast<int>(i), 0, gauge.rect);
        gauge.rect->setAutoMargins(QCP::msNone);
        gauge.rect->setMargins(QMargins(kLabelWidthPx, kAbovePx, kRightMarginPx, kBelowPx));
        gauge.rect->setMinimumSize(1, 1);  // the panel decides how many fit
        gauge.rect->setBackground(colors.lanes);
        QCPAxis* left = gauge.rect->axis(QCPAxis::atLeft);
        QCPAxis* bottom = gauge.rect->axis(QCPAxis::atBottom);
        const double top = gauge.counter->highestValue();
        const double lowest = gauge.counter->lowestValue();
        const double base = choices[i].look.fromLowest && lowest < top ? lowest : 0;
        left->setRange(base, top > base ? base + (top - base) * kHeadroom : base + 1);
        left->setTicker(QSharedPointer<QCPAxisTicker>(new UnitTicker(gauge.counter->series().unit, base, top)));
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
        gauge.curve = new CounterCurve(bottom, left);
        const QColor color = colors.series[choices[i].color % colors.series.size()];
        // As if it were a fifth opaque: opaque inks are drawn many times faster, and nothing lies behind the ground.
        const QColor fill = over(colors.lanes, color, 50);
        gauge.curve->setInks({color, fill, colors.window, colors.mutedText});
        gauge.label = new QCPItemText(m_plot);
        gauge.label->setClipToAxisRect(false);
        gauge.label->setTextAlignment(Qt::AlignLeft);
        gauge.label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        gauge.label->position->setType(QCPItemPosition::ptAbsolute);
        gauge.label->setColor(colors.text);
        gauge.label->setFont(font());
        m_gauges.push_back(gauge);
    }
    m_current = std::clamp(m_current, 0, std::max(0, plotCount() - 1));
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
    // Of two runs on one axis the shorter one's counters end with it.
    const std::int64_t endNs = m_trace->span().endNs;
    const int widthPx = plotWidthPx(width());
    const double endPx = TimeScale(range, widthPx).toPx(endNs);
    std::vector<CounterSamples> samples(m_gauges.size());
    inParallel(m_gauges.size(),
               [&](std::size_t i) { samples[i] = counterSamples(*m_gauges[i].counter, range, endNs, widthPx); });
    m_lookedAt = 0;
    for (std::size_t i = 0; i < m_gauges.size(); ++i) {
        Gauge& gauge = m_gauges[i];
        m_lookedAt += samples[i].looked;
        gauge.curve->setSamples(std::move(samples[i]), endPx);
        gauge.rect->axis(QCPAxis::atBottom)
            ->setRange(0, static_cast<double>(std::max<std::int64_t>(1, range.lengthNs())));
        const QString name = text(gaugeTitle(*m_pyramids, gauge.counter->series().track));
        // The plots share the height evenly.
        const double middlePx = (static_cast<double>(i) + 0.5) * height() / plotCount();
        const QFontMetrics metrics(font());
        gauge.label->setText(label(metrics, name, kLabelWidthPx - 76));
        gauge.label->position->setPixelPosition(QPointF(8, middlePx));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    readOut();
}

void GaugePanel::readOut()
{
    std::vector<GaugeReadout::Value> values;
    QString spoken;
    const std::optional<std::int64_t> ns = m_view->cursor()->ns();
    // The curves end where the trace does, and so do their values.
    if (ns && m_trace && m_trace->span().contains(*ns)) {
        for (const Gauge& gauge : m_gauges) {
            const CounterSeries& series = gauge.counter->series();
            const std::optional<double> value = valueAt(series, *ns);
            const QString shown = value ? formatted(series.unit, *value) : QString();
            values.push_back({gauge.rect->outerRect(), shown});
            if (value)
                spoken += text(gaugeTitle(*m_pyramids, series.track)) + u' ' + shown + u"; "_s;
        }
    }
    m_readout->setValues(std::move(values));
    m_readout->setFrame(hasFocus() && !m_gauges.empty() ? gauge(m_current).rect->outerRect() : QRect());
    m_readout->update();
    setAccessibleDescription(spoken);
}

void GaugePanel::mouseMoveEvent(QMouseEvent* event)
{
    m_view->cursor()->pointAt(timeAtPx(*m_view, event->position().toPoint().x(), width()));
}

std::optional<GaugeSpot> GaugePanel::spot(int number) const
{
    if (number < 0 || number >= plotCount())
        return std::nullopt;
    return GaugeSpot{gauge(number).counter->series().track, m_view->cursor()->ns()};
}

QRect GaugePanel::placeOf(int number) const
{
    return gauge(number).rect->outerRect();
}

std::optional<double> GaugePanel::valueAtCursor(int number) const
{
    const std::optional<std::int64_t> ns = m_view->cursor()->ns();
    return ns && m_trace->span().contains(*ns) ? valueAt(counter(number)->series(), *ns) : std::nullopt;
}

QString GaugePanel::valueText(int number) const
{
    const std::optional<double> value = valueAtCursor(number);
    return value ? formatted(counter(number)->series().unit, *value) : QString();
}

void GaugePanel::setCurrent(int number)
{
    m_current = std::clamp(number, 0, std::max(0, plotCount() - 1));
    readOut();
    if (m_current < plotCount()) {
        QAccessibleEvent focus(this, QAccessible::Focus);
        focus.setChild(m_current);
        QAccessible::updateAccessibility(&focus);
    }
}

// To the next or previous time at which the gauge changes.
void GaugePanel::stepCursor(int by)
{
    const std::vector<std::int64_t>& times = gauge(m_current).counter->series().timesNs;
    const Interval range = m_view->range();
    const std::int64_t now = m_view->cursor()->ns().value_or(range.startNs + range.lengthNs() / 2);
    const auto found =
        by > 0 ? std::upper_bound(times.begin(), times.end(), now) : std::lower_bound(times.begin(), times.end(), now);
    if (by > 0 ? found == times.end() : found == times.begin())
        return;
    const std::int64_t next = by > 0 ? *found : *std::prev(found);
    if (!range.contains(next))
        m_view->glideTo({next - range.lengthNs() / 2, next - range.lengthNs() / 2 + range.lengthNs()});
    m_view->cursor()->pointAt(next);
    QAccessibleValueChangeEvent value(this, valueAtCursor(m_current).value_or(0.0));
    value.setChild(m_current);
    QAccessible::updateAccessibility(&value);
}

void GaugePanel::keyPressEvent(QKeyEvent* event)
{
    if (m_gauges.empty() || event->modifiers() != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Up:
            return setCurrent(m_current - 1);
        case Qt::Key_Down:
            return setCurrent(m_current + 1);
        case Qt::Key_Left:
            return stepCursor(-1);
        case Qt::Key_Right:
            return stepCursor(1);
        default:
            QWidget::keyPressEvent(event);
    }
}

void GaugePanel::focusInEvent(QFocusEvent*)
{
    readOut();
}

void GaugePanel::focusOutEvent(QFocusEvent*)
{
    readOut();
}

void GaugePanel::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (const auto current = spot(m_current))
            emit contextMenuRequested(*current, mapToGlobal(gauge(m_current).rect->outerRect().center()));
        return;
    }
    for (int number = 0; number < plotCount(); ++number)
        if (const QRect place = gauge(number).rect->outerRect();
            event->pos().y() >= place.top() && event->pos().y() <= place.bottom()) {
            GaugeSpot found = *spot(number);
            found.ns = timeAtPx(*m_view, event->pos().x(), width());
            emit contextMenuRequested(found, event->globalPos());
            return;
        }
}

void GaugePanel::leaveEvent(QEvent*)
{
    m_view->cursor()->pointAt({});
}

void GaugePanel::wheelEvent(QWheelEvent* event)
{
    constexpr double kZoomPerNotch = 1.25;
    constexpr double kNotch = 120;
    if (const auto ns = timeAtPx(*m_view, event->position().toPoint().x(), width()))
        m_view->zoomBy(std::pow(kZoomPerNotch, event->angleDelta().y() / kNotch), *ns, ViewRange::Pace::Smooth);
    event->accept();
}

}  // namespace overlane
