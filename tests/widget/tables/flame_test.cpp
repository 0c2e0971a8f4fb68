// The flame graph: its frames follow the range, zoom and move by mouse and keyboard, and lead to events.
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "app/shell/bottom_panel.h"
#include "app/tables/flame_panel.h"
#include "app/tables/flame_view.h"
#include "app/widgets/text.h"
#include "core/io/format.h"
#include "tests/support/sample_traces.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class FlameTest : public WindowTest
{
protected:
    void look()
    {
        m_window.bottomPanel()->setCurrentWidget(flame());
        waitForFrames();
        flame()->view()->setFocus();
    }
    FlamePanel* flame() { return m_window.bottomPanel()->flame(); }
    FlameView* view() { return flame()->view(); }
    const CallTree& tree() { return view()->tree(); }
    void waitForFrames()
    {
        ASSERT_TRUE(
            QTest::qWaitFor([this] { return flame()->current() && !flame()->worker()->busy(); }, kLongestWaitMs));
    }
    // A frame that is laid out, by its whole path.
    std::uint32_t frame(const QStringList& path)
    {
        std::uint32_t at = 0;
        for (const QString& name : path) {
            std::uint32_t child = at + 1;
            while (child < tree().nodes()[at].last && tree().name(child) != name.toStdString())
                child = tree().nodes()[child].last;
            EXPECT_LT(child, tree().nodes()[at].last) << name.toStdString();
            at = child;
        }
        return at;
    }
    void click(std::uint32_t node)
    {
        ASSERT_FALSE(view()->rectOf(node).isEmpty());
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, view()->rectOf(node).center());
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(view(), key, modifiers); }
};

TEST_F(FlameTest, AFrameIsAsWideAsItsTimeAndLiesBelowItsCaller)
{
    open(recorded(kPageableRun));
    look();
    const int width = view()->viewport()->width();
    EXPECT_EQ(view()->rectOf(0), QRect(0, 0, width, FlameView::kFramePx));
    const std::uint32_t step = frame({"ProfilerStep"});
    const std::uint32_t copied = frame({"ProfilerStep", "aten::to"});
    EXPECT_EQ(view()->rectOf(copied).top(), view()->rectOf(step).bottom() + 1);
    EXPECT_TRUE(view()->rectOf(step).left() <= view()->rectOf(copied).left());
    const double share = static_cast<double>(tree().nodes()[copied].totalNs) / tree().root().totalNs;
    EXPECT_NEAR(view()->rectOf(copied).width(), share * width, 1);
    EXPECT_EQ(view()->nodeAt(view()->rectOf(copied).center()), copied);
    EXPECT_TRUE(view()->wordsOf(copied).contains("16 events"));
}

TEST_F(FlameTest, ItFollowsTheRangeAndSumsOnlyWhatIsSeen)
{
    open(recorded(kPageableRun));
    EXPECT_TRUE(tree().empty()) << "nothing is summed behind another tab";
    look();
    const std::int64_t all = tree().root().totalNs;
    const Interval active = document()->judgedRange();
    document()->selection()->setRange(Interval{active.startNs, active.startNs + active.lengthNs() / 2});
    waitForFrames();
    EXPECT_LT(tree().root().totalNs, all);
    EXPECT_GT(tree().root().totalNs, 0);
    EXPECT_TRUE(control<QLabel>("flameRange")->text().contains("selected"));
    document()->selection()->setRange(std::nullopt);
    waitForFrames();
    EXPECT_EQ(tree().root().totalNs, all);
}

TEST_F(FlameTest, AClickZoomsInAndOnACallerOut)
{
    open(recorded(kPageableRun));
    look();
    const std::uint32_t step = frame({"ProfilerStep"});
    const std::uint32_t copied = frame({"ProfilerStep", "aten::to"});
    click(copied);
    EXPECT_EQ(view()->zoomed(), copied);
    EXPECT_EQ(view()->rectOf(copied).width(), view()->viewport()->width());
    EXPECT_EQ(view()->rectOf(step).width(), view()->viewport()->width()) << "callers stay on top";
    click(step);
    EXPECT_EQ(view()->zoomed(), step);
    press(Qt::Key_Backspace);
    EXPECT_EQ(view()->zoomed(), 0u);
    click(copied);
    press(Qt::Key_Escape);
    EXPECT_EQ(view()->zoomed(), step);
    // A range of the same program keeps the place.
    const Interval active = document()->judgedRange();
    document()->selection()->setRange(Interval{active.startNs, active.startNs + active.lengthNs() / 2});
    waitForFrames();
    EXPECT_EQ(tree().name(view()->zoomed()), "ProfilerStep");
}

