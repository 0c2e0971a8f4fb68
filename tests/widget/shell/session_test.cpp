// What the window keeps from one start to the next, and what it asks before something is lost.
#include <limits>

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QToolButton>

#include "app/laboratory/laboratory_panel.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/first_hint.h"
#include "app/shell/recent_files.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/timeline_view.h"
#include "app/verdict/verdict_bar.h"
#include "app/widgets/message_bar.h"
#include "core/loader/presets.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

using NotesTest = WindowTest;

TEST_F(NotesTest, CancelledTheQuestionKeepsNotesAndTrace)
{
    document()->setNotes("mine");
    const auto kept = document()->trace();
    const Answering answer(QMessageBox::Cancel);
    m_window.readAgain(recorded(kPinnedRun));
    settle();
    m_window.close();
    handleEvents();
    EXPECT_EQ(answer.questions(), 2);
    EXPECT_EQ(document()->trace(), kept);
    EXPECT_EQ(document()->notes(), "mine");
    EXPECT_TRUE(document()->dirty());
    EXPECT_TRUE(m_window.isVisible());
}

TEST_F(NotesTest, DiscardedTheNextTraceOpens)
{
    document()->setNotes("mine");
    const Answering answer(QMessageBox::Discard);
    m_window.readAgain(recorded(kPinnedRun));
    settle();
    EXPECT_EQ(answer.questions(), 1);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_FALSE(document()->dirty());
    document()->setNotes("again");
    m_window.close();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !m_window.isVisible(); }));
    EXPECT_EQ(answer.questions(), 2);
}

TEST_F(NotesTest, SavedTheNextTraceOpensOnceTheFileIsThere)
{
    QTemporaryDir folder;
    QString path = folder.filePath("saved.overlane");
    m_window.setFileChooser({{}, [&](auto...) { return path; }});
    document()->setNotes("mine");
    const Answering answer(QMessageBox::Save);
    m_window.readAgain(recorded(kPinnedRun));
    EXPECT_TRUE(QTest::qWaitFor([&] { return document()->path() == recorded(kPinnedRun); }, kLongestWaitMs));
    EXPECT_EQ(answer.questions(), 1);
    open(path);
    EXPECT_EQ(document()->notes(), "mine");
}

TEST_F(NotesTest, AFailedSaveNeitherOpensNorForgetsNorOpensLater)
{
    QTemporaryDir folder;
    QString path = folder.filePath("no/such/folder/x.overlane");
    m_window.setFileChooser({{}, [&](auto...) { return path; }});
    document()->setNotes("mine");
    const Answering answer(QMessageBox::Save);
    m_window.readAgain(recorded(kPinnedRun));
    settle();
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_TRUE(document()->dirty());
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    // The wish to open is over: a save that works later is only a save.
    path = folder.filePath("x.overlane");
    ASSERT_TRUE(m_window.saveAs());
    settle();
    handleEvents();
    settle();
    EXPECT_EQ(document()->path(), path);
}

TEST_F(NotesTest, ClosingWaitsForTheFileThatIsWritten)
{
    open(recorded(kPinnedRun));
    QTemporaryDir folder;
    const QString path = folder.filePath("late.overlane");
    document()->save(path);
    m_window.close();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !m_window.isVisible(); }, kLongestWaitMs));
    EXPECT_TRUE(QFile::exists(path));
}

// Windows that remember, in settings of their own.
class RememberTest : public testing::Test
{
protected:
    void SetUp() override
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    }
    static void show(MainWindow& window)
    {
        window.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
        window.document()->simulate();
        settle(window);
    }
    static void settle(MainWindow& window)
    {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window.document()->busy(); }, 60'000));
    }
    static QStringList recentLabels(MainWindow& window)
    {
        QStringList labels;
        for (QMenu* menu : window.findChildren<QMenu*>())
            if (menu->title().contains("recent")) {
                emit menu->aboutToShow();
                for (const QAction* action : menu->actions())
                    if (!action->isSeparator())
                        labels << action->text();
            }
        return labels;
    }

    // A window left maximized that is now to be maximized from a size too small for its docks.
    static void leaveLargeFigures(int heightPx)
    {
        MainWindow window(true);
        show(window);
        window.resize(2400, 1600);
        window.resizeDocks({window.findChild<QDockWidget*>("figuresDock")}, {heightPx}, Qt::Vertical);
        handleEvents();
        ASSERT_TRUE(window.close());
        window.resize(900, 600);
        window.showMaximized();
        QSettings().setValue("geometry", window.saveGeometry());
    }

    QTemporaryDir m_settings;
};

