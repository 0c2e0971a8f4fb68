#include "app/plot/plot_style.h"

#include <algorithm>
#include <vector>

#include <QToolTip>
#include <qcustomplot.h>

#include "app/theme/palette.h"

namespace overlane
{

namespace
{

constexpr int kLabelPx = 11;
constexpr double kLegendShare = 0.42;  // of the width beside the axes, or of the height above them
constexpr int kAxesPx = 34;            // below the axes: numbers and what they are

// Its items; a grid that is not full has empty cells, too.
std::vector<QCPAbstractLegendItem*> itemsOf(const QCPLegend& legend)
{
    std::vector<QCPAbstractLegendItem*> items;
    for (int cell = 0; cell < legend.itemCount(); ++cell)
        if (QCPAbstractLegendItem* item = legend.item(cell))
            items.push_back(item);
    return items;
}

// So that no column is longer than `wrap`, or no row wider; answers the size that it takes.
QSize arrangeLegend(QCPLegend& legend, QCPLayoutGrid::FillOrder order, int wrap)
{
    const std::vector<QCPAbstractLegendItem*> items = itemsOf(legend);
    legend.setWrap(wrap);
    legend.setFillOrder(order, true);
    const bool downwards = order == QCPLayoutGrid::foRowsFirst;
    const int count = static_cast<int>(items.size());
    const int columns = downwards ? (count + wrap - 1) / wrap : std::min(wrap, count);
    std::vector<int> widths(static_cast<std::size_t>(std::max(1, columns)), 0);
    int heightPx = 0;
    for (int i = 0; i < count; ++i) {
        const QSize item = items[static_cast<std::size_t>(i)]->minimumOuterSizeHint();
        int& width = widths[static_cast<std::size_t>(downwards ? i / wrap : i % wrap)];
        width = std::max(width, item.width());
        heightPx = std::max(heightPx, item.height());
    }
    const int rows = downwards ? std::min(wrap, count) : (count + columns - 1) / std::max(1, columns);
    const QMargins margins = legend.margins();
    int widthPx = margins.left() + margins.right() + (columns - 1) * legend.columnSpacing();
    for (const int width : widths)
        widthPx += width;
    return {widthPx, rows * (heightPx + legend.rowSpacing()) + margins.top() + margins.bottom()};
}

// The legend with empty space below or beside it, so that its size limits nothing but itself.
QCPLayoutGrid* framed(QCustomPlot& plot, QSize size, bool upright)
{
    plot.axisRect()->insetLayout()->take(plot.legend);
    plot.legend->setMaximumSize(size);
    plot.legend->setMinimumSize(size);
    auto* frame = new QCPLayoutGrid;
    frame->addElement(0, 0, plot.legend);
    frame->addElement(upright ? 1 : 0, upright ? 0 : 1, new QCPLayoutElement(&plot));
    if (upright) {
        frame->setRowStretchFactor(0, 0.001);
        frame->setMaximumSize(size.width(), QWIDGETSIZE_MAX);
    } else {
        frame->setColumnStretchFactor(0, 0.001);
        frame->setMaximumSize(QWIDGETSIZE_MAX, size.height());
    }
    return frame;
}

}  // namespace

void nameUpright(QCPAxis& axis, const QString& name, int plotPx)
{
    constexpr int kBelowPx = 3 * kLabelPx;  // figures and name of the other axis
    const bool fits = QFontMetrics(axis.labelFont()).horizontalAdvance(name) <= plotPx - kBelowPx;
    axis.setLabel(fits ? name : QString());
}

void dressPlot(QCustomPlot& plot, const Palette& colors)
{
    plot.setBackground(colors.panel);
    plot.axisRect()->setBackground(colors.lanes);
    QFont small = plot.font();
    small.setPixelSize(kLabelPx);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(colors.border));
        axis->setTickPen(QPen(colors.border));
        axis->setSubTicks(false);
        axis->setTickLabelFont(small);
        axis->setTickLabelColor(colors.mutedText);
        axis->setLabelFont(small);
        axis->setLabelColor(colors.text);
        axis->setTickLength(0, 3);
        axis->setLabelPadding(2);
        axis->grid()->setPen(QPen(colors.grid));
        axis->grid()->setZeroLinePen(QPen(colors.grid));
    }
    QColor ground = colors.panel;
    ground.setAlpha(225);
    plot.legend->setBrush(ground);
    plot.legend->setBorderPen(QPen(colors.border));
    plot.legend->setTextColor(colors.text);
    plot.legend->setFont(small);
    plot.legend->setRowSpacing(-3);
    plot.legend->setMargins(QMargins(6, 3, 6, 3));
}

QColor lineColor(const Palette& colors, std::size_t line)
{
    return colors.series[line % colors.series.size()];
}

void showReadOut(QCustomPlot& plot, QPoint globalPos, const QString& text)
{
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(globalPos + QPoint(12, 12), text, &plot);
}

void removeLegend(QCustomPlot& plot)
{
    QCPLegend* legend = plot.legend;
    legend->setVisible(false);
    if (legend->layout() == plot.axisRect()->insetLayout())
        return;
    QCPLayout* frame = legend->layout();
    frame->take(legend);
    plot.plotLayout()->remove(frame);
    plot.plotLayout()->simplify();
    plot.axisRect()->insetLayout()->addElement(legend, Qt::AlignTop | Qt::AlignLeft);
}

void placeLegend(QCustomPlot& plot, QSize size)
{
    removeLegend(plot);
    QCPLegend* legend = plot.legend;
    const std::vector<QCPAbstractLegendItem*> lines = itemsOf(*legend);
    const int items = static_cast<int>(lines.size());
    if (items == 0)
        return;
    legend->setVisible(true);
    legend->setBorderPen(Qt::NoPen);
    const int linePx = std::max(1, lines.front()->minimumOuterSizeHint().height() + legend->rowSpacing());
    const int longest = std::clamp((size.height() - kAxesPx) / linePx, 1, items);
    const QSize beside = arrangeLegend(*legend, QCPLayoutGrid::foRowsFirst, longest);
    QCPLayoutGrid* grid = plot.plotLayout();
    if (beside.width() <= size.width() * kLegendShare) {
        grid->addElement(0, 1, framed(plot, beside, true));
        grid->setColumnStretchFactor(1, 0.001);
        return;
    }
    for (int columns = items; columns >= 1; --columns) {
        const QSize above = arrangeLegend(*legend, QCPLayoutGrid::foColumnsFirst, columns);
        if (above.width() > size.width())
            continue;
        if (above.height() > size.height() * kLegendShare)
            break;
        grid->insertRow(0);
        grid->addElement(0, 0, framed(plot, above, false));
        grid->setRowStretchFactor(0, 0.001);
        return;
    }
    legend->setVisible(false);
}

}  // namespace overlane
