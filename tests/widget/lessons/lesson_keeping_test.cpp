// What stays: progress over restarts, own lessons, handouts; and the lesson before a room.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QScrollBar>
#include <QSplitter>

#include "app/lessons/lesson_handout.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/lessons/lessons_window.h"
#include "tests/widget/pending_events.h"

namespace overlane
{
namespace
{

class LessonKeeping : public LessonsWindow
{
protected:
    static QByteArray read(const QString& path)
    {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << qPrintable(path);
        return file.readAll();
    }
    QString standing()
    {
        const LessonShelf& shelf = page()->list()->shelves().back();
        return LessonList::standing(*m_lessons->progress(), shelf, shelf.lessons->front());
    }
};

TEST_F(LessonKeeping, ProgressIsKeptOverARestart)
{
    openOwn();
    EXPECT_EQ(standing(), QString());
    QTest::mouseClick(in<QRadioButton>(reader()->predictionCard(0), "choice1"), Qt::LeftButton, {}, QPoint(6, 8));
    EXPECT_EQ(standing(), QStringLiteral("begun"));
    QTest::keyClicks(in<QLineEdit>(reader()->predictionCard(1), "number"), "900 s");
    QTest::mouseClick(reader()->runButton(), Qt::LeftButton);
    settle();
    ASSERT_NE(page()->session()->result(), nullptr);
    waitForTrial(1, [&] {
        auto* batch = in<QAbstractSpinBox>(reader()->exerciseCard(1), "batch_bytes");
        batch->setFocus();
        batch->selectAll();
        QTest::keyClicks(batch, "1 MiB");
        QTest::keyClick(batch, Qt::Key_Return);
    });
    EXPECT_TRUE(page()->session()->solved(1)) << qPrintable(reader()->exerciseCard(1)->status());
    const QString before = standing();
    test::expectText(before);

    start();
    EXPECT_EQ(page()->list()->shelves().size(), 2U);  // the folder is open again
    EXPECT_EQ(standing(), before);
    m_lessons->show(QStringLiteral("own"));
    EXPECT_TRUE(in<QRadioButton>(reader()->predictionCard(0), "choice1")->isChecked());
    EXPECT_TRUE(reader()->runButton()->isEnabled());
    EXPECT_EQ(page()->session()->result(), nullptr);

    QTest::mouseClick(in<QPushButton>(page(), "lessonStartOver"), Qt::LeftButton);
    EXPECT_EQ(standing(), QString());
    EXPECT_FALSE(reader()->runButton()->isEnabled());
}

TEST_F(LessonKeeping, AnOwnLessonThatCannotBeReadSaysWhere)
{
    QByteArray broken = kOwnLesson;
    broken.replace("key: own", "key: broken");
    broken.replace("holds: A.wall <= B.wall", "holds: A.wal <= B.wall");
    writeFile(m_own.filePath("broken.md"), broken);
    m_lessons->openFolder(m_own.path());
    EXPECT_THAT(page()->list()->errorText().toStdString(), testing::HasSubstr("broken.md:"));
    EXPECT_THAT(page()->list()->errorText().toStdString(), testing::ContainsRegex("broken\\.md:[0-9]+:"));
    // The good one is there, and the list names the other where a lesson would stand.
    EXPECT_EQ(page()->list()->shelves().back().lessons->size(), 1U);
    auto* list = in<QListWidget>(page(), "lessons");
    const QListWidgetItem* fault = list->item(list->count() - 1);
    EXPECT_THAT(fault->text().toStdString(), testing::ContainsRegex("^broken\\.md, line [0-9]+$"));
    EXPECT_FALSE(fault->flags().testFlag(Qt::ItemIsSelectable));
    // Corrected and read again.
    broken.replace("A.wal <=", "A.wall <=");
    writeFile(m_own.filePath("broken.md"), broken);
    QTest::mouseClick(in<QPushButton>(page(), "lessonReload"), Qt::LeftButton);
    EXPECT_EQ(page()->list()->errorText(), QString());
    EXPECT_EQ(page()->list()->shelves().back().lessons->size(), 2U);
}

TEST_F(LessonKeeping, TheListOpensALessonWithAClickAndWithEnter)
{
    m_lessons->openFolder(m_own.path());
    QListWidget* list = page()->list()->list();
    QListWidgetItem* item = list->item(list->count() - 1);
    EXPECT_EQ(item->text(), QStringLiteral("A lesson of our own"));
    list->scrollToItem(item);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(item).center());
    ASSERT_FALSE(page()->listShown());
    EXPECT_EQ(page()->session()->lesson()->key, "own");
    QTest::mouseClick(in<QPushButton>(page(), "lessonsBack"), Qt::LeftButton);
    ASSERT_TRUE(page()->listShown());
    EXPECT_EQ(page()->session()->lesson(), nullptr);
}

// A row is read in one look: its minutes stand near its words however wide the window is.
TEST_F(LessonKeeping, TheMinutesOfALessonStandNearItsTitle)
{
    m_window->resize(1920, 1080);
    m_lessons->openFolder(m_own.path());
    QListWidget* list = page()->list()->list();
    ASSERT_TRUE(QTest::qWaitFor([&] { return list->viewport()->width() > 1500; }, kLongestWaitMs));
    const QImage picture = list->viewport()->grab().toImage();
    const QRgb ground = picture.pixel(picture.width() - 2, picture.height() - 2);
    int rightmost = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 1250; x < picture.width() - 30; ++x)
            if (picture.pixel(x, y) != ground)
                rightmost = std::max(rightmost, x);
    EXPECT_EQ(rightmost, 0) << "beyond the rows is nothing";
}

