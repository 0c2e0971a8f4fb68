#include "app/calibrate/calibration_plot_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFileInfo>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>
#include <qcustomplot.h>

#include "app/plot/plot_file.h"
#include "app/plot/plot_style.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kNearPx = 14;
constexpr int kSmallestPlotPx = 8;
constexpr double kRoom = 1.35;  // around the outermost points, as a factor
constexpr QSize kFilePx{1000, 620};

constexpr std::array kShapes{
    QCPScatterStyle::ssDisc,      QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
    QCPScatterStyle::ssDiamond,   QCPScatterStyle::ssCircle, QCPScatterStyle::ssCross,
    QCPScatterStyle::ssPlus,      QCPScatterStyle::ssStar,   QCPScatterStyle::ssTriangleInverted,
    QCPScatterStyle::ssPlusCircle};

// Ticks at whole powers, labeled with the unit that fits.
class PowerTicker : public QCPAxisTickerLog
{
public:
    PowerTicker(PlotUnit unit, double base) : m_unit(unit)
    {
        setLogBase(base);
        setSubTickCount(base > 5 ? 8 : 0);
        setTickCount(6);
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        QString label = text(plotValueText(tick, m_unit));
        // "1.00 ms" says no more than "1 ms".
        const QChar point = '.';
        if (const qsizetype at = label.indexOf(point); at >= 0) {
            qsizetype end = at + 1;
            while (end < label.size() && label[end] == '0')
                ++end;
            if (end == label.size() || !label[end].isDigit())
                label.remove(at, end - at);
        }
        return label;
    }

private:
    PlotUnit m_unit;
};

double baseOf(PlotUnit unit)
{
    return unit == PlotUnit::Bytes ? 4 : unit == PlotUnit::Threads ? 2 : 10;
}

// Dashed where the colors begin again.
QPen curvePen(const Palette& colors, std::size_t curve)
{
    return {CalibrationPlotView::curveColor(colors, curve), 1.5,
            curve < colors.series.size() ? Qt::SolidLine : Qt::DashLine};
}

QString spanText(const PlotPoint& point, PlotUnit unit)
{
    return u"%1 to %2, %3 samples"_s.arg(text(plotValueText(point.low, unit)), text(plotValueText(point.high, unit)))
        .arg(point.samples);
}

}  // namespace

CalibrationPlotView::CalibrationPlotView(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this))
{
    setObjectName("calibrationPlot");
    // The plot queues replots of its own, also before a layout gave it room: on an area of nothing they fail.
    m_plot->setMinimumSize(kSmallestPlotPx, kSmallestPlotPx);
    m_plot->resize(sizeHint());
    m_plot->setViewport(m_plot->rect());
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    rebuild(Palette::current(palette()));
}

QColor CalibrationPlotView::curveColor(const Palette& colors, std::size_t curve)
{
    return colors.series[curve % colors.series.size()];
}

QPixmap CalibrationPlotView::curveSwatch(const Palette& colors, std::size_t curve, qreal devicePixelRatio)
{
    QPixmap swatch(QSize(22, 14) * devicePixelRatio);
    swatch.setDevicePixelRatio(devicePixelRatio);
    swatch.fill(Qt::transparent);
    QCPPainter painter(&swatch);
    painter.setAntialiasing(true);
    const QColor color = curveColor(colors, curve);
    painter.setPen(curvePen(colors, curve));
    painter.drawLine(QLineF(0, 7, 22, 7));
    QCPScatterStyle style(kShapes[curve % kShapes.size()], color, color, 7);
    style.applyTo(&painter, QPen(color));
    style.drawShape(&painter, 11, 7);
    return swatch;
}

void CalibrationPlotView::setPlot(const CalibrationPlot& plot)
{
    m_shown = plot;
    setAccessibleName(text(plot.title));
    rebuild(Palette::current(palette()));
}

void CalibrationPlotView::clear()
{
    setPlot({});
}

void CalibrationPlotView::setHidden(const QStringList& names)
{
    m_hidden = names;
    rebuild(Palette::current(palette()));
}

bool CalibrationPlotView::hidden(const PlotCurve& curve) const
{
    return m_hidden.contains(text(curve.name));
}

void CalibrationPlotView::dress(const Palette& colors)
{
    m_plot->setBackground(colors.panel);
    m_plot->axisRect()->setBackground(colors.lanes);
    m_plot->axisRect()->setMinimumMargins(QMargins(8, 10, 16, 4));
    QFont small = font();
    small.setPixelSize(12);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setBasePen(QPen(colors.border));
        axis->setTickPen(QPen(colors.border));
        axis->setSubTickPen(QPen(colors.border));
        axis->setTickLabelFont(small);
        axis->setTickLabelColor(colors.mutedText);
        axis->setLabelFont(small);
        axis->setLabelColor(colors.mutedText);
        axis->grid()->setPen(QPen(colors.grid));
        axis->grid()->setZeroLinePen(QPen(colors.grid));
    }
    m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new PowerTicker(m_shown.x, baseOf(m_shown.x))));
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new PowerTicker(m_shown.y, baseOf(m_shown.y))));
    m_plot->xAxis->setLabel(text(m_shown.xLabel));
    m_plot->yAxis->setLabel(text(m_shown.yLabel));
}

