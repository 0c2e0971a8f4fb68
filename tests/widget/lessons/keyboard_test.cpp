// The lessons without a mouse.
#include <QLabel>

#include "app/lessons/explainer.h"
#include "tests/widget/lessons/lessons_window.h"
#include "tests/widget/tab_walk.h"

namespace overlane
{
namespace
{

class LessonKeyboard : public LessonsWindow
{
};

TEST_F(LessonKeyboard, TabComesToEveryLessonOfTheList)
{
    m_lessons->show();
    ASSERT_TRUE(page()->listShown());
    expectWalked(page(), 4);  // arrows lead through the list
}

TEST_F(LessonKeyboard, TabComesToEverythingOfALessonBeforeItsRun)
{
    openOwn();
    expectWalked(page(), 4);
}

TEST_F(LessonKeyboard, TabComesToEverythingOfALessonThatHasRun)
{
    runOwn();
    expectWalked(page(), 10);
}

TEST_F(LessonKeyboard, TheKeyboardComesByEveryFigureAndIsToldWhatItIs)
{
    runOwn();
    const auto names = page()->findChildren<QLabel*>(QStringLiteral("metricName"));
    ASSERT_EQ(names.size(), 3);
    for (QLabel* name : names) {
        const QImage without = name->grab().toImage();
        name->setFocus(Qt::TabFocusReason);
        ASSERT_TRUE(name->hasFocus());
        EXPECT_NE(name->grab().toImage(), without) << qPrintable(name->text());
        QTest::keyClick(name, Qt::Key_F1, Qt::ShiftModifier);
        ExplainCard* card = m_lessons->explainer()->card();
        ASSERT_TRUE(card->isVisible()) << qPrintable(name->text());
        EXPECT_FALSE(card->words().isEmpty());
        QTest::keyClick(card, Qt::Key_Escape);
    }
}

}  // namespace
}  // namespace overlane