// Arrows go from lesson to lesson, over the headings.
TEST_F(LessonKeeping, TheListHasAHeadingForEverySubject)
{
    QListWidget* list = page()->list()->list();
    std::vector<std::string> headings;
    std::vector<int> lessons;
    for (int row = 0; row < list->count(); ++row)
        if (list->item(row)->flags() == Qt::NoItemFlags)
            headings.push_back(list->item(row)->text().toStdString());
        else
            lessons.push_back(row);
    const std::vector<Lesson>& all = allLessons().value();
    ASSERT_EQ(lessons.size(), all.size());
    std::vector<std::string> subjects;
    for (const Lesson& lesson : all)
        if (subjects.empty() || subjects.back() != lesson.subject)
            subjects.push_back(lesson.subject);
    EXPECT_EQ(headings, subjects);
    EXPECT_EQ(lessons.front(), 1);  // below its heading
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Home);
    for (const int row : lessons) {
        EXPECT_EQ(list->currentRow(), row);
        QTest::keyClick(list, Qt::Key_Down);
    }
    QTest::keyClick(list, Qt::Key_Return);
    EXPECT_EQ(page()->session()->lesson()->key, all.back().key);
}

TEST_F(LessonKeeping, AHandoutIsWrittenAsPdfAndAsOnePage)
{
    runOwn();
    const QString pdf = m_own.filePath("out.pdf");
    ASSERT_TRUE(m_lessons->writeHandout(pdf, true));
    EXPECT_TRUE(read(pdf).startsWith("%PDF"));
    EXPECT_GT(read(pdf).size(), 20'000);
    const QString html = m_own.filePath("out.html");
    ASSERT_TRUE(m_lessons->writeHandout(html, false));
    const QByteArray page = read(html);
    for (const char* part : {"A lesson of our own", "Pin the memory.", "did not hold here", "overlane run --preset"})
        EXPECT_TRUE(page.contains(part)) << part;
    EXPECT_FALSE(page.contains("{{"));
    EXPECT_FALSE(page.contains("batch_bytes=1MiB"));  // solutions are for tests
    // Nowhere to write is said.
    EXPECT_FALSE(m_lessons->writeHandout(m_own.filePath("no/such/folder.pdf"), true));
    EXPECT_FALSE(this->page()->errorText().isEmpty());
}

TEST_F(LessonKeeping, TheRoomSeesOneSlideAtATime)
{
    openOwn();
    QTest::keyClick(page(), Qt::Key_F5);
    ASSERT_TRUE(page()->presenting());
    EXPECT_FALSE(m_window->menuBar()->isVisible());
    EXPECT_EQ(reader()->kindOfSlide(), LessonReader::Slide::Situation);
    EXPECT_FALSE(reader()->predictionCard(0)->isVisible());
    QTest::keyClick(page(), Qt::Key_PageDown);
    EXPECT_TRUE(reader()->predictionCard(0)->isVisible());
    EXPECT_FALSE(reader()->predictionCard(1)->isVisible());
    EXPECT_FALSE(page()->timelines()->isVisible());
    QTest::keyClick(page(), Qt::Key_Right);
    EXPECT_TRUE(reader()->predictionCard(1)->isVisible());
    // From the last question on, the lesson runs and both timelines are there.
    QTest::keyClick(page(), Qt::Key_PageDown);
    settle();
    ASSERT_NE(page()->session()->result(), nullptr);
    EXPECT_EQ(reader()->kindOfSlide(), LessonReader::Slide::Run);
    EXPECT_TRUE(page()->timelines()->isVisible());
    QTest::keyClick(page(), Qt::Key_PageDown);
    EXPECT_EQ(reader()->kindOfSlide(), LessonReader::Slide::Seen);
    EXPECT_TRUE(reader()->predictionCard(0)->isVisible());
    QTest::keyClick(page(), Qt::Key_PageDown);
    EXPECT_EQ(reader()->kindOfSlide(), LessonReader::Slide::Rule);
    EXPECT_FALSE(page()->timelines()->isVisible());
    QTest::keyClick(page(), Qt::Key_PageUp);
    EXPECT_EQ(reader()->kindOfSlide(), LessonReader::Slide::Seen);
    QTest::keyClick(page(), Qt::Key_Escape);
    EXPECT_FALSE(page()->presenting());
    EXPECT_TRUE(m_window->menuBar()->isVisible());
    EXPECT_TRUE(reader()->predictionCard(0)->isVisible());
}

// A room has no one who scrolls.
TEST_F(LessonKeeping, ASlideIsAsLargeAsFits)
{
    m_window->resize(1920, 1080);
    for (const char* key : {"side_stream", "why_pinned", "two_copies"}) {
        m_lessons->show(QString::fromLatin1(key));
        page()->setPresenting(true);
        handleEvents();
        for (int slide = 0; slide < 3; ++slide) {
            reader()->setSlide(slide);
            handleEvents();
            EXPECT_EQ(reader()->verticalScrollBar()->maximum(), 0) << key << " " << slide;
        }
        page()->setPresenting(false);
    }
}

TEST_F(LessonKeeping, TheRoomDoesNotSeeWhatTheLearnerAnswered)
{
    openOwn();
    PredictionCard* choice = reader()->predictionCard(0);
    PredictionCard* number = reader()->predictionCard(1);
    in<QRadioButton>(choice, "choice0")->click();  // wrong
    QTest::keyClicks(in<QLineEdit>(number, "number"), "123 ms");
    page()->session()->run();
    settle();
    test::expectText(choice->answerText());
    waitForTrial(0, [&] { reader()->exerciseCard(0)->begin(); });
    const QString status = reader()->exerciseCard(0)->status();
    EXPECT_FALSE(status.isEmpty());

    page()->setPresenting(true);
    EXPECT_FALSE(in<QRadioButton>(choice, "choice0")->isChecked());
    EXPECT_EQ(in<QLineEdit>(number, "number")->text(), "");
    for (const PredictionCard* card : {choice, number}) {
        test::expectText(card->answerText());
    }
    EXPECT_EQ(reader()->exerciseCard(0)->status(), "");

    page()->setPresenting(false);
    EXPECT_TRUE(in<QRadioButton>(choice, "choice0")->isChecked());
    EXPECT_TRUE(in<QLineEdit>(number, "number")->text().contains("123"));
    test::expectText(choice->answerText());
    EXPECT_EQ(reader()->exerciseCard(0)->status(), status);
}

TEST_F(LessonKeeping, TheRoomBeginsAnExerciseWhereItBegins)
{
    runOwn();
    ExerciseCard* card = reader()->exerciseCard(0);
    waitForTrial(0, [&] { in<QCheckBox>(card, "non_blocking")->click(); });
    const Scenario own = card->laboratory().scenario();
    page()->setPresenting(true);
    EXPECT_NE(card->laboratory().scenario(), own);
    waitForTrial(0, [&] {
        while (reader()->kindOfSlide() != LessonReader::Slide::Exercise)
            reader()->setSlide(reader()->slide() + 1);
    });
    waitForTrial(0, [&] { page()->setPresenting(false); });
    EXPECT_EQ(card->laboratory().scenario(), own);
}

TEST_F(LessonKeeping, PresentingLeavesTheSplitterWhereAHandMovedIt)
{
    m_window->resize(1280, 800);
    runOwn();
    auto* splitter = page()->findChild<QSplitter*>();
    QWidget* handle = splitter->handle(1);
    const QPoint grip = handle->rect().center();
    QTest::mousePress(handle, Qt::LeftButton, {}, grip);
    QTest::mouseMove(handle, grip + QPoint(90, 0));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, grip + QPoint(90, 0));
    const int moved = splitter->sizes().front();
    ASSERT_GT(moved, 480);
    page()->setPresenting(true);
    for (int slide = 0; slide < reader()->slideCount(); ++slide)
        reader()->setSlide(slide);
    page()->setPresenting(false);
    EXPECT_TRUE(QTest::qWaitFor([&] { return splitter->sizes().front() == moved; })) << splitter->sizes().front();
}