void CalibrationPlotView::addCurve(const PlotCurve& curve, std::size_t number, const Palette& colors)
{
    const QColor color = curveColor(colors, number);
    QVector<double> x;
    QVector<double> y;
    QVector<double> below;
    QVector<double> above;
    for (const PlotPoint& point : curve.points) {
        x << point.x;
        y << point.median;
        below << point.median - point.low;
        above << point.high - point.median;
    }
    QCPGraph* graph = m_plot->addGraph();
    graph->setName(text(curve.name));
    graph->setPen(curvePen(colors, number));
    graph->setScatterStyle(QCPScatterStyle(kShapes[number % kShapes.size()], color, color, 7));
    graph->setData(x, y, true);
    auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    bars->removeFromLegend();
    bars->setDataPlottable(graph);
    bars->setPen(QPen(color, 1));
    bars->setWhiskerWidth(5);
    bars->setSymbolGap(0);
    bars->setData(below, above);
}

void CalibrationPlotView::addBound(const PlotBound& bound, const Palette& colors)
{
    auto* line = new QCPItemStraightLine(m_plot);
    line->setPen(QPen(colors.mutedText, 1, Qt::DashLine));
    line->point1->setCoords(1, bound.value);
    line->point2->setCoords(2, bound.value);
    auto* label = new QCPItemText(m_plot);
    label->setText(u"%1: %2"_s.arg(text(bound.name), text(plotValueText(bound.value, m_shown.y))));
    label->setColor(colors.mutedText);
    QFont small = font();
    small.setPixelSize(12);
    label->setFont(small);
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    label->position->setTypeY(QCPItemPosition::ptPlotCoords);
    label->position->setCoords(0.01, bound.value);
}

void CalibrationPlotView::fitAxes()
{
    double left = 0;
    double right = 0;
    double low = 0;
    double high = 0;
    const auto widen = [](double& least, double& most, double from, double to) {
        least = least == 0 ? from : std::min(least, from);
        most = std::max(most, to);
    };
    for (const PlotCurve& curve : m_shown.curves)
        for (const PlotPoint& point : curve.points)
            if (!hidden(curve)) {
                widen(left, right, point.x, point.x);
                widen(low, high, point.low, point.high);
            }
    if (m_shown.bound && high > 0)
        high = std::max(high, m_shown.bound->value);
    if (!(left > 0 && low > 0)) {
        m_plot->xAxis->setRange(1, 1024);
        m_plot->yAxis->setRange(1, 1e6);
        return;
    }
    m_plot->xAxis->setRange(left / kRoom, right * kRoom);
    m_plot->yAxis->setRange(low / kRoom, high * kRoom * 1.2);
}

void CalibrationPlotView::rebuild(const Palette& colors)
{
    m_plot->clearItems();
    m_plot->clearPlottables();
    dress(colors);
    for (std::size_t at = 0; at < m_shown.curves.size(); ++at)
        if (!hidden(m_shown.curves[at]))
            addCurve(m_shown.curves[at], at, colors);
    if (m_shown.bound && !m_shown.curves.empty())
        addBound(*m_shown.bound, colors);
    fitAxes();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QPoint CalibrationPlotView::placeOf(std::size_t curve, std::size_t point) const
{
    const PlotPoint& wanted = m_shown.curves[curve].points[point];
    return {static_cast<int>(std::lround(m_plot->xAxis->coordToPixel(wanted.x))),
            static_cast<int>(std::lround(m_plot->yAxis->coordToPixel(wanted.median)))};
}

QString CalibrationPlotView::tipAt(QPoint place) const
{
    QString tip;
    int nearest = kNearPx * kNearPx + 1;
    for (std::size_t curve = 0; curve < m_shown.curves.size(); ++curve) {
        const PlotCurve& each = m_shown.curves[curve];
        if (hidden(each))
            continue;
        for (std::size_t at = 0; at < each.points.size(); ++at) {
            const QPoint away = placeOf(curve, at) - place;
            const int distance = QPoint::dotProduct(away, away);
            if (distance >= nearest)
                continue;
            nearest = distance;
            const PlotPoint& point = each.points[at];
            const QString x = text(plotValueText(point.x, m_shown.x));
            tip = u"<b>%1</b>, %2: %3%4<br><span>%5</span>"_s.arg(
                text(each.name).toHtmlEscaped(), m_shown.x == PlotUnit::Threads ? u"%1 threads"_s.arg(x) : x,
                text(plotValueText(point.median, m_shown.y)),
                point.samples > 0 ? " (" + spanText(point, m_shown.y) + ")" : QString(),
                text(each.how).toHtmlEscaped());
        }
    }
    return tip;
}

QString CalibrationPlotView::write(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == "csv") {
        QSaveFile file(path);
        const QByteArray csv = QByteArray::fromStdString(plotCsv(m_shown));
        return file.open(QIODevice::WriteOnly) && file.write(csv) == csv.size() && file.commit()
                   ? QString()
                   : u"%1 cannot be written; is the folder there, and is there room?"_s.arg(path);
    }
    if (ending != "png" && ending != "svg" && ending != "pdf")
        return u"%1 ends with none of .png, .svg, .pdf and .csv."_s.arg(path);
    rebuild(Palette::lightTheme());
    m_plot->setBackground(Qt::white);
    m_plot->axisRect()->setBackground(Qt::white);
    placeLegend(*m_plot, kFilePx);
    QString said = writePlot(*m_plot, path, kFilePx, text(m_shown.title));
    removeLegend(*m_plot);
    rebuild(Palette::current(palette()));
    return said;
}

bool CalibrationPlotView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_plot && event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        showReadOut(*m_plot, mouse->globalPosition().toPoint(), tipAt(mouse->pos()));
    }
    return QWidget::eventFilter(watched, event);
}

void CalibrationPlotView::resizeEvent(QResizeEvent*)
{
    m_plot->setGeometry(rect());
}

void CalibrationPlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        rebuild(Palette::current(palette()));
    QWidget::changeEvent(event);
}

}  // namespace overlane
