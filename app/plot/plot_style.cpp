#include "app/plot/plot_style.h"

#include <QFileInfo>
#include <QSvgGenerator>
#include <QToolTip>
#include <qcustomplot.h>

#include "app/theme/palette.h"

namespace overlane
{

namespace
{

constexpr int kLabelPx = 11;
constexpr double kPictureScale = 2;

}  // namespace

void dressPlot(QCustomPlot& plot, const Palette& colours)
{
    plot.setBackground(colours.panel);
    plot.axisRect()->setBackground(colours.lanes);
    QFont small = plot.font();
    small.setPixelSize(kLabelPx);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(colours.border));
        axis->setTickPen(QPen(colours.border));
        axis->setSubTicks(false);
        axis->setTickLabelFont(small);
        axis->setTickLabelColor(colours.mutedText);
        axis->setLabelFont(small);
        axis->setLabelColor(colours.text);
        axis->setTickLength(0, 3);
        axis->setLabelPadding(2);
        axis->grid()->setPen(QPen(colours.grid));
        axis->grid()->setZeroLinePen(QPen(colours.grid));
    }
    QColor ground = colours.panel;
    ground.setAlpha(225);
    plot.legend->setBrush(ground);
    plot.legend->setBorderPen(QPen(colours.border));
    plot.legend->setTextColor(colours.text);
    plot.legend->setFont(small);
    plot.legend->setRowSpacing(-3);
    plot.legend->setMargins(QMargins(6, 3, 6, 3));
}

QColor lineColour(const Palette& colours, std::size_t line)
{
    return colours.series[line % colours.series.size()];
}

void showReadOut(QCustomPlot& plot, QPoint globalPos, const QString& text)
{
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(globalPos + QPoint(12, 12), text, &plot);
}

QString writePlot(QCustomPlot& plot, const QString& path, QSize size, const QString& title)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    bool written = false;
    if (ending == QLatin1String("png")) {
        written = plot.savePng(path, size.width(), size.height(), kPictureScale);
    } else if (ending == QLatin1String("pdf")) {
        written = plot.savePdf(path, size.width(), size.height());
    } else if (ending == QLatin1String("svg")) {
        QSvgGenerator file;
        file.setFileName(path);
        file.setSize(size);
        file.setViewBox(QRect(QPoint(0, 0), size));
        file.setTitle(title);
        QCPPainter painter;
        if (painter.begin(&file)) {
            painter.setMode(QCPPainter::pmVectorized);
            painter.setMode(QCPPainter::pmNoCaching);
            plot.toPainter(&painter, size.width(), size.height());
            written = painter.end() && QFileInfo(path).size() > 0;
        }
    } else {
        return QObject::tr("%1: a picture ends in .png, .svg or .pdf.").arg(path);
    }
    return written ? QString()
                   : QObject::tr("%1 cannot be written; check the folder and the room on the disk.").arg(path);
}

}  // namespace overlane