TEST_F(FlameTest, ArrowsMoveAndTheCurrentFrameIsSpoken)
{
    open(recorded(kPageableRun));
    look();
    press(Qt::Key_Home);
    EXPECT_EQ(view()->current(), 0u);
    press(Qt::Key_Down);
    const std::uint32_t heaviest = view()->current();
    EXPECT_EQ(heaviest, 1u) << "the heaviest call";
    EXPECT_EQ(view()->accessibleDescription(), view()->wordsOf(heaviest));
    press(Qt::Key_Right);
    EXPECT_EQ(view()->current(), tree().nodes()[heaviest].last);
    EXPECT_EQ(view()->accessibleDescription(), view()->wordsOf(view()->current()));
    press(Qt::Key_Left);
    EXPECT_EQ(view()->current(), heaviest);
    press(Qt::Key_Left);
    EXPECT_EQ(view()->current(), heaviest) << "there is none before it";
    press(Qt::Key_Down);
    EXPECT_EQ(tree().nodes()[view()->current()].parent, heaviest);
    press(Qt::Key_Return);
    EXPECT_EQ(view()->zoomed(), view()->current());
    press(Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), tree().name(view()->current()));
    press(Qt::Key_Up);
    EXPECT_EQ(view()->current(), heaviest);
    press(Qt::Key_Down);
    EXPECT_EQ(view()->current(), view()->zoomed()) << "down the way to the zoomed frame";
}

TEST_F(FlameTest, BottomUpSumsToTheSame)
{
    open(recorded(kPageableRun));
    look();
    const std::int64_t all = tree().root().totalNs;
    control<QComboBox>("flameDirection")->setCurrentIndex(1);
    waitForFrames();
    EXPECT_TRUE(tree().fromCallsUp());
    EXPECT_EQ(tree().root().totalNs, all);
    EXPECT_FALSE(view()->rectOf(frame({"cudaMemcpyAsync", "aten::copy_"})).isEmpty());
}

TEST_F(FlameTest, ASearchSaysTheShareThatMatches)
{
    open(recorded(kPageableRun));
    look();
    auto* search = control<QLineEdit>("flameSearch");
    QTest::keyClicks(search, "COPY");
    const QString matched = control<QLabel>("flameMatched")->text();
    EXPECT_TRUE(matched.contains('%')) << matched.toStdString();
    const QImage highlighted = view()->viewport()->grab().toImage();
    search->setText("no such name");
    EXPECT_FALSE(control<QLabel>("flameMatched")->text().contains("%"));
    EXPECT_NE(view()->viewport()->grab().toImage(), highlighted);
    search->clear();
    EXPECT_TRUE(control<QLabel>("flameMatched")->text().isEmpty());
}

TEST_F(FlameTest, TheEventsOfAFrameAreMarkedAndWalked)
{
    open(recorded(kPageableRun));
    look();
    const std::uint32_t copied = frame({"ProfilerStep", "aten::to"});
    QContextMenuEvent asked(QContextMenuEvent::Mouse, view()->rectOf(copied).center(),
                            view()->viewport()->mapToGlobal(view()->rectOf(copied).center()));
    QApplication::sendEvent(view()->viewport(), &asked);
    auto* menu = flame()->findChild<QMenu*>("flameMenu");
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(view()->current(), copied);
    const auto actions = menu->actions();
    const auto find = std::find_if(actions.begin(), actions.end(),
                                   [](const QAction* action) { return action->text().contains("&Find"); });
    ASSERT_NE(find, actions.end());
    (*find)->trigger();
    menu->close();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !flame()->walk().events().empty(); }, kLongestWaitMs));
    const auto events = flame()->walk().events();
    EXPECT_GE(events.size(), 16u);
    EXPECT_EQ(document()->trace()->name(events[0]), "aten::to");
    EXPECT_EQ(document()->selection()->event(), events[0]);
    QTest::mouseClick(control<QToolButton>("flameNext"), Qt::LeftButton);
    EXPECT_EQ(document()->selection()->event(), events[1]);
    open(recorded(kPinnedRun));
    waitForFrames();
    EXPECT_TRUE(flame()->walk().events().empty());
}

TEST_F(FlameTest, OneThreadOrEachForItself)
{
    open(recorded(kPageableRun));
    look();
    const std::int64_t all = tree().root().totalNs;
    auto* threads = control<QComboBox>("flameThreads");
    ASSERT_GE(threads->count(), 4);
    threads->setCurrentIndex(1);
    waitForFrames();
    EXPECT_EQ(tree().root().totalNs, all);
    const std::int64_t first = tree().nodes()[1].totalNs;
    const QString name = QString::fromStdString(tree().name(1));
    threads->setCurrentText(name);
    ASSERT_EQ(threads->currentText(), name);
    waitForFrames();
    EXPECT_EQ(tree().root().totalNs, first);
}

TEST_F(FlameTest, BesideTheThreadsStandsThatNoStacksWereSampled)
{
    look();
    const auto* missing = control<QLabel>("flameUnsampled");
    EXPECT_FALSE(missing->isVisible()) << "a simulation has no program to sample";
    open(recorded(kPageableRun));
    look();
    EXPECT_TRUE(missing->isVisible());
    EXPECT_FALSE(missing->toolTip().isEmpty());
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/programs/embed_page.overlane"));
    look();
    EXPECT_FALSE(missing->isVisible());
}

TEST_F(FlameTest, WithoutHostEventsItSaysWhatToDo)
{
    test::SampleTrace sample;
    sample.kernel(0, 1000);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"kernels.overlane"_s);
    Progress progress;
    ASSERT_TRUE(writeTrace(sample.build(), path.toStdString(), progress).ok());
    open(path);
    look();
    EXPECT_TRUE(tree().empty());
    EXPECT_TRUE(view()->emptyText().contains("Record"));
    EXPECT_EQ(view()->accessibleDescription(), view()->emptyText());
}

}  // namespace
}  // namespace overlane