TEST_F(RememberTest, ClosedAndStartedAgainTheDocksAreWhereTheyWere)
{
    {
        MainWindow window(true);
        show(window);
        window.resize(1180, 760);
        window.findChild<QDockWidget*>("detailsDock")->hide();
        auto* figures = window.findChild<QDockWidget*>("figuresDock");
        window.addDockWidget(Qt::RightDockWidgetArea, figures);
        handleEvents();
        ASSERT_TRUE(window.close());
    }
    MainWindow window(true);
    show(window);
    EXPECT_EQ(window.size(), QSize(1180, 760));
    EXPECT_FALSE(window.findChild<QDockWidget*>("detailsDock")->isVisible());
    EXPECT_EQ(window.dockWidgetArea(window.findChild<QDockWidget*>("figuresDock")), Qt::RightDockWidgetArea);

    QAction* reset = actionNamed(window, "Default layout");
    ASSERT_NE(reset, nullptr);
    reset->trigger();
    EXPECT_TRUE(window.findChild<QDockWidget*>("detailsDock")->isVisible());
    EXPECT_EQ(window.dockWidgetArea(window.findChild<QDockWidget*>("figuresDock")), Qt::BottomDockWidgetArea);
    EXPECT_EQ(window.dockWidgetArea(window.findChild<QDockWidget*>("laboratoryDock")), Qt::LeftDockWidgetArea);
}

TEST_F(RememberTest, MaximizedTheDocksHaveTheSizesThatTheyWereLeftWith)
{
    constexpr int kFiguresPx = 1000;
    leaveLargeFigures(kFiguresPx);
    MainWindow window(true);
    window.show();
    ASSERT_TRUE(window.isMaximized());
    const auto* figures = window.findChild<QDockWidget*>("figuresDock");
    EXPECT_LT(figures->height(), 600);
    window.resize(2400, 1600);  // as the window manager does
    EXPECT_EQ(figures->height(), kFiguresPx);
}

// Layouts before and after the window manager has made it larger, with a separator less than was kept.
TEST_F(RememberTest, WithALayoutTooLargeAtFirstItStaysAliveInLaterLayouts)
{
    leaveLargeFigures(1000);
    MainWindow window(true);
    window.beginWithFile();
    window.show();
    ASSERT_TRUE(window.isMaximized());
    handleEvents();
    const QByteArray layout = window.saveState();
    EXPECT_TRUE(window.restoreState(layout));  // as behind a page that is left
    EXPECT_EQ(window.saveState(), layout);
}

// Docks that share a place then are other items of the layout than those of the one kept.
TEST_F(RememberTest, WithASizeOfItsOwnItIsNotMaximizedAndArrangedForThatSize)
{
    leaveLargeFigures(1000);
    MainWindow window(true, Theme::System, QSize(1000, 600));
    window.show();
    handleEvents();
    EXPECT_FALSE(window.isMaximized());
    EXPECT_EQ(window.size(), QSize(1000, 600));
    EXPECT_EQ(window.tabifiedDockWidgets(window.findChild<QDockWidget*>("detailsDock")).size(), 1);
    EXPECT_LT(window.findChild<QDockWidget*>("figuresDock")->height(), 300);
}

