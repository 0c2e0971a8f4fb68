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

#include "app/lessons/lesson_cards.h"
#include "app/lessons/lesson_difference.h"
#include "app/lessons/paper.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/firm_units.h"
#include "app/widgets/text.h"
#include "core/lessons/lesson_page.h"
#include "core/lessons/markdown.h"
#include "core/runs/run_metrics.h"

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

QString tr(const char* source)
{
    return QCoreApplication::translate("LessonHandout", source);
}

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

// A text of one paragraph with its `code` and *emphasis*.
QString inlineHtml(const std::string& markdown)
{
    return withFirmUnits(text(markdownInlineHtml(markdown)));
}

QString heading(int level, const QString& html)
{
    return QStringLiteral("<h%1>%2</h%1>").arg(level).arg(html);
}

QString claimHtml(const LessonRun& run, const LessonClaim& claim)
{
    const LessonVerdict verdict = run.verdict(claim.holds);
    const Prose& more = verdict == LessonVerdict::Held ? claim.ifHeld : claim.ifNot;
    QString figures = text(claim.figures.filled(run.source()));
    if (!more.empty() && verdict != LessonVerdict::Unknown)
        figures += ' ' + text(more.filled(run.source()));
    const Palette& colours = Palette::lightTheme();
    const QColor colour = verdict == LessonVerdict::Held      ? colours.good
                          : verdict == LessonVerdict::Unknown ? colours.mutedText
                                                              : colours.error;
    return heading(3, "\u201c" + inlineHtml(claim.says) + "\u201d") +
           QStringLiteral("<p><b style='color: %1'>%2</b> <span class='muted'>(%3)</span></p>%4")
               .arg(colour.name(), text(lessonVerdictName(verdict)), text(claim.source.text).toHtmlEscaped(),
                    markdownHtml(figures));
}

QString tableHtml(const LessonRun& run)
{
    QString rows = "<tr><th></th>";
    for (const LessonScenario& scenario : run.lesson().scenarios)
        rows += "<th align='right'>" + text(scenario.name) + "</th>";
    rows += "</tr>";
    for (const std::string& key : run.lesson().compared) {
        const RunMetric* metric = findRunMetric(key);
        if (metric == nullptr)
            continue;
        rows += "<tr><td>" + text(metric->label).toHtmlEscaped() + "</td>";
        for (const JudgedRunPointer& one : run.runs())
            rows +=
                "<td align='right'>" + text(figureText(metric->value(*one), metric->unit)).toHtmlEscaped() + "</td>";
        rows += "</tr>";
    }
    return "<table border='1' cellspacing='0' cellpadding='4'>" + rows + "</table>";
}

// To be filled in before the page is turned.
QString questionsHtml(const Lesson& lesson)
{
    QString page = heading(2, tr("Predict first"));
    for (const LessonPrediction& prediction : lesson.predictions) {
        page += heading(3, inlineHtml(prediction.question));
        if (prediction.choices.empty()) {
            page += "<p>" + tr("Your number: ____________") + "</p>";
            continue;
        }
        page += "<ol type='A'>";
        for (const LessonChoice& choice : prediction.choices)
            page += "<li>" + inlineHtml(choice.text) + "</li>";
        page += "</ol>";
    }
    return page;
}

QString answersHtml(const LessonRun& run, const FigureSource& figures)
{
    QString page;
    for (const LessonPrediction& prediction : run.lesson().predictions) {
        const LessonAnswer answer = run.answer(prediction);
        page += heading(3, inlineHtml(prediction.question)) + "<p><b>" +
                (answer.problem.empty() ? inlineHtml(answer.text)
                                        : tr("These runs do not tell: %1.").arg(text(answer.problem).toHtmlEscaped())) +
                "</b></p>" + markdownHtml(text(prediction.explanation.filled(figures)));
    }
    return page;
}

