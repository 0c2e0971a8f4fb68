#include "app/lessons/lesson_handout.h"

#include <QCoreApplication>
#include <QEvent>
#include <QImage>
#include <QLayout>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTextDocument>

#include "app/lessons/lesson_cards.h"
#include "app/lessons/lesson_difference.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_view.h"
#include "app/ui/text.h"
#include "core/lab/run_metrics.h"
#include "core/lessons/lesson_page.h"

namespace overlane
{

namespace
{

constexpr int kPictureWidthPx = 1180;
constexpr int kMostPictureHeightPx = 1400;
constexpr int kAroundLanesPx = 210;  // overview, ruler, titles and legend
constexpr double kPictureScale = 2;  // paper shows more than a screen
constexpr int kPictureOnPaperPx = 600;
constexpr int kPdfDpi = 300;
constexpr double kPaperPoints = 10;

QString tr(const char* source)
{
    return QCoreApplication::translate("LessonHandout", source);
}

// Both timelines as the window draws them, on white.
QImage timelinesPicture(const LessonRun& run)
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
    view.second()->setSecond(second);
    range.setRange(difference.shown);
    const int lanesPx = view.lanes()->trackLayout().heightPx + view.second()->lanes()->trackLayout().heightPx;
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.resize(kPictureWidthPx, std::min(kMostPictureHeightPx, lanesPx + kAroundLanesPx));
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

QString claimHtml(const LessonRun& run, const LessonClaim& claim)
{
    const LessonVerdict verdict = run.verdict(claim.holds);
    const Prose& more = verdict == LessonVerdict::Held ? claim.ifHeld : claim.ifNot;
    QString figures = text(claim.figures.filled(run.source()));
    if (!more.empty() && verdict != LessonVerdict::Unknown)
        figures += ' ' + text(more.filled(run.source()));
    return QStringLiteral("<p><b>\u201c%1\u201d</b> <span class='muted'>(%2)</span></p><p><b>%3.</b></p>%4")
        .arg(text(claim.says).toHtmlEscaped(), text(claim.source.text).toHtmlEscaped(),
             text(lessonVerdictName(verdict)), markdownHtml(figures));
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

// The timelines are its picture "runs".
QString handoutHtml(const LessonRun& run)
{
    const Lesson& lesson = run.lesson();
    const FigureSource figures = run.source();
    const auto heading = [](const QString& words) { return "<h2>" + words.toHtmlEscaped() + "</h2>"; };
    QString page = QStringLiteral("<h1>%1</h1><p class='muted'>%2</p>")
                       .arg(text(lesson.title).toHtmlEscaped(), text(lesson.summary).toHtmlEscaped());
    page += markdownHtml(text(lesson.situation.filled(figures)));
    page += "<ul>";
    for (const LessonScenario& scenario : lesson.scenarios)
        page += QStringLiteral("<li><b>%1</b> %2<br><code>%3</code></li>")
                    .arg(text(scenario.name), text(scenario.label).toHtmlEscaped(),
                         text(scenario.commandLine()).toHtmlEscaped());
    page += "</ul>";
    for (const LessonPrediction& prediction : lesson.predictions) {
        const LessonAnswer answer = run.answer(prediction);
        page += heading(tr("Predict first")) + markdownHtml(text(prediction.question));
        if (!prediction.choices.empty()) {
            page += "<ul>";
            for (const LessonChoice& choice : prediction.choices)
                page += "<li>" + text(choice.text).toHtmlEscaped() + "</li>";
            page += "</ul>";
        }
        page += "<p><b>" + tr("Answer:") + "</b> " +
                (answer.problem.empty() ? text(answer.text).toHtmlEscaped()
                                        : tr("These runs do not tell: %1.").arg(text(answer.problem).toHtmlEscaped())) +
                "</p>" + markdownHtml(text(prediction.explanation.filled(figures)));
    }
    const LessonDifference difference = lessonDifference(run, 0, 1);
    page += heading(difference.sentence);
    page += QStringLiteral("<p><img src='runs' width='%1'></p>").arg(kPictureOnPaperPx);
    page += "<p class='muted'>" +
            (run.measured() ? tr("Measured on a GPU.")
                            : tr("Simulated: %1.").arg(text(run.runs().front()->device->name).toHtmlEscaped())) +
            ' ' + difference.settings.toHtmlEscaped() + "</p>";
    page += heading(tr("What the runs show")) + markdownHtml(text(run.seen())) + tableHtml(run);
    page += heading(tr("The rule")) + "<p><b>" + text(lesson.rule.text).toHtmlEscaped() + "</b></p>" +
            markdownHtml(tr("Source: %1").arg(sourceMarkdown(lesson.rule.source)));
    page += heading(tr("What people say"));
    for (const LessonClaim& claim : lesson.claims)
        page += claimHtml(run, claim);
    page += heading(tr("What the simulation leaves out")) + "<ul>";
    for (const std::string& one : lesson.leftOut)
        page += "<li>" + text(one).toHtmlEscaped() + "</li>";
    page += "</ul>";
    for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
        const LessonExercise& exercise = lesson.exercises[i];
        QStringList knobs;
        for (const std::string& knob : exercise.knobs)
            knobs << text(knob);
        page += heading(tr("Exercise %1").arg(i + 1)) + markdownHtml(text(exercise.task)) + "<p>" +
                tr("Goal: %1. Turn only: %2.")
                    .arg("<code>" + text(exercise.goal.text()).toHtmlEscaped() + "</code>", knobs.join(", ")) +
                "</p>";
    }
    return page;
}

constexpr const char* kStyle =
    "body { font-family: sans-serif; color: #181c20; } h1 { font-size: 20pt; } h2 { font-size: 13pt; margin-top: 14pt; "
    "}"
    "p, li, td, th { font-size: 10pt; } .muted { color: #59626b; } code { font-family: monospace; font-size: 9pt; }";

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
        // The text keeps two centimetres more.
        writer.setPageMargins({5, 5, 5, 5}, QPageLayout::Millimeter);
        writer.setResolution(kPdfDpi);
        writer.setTitle(text(run.lesson().title));
        writer.setCreator(QStringLiteral("Overlane"));
        QTextDocument document;
        // In points: pixels of a screen are nothing on paper.
        QFont font(QStringLiteral("sans-serif"));
        font.setPointSizeF(kPaperPoints);
        document.setDefaultFont(font);
        document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("runs")), timelinesPicture(run));
        document.setDefaultStyleSheet(QString::fromLatin1(kStyle));
        document.setHtml(handoutHtml(run));
        document.print(&writer);
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