TEST_F(RememberTest, AfterAStartThatNeverPaintedTheLayoutIsTheDefaultAndThatIsSaid)
{
    const auto unlikelyProcess = std::numeric_limits<qint32>::max();  // above the kernel's largest
    {
        MainWindow window(true);
        show(window);
        EXPECT_FALSE(window.messageBar()->isVisible());
        window.resize(1180, 760);
        ASSERT_TRUE(window.close());
    }
    EXPECT_FALSE(QSettings().contains("startUnderWay")) << "painted, and closed in good order";
    QSettings().setValue("startUnderWay", unlikelyProcess);
    {
        MainWindow window(true);
        EXPECT_NE(window.size(), QSize(1180, 760));
        show(window);
        EXPECT_TRUE(window.messageBar()->isVisible());
        test::expectText(window.messageBar()->sentence());
        // A trace that opens makes errors old; this is no error.
        window.document()->open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/") + kPinnedRun);
        settle(window);
        EXPECT_TRUE(window.messageBar()->isVisible());
        EXPECT_FALSE(QSettings().contains("startUnderWay"));
        ASSERT_TRUE(window.close());
    }
    MainWindow window(true);
    show(window);
    EXPECT_FALSE(window.messageBar()->isVisible());
}

TEST_F(RememberTest, AStartBesideOneThatIsUnderWayKeepsItsLayout)
{
    {
        MainWindow window(true);
        show(window);
        window.resize(1180, 760);
        ASSERT_TRUE(window.close());
    }
    MainWindow first(true);  // not shown yet: its mark is set, and its process runs
    EXPECT_TRUE(QSettings().contains("startUnderWay"));
    MainWindow second(true);
    EXPECT_EQ(second.size(), QSize(1180, 760));
}

TEST_F(RememberTest, LayoutsThatCannotBeReadGiveAWindowAllTheSame)
{
    QByteArray layout;
    QByteArray geometry;
    {
        MainWindow window(true);
        show(window);
        ASSERT_TRUE(window.close());
        layout = QSettings().value("layout").toByteArray();
        geometry = QSettings().value("geometry").toByteArray();
    }
    ASSERT_GT(layout.size(), 40);
    for (qsizetype kept = 0; kept < layout.size(); kept += layout.size() / 12) {
        SCOPED_TRACE(kept);
        QSettings().setValue("layout", layout.left(kept));
        QSettings().setValue("geometry", geometry.left(kept));
        MainWindow window(true);
        show(window);
        for (const char* dock : {"laboratoryDock", "detailsDock", "figuresDock"})
            EXPECT_TRUE(window.findChild<QDockWidget*>(dock)->isVisible()) << dock;
    }
}

TEST_F(RememberTest, AWindowThatBeginsWithAFileHasTheLaboratoryOnlyWhereItIsWanted)
{
    const auto laboratory = [](MainWindow& window) { return window.findChild<QDockWidget*>("laboratoryDock"); };
    const auto begin = [&](MainWindow& window, bool withFile) {
        if (!withFile)
            return show(window);
        window.beginWithFile();
        window.document()->open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/") + kPinnedRun);
        window.show();
        settle(window);
    };
    {
        MainWindow window(true);
        begin(window, true);
        EXPECT_FALSE(laboratory(window)->isVisible());
        ASSERT_TRUE(window.close());
    }
    {
        MainWindow window(true);
        begin(window, false);
        EXPECT_TRUE(laboratory(window)->isVisible()) << "a file hid it for good";
        ASSERT_TRUE(window.close());
    }
    {
        MainWindow window(true);
        begin(window, true);
        EXPECT_FALSE(laboratory(window)->isVisible());
        laboratory(window)->toggleViewAction()->trigger();
        EXPECT_TRUE(laboratory(window)->isVisible());
        ASSERT_TRUE(window.close());
    }
    MainWindow window(true);
    begin(window, true);
    EXPECT_TRUE(laboratory(window)->isVisible());
}

