#include "app/plot/plot_file.h"

#include <string_view>

#include <QBuffer>
#include <QByteArray>
#include <QFile>
#include <QFileInfo>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <qcustomplot.h>

#include "core/base/atomic_file.h"

namespace overlane
{

namespace
{

constexpr double kPictureScale = 2;
constexpr int kPointsPerInch = 72;

bool drawPng(QCustomPlot& plot, QIODevice& file, QSize size)
{
    return plot.toPixmap(size.width(), size.height(), kPictureScale).save(&file, "PNG");
}

bool drawLines(QCustomPlot& plot, QPaintDevice& paper, QSize size)
{
    QCPPainter painter;
    if (!painter.begin(&paper))
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&painter, size.width(), size.height());
    return painter.end();
}

bool drawSvg(QCustomPlot& plot, QIODevice& file, QSize size, const QString& title)
{
    QSvgGenerator paper;
    paper.setOutputDevice(&file);
    paper.setSize(size);
    paper.setViewBox(QRect(QPoint(0, 0), size));
    paper.setTitle(title);
    return drawLines(plot, paper, size);
}

bool drawPdf(QCustomPlot& plot, QIODevice& file, QSize size, const QString& title)
{
    QPdfWriter paper(&file);
    paper.setResolution(kPointsPerInch);
    paper.setPageMargins({});
    paper.setPageSize(QPageSize(QSizeF(size), QPageSize::Point, {}, QPageSize::ExactMatch));
    paper.setTitle(title);
    return drawLines(plot, paper, size);
}

}  // namespace

QString writePlot(QCustomPlot& plot, const QString& path, QSize size, const QString& title)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    bool drawn = buffer.open(QIODevice::WriteOnly);
    if (ending == QLatin1String("png"))
        drawn = drawn && drawPng(plot, buffer, size);
    else if (ending == QLatin1String("svg"))
        drawn = drawn && drawSvg(plot, buffer, size, title);
    else if (ending == QLatin1String("pdf"))
        drawn = drawn && drawPdf(plot, buffer, size, title);
    else
        return QStringLiteral("%1: a picture ends in .png, .svg or .pdf.").arg(path);
    const std::string_view picture(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    return drawn && writeWhole(QFile::encodeName(path).toStdString(), picture).ok()
               ? QString()
               : QStringLiteral("%1 cannot be written; check the folder and the room on the disk.").arg(path);
}

}  // namespace overlane
