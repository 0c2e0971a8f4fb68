#include "app/shell/svg_objects.h"

#include <QTextFormat>

#include "app/shell/svg_drawing.h"

namespace overlane
{

namespace
{

constexpr double kMostSwatchPx = 22;  // of the document's pixels

}  // namespace

qsizetype SvgObjects::add(const QByteArray& svg)
{
    m_pictures.push_back({svg, svgSize(svg)});
    return static_cast<qsizetype>(m_pictures.size()) - 1;
}

QSizeF SvgObjects::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    QSizeF size = pictureOf(format).size;
    if (size.isEmpty())
        return {};
    if (size.width() > kMostSwatchPx)
        size *= m_widthPx / size.width();
    return size * m_scale;
}

void SvgObjects::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format)
{
    drawSvg(*painter, pictureOf(format).svg, place);
}

const SvgObjects::Picture& SvgObjects::pictureOf(const QTextFormat& format) const
{
    return m_pictures[static_cast<std::size_t>(format.stringProperty(QTextFormat::ImageName).toInt())];
}

}  // namespace overlane