TEST_F(RememberTest, AMissingRecentFileIsSaidAndForgotten)
{
    MainWindow window(true);
    show(window);
    EXPECT_EQ(recentLabels(window), QStringList{"Nothing opened yet"});
    QTemporaryDir folder;
    const QString path = folder.filePath("R&D.overlane");
    window.document()->save(path);
    settle(window);
    ASSERT_EQ(RecentFiles().paths(), QStringList{path});
    EXPECT_TRUE(recentLabels(window).front().endsWith("R&&D.overlane"));

    const auto kept = window.document()->trace();
    ASSERT_TRUE(QFile::remove(path));
    recentLabels(window);
    for (QMenu* menu : window.findChildren<QMenu*>())
        if (menu->title().contains("recent"))
            menu->actions().front()->trigger();
    settle(window);
    EXPECT_TRUE(window.messageBar()->isVisible());
    EXPECT_TRUE(window.messageBar()->sentence().contains(path));
    EXPECT_TRUE(RecentFiles().paths().isEmpty());
    EXPECT_EQ(window.document()->trace(), kept);
}

TEST_F(RememberTest, TheNewestFilesComeFirstAndOnlySomeAreKept)
{
    RecentFiles recent;
    for (int i = 0; i < RecentFiles::kMost + 3; ++i)
        recent.add(QStringLiteral("/traces/%1.json").arg(i));
    recent.add("/traces/9.json");
    EXPECT_EQ(recent.paths().size(), RecentFiles::kMost);
    EXPECT_EQ(recent.paths().front(), "/traces/9.json");
    EXPECT_EQ(recent.paths().at(1), "/traces/12.json");
    EXPECT_EQ(recent.paths().count("/traces/9.json"), 1);
    // What a trace said stays until it is opened again or leaves the list.
    recent.add("/traces/9.json", "Host-bound.");
    recent.add("/traces/9.json");
    EXPECT_EQ(recent.headline("/traces/9.json"), "Host-bound.");
    EXPECT_TRUE(recent.headline("/traces/12.json").isEmpty());
    recent.remove("/traces/9.json");
    EXPECT_TRUE(recent.headline("/traces/9.json").isEmpty());
}

TEST_F(RememberTest, TheHintDoesWhatItSaysAndAClosedOneStaysAway)
{
    {
        MainWindow window(true);
        show(window);
        window.offerFirstHint();
        ASSERT_TRUE(window.firstHint()->isVisible());
        auto* button = window.findChild<QPushButton*>("hintTry");
        const Laboratory& laboratory = *window.document()->laboratory();
        QTest::mouseClick(button, Qt::LeftButton);
        settle(window);
        EXPECT_EQ(laboratory.scenario().pin, PinStrategy::Thread);
        EXPECT_EQ(window.document()->summary().worst()->h2dPageable, 0);
        QTest::mouseClick(button, Qt::LeftButton);
        settle(window);
        EXPECT_TRUE(laboratory.scenario().nonBlocking);
        window.document()->laboratory()->undoStack()->undo();
        EXPECT_TRUE(button->text().contains("non_blocking"));
        QTest::mouseClick(button, Qt::LeftButton);
        settle(window);
        QTest::mouseClick(button, Qt::LeftButton);
        settle(window);
        EXPECT_EQ(laboratory.scenario().copyStream, CopyStream::Side);
        EXPECT_GT(window.document()->summary().worst()->overlapShare, 0.9);
        EXPECT_FALSE(button->isVisible());
        EXPECT_TRUE(window.firstHint()->isVisible());
        // The payoff: what it brought, and a few steps in sight, each copy under a kernel.
        handleEvents();
        test::expectText(window.firstHint()->sentence());
        EXPECT_EQ(wholeSteps(window.document()->current().steps.steps, window.document()->view()->target()), 3);

        // Its sentences are about one scenario; beside another they would be wrong.
        window.document()->laboratory()->applyPreset(allPresets()[5]);
        EXPECT_FALSE(window.firstHint()->isVisible());
        settle(window);
    }
    MainWindow again(true);
    show(again);
    again.offerFirstHint();
    EXPECT_FALSE(again.firstHint()->isVisible());
}

TEST_F(RememberTest, AHintIsOfferedUntilItIsClosed)
{
    for (const bool closed : {false, true}) {
        MainWindow window(true);
        show(window);
        window.offerFirstHint();
        ASSERT_TRUE(window.firstHint()->isVisible());
        if (closed)
            QTest::mouseClick(window.findChild<QToolButton*>("hintClose"), Qt::LeftButton);
        EXPECT_NE(window.firstHint()->isVisible(), closed);
    }
    MainWindow window(true);
    show(window);
    window.offerFirstHint();
    EXPECT_FALSE(window.firstHint()->isVisible());
}

