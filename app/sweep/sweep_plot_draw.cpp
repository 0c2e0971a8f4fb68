// How SweepPlot draws lines, curves and heat maps.
#include <algorithm>
#include <cmath>
#include <limits>

#include <qcustomplot.h>

#include "app/plot/plot_style.h"
#include "app/sweep/sweep_names.h"
#include "app/sweep/sweep_plot.h"
#include "app/sweep/unit_ticker.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/loader/setting_value.h"

namespace overlane
{

namespace
{

constexpr int kPxPerRowTick = 44;
constexpr int kPxPerRow = 18;  // of a heat map
// More orders of magnitude than this are not read off a linear axis.
constexpr double kLogFrom = 30;

bool hasNumbers(const Setting& setting)
{
    return setting.kind != SettingKind::Choice && setting.kind != SettingKind::Switch;
}

// Where a value stands: itself, or its place where it is a choice.
double placeOnAxis(const SweepAxis& axis, std::size_t place)
{
    return hasNumbers(axis.setting()) ? axis.values[place] : static_cast<double>(place);
}

QStringList valueLabels(const SweepAxis& axis)
{
    QStringList labels;
    for (const double value : axis.values)
        labels << text(settingValueText(axis.setting(), value));
    return labels;
}

TickKind kindOf(const FigureUnit& unit)
{
    return unit.sameAs(kSizeUnit) ? TickKind::Binary : TickKind::Decimal;
}

// Whether a line has to say what ran it: where not all of the shown sweeps ran on the same.
bool sourcesDiffer(const SweepLibrary& library)
{
    const KeptSweep* first = nullptr;
    for (const KeptSweep& sweep : library.sweeps()) {
        if (!sweep.shown || sweep.sheet)
            continue;
        if (first == nullptr)
            first = &sweep;
        else if (sweep.device != first->device || sweep.result.plan.engine != first->result.plan.engine)
            return true;
    }
    return false;
}

QString axisLabel(const Setting& setting)
{
    return text(setting.label);
}

}  // namespace

bool SweepPlot::logarithmicY(const FigureUnit& unit) const
{
    double least = std::numeric_limits<double>::max();
    double most = 0;
    for (const Point& point : m_points) {
        least = std::min(least, point.low);
        most = std::max(most, point.high);
    }
    if (m_scale != Scale::Auto)
        return m_scale == Scale::Logarithmic && least > 0;
    return !unit.share && least > 0 && most / least > kLogFrom;
}

void SweepPlot::fitAxes(const SweepAxis* x, const FigureUnit& unit)
{
    const bool logX = x == nullptr || (x->logarithmic && hasNumbers(x->setting()) &&
                                       *std::min_element(x->values.begin(), x->values.end()) > 0);
    // Round values between the ends may be longer than these.
    QStringList widest{text(formatBytes(3 << 29))};
    if (x != nullptr)
        widest += valueLabels(*x);
    const int ticksX = ticksThatFit(m_plot->xAxis->tickLabelFont(), acrossPx(*m_plot, paper()), widest);
    const int ticksY = std::max(2, paper().height() / kPxPerRowTick);
    double left = std::numeric_limits<double>::max();
    double right = std::numeric_limits<double>::lowest();
    double top = 0;
    double bottom = std::numeric_limits<double>::max();
    for (const Point& point : m_points) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::max(top, point.high);
        bottom = std::min(bottom, point.low);
    }
    // The whole range from the start, so that a sweep grows into its place.
    if (x != nullptr && hasNumbers(x->setting())) {
        left = std::min(left, *std::min_element(x->values.begin(), x->values.end()));
        right = std::max(right, *std::max_element(x->values.begin(), x->values.end()));
    } else if (x != nullptr) {
        left = 0;
        right = std::max(right, static_cast<double>(x->values.size()) - 1);
    }
    m_plot->xAxis->setScaleType(logX ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    const double margin = right > left ? (right - left) * 0.04 : std::max(0.5, std::abs(left) * 0.1);
    if (logX)
        m_plot->xAxis->setRange(left / 1.15, right * 1.15);
    else
        m_plot->xAxis->setRange(left - margin, right + margin);
    if (x == nullptr)
        m_plot->xAxis->setTicker(unitTicker(
            TickKind::Binary, true, [](double bytes) { return text(formatBytes(std::llround(bytes))); }, ticksX));
    else if (!hasNumbers(x->setting()))
        m_plot->xAxis->setTicker(placeTicker(valueLabels(*x), ticksX));
    else
        m_plot->xAxis->setTicker(unitTicker(
            x->setting().kind == SettingKind::Bytes ? TickKind::Binary : TickKind::Decimal, logX,
            [setting = &x->setting()](double value) {
                // No half workers.
                const bool whole = setting->kind != SettingKind::Integer || std::abs(value - std::round(value)) < 1e-6;
                return whole ? text(settingValueText(*setting, value)) : QString();
            },
            ticksX));

    const bool logY = logarithmicY(unit);
    m_plot->yAxis->setScaleType(logY ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logY)
        m_plot->yAxis->setRange(bottom / 1.3, top * 1.3);
    else
        m_plot->yAxis->setRange(0, unit.share ? 1.04 : std::max(top * 1.1, 1e-9));
    m_plot->yAxis->setTicker(unitTicker(
        kindOf(unit), logY, [unit](double value) { return text(figureText(value, unit)); }, ticksY));
}

void SweepPlot::addLine(const QString& name, const std::vector<Point>& points, const QColor& color, bool spread)
{
    QCPGraph* graph = m_plot->addGraph();
    graph->setName(name);
    graph->setPen(QPen(color, 1.6));
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, color, points.size() > 60 ? 3 : 5));
    QVector<double> x, y, below, above;
    for (const Point& point : points) {
        x << point.x;
        y << point.y;
        below << point.y - point.low;
        above << point.high - point.y;
    }
    graph->setData(x, y);
    m_points.insert(m_points.end(), points.begin(), points.end());
    if (!spread)
        return;
    auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    bars->removeFromLegend();
    bars->setDataPlottable(graph);
    bars->setPen(QPen(color, 1));
    bars->setWhiskerWidth(6);
    bars->setSymbolGap(0);
    bars->setData(below, above);
}

