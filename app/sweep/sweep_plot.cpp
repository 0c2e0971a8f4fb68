#include "app/sweep/sweep_plot.h"

#include <cmath>

#include <QLabel>
#include <qcustomplot.h>

#include "app/plot/plot_file.h"
#include "app/plot/plot_style.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/loader/setting_value.h"

namespace overlane
{

namespace
{

constexpr QSize kPaperPx{1000, 620};
constexpr int kTitlePx = 15;

}  // namespace

SweepPlot::SweepPlot(SweepLibrary* library, QWidget* parent)
    : PointPlot(parent), m_library(library), m_empty(new QLabel(this))
{
    setObjectName("sweepPlot");
    setAccessibleName(u"Plot of the sweeps"_s);
    setAccessibleDescription(u"Arrow keys go from point to point, Enter opens the point's trace"_s);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom | QCP::msRight);
    m_plot->axisRect()->setMinimumMargins(QMargins(0, 0, 14, 0));
    m_plot->axisRect()->setMargins(QMargins(0, 8, 14, 0));
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignLeft);
    m_empty->setObjectName("sweepEmpty");
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    m_empty->setMargin(16);
    refresh();
}

void SweepPlot::setChosen(int id)
{
    m_chosen = id;
    refresh();
}

void SweepPlot::setMetric(const RunMetric& metric)
{
    m_metric = &metric;
    refresh();
}

void SweepPlot::setView(View view)
{
    m_view = view;
    refresh();
}

void SweepPlot::setScale(Scale scale)
{
    m_scale = scale;
    refresh();
}

bool SweepPlot::hasHeatMap() const
{
    const KeptSweep* chosen = m_library->find(m_chosen);
    return chosen != nullptr && !chosen->sheet && chosen->result.plan.axes.size() == 2;
}

void SweepPlot::clear()
{
    m_points.clear();
    m_leftOut.clear();
    m_plot->clearPlottables();
    m_plot->clearItems();
    if (m_colors != nullptr) {
        m_plot->plotLayout()->remove(m_colors);
        m_plot->plotLayout()->simplify();
    }
    m_colors = nullptr;
    m_map = nullptr;
    removeLegend(*m_plot);
}

const Palette& SweepPlot::colors() const
{
    return m_onPaper ? Palette::lightTheme() : Palette::current(palette());
}

QSize SweepPlot::paper() const
{
    return m_onPaper ? kPaperPx : size();
}

void SweepPlot::refresh()
{
    clear();
    dressPlot(*m_plot, colors());
    const KeptSweep* chosen = m_library->find(m_chosen);
    if (chosen != nullptr && chosen->sheet)
        drawSheet(*chosen);
    else if (chosen != nullptr && m_view == View::HeatMap && hasHeatMap())
        drawHeatMap(*chosen);
    else if (chosen != nullptr)
        drawLines();
    QString empty;
    if (m_library->sweeps().empty())
        empty =
            u"No sweep yet. Choose a ready-made one above, or a setting and its range, and press Run: every "
            "point becomes a run of the laboratory's settings."_s;
    else if (chosen == nullptr)
        empty = u"Choose a sweep in the list."_s;
    else if (m_points.empty() && m_library->running() == m_chosen)
        empty = u"Running the first points …"_s;
    else if (m_points.empty() && !chosen->shown)
        empty = u"Tick a sweep in the list to draw it."_s;
    else if (m_points.empty() && !chosen->result.runs.empty())
        empty = u"No point of this sweep could run: %1"_s.arg(text(chosen->result.runs.front().error));
    else if (m_points.empty())
        empty = u"Nothing of this sweep has run yet: press Go on."_s;
    m_empty->setText(empty);
    m_empty->setVisible(!empty.isEmpty());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    placeCursor();
}

QPoint SweepPlot::placeOf(const Point& point) const
{
    return {static_cast<int>(std::lround(m_plot->xAxis->coordToPixel(point.x))),
            static_cast<int>(std::lround(m_plot->yAxis->coordToPixel(point.y)))};
}