class ThemeTest : public WindowTest
{
protected:
    ~ThemeTest() override { applyTheme(*qApp, Theme::Light); }

    // 0 black, 255 white; of what is painted.
    static double lightness(QWidget* widget)
    {
        const QImage image = widget->grab().toImage().convertToFormat(QImage::Format_Grayscale8);
        double sum = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                sum += image.constScanLine(y)[x];
        return sum / (static_cast<double>(image.width()) * image.height());
    }
};

TEST_F(ThemeTest, EveryPartFollowsAChangeWhileItIsShown)
{
    const std::vector<QWidget*> parts = {m_window.menuBar(),         m_window.verdictBar(),
                                         m_window.timeline(),        m_window.findChild<GaugePanel*>(),
                                         m_window.laboratoryPanel(), m_window.findChild<QDockWidget*>("detailsDock"),
                                         m_window.bottomPanel(),     m_window.statusBar()};
    for (const char* name : {"Dark", "Light", "Dark"}) {
        actionNamed(m_window, QString::fromLatin1(name))->trigger();
        handleEvents();
        for (QWidget* part : parts) {
            ASSERT_NE(part, nullptr);
            if (QString::fromLatin1(name) == "Dark") {
                EXPECT_LT(lightness(part), 90) << name << " " << part->metaObject()->className();
            } else {
                EXPECT_GT(lightness(part), 170) << name << " " << part->metaObject()->className();
            }
        }
    }
}

// Fusion draws borders darker than their ground; on black there would be none.
TEST_F(ThemeTest, HighContrastHasABorderAroundControls)
{
    actionNamed(m_window, "High contrast")->trigger();
    handleEvents();
    const Palette& colors = Palette::current();
    ASSERT_TRUE(colors.highContrast);
    EXPECT_EQ(m_window.timeline()->palette().color(QPalette::Window), QColor(Qt::black));
    int seen = 0;
    for (QComboBox* box : m_window.laboratoryPanel()->findChildren<QComboBox*>()) {
        if (!box->isVisible())
            continue;
        ++seen;
        const QColor edge = box->grab().toImage().pixelColor(box->width() / 2, 0);
        EXPECT_TRUE(edge == colors.border || edge == colors.accent) << edge.name().toStdString();
    }
    EXPECT_GT(seen, 0);
    QMenu menu;
    menu.addAction(QStringLiteral("An entry"));
    menu.resize(menu.sizeHint());
    const QImage drawn = menu.grab().toImage();
    EXPECT_EQ(drawn.pixelColor(drawn.width() / 2, 0), colors.border);
    EXPECT_EQ(drawn.pixelColor(0, drawn.height() / 2), colors.border);
    actionNamed(m_window, "Dark")->trigger();
    handleEvents();
    EXPECT_FALSE(Palette::current().highContrast);
    EXPECT_EQ(m_window.timeline()->palette().color(QPalette::Window), Palette::darkTheme().window);
}

TEST_F(ThemeTest, BarsShownBeforeTakeTheNewColors)
{
    const auto ground = [](QWidget* widget) { return widget->grab().toImage().pixelColor(3, 3); };
    m_window.offerFirstHint();
    m_window.messageBar()->showError("Nothing was lost.");
    actionNamed(m_window, "Dark")->trigger();
    handleEvents();
    EXPECT_EQ(ground(m_window.firstHint()), Palette::darkTheme().accent);
    EXPECT_EQ(ground(m_window.messageBar()), Palette::darkTheme().error);
    actionNamed(m_window, "Light")->trigger();
    handleEvents();
    EXPECT_EQ(ground(m_window.firstHint()), Palette::lightTheme().accent);
    EXPECT_EQ(ground(m_window.messageBar()), Palette::lightTheme().error);
}

}  // namespace
}  // namespace overlane