QString exercisesHtml(const Lesson& lesson)
{
    QString page = heading(2, tr("Exercises")) + "<p class='muted'>" +
                   tr("The program checks them: %1, or the lesson in the window.")
                       .arg("<code>overlane lessons " + text(lesson.key) + " --exercise 1 --set KEY=VALUE</code>") +
                   "</p>";
    for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
        const LessonExercise& exercise = lesson.exercises[i];
        QStringList knobs;
        for (const std::string& knob : exercise.knobs)
            knobs << "<code>" + text(knob).toHtmlEscaped() + "</code>";
        page += heading(3, tr("Exercise %1").arg(i + 1)) + markdownHtml(text(exercise.task)) + "<p class='muted'>" +
                tr("Goal: %1. You may change: %2.")
                    .arg("<code>" + text(exercise.goal.text()).toHtmlEscaped() + "</code>", knobs.join(", ")) +
                (exercise.hint.empty() ? QString() : ' ' + inlineHtml(exercise.hint)) + "</p>";
    }
    return page;
}

// The timelines are its picture "runs". The questions stand before it, alone on their page, and the answers after it.
QString handoutHtml(const LessonRun& run, int widthPx)
{
    const Lesson& lesson = run.lesson();
    const FigureSource figures = run.source();
    QString page = QStringLiteral("<h1>%1</h1><p class='muted'>%2</p>")
                       .arg(text(lesson.title).toHtmlEscaped(), inlineHtml(lesson.summary));
    page += heading(2, tr("The situation")) + markdownHtml(text(lesson.situation.filled(figures))) + "<ul>";
    for (const LessonScenario& scenario : lesson.scenarios)
        page += QStringLiteral("<li><b>%1</b> %2<br><code>%3</code></li>")
                    .arg(text(scenario.name), text(scenario.label).toHtmlEscaped(),
                         text(scenario.commandLine()).toHtmlEscaped());
    page += "</ul>" + questionsHtml(lesson);
    const LessonDifference difference = lessonDifference(run, 0, 1);
    page += "<h2 style='page-break-before: always'>" + withFirmUnits(difference.sentence).toHtmlEscaped() + "</h2>";
    page += QStringLiteral("<p><img src='runs' width='%1'></p>").arg(widthPx);
    page += "<p class='muted'>" +
            (run.measured() ? tr("Measured on a GPU.")
                            : tr("Simulated: %1.").arg(text(run.runs().front()->device->name).toHtmlEscaped())) +
            ' ' + difference.settings.toHtmlEscaped() + "</p>" + tableHtml(run);
    page += heading(2, tr("What the runs show")) + answersHtml(run, figures) + heading(3, tr("And more")) +
            markdownHtml(text(run.seen()));
    page += heading(2, tr("The rule")) + "<p><b>" + inlineHtml(lesson.rule.text) + "</b></p>" +
            markdownHtml(tr("Source: %1").arg(sourceMarkdown(lesson.rule.source)));
    page += heading(2, tr("What people say"));
    for (const LessonClaim& claim : lesson.claims)
        page += claimHtml(run, claim);
    page += heading(2, tr("What the simulation leaves out")) + "<ul>";
    for (const std::string& one : lesson.leftOut)
        page += "<li>" + inlineHtml(one) + "</li>";
    return page + "</ul>" + exercisesHtml(lesson);
}

constexpr const char* kStyle =
    "body { font-family: sans-serif; color: #181c20; } h1 { font-size: 20pt; } h2 { font-size: 14pt; } "
    "h3 { font-size: 10pt; } p, li, td, th { font-size: 10pt; } .muted { color: #59626b; } code { font-family: "
    "monospace; font-size: 9pt; }";

Result<void> unwritten(const QString& path, const QString& why)
{
    return Error{tr("The handout was not written to %1: %2").arg(path, why).toStdString()};
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
        writer.setCreator(QStringLiteral("Overlane"));
        QTextDocument document;
        // In points: pixels of a screen are nothing on paper.
        QFont font(QStringLiteral("sans-serif"));
        font.setPointSizeF(kPaperPoints);
        document.setDefaultFont(font);
        const QSize place(paperWidthPx(writer), paperHeightPx(writer, kBesidePicturePx));
        const QImage picture = timelinesPicture(run, place);
        document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("runs")), picture);
        document.setDefaultStyleSheet(QString::fromLatin1(kStyle));
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
