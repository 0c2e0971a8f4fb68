#include "app/lessons/lesson_handout.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QImage>
#include <QLayout>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTextDocument>

#include "app/lessons/lesson_difference.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/firm_units.h"
#include "app/widgets/paper.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/content/html.h"
#include "core/lessons/lesson_page.h"
#include "core/lessons/lesson_sections.h"
#include "core/lessons/lesson_table.h"
#include "core/lessons/markdown.h"

namespace overlane
{

namespace
{

constexpr int kAroundLanesPx = 210;    // overview, ruler, titles and legend
constexpr int kBesidePicturePx = 110;  // its heading and the line below it
// The window's letters are still read on paper where they become a little smaller, not where they become a half.
constexpr double kLeastShrunk = 0.76;
constexpr double kPictureScale = 3;  // paper shows more than a screen
constexpr int kPdfDpi = 300;
constexpr double kMarginMm = 18;
constexpr double kPaperPoints = 10;

// Both timelines as the window draws them, on white, without what is there to be clicked; for a place of this size.
QImage timelinesPicture(const LessonRun& run, QSize placePx)
{
    const JudgedRunPointer& a = run.runs()[0];
    const JudgedRunPointer& b = run.runs()[1];
    const LessonDifference difference = lessonDifference(run, 0, 1);
    ViewRange range;
    Selection selection;
    TimelineView view(&range, &selection);
    view.setPalette(Palette::lightTheme().toQPalette());
    view.setTrace({a, &a->result.trace});
    view.setShownName(text(run.lesson().scenarios[0].label));
    SecondTrace second;
    second.trace = {b, &b->result.trace};
    second.badge = text(run.lesson().scenarios[1].name);
    second.firstBadge = text(run.lesson().scenarios[0].name);
    second.title = text(run.lesson().scenarios[1].label);
    second.rest = durationText(b->result.wallNs);
    second.offsetNs = difference.offsetNs;
    view.below()->setSecond(second);
    range.setRange(difference.shown);
    for (QWidget* control : view.below()->findChildren<QWidget*>())
        if (qobject_cast<QAbstractButton*>(control) != nullptr || qobject_cast<QComboBox*>(control) != nullptr)
            control->setMaximumSize(0, 0);
    const int wantedPx =
        view.lanes()->trackLayout().heightPx + view.below()->lanes()->trackLayout().heightPx + kAroundLanesPx;
    // Where there are many lanes the picture becomes as high as the place, and wider so that it is not cut.
    const double shrunk = std::min(kLeastShrunk, static_cast<double>(placePx.height()) / wantedPx);
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.resize(static_cast<int>(placePx.width() / shrunk), wantedPx);
    view.show();
    // Laid out now, not when there is time.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    view.layout()->activate();
    QImage picture(view.size() * kPictureScale, QImage::Format_RGB32);
    picture.setDevicePixelRatio(kPictureScale);
    picture.fill(Qt::white);
    range.setRange(difference.shown);
    view.render(&picture);
    return picture;
}

// The timelines are its picture "runs". The questions stand before it, alone on their page, and the answers after it.
QString handoutHtml(const LessonRun& run, int widthPx)
{
    const Lesson& lesson = run.lesson();
    const LessonDifference difference = lessonDifference(run, 0, 1);
    QString page = u"<h1>%1</h1><p class='note'>%2<br>%3</p>"_s.arg(text(lesson.title).toHtmlEscaped(),
                                                                    text(markdownInlineHtml(lesson.summary)),
                                                                    text(lessonFacts(run)).toHtmlEscaped());
    for (const LessonSection& section : lessonSections(run)) {
        if (section.id == "runs")
            page +=
                u"<h2 style='page-break-before: always'>%1</h2><p><img src='runs' width='%2'></p>"
                "<p class='note'>%3</p>%4"_s.arg(difference.sentence.toHtmlEscaped())
                    .arg(widthPx)
                    .arg(difference.settings.toHtmlEscaped(), richHtml(htmlText(lessonTable(run))));
        else
            page += u"<h2>%1</h2>"_s.arg(text(section.title));
        page += markdownHtml(text(section.markdown)).remove(u"font-size:large;"_s);  // of its headings
    }
    return richWithFirmUnits(page);
}

// In the colors of light paper.
QString styleSheet()
{
    const Palette& colors = Palette::lightTheme();
    return u"body { font-family: sans-serif; color: %1; } h1 { font-size: 20pt; } h2 { font-size: 14pt; } "
           "h3 { font-size: 10pt; } p, li, td, th { font-size: 10pt; } .note { color: %2; } "
           "code { font-family: monospace; font-size: 9pt; }"_s.arg(colors.text.name(), colors.mutedText.name());
}

Result<void> unwritten(const QString& path, const QString& why)
{
    return Error{u"The handout was not written to %1: %2"_s.arg(path, why).toStdString()};
}

}  // namespace

Result<void> writePdfHandout(const LessonRun& run, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return unwritten(path, file.errorString());
    {
        QPdfWriter writer(&file);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins({kMarginMm, kMarginMm, kMarginMm, kMarginMm}, QPageLayout::Millimeter);
        writer.setResolution(kPdfDpi);
        writer.setTitle(text(run.lesson().title));
        writer.setCreator(u"Overlane"_s);
        QTextDocument document;
        // In points: pixels of a screen are nothing on paper.
        QFont font(u"sans-serif"_s);
        font.setPointSizeF(kPaperPoints);
        document.setDefaultFont(font);
        const QSize place(paperWidthPx(writer), paperHeightPx(writer, kBesidePicturePx));
        const QImage picture = timelinesPicture(run, place);
        document.addResource(QTextDocument::ImageResource, QUrl(u"runs"_s), picture);
        document.setDefaultStyleSheet(styleSheet());
        document.setHtml(handoutHtml(run, place.width()));
        layOutOnPaper(document, writer);
        drawOnPaper(document, writer, text(run.lesson().title));
    }
    return file.commit() ? Result<void>() : unwritten(path, file.errorString());
}

Result<void> writeHtmlHandout(const LessonRun& run, const QString& path)
{
    const std::string page = lessonPage(run, OVERLANE_VERSION);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(page.data(), static_cast<qint64>(page.size())) < 0 ||
        !file.commit())
        return unwritten(path, file.errorString());
    return {};
}

}  // namespace overlane
