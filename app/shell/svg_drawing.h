// An SVG picture of the report's kind, drawn by Qt as vectors: on the page of a PDF or of a printer.
//
// Pure functions, any thread. Qt knows no pictures within pictures, which become groups, and no patterns: hatches and
// dots become a pale ground, a dense hatch a color between that and the full one; outlines stay.
#pragma once

#include <QByteArray>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include "core/base/result.h"

class QPainter;

namespace overlane
{

// In the picture's own units; empty where it is none.
QSizeF svgSize(const QByteArray& svg);
void drawSvg(QPainter& painter, const QByteArray& svg, const QRectF& place);
// A PDF of one page as large as the picture. The Error names the file.
Result<void> writeSvgAsPdf(const QByteArray& svg, const QString& title, const std::string& path);
// A PNG with a pixel for each of its units. The Error names the file.
Result<void> writeSvgAsPng(const QByteArray& svg, const std::string& path);
// The picture in the file `from` as PDF or PNG, by the extension of `path`.
Result<void> drawSvgFile(const std::string& from, const std::string& path);

}  // namespace overlane
