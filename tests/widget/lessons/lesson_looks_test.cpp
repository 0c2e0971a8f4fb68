// What a reader and a room see: nothing cut, lanes as large as the letters beside them, figures explained,
// a card that never hides what it speaks of.
#include <gmock/gmock.h>

#include <QDir>
#include <QGraphicsView>
#include <QHelpEvent>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>

#include "app/laboratory/laboratory_panel.h"
#include "app/lessons/code_lines.h"
#include "app/lessons/difference_strip.h"
#include "app/lessons/explainer.h"
#include "app/lessons/magnified.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/widgets/explain_role.h"
#include "core/lessons/explanations.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/lessons/lessons_window.h"
#include "tests/widget/pending_events.h"

namespace overlane
{
namespace
{

class LessonLooks : public LessonsWindow
{
protected:
    void run(const QString& key)
    {
        m_lessons->show(key);
        page()->session()->skip();
        page()->session()->run();
        settle();
        ASSERT_NE(page()->session()->result(), nullptr);
        handleEvents();
    }
    void goTo(LessonReader::Slide kind)
    {
        for (int slide = 0; slide < reader()->slideCount(); ++slide) {
            reader()->setSlide(slide);
            if (reader()->kindOfSlide() == kind)
                break;
        }
        handleEvents();
        ASSERT_EQ(reader()->kindOfSlide(), kind);
    }
    // Nothing is cut at the side, nothing is empty below.
    void expectToFit()
    {
        EXPECT_LE(reader()->widget()->width(), reader()->viewport()->width());
        int bottom = 0;
        for (QWidget* card : reader()->widget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (card->isVisible()) {
                bottom = std::max(bottom, card->geometry().bottom());
                EXPECT_LE(card->geometry().right(), reader()->viewport()->width());
            }
        EXPECT_LE(reader()->widget()->height() - bottom, 24);
    }
    void expectExplained(const Lesson& lesson)
    {
        auto* table = in<QWidget>(reader(), "metrics");
        for (const std::string& key : lesson.compared) {
            int cells = 0;
            for (QLabel* cell : table->findChildren<QLabel*>())
                if (cell->property(kExplainProperty).toString().toStdString() == metricExplanationKey(key)) {
                    ++cells;
                    EXPECT_FALSE(m_lessons->explainer()->at(cell, {1, 1}).words.isEmpty()) << key;
                }
            EXPECT_EQ(cells, static_cast<int>(lesson.scenarios.size()) + 1) << key;
        }
        EXPECT_FALSE(in<QLabel>(reader()->exerciseCard(0), "exerciseGoal")->toolTip().isEmpty());
    }
};

// Each lesson is run once: that is most of the time of this test.
TEST_F(LessonLooks, NothingIsCutOrEmptyAndEveryRowOfTheFiguresIsExplained)
{
    ASSERT_TRUE(allLessons().ok()) << allLessons().error();
    ASSERT_GE(allLessons().value().size(), 14U);
    for (const Lesson& lesson : allLessons().value()) {
        SCOPED_TRACE(lesson.key);
        m_lessons->show(QString::fromStdString(lesson.key));
        m_window->grab();
        ASSERT_EQ(page()->session()->lesson(), &lesson);
        EXPECT_FALSE(reader()->text().contains("(unknown")) << qPrintable(reader()->text());
        run(QString::fromStdString(lesson.key));
        EXPECT_FALSE(reader()->text().contains("(unknown")) << qPrintable(reader()->text());
        EXPECT_FALSE(reader()->text().contains("{{"));
        EXPECT_NE(reader()->exerciseCard(1), nullptr);
        expectToFit();
        expectExplained(lesson);
    }
}

TEST_F(LessonLooks, ALabelIsAsHighAsANewOneOfItsText)
{
    constexpr int kWidthPx = 200;
    ProseLabel label(ProseLabel::Look::Body);
    ProseLabel fresh(ProseLabel::Look::Body);
    label.setPlain("short");
    const int shortPx = label.heightForWidth(kWidthPx);
    const QString words = QString("many *words* ").repeated(20);
    for (ProseLabel* each : {&label, &fresh})
        each->setMarkdown(words);
    EXPECT_GT(label.heightForWidth(kWidthPx), shortPx);
    EXPECT_EQ(label.heightForWidth(kWidthPx), fresh.heightForWidth(kWidthPx));
    EXPECT_LT(label.heightForWidth(2 * kWidthPx), label.heightForWidth(kWidthPx));
    const int onePx = label.heightForWidth(kWidthPx);
    label.setScale(2);
    EXPECT_GT(label.heightForWidth(kWidthPx), onePx);
    label.setScale(1);
    label.setContentsMargins(0, 10, 0, 10);
    EXPECT_EQ(label.heightForWidth(kWidthPx), onePx + 20);
}

TEST_F(LessonLooks, CodeBreaksAndNumbersKeepTheirUnits)
{
    test::expectText(markdownHtml("```\nlong = code\n```"));
    test::expectText(markdownHtml("It took 6.92 ms."));
    EXPECT_TRUE(markdownHtml("`x >= 85 %`").contains("85 %"));
}

// Where a card is narrow, a remark that breaks would read like code.
TEST_F(LessonLooks, RemarksStandAboveTheirCode)
{
    EXPECT_EQ(
        withRemarksAbove("text # stays\n```python\nfor a in b:\n    ahead = fetch(a)   # before the kernels, or there "
                         "is nothing to hide behind\n    # short\n```\n# Heading"),
        "text # stays\n```python\nfor a in b:\n    # before the kernels, or there is\n    # nothing to hide "
        "behind\n    ahead = fetch(a)\n    # short\n```\n# Heading");
    EXPECT_EQ(withRemarksAbove("```sh\necho a#b\nx = \"http://c\"  // why\n```"),
              "```sh\necho a#b\n// why\nx = \"http://c\"\n```");
    for (const Lesson& lesson : allLessons().value()) {
        bool code = false;
        for (const QString& line :
             withRemarksAbove(QString::fromStdString(lesson.situation.filled(plannedFigures(lesson)))).split('\n')) {
            if (line.startsWith("```")) {
                code = !code;
            } else if (code) {
                EXPECT_LE(line.size(), line.trimmed().startsWith('#') ? 44 : 52)
                    << lesson.key << ": " << line.toStdString();
            }
        }
    }
}

TEST_F(LessonLooks, LanesGrowForARoomAndStayInSight)
{
    m_window->resize(1920, 1080);
    run("prefetch_depth");
    const LessonTimelines* timelines = page()->timelines();
    EXPECT_EQ(timelines->lanesFactor(), 1);
    page()->setPresenting(true);
    goTo(LessonReader::Slide::Run);
    EXPECT_GE(timelines->lanesFactor(), 1.2);
    // Laid out in less space, drawn in all of it.
    const LaneCanvas* lanes = timelines->timeline()->lanes();
    // On a screen as low as that of the tests beside a scroll bar.
    EXPECT_NEAR(lanes->width() * timelines->lanesFactor(), timelines->findChild<QScrollArea*>()->viewport()->width(),
                3);
    if (timelines->lanesFactor() > 1.2) {
        EXPECT_GE(lanes->height(), lanes->trackLayout().heightPx);
        EXPECT_GE(timelines->timeline()->below()->lanes()->height(),
                  timelines->timeline()->below()->lanes()->trackLayout().heightPx);
    }
    // The names of lanes are explained there too.
    EXPECT_FALSE(m_lessons->explainer()->at(timelines->timeline()->lanes(), {20, 12}).words.isEmpty());
    page()->setPresenting(false);
    EXPECT_EQ(timelines->lanesFactor(), 1);
    EXPECT_EQ(timelines->timeline()->window(), m_window.get());
    EXPECT_TRUE(timelines->timeline()->isVisible());
}

TEST_F(LessonLooks, TheCardKeepsToTheScreenAndBesideItsThing)
{
    ExplainCard* card = m_lessons->explainer()->card();
    const QRect room = m_window->screen()->availableGeometry();
    const QSize thing(120, 24);
    for (const bool byKeyboard : {false, true})
        for (const QPoint corner :
             {room.topLeft(), room.topRight() - QPoint(thing.width(), 0), room.bottomLeft() - QPoint(0, thing.height()),
              room.bottomRight() - QPoint(thing.width(), thing.height()), room.center()}) {
            Explained explained;
            explained.words = QStringLiteral("A sentence of some length that takes two lines or more in the card.");
            explained.lesson = QStringLiteral("why_pinned");
            explained.title = QStringLiteral("Why non_blocking needs pinned memory, and what else it needs");
            explained.place = QRect(corner, thing);
            card->showFor(explained, byKeyboard);
            EXPECT_TRUE(room.contains(card->geometry()))
                << corner.x() << ", " << corner.y() << ": " << card->x() << " + " << card->width();
            EXPECT_FALSE(card->geometry().intersects(explained.place)) << corner.x() << ", " << corner.y();
            card->hide();
        }
    // What takes the whole height of the screen has the card beside it.
    Explained tall;
    tall.words = QStringLiteral("Tall.");
    tall.place = QRect(room.left() + 300, room.top(), 100, room.height());
    card->showFor(tall, false);
    EXPECT_TRUE(room.contains(card->geometry()));
    EXPECT_FALSE(card->geometry().intersects(tall.place));
    card->hide();
}

// For a person to look at.
class CardPictures : public LessonsWindow, public testing::WithParamInterface<Theme>
{
};

TEST_P(CardPictures, OverEverything)
{
    QDir().mkpath(QStringLiteral(OVERLANE_PICTURES));
    applyTheme(*qApp, GetParam());
    const QString theme = GetParam() == Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light");
    ExplainCard* card = m_lessons->explainer()->card();
    const auto shoot = [&](QWidget* widget, QPoint place, const char* name) {
        QHelpEvent event(QEvent::ToolTip, place, widget->mapToGlobal(place));
        QApplication::sendEvent(widget, &event);
        ASSERT_TRUE(card->isVisible()) << name;
        QPixmap picture = m_window->grab();
        card->render(&picture, card->pos() - m_window->pos());
        EXPECT_TRUE(picture.save(QStringLiteral(OVERLANE_PICTURES "/card_%1_%2.png").arg(QLatin1String(name), theme)));
        card->hide();
    };
    shoot(m_window->timeline()->lanes(), {20, 34}, "lane");
    for (QWidget* control : m_window->laboratoryPanel()->findChildren<QWidget*>())
        if (control->objectName() == "non_blocking")
            shoot(control, {4, 4}, "knob");
    runOwn();
    const auto cells = in<QWidget>(reader(), "metrics")->findChildren<QLabel*>();
    shoot(cells.back(), {2, 2}, "metric");
    applyTheme(*qApp, Theme::Light);
}

INSTANTIATE_TEST_SUITE_P(Themes, CardPictures, testing::Values(Theme::Light, Theme::Dark));

}  // namespace
}  // namespace overlane