Result<double> typed(const char* words, const FigureUnit& unit)
{
    return parsedPrediction(QString::fromUtf8(words), unit, numberUnit(unit));
}

TEST(Prediction, ANumberMayCarryItsUnit)
{
    EXPECT_DOUBLE_EQ(typed("12", kTimeUnit).value(), 12e6);
    EXPECT_DOUBLE_EQ(typed("12 us", kTimeUnit).value(), 12e3);
    EXPECT_DOUBLE_EQ(typed("1,5", kSizeUnit).value(), 1.5 * 1024 * 1024);
    EXPECT_DOUBLE_EQ(typed("80", kShareUnit).value(), 0.8);
    EXPECT_DOUBLE_EQ(typed("2.5", kNumberUnit).value(), 2.5);
    EXPECT_FALSE(typed("12 MiB", kTimeUnit).ok());
    EXPECT_FALSE(typed("", kTimeUnit).ok());
    EXPECT_FALSE(typed("A.wall", kTimeUnit).ok());
    EXPECT_EQ(numberUnit(kTimeUnit, "How many microseconds?"), QStringLiteral("us"));
    EXPECT_EQ(numberUnit(kSizeUnit, "How many GiB in a second?"), QStringLiteral("GiB"));
}

TEST(LessonProgressTest, WhatIsKeptComesBackAndCanBeForgotten)
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("kept.ini"), QSettings::IniFormat);
    LessonPast past;
    past.predicted = {2.0, std::nan(""), std::nullopt};
    past.right = {0};
    past.ran = true;
    past.solved = {1};
    LessonProgress(&settings).keep("one@abc", past);
    LessonProgress again(&settings);
    EXPECT_TRUE(again.past("one@abc") == past);
    EXPECT_FALSE(again.past("other").started());
    again.forgetAll();
    EXPECT_FALSE(LessonProgress(&settings).past("one@abc").started());
}

}  // namespace
}  // namespace overlane
