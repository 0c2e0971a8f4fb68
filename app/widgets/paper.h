// Paper: a rich text on the pages of a PDF or a printer, broken where a reader would break it.
//
// A heading stays with what it heads, a heading of the third level with all of it where that is short, and a table
// that fits on a page is on one. Every page names the text and its number. Pure functions of the document given,
// whose formats they set; the thread of the document. Lengths of the document are pixels of a screen, 96 to the inch.
#pragma once

#include <QString>

class QPagedPaintDevice;
class QTextDocument;

namespace overlane
{

// The width that pictures may have on such a page, in the document's pixels.
int paperWidthPx(const QPagedPaintDevice& writer);
// How high, beside `belowPx` of text on the same page.
int paperHeightPx(const QPagedPaintDevice& writer, int belowPx);

// Lays the document out for the writer's page. Nothing is drawn.
void layOutOnPaper(QTextDocument& document, QPagedPaintDevice& writer);
// Draws what layOutOnPaper() laid out.
void drawOnPaper(const QTextDocument& document, QPagedPaintDevice& writer, const QString& title);

}  // namespace overlane