void SweepPlot::addIdeal(const std::vector<std::pair<double, double>>& bound, const QColor& color, bool named)
{
    QCPGraph* graph = m_plot->addGraph();
    graph->setName(u"ideal bound"_s);
    graph->setPen(QPen(color, 1, Qt::DashLine));
    QVector<double> x, y;
    for (const auto& [place, value] : bound) {
        x << place;
        y << value;
    }
    graph->setData(x, y);
    if (!named)
        graph->removeFromLegend();
}

void SweepPlot::drawSweep(const KeptSweep& sweep, const SweepAxis& shared, std::size_t& line, const Palette& colors)
{
    const SweepResult& result = sweep.result;
    const SweepPlan& plan = result.plan;
    const std::size_t lines = plan.axes.size() == 2 ? plan.axes[1].values.size() : 1;
    const bool choices = !hasNumbers(plan.axes[0].setting());
    for (std::size_t second = 0; second < lines; ++second) {
        std::vector<Point> points;
        std::vector<std::pair<double, double>> bound;
        bool spread = false;
        for (std::size_t first = 0; first < plan.axes[0].values.size(); ++first) {
            const std::size_t at = first * lines + second;
            const auto figure = result.spread(at, *m_metric);
            if (!figure)
                continue;
            double x = placeOnAxis(plan.axes[0], first);
            if (choices) {  // the same choice stands in the same place
                const auto there = std::find(shared.values.begin(), shared.values.end(), plan.axes[0].values[first]);
                if (there == shared.values.end())
                    continue;
                x = static_cast<double>(there - shared.values.begin());
            }
            points.push_back({sweep.id, at, 0, x, figure->median, figure->low, figure->high});
            spread = spread || figure->low < figure->high;
            if (const auto ideal = result.ideal(at, *m_metric))
                bound.emplace_back(x, *ideal);
        }
        if (points.empty())
            continue;
        const QColor color = lineColor(colors, line++);
        QString name = distinctName(m_library->sweeps(), sweep);
        if (plan.axes.size() == 2) {
            const Setting& setting = plan.axes[1].setting();
            name = u"%1: %2"_s.arg(text(setting.label), text(settingValueText(setting, plan.axes[1].values[second])));
        }
        if (m_library->sweeps().size() > 1 && plan.axes.size() == 2)
            name = u"%1, %2"_s.arg(distinctName(m_library->sweeps(), sweep), name);
        if (sourcesDiffer(*m_library))
            name += plan.engine == SweepEngine::Gpu ? u" (measured on %1)"_s.arg(sweep.device)
                                                    : u" (simulated, %1)"_s.arg(sweep.device);
        addLine(name, points, color, spread);
        if (!bound.empty())
            addIdeal(bound, color, line == 1);
    }
}