std::optional<std::size_t> SweepPlot::pointNear(QPoint place) const
{
    std::optional<std::size_t> nearest;
    double least = m_map != nullptr ? 1e9 : kReachPx;
    for (std::size_t point = 0; point < m_points.size(); ++point) {
        const QPoint away = placeOf(m_points[point]) - place;
        if (std::hypot(away.x(), away.y()) < least) {
            least = std::hypot(away.x(), away.y());
            nearest = point;
        }
    }
    if (m_map != nullptr && !m_plot->axisRect()->rect().contains(place))
        return std::nullopt;
    return nearest;
}

QString SweepPlot::describe(const Point& point) const
{
    const KeptSweep* sweep = m_library->find(point.sweep);
    if (sweep == nullptr)
        return {};
    QStringList lines;
    if (sweep->sheet) {
        const SizeCurve& curve = sweep->sheet->curves[point.curve];
        const CurvePoint& at = curve.points[point.point];
        lines << u"%1, %2"_s.arg(text(curve.fullName()), text(formatBytes(at.bytes)));
        lines << text(figureText(at.value, sweep->sheet->unit));
        if (at.low < at.high)
            lines << u"%1 to %2"_s.arg(text(figureText(at.low, sweep->sheet->unit)),
                                       text(figureText(at.high, sweep->sheet->unit)));
        return lines.join('\n');
    }
    const SweepPlan& plan = sweep->result.plan;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        const Setting& setting = plan.axes[axis].setting();
        lines << u"%1: %2"_s.arg(text(setting.label), text(settingValueText(setting, plan.value(point.point, axis))));
    }
    std::vector<const RunMetric*> metrics{m_metric};
    for (const std::string_view more :
         {metric_key::kBatch, metric_key::kOverlap, metric_key::kPinnedPeak, metric_key::kSwapPeak})
        if (more != m_metric->key)
            metrics.push_back(&runMetric(more));
    for (const RunMetric* metric : metrics) {
        const auto spread = sweep->result.spread(point.point, *metric);
        if (!spread || (metric->key == metric_key::kSwapPeak && spread->median <= 0))
            continue;
        QString line = u"%1: %2"_s.arg(text(metric->title()), text(metric->text(spread->median)));
        if (spread->low < spread->high)
            line += u" (%1 to %2 in %3 runs)"_s.arg(text(metric->text(spread->low)), text(metric->text(spread->high)))
                        .arg(spread->runs);
        if (const auto ideal = sweep->result.ideal(point.point, *metric))
            line += u", ideal %1"_s.arg(text(metric->text(*ideal)));
        lines << line;
    }
    lines << u"%1 on %2"_s.arg(plan.engine == SweepEngine::Gpu ? u"measured"_s : u"simulated"_s, sweep->device);
    lines << u"Click to open its run, below the present one"_s;
    return lines.join('\n');
}

QString SweepPlot::write(const QString& path)
{
    m_onPaper = true;
    refresh();
    m_plot->setBackground(Qt::white);
    m_plot->axisRect()->setBackground(Qt::white);
    const KeptSweep* sweep = m_library->find(m_chosen);
    const QString title = sweep == nullptr ? u"Sweep"_s : u"%1 \u00b7 %2"_s.arg(sweep->title, sweep->device);
    QFont font = m_plot->font();
    font.setPixelSize(kTitlePx);
    font.setBold(true);
    m_plot->plotLayout()->insertRow(0);
    auto* heading = new QCPTextElement(m_plot, title, font);
    heading->setTextColor(colors().text);
    m_plot->plotLayout()->addElement(0, 0, heading);
    QString error = writePlot(*m_plot, path, kPaperPx, title);
    m_plot->plotLayout()->remove(heading);
    m_plot->plotLayout()->simplify();
    m_onPaper = false;
    refresh();
    return error;
}

std::vector<QPoint> SweepPlot::places() const
{
    std::vector<QPoint> places;
    for (const Point& point : m_points)
        places.push_back(placeOf(point));
    return places;
}

void SweepPlot::choosePoint(std::size_t point)
{
    const Point chosen = m_points[point];
    const KeptSweep* sweep = m_library->find(chosen.sweep);
    if (sweep != nullptr && !sweep->sheet)
        emit pointChosen(chosen.sweep, chosen.point);
}

void SweepPlot::resizeEvent(QResizeEvent* event)
{
    m_empty->setGeometry(rect());
    PointPlot::resizeEvent(event);
}

}  // namespace overlane
