#include "app/widgets/paper.h"

#include <algorithm>

#include <QAbstractTextDocumentLayout>
#include <QPagedPaintDevice>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>

#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr double kScreenDpi = 96;
constexpr double kFooterPx = 30;
constexpr double kFooterPoints = 8;
// A stretch higher than this part of a page may be broken: keeping it would leave too much of the page before empty.
constexpr double kMostKept = 0.4;

struct Space {
    double abovePx;
    double belowPx;
};

Space spaceOf(const QTextBlock& block)
{
    switch (block.blockFormat().headingLevel()) {
        case 0:
            return block.textList() != nullptr ? Space{0, 3} : Space{0, 6};
        case 1:
            return {0, 4};
        case 2:
            return {16, 5};
        default:
            return {9, 3};
    }
}

bool breaksBefore(const QTextFormat& format)
{
    return (format.intProperty(QTextFormat::PageBreakPolicy) & QTextFormat::PageBreak_AlwaysBefore) != 0;
}

void dress(QTextDocument& document)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format;
        const Space space = cursor.currentTable() != nullptr ? Space{0, 0} : spaceOf(block);
        format.setTopMargin(space.abovePx);
        format.setBottomMargin(space.belowPx);
        cursor.mergeBlockFormat(format);
    }
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(Palette::lightTheme().border);
            format.setCellSpacing(0);
            format.setCellPadding(3);
            format.setTopMargin(4);
            format.setBottomMargin(10);
            format.setHeaderRowCount(1);
            table->setFormat(format);
        }
}

bool heads(const QTextBlock& block)
{
    return block.isValid() && block.blockFormat().headingLevel() > 0;
}

QRectF placeOf(const QTextDocument& document, const QTextBlock& block)
{
    QTextTable* table = QTextCursor(block).currentTable();
    const QAbstractTextDocumentLayout& layout = *document.documentLayout();
    return table != nullptr ? layout.frameBoundingRect(table) : layout.blockBoundingRect(block);
}

// Where the stretch ends that stays with these headings: with what they head, or with its beginning only.
double keptTo(const QTextDocument& document, QTextBlock block, bool beginning)
{
    int level = 0;
    double bottom = placeOf(document, block).bottom();
    for (; heads(block); block = block.next())
        level = block.blockFormat().headingLevel();
    const bool whole = level > 2 && !beginning;
    for (bool first = true; block.isValid() && !heads(block) && (first || whole); block = block.next(), first = false)
        bottom = std::max(bottom, placeOf(document, block).bottom());
    return bottom;
}

// Sets one page break that is missing; false where none is.
bool breakOnce(QTextDocument& document)
{
    const double heightPx = document.pageSize().height();
    const auto apart = [heightPx](double top, double bottom) {
        return static_cast<int>(top / heightPx) != static_cast<int>((bottom - 1) / heightPx);
    };
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (!heads(block) || heads(block.previous()) || breaksBefore(block.blockFormat()))
            continue;
        const double top = placeOf(document, block).top();
        double bottom = keptTo(document, block, false);
        if (bottom - top > heightPx * kMostKept)
            bottom = keptTo(document, block, true);
        if (bottom - top > heightPx || !apart(top, bottom))
            continue;
        QTextBlockFormat format;
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(block).mergeBlockFormat(format);
        return true;
    }
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        const QRectF place = document.documentLayout()->frameBoundingRect(frame);
        if (breaksBefore(frame->frameFormat()) || place.height() > heightPx || !apart(place.top(), place.bottom()))
            continue;
        QTextFrameFormat format = frame->frameFormat();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        frame->setFrameFormat(format);
        return true;
    }
    return false;
}

QSizeF pageOf(const QPagedPaintDevice& writer)
{
    const QSizeF whole = writer.pageLayout().paintRectPixels(writer.logicalDpiX()).size();
    return {whole.width(), whole.height() - kFooterPx * writer.logicalDpiX() / kScreenDpi};
}

}  // namespace

int paperWidthPx(const QPagedPaintDevice& writer)
{
    return static_cast<int>(pageOf(writer).width() * kScreenDpi / writer.logicalDpiX());
}

int paperHeightPx(const QPagedPaintDevice& writer, int belowPx)
{
    return static_cast<int>(pageOf(writer).height() * kScreenDpi / writer.logicalDpiX()) - belowPx;
}

void layOutOnPaper(QTextDocument& document, QPagedPaintDevice& writer)
{
    document.documentLayout()->setPaintDevice(&writer);
    document.setDocumentMargin(0);
    document.setPageSize(pageOf(writer));
    dress(document);
    for (int most = document.blockCount(); most > 0 && breakOnce(document); --most) {
    }
}

void drawOnPaper(const QTextDocument& document, QPagedPaintDevice& writer, const QString& title)
{
    const QSizeF page = document.pageSize();
    const int pages = document.pageCount();
    QFont small = document.defaultFont();
    small.setPointSizeF(kFooterPoints);
    QPainter painter(&writer);
    for (int at = 0; at < pages; ++at) {
        if (at > 0)
            writer.newPage();
        painter.save();
        painter.translate(0, -at * page.height());
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(QPalette::Text, Palette::lightTheme().text);
        context.clip = QRectF(0, at * page.height(), page.width(), page.height());
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        const QRectF footer(0, page.height(), page.width(), kFooterPx * writer.logicalDpiX() / kScreenDpi);
        painter.setFont(small);
        painter.setPen(Palette::lightTheme().mutedText);
        painter.drawText(footer, Qt::AlignLeft | Qt::AlignBottom, title);
        painter.drawText(footer, Qt::AlignRight | Qt::AlignBottom, u"%1 of %2"_s.arg(at + 1).arg(pages));
    }
}

}  // namespace overlane
