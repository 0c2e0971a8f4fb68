// Paper: a rich text on the pages of a PDF, broken where a reader would break it.
//
// A heading stays with what it heads, a heading of the third level with all of it where that is short, and a table
// that fits on a page is on one. Every page names the text and its number. Pure functions of the document given,
// whose formats they set; GUI thread. Lengths of the document are pixels of a screen, 96 to the inch.
#pragma once

#include <QString>

class QPdfWriter;
class QTextDocument;

namespace overlane
{

// The width that pictures may have on such a page, in the document's pixels.
int paperWidthPx(const QPdfWriter& writer);
// How high, beside `belowPx` of text on the same page.
int paperHeightPx(const QPdfWriter& writer, int belowPx);

// Lays the document out for the writer's page. Nothing is drawn.
void layOutOnPaper(QTextDocument& document, QPdfWriter& writer);
// Draws what layOutOnPaper() laid out.
void drawOnPaper(const QTextDocument& document, QPdfWriter& writer, const QString& title);

}  // namespace overlane
