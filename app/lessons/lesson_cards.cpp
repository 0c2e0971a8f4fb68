#include "app/lessons/lesson_cards.h"

#include <cmath>

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "app/lessons/lesson_difference.h"
#include "app/lessons/metrics_table.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

using Look = ProseLabel::Look;

constexpr int kIndicatorPx = 14;
constexpr int kBetweenClaimsPx = 8;

ProseLabel* addLabel(QVBoxLayout* column, Look look, QWidget* parent)
{
    auto* label = new ProseLabel(look, parent);
    column->addWidget(label);
    return label;
}

void addHeading(QVBoxLayout* column, const QString& words, QWidget* parent)
{
    addLabel(column, Look::Heading, parent)->setPlain(words);
}

QColor verdictColor(LessonVerdict verdict, const Palette& colors)
{
    switch (verdict) {
        case LessonVerdict::Held:
            return colors.good;
        case LessonVerdict::DidNotHold:
            return colors.error;
        case LessonVerdict::Unknown:
            break;
    }
    return colors.mutedText;
}

// "B, pinned: pin = thread against A"
QString scenariosHtml(const Lesson& lesson)
{
    const Palette& colors = Palette::current();
    QString rows;
    const LessonScenario& first = lesson.scenarios.front();
    for (const LessonScenario& scenario : lesson.scenarios) {
        const QString changed =
            &scenario == &first ? QString() : changedSettingsText(first.scenario, scenario.scenario);
        rows += u"<tr><td style='padding-right:8px'><b>%1</b></td><td>%2%3</td></tr>"_s.arg(
            text(scenario.name), text(scenario.label).toHtmlEscaped(),
            changed.isEmpty()
                ? QString()
                : u"<br><span style='color:%1'>%2</span>"_s.arg(colors.mutedText.name(), changed.toHtmlEscaped()));
    }
    return "<table cellspacing='3'>" + rows + "</table>";
}

}  // namespace

QFrame* lessonCard(const QString& name, QWidget* parent, QVBoxLayout*& column)
{
    auto* card = new QFrame(parent);
    card->setObjectName(name);
    card->setProperty("card", true);
    column = new QVBoxLayout(card);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(6);
    return card;
}

QString lessonCardStyle(double scale)
{
    const Palette& colors = Palette::current();
    return u"QFrame[card=\"true\"] { background: %1; border: 1px solid %2; border-radius: 5px; }"
           "QFrame[card=\"true\"][rule=\"true\"] { border-left: 4px solid %3; }"
           "QRadioButton::indicator { width: %4px; height: %4px; border: 1px solid %5; border-radius: %6px; }"
           "QRadioButton::indicator:checked { background: %3; border-color: %3; }"
           "QRadioButton::indicator:focus { border-color: %3; }"_s
               .arg(colors.panel.name(), colors.border.name(), colors.accent.name())
               .arg(static_cast<int>(kIndicatorPx * scale))
               .arg(colors.mutedText.name())
               .arg(static_cast<int>(kIndicatorPx * scale) / 2);
}

QFrame* situationCard(const Lesson& lesson, QWidget* parent)
{
    QVBoxLayout* column = nullptr;
    QFrame* card = lessonCard("situation", parent, column);
    auto* title = addLabel(column, Look::Title, card);
    title->setObjectName("lessonTitle");
    title->setPlain(text(lesson.title));
    addLabel(column, Look::Muted, card)
        ->setPlain(u"%1 \u00b7 about %2 minutes"_s.arg(text(lesson.summary)).arg(lesson.minutes));
    addLabel(column, Look::Body, card)->setMarkdown(text(lesson.situation.filled(plannedFigures(lesson))));
    auto* scenarios = addLabel(column, Look::Body, card);
    scenarios->setObjectName("scenarios");
    scenarios->setTextFormat(Qt::RichText);
    scenarios->setText(scenariosHtml(lesson));
    return card;
}

QFrame* seenCard(const LessonRun& run, QWidget* parent)
{
    QVBoxLayout* column = nullptr;
    QFrame* card = lessonCard("seen", parent, column);
    addHeading(column, u"What the runs show"_s, card);
    addLabel(column, Look::Body, card)->setMarkdown(text(run.seen()));
    column->addWidget(new MetricsTable(run, card));
    // A lesson's own sentences hold on the devices it was written for; another may say otherwise.
    for (const LessonExpectation& expectation : run.lesson().expectations)
        if (run.verdict(expectation.holds) == LessonVerdict::DidNotHold) {
            addLabel(column, Look::Muted, card)
                ->setPlain(u"Not as the lesson expects, on this engine: %1."_s.arg(text(expectation.holds.text())));
        }
    return card;
}

QFrame* ruleCard(const Lesson& lesson, QWidget* parent)
{
    QVBoxLayout* column = nullptr;
    QFrame* card = lessonCard("rule", parent, column);
    card->setProperty("rule", true);
    addHeading(column, u"The rule"_s, card);
    addLabel(column, Look::Strong, card)->setMarkdown(text(lesson.rule.text));
    addLabel(column, Look::Muted, card)->setMarkdown(u"Source: %1"_s.arg(text(lesson.rule.source.markdown())));
    return card;
}

QFrame* claimsCard(const LessonRun& run, QWidget* parent)
{
    const Palette& colors = Palette::current();
    QVBoxLayout* column = nullptr;
    QFrame* card = lessonCard("claims", parent, column);
    addHeading(column, u"What people say"_s, card);
    const FigureSource figures = run.source();
    for (const LessonClaim& claim : run.lesson().claims) {
        if (&claim != &run.lesson().claims.front())
            column->addSpacing(kBetweenClaimsPx);
        const LessonVerdict verdict = run.verdict(claim.holds);
        addLabel(column, Look::Strong, card)->setMarkdown(u"\u201c%1\u201d"_s.arg(text(claim.says)));
        auto* judged = addLabel(column, Look::Body, card);
        judged->setObjectName("verdict");
        judged->setTextFormat(Qt::RichText);
        const QColor ground = verdictColor(verdict, colors);
        judged->setText(u"<span style='background:%1; color:%2'><b>&nbsp;%3&nbsp;</b></span>"_s.arg(
            ground.name(), colors.textOn(ground).name(), text(lessonVerdictName(verdict))));
        QString words = text(claim.figures.filled(figures));
        const Prose& more = verdict == LessonVerdict::Held ? claim.ifHeld : claim.ifNot;
        if (!more.empty() && verdict != LessonVerdict::Unknown)
            words += ' ' + text(more.filled(figures));
        addLabel(column, Look::Body, card)->setMarkdown(words);
        addLabel(column, Look::Muted, card)->setMarkdown(text(claim.source.markdown()));
    }
    return card;
}

QFrame* leftOutCard(const Lesson& lesson, bool measured, QWidget* parent)
{
    QVBoxLayout* column = nullptr;
    QFrame* card = lessonCard("leftOut", parent, column);
    addHeading(column, measured ? u"What the simulation would leave out"_s : u"What the simulation leaves out"_s, card);
    QString list;
    for (const std::string& one : lesson.leftOut)
        list += "- " + text(one) + '\n';
    addLabel(column, Look::Body, card)->setMarkdown(list);
    return card;
}

}  // namespace overlane
