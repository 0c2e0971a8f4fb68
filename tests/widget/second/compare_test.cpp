// Two traces compared in the window: below each other, aligned, with what changed in tables.
#include <cmath>

#include <QHeaderView>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include "app/second/compare_panel.h"
#include "app/second/compare_tables.h"
#include "app/second/second_timelines.h"
#include "app/shell/bottom_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/cell_table.h"
#include "app/widgets/data_table.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "core/io/format.h"
#include "core/loader/settings.h"
#include "tests/unit/compare/training_trace.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class CompareTest : public WindowTest
{
protected:
    SecondTimelines* timelines() { return m_window.secondTimelines(); }
    CompareSource* source() { return timelines()->comparison(); }
    ComparePanel* panel() { return timelines()->comparePanel(); }
    SecondLanes* second() { return m_window.timeline()->below(); }
    SecondLanes* above() { return m_window.timeline()->above(); }
    void wait()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->busy() && !timelines()->busy(); }, kLongestWaitMs));
    }
    void comparePair()
    {
        open(recorded(kPageableRun));
        m_window.compareWith(recorded(kPinnedRun));
        wait();
        ASSERT_TRUE(source()->answer()) << qPrintable(source()->error());
    }
    static QString cell(const DataTable* table, int row, int column)
    {
        return table->model()->index(row, column).data().toString();
    }
    int rowOf(const DataTable* table, const QString& name)
    {
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (cell(table, row, 0).startsWith(name))
                return row;
        ADD_FAILURE() << qPrintable(name);
        return 0;
    }
};

TEST_F(CompareTest, CopiedTablesHaveTheColumnsOfTheWindow)
{
    comparePair();
    const QStringList lines = comparisonPlain(*source()->answer()).split('\n');
    for (const QString& line : lines) {
        QStringList heads = line.split('\t');
        if (!heads.contains("A a step"))
            continue;
        EXPECT_EQ(heads.removeDuplicates(), 0) << qPrintable(line);
    }
    EXPECT_EQ(lines.filter("A a step\t").size(), 3) << "findings, copies, kernels";
}

TEST_F(CompareTest, TheRecordedPairIsShownAlignedWithWhatChanged)
{
    comparePair();
    EXPECT_TRUE(panel()->isVisible());
    test::expectText(panel()->sentence());
    EXPECT_TRUE(panel()->sentence().contains("faster")) << qPrintable(panel()->sentence());
    ASSERT_TRUE(second()->isVisible());
    EXPECT_EQ(second()->lanes()->trace(), source()->other().trace);
    const Comparison& comparison = source()->answer()->comparison;
    EXPECT_EQ(second()->offsetNs(), comparison.alignment.offsetNs());
    EXPECT_EQ(second()->second().meetAt, MeetAt::Step);
    // The device runs a step from its first kernel on, which lies in the host's step of the same number.
    const auto at = static_cast<std::size_t>(second()->second().step);
    EXPECT_GE(comparison.alignment.a.anchorNs, document()->current().steps.steps[at].interval.startNs);

    const int time = rowOf(panel()->figures(), "step time, median");
    EXPECT_EQ(cell(panel()->figures(), time, 1), durationText(std::llround(comparison.stepTime.a.median)));
    test::expectText(cell(panel()->figures(), time, 4));
    EXPECT_EQ(panel()->copies()->model()->rowCount(), static_cast<int>(comparison.devices[0].copies.size()));
    const int pageable = rowOf(panel()->findings(), "Side stream without pinned memory");
    EXPECT_EQ(cell(panel()->findings(), pageable, 1), "gone");
}

TEST_F(CompareTest, ClaimsAndNamesOfFindingsAreNotCut)
{
    m_window.resize(1920, 1080);
    m_window.arrangeDocks();
    comparePair();
    handleEvents();
    EXPECT_LE(panel()->figures()->horizontalHeader()->length(), panel()->figures()->viewport()->width());
    panel()->findChild<QTabWidget*>()->setCurrentWidget(panel()->findings());
    handleEvents();
    for (int row = 0; row < panel()->findings()->model()->rowCount(); ++row)
        EXPECT_GT(panel()->findings()->columnWidth(0),
                  panel()->findings()->fontMetrics().horizontalAdvance(cell(panel()->findings(), row, 0)))
            << qPrintable(cell(panel()->findings(), row, 0));
}

