#include "app/shell/svg_drawing.h"

#include <QBuffer>
#include <QColor>
#include <QFileInfo>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgRenderer>

#include "app/widgets/text.h"
#include "core/base/text_file.h"

namespace overlane
{

namespace
{

constexpr int kSvgDpi = 288;
constexpr double kPointsPerPx = 0.75;

// The fills of the style's classes with this letter, by number.
QHash<QString, QColor> fillsOf(const QString& svg, QChar letter)
{
    QHash<QString, QColor> fills;
    const QRegularExpression rule(u"\\.%1([0-9]+)\\{fill:(#[0-9a-f]{6})\\}"_s.arg(letter));
    for (auto each = rule.globalMatch(svg); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        fills.insert(found.captured(1), QColor(found.captured(2)));
    }
    return fills;
}

QByteArray withoutPatterns(const QByteArray& picture)
{
    QString svg = QString::fromUtf8(picture);
    const QHash<QString, QColor> grounds = fillsOf(svg, 'g');
    const QHash<QString, QColor> inks = fillsOf(svg, 'k');
    for (auto ground = grounds.begin(); ground != grounds.end(); ++ground) {
        const QColor ink = inks.value(ground.key());
        const QColor between((ground->red() + ink.red()) / 2, (ground->green() + ink.green()) / 2,
                             (ground->blue() + ink.blue()) / 2);
        svg.replace(u"url(#hatch%1)"_s.arg(ground.key()), ground->name());
        svg.replace(u"url(#dots%1)"_s.arg(ground.key()), ground->name());
        svg.replace(u"url(#dense%1)"_s.arg(ground.key()), between.name());
    }
    static const QRegularExpression patterns(u"<svg[^>]*class=\"defs\".*?</svg>"_s,
                                             QRegularExpression::DotMatchesEverythingOption);
    svg.remove(patterns);
    // Nor pictures within pictures, all of one scale here: they become groups at their place.
    const qsizetype outer = svg.indexOf(u"<svg"_s) + 1;
    QString inner = svg.mid(outer);
    static const QRegularExpression placed(u"<svg x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>"_s);
    inner.replace(placed, u"<g transform=\"translate(\\1,\\2)\">"_s);
    static const QRegularExpression nested(u"<svg[^>]*>"_s);
    inner.replace(nested, u"<g>"_s);
    inner.replace(u"</svg>"_s, u"</g>"_s);
    const qsizetype last = inner.lastIndexOf(u"</g>"_s);
    svg = svg.left(outer) + inner.left(last) + u"</svg>"_s;
    // No emphasis is drawn around letters, and no font is inherited.
    svg.replace(u"font-family:inherit"_s, u"font-family:sans-serif"_s);
    static const QRegularExpression emphasis(u"paint-order:stroke;stroke:[^;}]*;stroke-width:[^;}]*;"_s);
    svg.remove(emphasis);
    return svg.toUtf8();
}

}  // namespace

QSizeF svgSize(const QByteArray& svg)
{
    return QSvgRenderer(withoutPatterns(svg)).viewBoxF().size();
}

void drawSvg(QPainter& painter, const QByteArray& svg, const QRectF& place)
{
    QSvgRenderer(withoutPatterns(svg)).render(&painter, place);
}

Result<void> writeSvgAsPdf(const QByteArray& svg, const QString& title, const std::string& path)
{
    const QSizeF size = svgSize(svg);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter paper(&buffer);
        paper.setResolution(kSvgDpi);
        paper.setPageMargins({});
        paper.setPageSize(QPageSize(size * kPointsPerPx, QPageSize::Point, {}, QPageSize::ExactMatch));
        paper.setTitle(title);
        paper.setCreator(u"Overlane"_s);
        QPainter painter(&paper);
        drawSvg(painter, svg, QRectF(0, 0, paper.width(), paper.height()));
    }
    return writeTextFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

Result<void> writeSvgAsPng(const QByteArray& svg, const std::string& path)
{
    QImage image(svgSize(svg).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return Error{path + " was not written: the picture is no SVG, or too large."};
    image.fill(Qt::white);
    {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        drawSvg(painter, svg, image.rect());
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return Error{path + " was not written: no PNG can be made of the picture."};
    return writeTextFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

Result<void> drawSvgFile(const std::string& from, const std::string& path)
{
    ASSIGN_OR_RETURN(const std::string picture, readTextFile(from));
    const QByteArray svg = QByteArray::fromStdString(picture);
    const QString name = text(path);
    return name.endsWith(u".pdf"_s, Qt::CaseInsensitive) ? writeSvgAsPdf(svg, QFileInfo(name).completeBaseName(), path)
                                                         : writeSvgAsPng(svg, path);
}

}  // namespace overlane