void SweepPlot::drawLines()
{
    const KeptSweep& chosen = *m_library->find(m_chosen);
    const Palette& colors = this->colors();
    const SweepAxis& shared = chosen.result.plan.axes[0];
    std::size_t line = 0;
    for (const KeptSweep& sweep : m_library->sweeps()) {
        if (!sweep.shown)
            continue;
        if (sweep.sheet || sweep.result.plan.axes[0].key != shared.key) {
            m_leftOut << sweep.title;
            continue;
        }
        drawSweep(sweep, shared, line, colors);
    }
    m_plot->xAxis->setLabel(axisLabel(shared.setting()));
    nameUpright(*m_plot->yAxis, text(m_metric->title()), paper().height());
    placeLegend(*m_plot, paper());
    fitAxes(&shared, m_metric->unit);
}

void SweepPlot::drawSheet(const KeptSweep& sweep)
{
    if (!sweep.shown)
        return;
    const Palette& colors = this->colors();
    // A color per group of curves, a dash per curve in it.
    static constexpr Qt::PenStyle kDashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    QStringList groups;
    std::vector<std::size_t> inGroup;
    for (std::size_t at = 0; at < sweep.sheet->curves.size(); ++at) {
        const SizeCurve& curve = sweep.sheet->curves[at];
        auto group = groups.indexOf(text(curve.group));
        if (group < 0) {
            group = groups.size();
            groups << text(curve.group);
            inGroup.push_back(0);
        }
        std::vector<Point> points;
        bool spread = false;
        for (std::size_t row = 0; row < curve.points.size(); ++row) {
            const CurvePoint& point = curve.points[row];
            points.push_back({sweep.id, row, at, static_cast<double>(point.bytes), point.value, point.low, point.high});
            spread = spread || point.low < point.high;
        }
        addLine(text(curve.fullName()), points, lineColor(colors, static_cast<std::size_t>(group)), spread);
        QCPGraph* graph = m_plot->graph(m_plot->graphCount() - 1);
        QPen pen = graph->pen();
        pen.setStyle(kDashes[inGroup[static_cast<std::size_t>(group)]++ % std::size(kDashes)]);
        graph->setPen(pen);
    }
    m_plot->xAxis->setLabel(u"Size"_s);
    nameUpright(*m_plot->yAxis, text(sweep.sheet->valueLabel), paper().height());
    placeLegend(*m_plot, paper());
    fitAxes(nullptr, sweep.sheet->unit);
}

