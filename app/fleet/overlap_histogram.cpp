#include "app/fleet/overlap_histogram.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/plot/plot_style.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

constexpr double kBarShare = 0.86;  // of its bin
constexpr double kRoomAbove = 1.08;
constexpr int kPalerAlpha = 90;  // of what is not chosen

}  // namespace

OverlapHistogram::OverlapHistogram(QWidget* parent) : PointPlot(parent)
{
    setObjectName("overlapHistogram");
    setAccessibleName(u"Runs by how much of their copies' time is hidden"_s);
    setAccessibleDescription(u"Arrow keys go from bar to bar, Enter lists its runs"_s);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    m_plot->axisRect()->setMargins(QMargins(0, 8, 14, 0));
    redraw();
}

void OverlapHistogram::setFigures(const FleetFigures& figures)
{
    m_figures = figures;
    redraw();
}

void OverlapHistogram::setChosen(std::optional<std::size_t> bin)
{
    m_chosen = bin;
    redraw();
}

void OverlapHistogram::redraw()
{
    const Palette& colors = Palette::current(palette());
    dressPlot(*m_plot, colors);
    m_plot->clearPlottables();
    removeLegend(*m_plot);
    const auto most = static_cast<double>(*std::max_element(m_figures.overlap.begin(), m_figures.overlap.end()));
    m_plot->xAxis->setLabel(u"Hidden part of the copies' time, %"_s);
    m_plot->yAxis->setLabel(u"Runs"_s);
    m_plot->xAxis->setRange(0, 100);
    m_plot->yAxis->setRange(0, std::max(1.0, most * kRoomAbove));
    const auto whole = QSharedPointer<QCPAxisTickerFixed>::create();  // there are no halves of runs
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    m_plot->yAxis->setTicker(whole);
    const double width = 100.0 / kOverlapBins;
    for (std::size_t bin = 0; bin < kOverlapBins; ++bin) {
        auto* bar = new QCPBars(m_plot->xAxis, m_plot->yAxis);
        // From what is exposed to what is hidden.
        QColor color = 2 * bin < kOverlapBins ? colors.error : colors.good;
        if (m_chosen && *m_chosen != bin)
            color.setAlpha(kPalerAlpha);
        bar->setWidth(width * kBarShare);
        bar->setPen(Qt::NoPen);
        bar->setBrush(color);
        bar->addData(width * (static_cast<double>(bin) + 0.5), static_cast<double>(m_figures.overlap[bin]));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    placeCursor();
}

QPoint OverlapHistogram::placeOf(std::size_t bin) const
{
    const double width = 100.0 / kOverlapBins;
    const double x = width * (static_cast<double>(bin) + 0.5);
    return {
        static_cast<int>(std::lround(m_plot->xAxis->coordToPixel(x))),
        static_cast<int>(std::lround(m_plot->yAxis->coordToPixel(0.5 * static_cast<double>(m_figures.overlap[bin]))))};
}

std::vector<QPoint> OverlapHistogram::places() const
{
    std::vector<QPoint> all;
    for (std::size_t bin = 0; bin < kOverlapBins; ++bin)
        all.push_back(placeOf(bin));
    return all;
}

// Anywhere above the axis in a bin's column, since a bar of few runs is hardly a pixel high.
std::optional<std::size_t> OverlapHistogram::pointNear(QPoint place) const
{
    if (!m_plot->axisRect()->rect().contains(place))
        return std::nullopt;
    return overlapBin(m_plot->xAxis->pixelToCoord(place.x()) / 100);
}

QString OverlapHistogram::describePoint(std::size_t point) const
{
    return u"%1 to %2 % hidden: %3 runs\nClick to list them"_s.arg(100 / kOverlapBins * point)
        .arg(100 / kOverlapBins * (point + 1))
        .arg(text(formatCount(m_figures.overlap[point])));
}

}  // namespace overlane