TEST_F(CompareTest, AFileToCompareWithIsInSightAtOnce)
{
    comparePair();
    const Interval visible = document()->view()->range();
    EXPECT_GE(visible.intersected(second()->spanInFirst()).lengthNs(), visible.lengthNs() / 2);
    EXPECT_TRUE(document()->view()->canGoBack()) << "the range before";
}

TEST_F(CompareTest, ADifferenceWithinTheSpreadIsNotCalledFaster)
{
    const QTemporaryDir folder;
    const auto saved = [&folder](const QString& name, std::int64_t copyNs) {
        Progress progress;
        QString path = folder.filePath(name);
        test::TrainingRun run{test::around(copyNs, 12, 100'000)};
        EXPECT_TRUE(writeTrace(test::trainingTrace(run), path.toStdString(), progress).ok());
        return path;
    };
    open(saved("a.overlane", 2'000'000));
    m_window.compareWith(saved("b.overlane", 1'900'000));
    wait();
    ASSERT_TRUE(source()->answer()) << qPrintable(source()->error());
    ASSERT_EQ(source()->answer()->comparison.stepTime.claim, Claim::WithinSpread);
    test::expectText(second()->second().rest);
}

TEST_F(CompareTest, AKernelsRowGoesToItsFirstInBothTimelines)
{
    comparePair();
    const int row = 0;
    const QModelIndex index = panel()->kernels()->model()->index(row, 0);
    panel()->kernels()->scrollTo(index);
    QTest::mouseClick(panel()->kernels()->viewport(), Qt::LeftButton, {},
                      panel()->kernels()->visualRect(index).center());
    const EventIndex inA = document()->selection()->event();
    const EventIndex inB = second()->selection()->event();
    ASSERT_TRUE(inA.valid());
    ASSERT_TRUE(inB.valid());
    const Trace& a = *document()->trace();
    const Trace& b = *source()->other().trace;
    EXPECT_EQ(a.name(inA), cell(panel()->kernels(), row, 0).toStdString());
    EXPECT_EQ(b.name(inB), a.name(inA));
    const Interval range = source()->answer()->comparison.alignment.b.range;
    for (std::uint32_t at = 0; at < b.eventCount(); ++at)
        if (const EventIndex other(at); b.kind(other) == EventKind::Kernel && b.name(other) == b.name(inB) &&
                                        b.interval(other).startNs >= range.startNs) {
            EXPECT_GE(b.interval(other).startNs, b.interval(inB).startNs);
        }
    // One above the other.
    EXPECT_EQ(second()->lanes()->rectOf(inB).left(), m_window.timeline()->lanes()->rectOf(inA).left());
    EXPECT_TRUE(m_window.timeline()->lanes()->rect().intersects(m_window.timeline()->lanes()->rectOf(inA)));
    EXPECT_TRUE(second()->lanes()->rect().intersects(second()->lanes()->rectOf(inB)));
    EXPECT_EQ(second()->second().meetAt, MeetAt::Event);
}

TEST_F(CompareTest, AnotherStepToMeetAtIsComparedFromThereOn)
{
    comparePair();
    auto* step = second()->findChild<QSpinBox*>("secondStep");
    ASSERT_TRUE(step->isVisible());
    const std::size_t before = source()->answer()->comparison.alignment.a.steps.size();
    const int first = step->value();
    step->setValue(first + 2);
    wait();
    const Alignment& alignment = source()->answer()->comparison.alignment;
    EXPECT_EQ(alignment.a.steps.size(), before - 2);
    EXPECT_EQ(alignment.a.firstStep, document()->current().steps.steps[static_cast<std::size_t>(first) + 2].name);
    EXPECT_EQ(alignment.b.firstStep, source()->other().steps.steps[static_cast<std::size_t>(first) + 2].name);
    EXPECT_EQ(second()->offsetNs(), alignment.offsetNs());
    EXPECT_EQ(step->value(), first + 2);
    emit second()->meetRequested(MeetAt::FirstKernel, 0);
    wait();
    EXPECT_EQ(source()->answer()->comparison.alignment.by, AlignBy::FirstKernel);
    EXPECT_EQ(second()->second().meetAt, MeetAt::FirstKernel);
    EXPECT_EQ(second()->offsetNs(), source()->answer()->comparison.alignment.offsetNs());
}

TEST_F(CompareTest, TablesSortByNumbersNotByText)
{
    comparePair();
    DataTable* kernels = panel()->kernels();
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        kernels->sortByColumn(1, order);
        double before = order == Qt::AscendingOrder ? -1 : 1e18;
        for (int row = 0; row < kernels->model()->rowCount(); ++row) {
            const QVariant value = kernels->model()->index(row, 1).data(kExportRole);
            if (value.typeId() == QMetaType::QString)
                continue;
            EXPECT_TRUE(order == Qt::AscendingOrder ? value.toDouble() >= before : value.toDouble() <= before);
            before = value.toDouble();
        }
    }
    // The row still asks for its own kernel.
    const QModelIndex first = kernels->model()->index(0, 0);
    kernels->scrollTo(first);
    QTest::mouseClick(kernels->viewport(), Qt::LeftButton, {}, kernels->visualRect(first).center());
    EXPECT_EQ(document()->trace()->name(document()->selection()->event()), first.data().toString().toStdString());
}

TEST_F(CompareTest, SwappingTurnsTheSignsRound)
{
    comparePair();
    const auto above = document()->trace();
    const auto below = source()->other().trace;
    const double before = source()->answer()->comparison.stepTime.medianDelta();
    second()->findChild<QToolButton*>("secondSwap")->click();
    wait();
    EXPECT_EQ(document()->trace(), below);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_EQ(source()->other().trace, above);
    EXPECT_EQ(second()->lanes()->trace(), above);
    EXPECT_DOUBLE_EQ(source()->answer()->comparison.stepTime.medianDelta(), -before);
    EXPECT_TRUE(panel()->sentence().contains("slower")) << qPrintable(panel()->sentence());
    second()->findChild<QToolButton*>("secondSwap")->click();
    wait();
    EXPECT_EQ(document()->trace(), above);
}

TEST_F(CompareTest, TheKeptRunIsAAndStandsAboveWhatIsShown)
{
    document()->keepAsBaseline();
    const auto kept = document()->trace();
    document()->laboratory()->set(*findSetting("pin"), 1);
    wait();
    ASSERT_TRUE(source()->answer()) << qPrintable(source()->error());
    EXPECT_EQ(above()->lanes()->trace(), kept);
    EXPECT_FALSE(second()->isVisible());
    EXPECT_EQ(above()->second().badge, "A");
    EXPECT_EQ(above()->second().firstBadge, "B");
    EXPECT_EQ(source()->answer()->a.trace, kept);
    EXPECT_EQ(source()->answer()->b.trace, document()->trace());
    EXPECT_EQ(above()->second().meetAt, MeetAt::Start);
    EXPECT_EQ(above()->offsetNs(), 0);
    EXPECT_TRUE(above()->second().firstRest.contains("faster")) << qPrintable(above()->second().firstRest);
    EXPECT_TRUE(above()->second().rest.contains("kept")) << qPrintable(above()->second().rest);
    // The two runs are told apart by what was changed.
    EXPECT_NE(document()->title(), above()->second().title);
    EXPECT_EQ(document()->title(), "pinned, blocking");
    emit above()->meetRequested(MeetAt::Step, 3);
    wait();
    EXPECT_EQ(above()->second().meetAt, MeetAt::Step);
    EXPECT_EQ(above()->offsetNs(), -source()->answer()->comparison.alignment.offsetNs());
    EXPECT_NE(above()->offsetNs(), 0);

    // The tab waits until it is asked for.
    EXPECT_NE(m_window.bottomPanel()->currentWidget(), panel());
    QAction* compare = actionNamed(m_window, "Compare with the baseline");
    ASSERT_NE(compare, nullptr);
    ASSERT_TRUE(compare->isEnabled());
    compare->trigger();
    EXPECT_EQ(m_window.bottomPanel()->currentWidget(), panel());
    test::expectText(panel()->sentence());
    EXPECT_TRUE(panel()->sentence().contains("faster")) << qPrintable(panel()->sentence());
    // A row of the tables leads to both.
    timelines()->showWork(WorkKind::Copies, 0);
    EXPECT_TRUE(document()->selection()->event().valid());
    EXPECT_TRUE(above()->selection()->event().valid());

    const auto shown = document()->trace();
    source()->swap();
    wait();
    EXPECT_EQ(document()->trace(), kept);
    EXPECT_EQ(above()->lanes()->trace(), shown);
    EXPECT_EQ(above()->second().badge, "A");
    EXPECT_TRUE(panel()->sentence().contains("slower")) << qPrintable(panel()->sentence());
    above()->findChild<QToolButton*>("secondSwap")->click();
    wait();
    EXPECT_EQ(document()->trace(), shown);
    above()->findChild<QToolButton*>("secondClose")->click();
    EXPECT_EQ(document()->baseline().trace, nullptr);
    EXPECT_FALSE(above()->isVisible());
    EXPECT_EQ(m_window.bottomPanel()->indexOf(panel()), -1);
}

TEST_F(CompareTest, AKeptRunBeginsAtTheStartsHoweverTheLastOneWasAligned)
{
    document()->keepAsBaseline();
    document()->laboratory()->set(*findSetting("pin"), 1);
    wait();
    emit above()->meetRequested(MeetAt::FirstKernel, 0);
    wait();
    ASSERT_EQ(above()->second().meetAt, MeetAt::FirstKernel);
    document()->keepAsBaseline();
    wait();
    EXPECT_EQ(above()->second().meetAt, MeetAt::Start);
}

TEST_F(CompareTest, ThereIsOneComparisonAtATime)
{
    comparePair();
    document()->keepAsBaseline();
    wait();
    EXPECT_FALSE(second()->isVisible());
    EXPECT_EQ(above()->lanes()->trace(), document()->trace());
    EXPECT_EQ(source()->answer()->a.trace, document()->trace());
    m_window.compareWith(recorded(kPinnedRun));
    wait();
    EXPECT_EQ(document()->baseline().trace, nullptr);
    EXPECT_FALSE(above()->isVisible());
    EXPECT_TRUE(second()->isVisible());
    EXPECT_EQ(source()->answer()->b.trace, source()->other().trace);
}

TEST_F(CompareTest, AFileThatWasKeptIsThatFileWhenItIsShownAgain)
{
    open(recorded(kPinnedRun));
    const auto file = document()->trace();
    document()->keepAsBaseline();
    document()->run();
    wait();
    ASSERT_EQ(document()->origin(), Document::Origin::Laboratory);
    const auto run = document()->trace();
    source()->swap();
    wait();
    EXPECT_EQ(document()->trace(), file);
    EXPECT_EQ(document()->origin(), Document::Origin::File);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_EQ(document()->baseline().trace, run);
    source()->swap();
    wait();
    EXPECT_EQ(document()->trace(), run);
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_EQ(document()->baseline().trace, file);
}

TEST_F(CompareTest, ClosingLeavesTheFirstTraceAlone)
{
    comparePair();
    const auto trace = document()->trace();
    second()->findChild<QToolButton*>("secondClose")->click();
    wait();
    EXPECT_FALSE(second()->isVisible());
    EXPECT_FALSE(source()->active());
    EXPECT_EQ(m_window.bottomPanel()->indexOf(panel()), -1);
    EXPECT_EQ(document()->trace(), trace);
    EXPECT_EQ(document()->view()->limits(), trace->span());
}

TEST_F(CompareTest, TwoDroppedFilesAreCompared)
{
    ASSERT_TRUE(dropFiles(&m_window, {recorded(kPageableRun), recorded(kPinnedRun)}));
    wait();
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
    ASSERT_TRUE(source()->answer());
    EXPECT_EQ(source()->answer()->a.trace, document()->trace());
    EXPECT_TRUE(source()->answer()->comparison.perStep);
    EXPECT_TRUE(second()->isVisible());
}

TEST_F(CompareTest, AFileThatCannotBeReadChangesNothing)
{
    comparePair();
    const auto below = source()->other().trace;
    m_window.compareWith("/nowhere/at/all.overlane");
    wait();
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_TRUE(m_window.messageBar()->sentence().contains("/nowhere/at/all.overlane"));
    EXPECT_EQ(source()->other().trace, below);
    EXPECT_TRUE(second()->isVisible());
}

TEST_F(CompareTest, AThirdTraceIsComparedWithNothingItWasNotChosenFor)
{
    comparePair();
    open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    wait();
    EXPECT_FALSE(source()->active());
    EXPECT_FALSE(second()->isVisible());
    EXPECT_EQ(m_window.bottomPanel()->indexOf(panel()), -1);
}

TEST_F(CompareTest, ATraceComparedWithItselfClaimsNothing)
{
    open(recorded(kPinnedRun));
    m_window.compareWith(recorded(kPinnedRun));
    wait();
    ASSERT_TRUE(source()->answer());
    test::expectText(panel()->sentence());
    EXPECT_EQ(second()->offsetNs(), 0);
    for (int row = 0; row < panel()->findings()->model()->rowCount(); ++row)
        EXPECT_EQ(cell(panel()->findings(), row, 1), "same");
}

}  // namespace
}  // namespace overlane