void SweepPlot::drawHeatMap(const KeptSweep& sweep)
{
    const SweepPlan& plan = sweep.result.plan;
    const auto rows = static_cast<int>(plan.axes[1].values.size());
    const auto columns = static_cast<int>(plan.axes[0].values.size());
    m_map = new QCPColorMap(m_plot->xAxis, m_plot->yAxis);
    m_map->data()->setSize(columns, rows);
    m_map->data()->setRange(QCPRange(0, std::max(1, columns - 1)), QCPRange(0, std::max(1, rows - 1)));
    m_map->setInterpolate(false);
    m_map->setTightBoundary(false);
    double least = std::numeric_limits<double>::max();
    double most = std::numeric_limits<double>::lowest();
    for (int column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row) {
            const auto at =
                static_cast<std::size_t>(column) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row);
            const auto figure = sweep.result.spread(at, *m_metric);
            m_map->data()->setCell(column, row, figure ? figure->median : 0);
            m_map->data()->setAlpha(column, row, figure ? 255 : 0);
            if (!figure)
                continue;
            least = std::min(least, figure->median);
            most = std::max(most, figure->median);
            m_points.push_back({sweep.id, at, 0, static_cast<double>(column), static_cast<double>(row), figure->median,
                                figure->median});
        }
    const Palette& colors = this->colors();
    m_colors = new QCPColorScale(m_plot);
    m_plot->plotLayout()->addElement(0, 1, m_colors);
    m_colors->setType(QCPAxis::atRight);
    m_colors->setBarWidth(10);
    m_map->setColorScale(m_colors);
    QCPColorGradient gradient(QCPColorGradient::gpThermal);
    gradient.clearColorStops();  // dark to bright reads without colors, too
    const std::pair<double, const char*> stops[] = {
        {0, "#30123b"}, {0.25, "#2c6fbb"}, {0.5, "#1fa187"}, {0.75, "#a0da39"}, {1, "#fde725"}};
    for (const auto& [place, color] : stops)
        gradient.setColorStopAt(place, QColor(QLatin1String(color)));
    m_map->setGradient(gradient);
    if (m_points.empty())
        least = most = 0;
    const bool ratios =
        m_scale == Scale::Logarithmic || (m_scale == Scale::Auto && least > 0 && most / least > kLogFrom);
    m_map->setDataScaleType(ratios && least > 0 ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_map->setDataRange(QCPRange(least, most > least ? most : least + std::max(1.0, std::abs(least) * 0.01)));
    const int ticksY = std::max(2, paper().height() / kPxPerRowTick);
    m_colors->axis()->setTicker(unitTicker(
        kindOf(m_metric->unit), ratios && least > 0,
        [unit = m_metric->unit](double value) { return text(figureText(value, unit)); }, ticksY));
    QFont small = m_plot->font();
    small.setPixelSize(11);
    m_colors->axis()->setLabelFont(small);
    nameUpright(*m_colors->axis(), text(m_metric->title()), paper().height());
    m_colors->axis()->setLabelColor(colors.text);
    m_colors->axis()->setTickLabelFont(small);
    m_colors->axis()->setTickLabelColor(colors.mutedText);
    m_colors->axis()->setBasePen(QPen(colors.border));
    m_colors->axis()->setTickPen(QPen(colors.border));
    m_colors->axis()->setSubTicks(false);

    m_plot->xAxis->setScaleType(QCPAxis::stLinear);
    m_plot->yAxis->setScaleType(QCPAxis::stLinear);
    m_plot->xAxis->setLabel(axisLabel(plan.axes[0].setting()));
    nameUpright(*m_plot->yAxis, axisLabel(plan.axes[1].setting()), paper().height());
    const QStringList labels = valueLabels(plan.axes[0]);
    m_plot->xAxis->setTicker(
        placeTicker(labels, ticksThatFit(m_plot->xAxis->tickLabelFont(), acrossPx(*m_plot, paper()), labels)));
    m_plot->yAxis->setTicker(placeTicker(valueLabels(plan.axes[1]), std::max(2, paper().height() / kPxPerRow)));
    m_plot->xAxis->setRange(-0.5, std::max(0.5, columns - 0.5));
    m_plot->yAxis->setRange(-0.5, std::max(0.5, rows - 0.5));
}

}  // namespace overlane
