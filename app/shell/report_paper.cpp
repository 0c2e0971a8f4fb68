#include "app/shell/report_paper.h"

#include <future>
#include <memory>
#include <utility>
#include <vector>

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QThread>

#include "app/shell/svg_objects.h"
#include "app/theme/palette.h"
#include "app/widgets/paper.h"
#include "app/widgets/text.h"
#include "core/base/text_file.h"
#include "core/report/report_style.h"

namespace overlane
{

namespace
{

constexpr int kReportDpi = 300;
constexpr double kReportMarginMm = 16;
constexpr double kReportPoints = 9;
constexpr double kDocumentDpi = 96;
constexpr int kSvgObject = QTextFormat::UserObject + 1;

// Takes the drawings out of the page; each leaves an image that is named by its number.
QString withoutDrawings(const QString& body, SvgObjects& drawings)
{
    static const QRegularExpression drawing(u"<svg([^>]*)>(.*?)</svg>"_s,
                                            QRegularExpression::DotMatchesEverythingOption);
    const QString style = text(pictureStyle(false));
    QString words;
    qsizetype at = 0;
    for (auto each = drawing.globalMatch(body); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        words += body.mid(at, found.capturedStart() - at);
        at = found.capturedEnd();
        if (found.captured(1).contains(u"class=\"defs\""_s))
            continue;
        const QString svg = u"<svg xmlns=\"http://www.w3.org/2000/svg\"%1><style>%2</style>%3</svg>"_s.arg(
            found.captured(1), style, found.captured(2));
        const bool inLine = found.captured(1).contains(u"swatch"_s);
        words += u"<img src=\"%1\">"_s.arg(drawings.add(svg.toUtf8())) + (inLine ? u"&nbsp;"_s : u"<br>"_s);
    }
    return words + body.mid(at);
}

// What the page leaves to its style sheet, in the few means of a QTextDocument.
QString withPlainLayout(QString body)
{
    static const QRegularExpression figure(u"<div><b>([^<]*)</b><span>([^<]*)</span></div>"_s);
    body.replace(figure, u"<tr><td align=\"right\"><b>\\1</b></td><td>\\2</td></tr>"_s);
    static const QRegularExpression figures(u"<div class=\"figures\">(.*?)</div>"_s,
                                            QRegularExpression::DotMatchesEverythingOption);
    body.replace(figures, u"<table>\\1</table>"_s);
    static const QRegularExpression badge(u"<span class=\"badge ([a-z]+)\">([^<]*)</span>"_s);
    body.replace(badge, u"<span class=\"\\1\">\\2:</span> "_s);
    // The cost stands behind the title, which stays with what it heads.
    static const QRegularExpression finding(u"<li id=\"[^\"]*\"><b>([^<]*)</b><div><h3>(.*?)</h3>"_s);
    body.replace(finding, u"<li><div><h3>\\2 <span class=\"cost\">\\1</span></h3>"_s);
    static const QRegularExpression section(u"</?section\\b[^>]*>"_s);
    body.remove(section);
    static const QRegularExpression numberCell(u"<(t[dh]) class=\"n\">"_s);
    body.replace(numberCell, u"<\\1 align=\"right\">"_s);
    body.replace(u"</span><span><img"_s, u"</span> &nbsp; <span><img"_s);
    body.replace(u"</span><span class=\"file\">"_s, u"</span> &nbsp; <span class=\"file\">"_s);
    static const QRegularExpression link(u"</?a\\b[^>]*>"_s);
    return body.remove(link);
}

QString paperStyle()
{
    const Palette& colors = Palette::lightTheme();
    return u"body { color: %1; } h1 { font-size: 14pt; } h2 { font-size: 12pt; } h3 { font-size: 9pt; } "
           "p, li, td, th, dt, dd { font-size: 9pt; } .note, .muted, .file, .cost { color: %2; } dt { color: %2; } "
           ".problem { color: %3; } .hazard, .error { color: %4; } code { font-family: monospace; }"_s.arg(
               colors.text.name(), colors.mutedText.name(), colors.warning.name(), colors.error.name());
}

void showDrawings(QTextDocument& document)
{
    std::vector<std::pair<int, int>> places;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto each = block.begin(); !each.atEnd(); ++each)
            if (each.fragment().charFormat().isImageFormat())
                places.emplace_back(each.fragment().position(), each.fragment().length());
    for (const auto& [position, length] : places) {
        QTextCursor cursor(&document);
        cursor.setPosition(position);
        cursor.setPosition(position + length, QTextCursor::KeepAnchor);
        QTextCharFormat format = cursor.charFormat();
        format.setObjectType(kSvgObject);
        cursor.setCharFormat(format);
    }
}

// A document's layout has timers, which need a thread of Qt's. That it has ended is told by a future, too, since the
// thread sanitizer cannot see into Qt.
template <typename Work>
void onQtThread(Work work)
{
    std::packaged_task<void()> task(std::move(work));
    std::future<void> ended = task.get_future();
    {
        const std::unique_ptr<QThread> thread(QThread::create(std::move(task)));
        thread->start();
        thread->wait();
    }
    ended.get();  // throws what the work threw
}

void drawOnThisThread(const std::string& page, const QString& title, QPagedPaintDevice& paper)
{
    const QString whole = text(page);
    const qsizetype begin = whole.indexOf(u"<main>"_s);
    const qsizetype end = whole.lastIndexOf(u"</main>"_s);
    QTextDocument document;
    QFont font(u"sans-serif"_s);
    font.setPointSizeF(kReportPoints);
    document.setDefaultFont(font);
    document.setDefaultStyleSheet(paperStyle());
    SvgObjects drawings(paperWidthPx(paper), paper.logicalDpiX() / kDocumentDpi);
    document.documentLayout()->registerHandler(kSvgObject, &drawings);
    QTextCursor writing(&document);
    writing.beginEditBlock();  // laid out once, not with every drawing
    document.setHtml(withPlainLayout(withoutDrawings(whole.mid(begin, end - begin), drawings)));
    showDrawings(document);
    writing.endEditBlock();
    layOutOnPaper(document, paper);
    drawOnPaper(document, paper, title);
}

}  // namespace

void drawReport(const std::string& page, const QString& title, QPagedPaintDevice& paper)
{
    onQtThread([&] { drawOnThisThread(page, title, paper); });
}

Result<void> writeReportAsPdf(const std::string& page, const QString& title, const std::string& path)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins({kReportMarginMm, kReportMarginMm, kReportMarginMm, kReportMarginMm},
                              QPageLayout::Millimeter);
        writer.setResolution(kReportDpi);
        writer.setTitle(title);
        writer.setCreator(u"Overlane"_s);
        drawReport(page, title, writer);
    }
    return writeTextFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

}  // namespace overlane
