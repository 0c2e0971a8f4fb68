// Finding events and asking about a range: what the search bar, the tables and the verdict answer.
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>

#include "app/shell/bottom_panel.h"
#include "app/shell/search_bar.h"
#include "app/tables/steps_model.h"
#include "app/tables/summary_model.h"
#include "app/timeline/timeline_view.h"
#include "app/verdict/verdict_bar.h"
#include "app/widgets/two_line_delegate.h"
#include "core/analysis/lost_time.h"
#include "core/loader/presets.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

using SearchTest = WindowTest;
using RangeTest = WindowTest;

std::int64_t lengthNs(const Trace& trace, EventIndex event)
{
    return trace.interval(event).lengthNs();
}

TEST_F(SearchTest, EnterSelectsOneHitAfterTheOtherInOrderOfTime)
{
    open(recorded(kPinnedRun));
    const Trace& trace = *document()->trace();
    std::size_t expected = 0;
    for (std::size_t i = 0; i < trace.eventCount(); ++i)
        expected += QString::fromUtf8(trace.name(EventIndex(i))).contains("htod", Qt::CaseInsensitive) ? 1 : 0;
    ASSERT_GT(expected, 2u);

    document()->view()->setRange(trace.span());
    m_window.timeline()->setFocus();
    QTest::keyClick(m_window.timeline(), '/');
    auto* text = control<QLineEdit>("searchText");
    ASSERT_TRUE(text->isVisible());
    ASSERT_TRUE(text->hasFocus());
    QTest::keyClicks(text, "htod");
    const SearchBar& bar = *m_window.searchBar();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !bar.busy(); }, kLongestWaitMs));
    EXPECT_EQ(bar.hits().size(), expected);
    EXPECT_FALSE(document()->selection()->event().valid());

    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(document()->selection()->event(), bar.hits().at(0));
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(document()->selection()->event(), bar.hits().at(1));
    EXPECT_LE(trace.interval(bar.hits().at(0)).startNs, trace.interval(bar.hits().at(1)).startNs);
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(document()->selection()->event(), bar.hits().back());

    QTest::keyClick(text, Qt::Key_Escape);
    EXPECT_FALSE(bar.isVisible());
    EXPECT_TRUE(bar.hits().empty());
}

TEST_F(SearchTest, EnterPressedBeforeTheHitsAreThereGoesToTheFirst)
{
    open(recorded(kPinnedRun));
    document()->view()->setRange(document()->trace()->span());
    m_window.searchBar()->open();
    auto* text = control<QLineEdit>("searchText");
    QTest::keyClicks(text, "htod");
    QTest::keyClick(text, Qt::Key_Return);
    const SearchBar& bar = *m_window.searchBar();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !bar.busy(); }, kLongestWaitMs));
    ASSERT_FALSE(bar.hits().empty());
    EXPECT_EQ(document()->selection()->event(), bar.hits().front());
}

TEST_F(SearchTest, TheFirstStepGoesToTheFirstHitInSight)
{
    open(recorded(kPinnedRun));
    SearchBar& bar = *m_window.searchBar();
    const auto searched = [&] { return QTest::qWaitFor([&] { return !bar.busy(); }, kLongestWaitMs); };
    bar.open("htod");
    ASSERT_TRUE(searched());
    const std::size_t middle = bar.hits().size() / 2;
    ASSERT_GT(middle, 1u);
    const Interval seen = document()->trace()->interval(bar.hits().at(middle));
    document()->view()->setRange({seen.startNs - 1'000, seen.endNs + 1'000'000});
    bar.next();
    EXPECT_EQ(document()->selection()->event(), bar.hits().at(middle));
    bar.next();
    EXPECT_EQ(document()->selection()->event(), bar.hits().at(middle + 1));
    // And the other way.
    bar.open("htod");
    ASSERT_TRUE(searched());
    document()->view()->setRange({seen.startNs - 1'000, seen.endNs + 1'000'000});
    bar.previous();
    EXPECT_EQ(document()->selection()->event(), bar.hits().at(middle - 1));
    // Where all lie before what is shown, it begins anew.
    const std::int64_t endNs = document()->trace()->span().endNs;
    bar.open("htod");
    ASSERT_TRUE(searched());
    document()->view()->setRange({endNs - 2'000, endNs});
    bar.next();
    EXPECT_EQ(document()->selection()->event(), bar.hits().front());
}

TEST_F(RangeTest, EscapeInATableDropsWhatItsRowSelected)
{
    open(recorded(kPinnedRun));
    BottomPanel* tabs = m_window.bottomPanel();
    auto* page = tabs->findChild<QWidget*>("stepsPage");
    tabs->setCurrentWidget(page);
    auto* table = page->findChild<QTableView*>();
    ASSERT_NE(table, nullptr);
    table->setFocus();
    table->selectRow(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return document()->selection()->range().has_value(); }, kLongestWaitMs));
    QTest::keyClick(table, Qt::Key_Escape);
    EXPECT_FALSE(document()->selection()->range().has_value());
}

TEST_F(SearchTest, ASlashInATextIsASlash)
{
    m_window.bottomPanel()->setCurrentWidget(m_window.bottomPanel()->notes());
    auto* notes = control<QPlainTextEdit>("notes");
    notes->setFocus();
    ASSERT_TRUE(notes->hasFocus());
    QTest::keyClicks(notes, "a/b");
    EXPECT_EQ(notes->toPlainText(), "a/b");
    EXPECT_FALSE(m_window.searchBar()->isVisible());
    EXPECT_TRUE(notes->hasFocus());

    m_window.searchBar()->open();
    auto* text = control<QLineEdit>("searchText");
    QTest::keyClicks(text, "x/y");
    EXPECT_EQ(text->text(), "x/y");
}

TEST_F(RangeTest, SummaryCountsOnlyTheSelectedRange)
{
    open(recorded(kPinnedRun));
    const Trace& trace = *document()->trace();
    const Interval whole = trace.span();
    const Interval range{whole.startNs + whole.lengthNs() / 4, whole.startNs + whole.lengthNs() / 2};
    const auto kernelsIn = [&trace](Interval asked) {
        std::int64_t kernels = 0;
        for (std::size_t i = 0; i < trace.eventCount(); ++i)
            if (trace.kind(EventIndex(i)) == EventKind::Kernel && asked.contains(trace.columns().startNs[i]))
                ++kernels;
        return kernels;
    };
    const std::int64_t kernels = kernelsIn(range);
    ASSERT_GT(kernels, 0);

    const SummaryModel& model = *m_window.bottomPanel()->summary();
    // How many kernels the second line of the cell counts: "93.2 %, 962".
    const auto counted = [&] {
        const QString detail = model.index(0, SummaryModel::Kernels).data(kDetailRole).toString();
        QString digits;
        for (const QChar character : detail.section(',', 1))
            if (character.isDigit())
                digits += character;
        return digits.toLongLong();
    };
    // Without a selection it is about what the verdict is about.
    const Interval judged = document()->judgement()->verdict.range;
    EXPECT_LT(judged.lengthNs(), whole.lengthNs());
    EXPECT_EQ(model.summary().range, judged);
    EXPECT_EQ(counted(), kernelsIn(judged));

    document()->selection()->setRange(range);
    EXPECT_EQ(model.summary().range, range);
    ASSERT_EQ(model.summary().devices.size(), 1u);
    EXPECT_EQ(model.summary().devices[0].kernels, kernels);
    EXPECT_EQ(model.summary().devices[0].wallNs, range.lengthNs());
    EXPECT_EQ(counted(), kernels);

    document()->selection()->clear();
    EXPECT_EQ(counted(), kernelsIn(judged));
}

TEST_F(RangeTest, StepsOutsideTheSelectedRangeAreMutedAndEnterZoomsToOne)
{
    const StepsModel& steps = *m_window.bottomPanel()->steps();
    const int all = steps.rowCount();
    EXPECT_EQ(all, scenario().batches);
    const Interval whole = document()->trace()->span();
    const Interval half{whole.startNs, whole.startNs + whole.lengthNs() / 2};
    document()->selection()->setRange(half);
    EXPECT_EQ(steps.rowCount(), all);
    int inside = 0;
    for (int row = 0; row < all; ++row) {
        const bool lies = steps.step(row).interval.endNs <= half.endNs;
        EXPECT_EQ(steps.inRange(row), lies) << row;
        EXPECT_EQ(steps.index(row, StepsModel::Name).data(Qt::ForegroundRole).isValid(), !lies) << row;
        inside += lies ? 1 : 0;
    }
    EXPECT_GT(inside, all / 3);
    EXPECT_LT(inside, 2 * all / 3);

    auto* table = control<QTableView>("stepsTable");
    m_window.bottomPanel()->setCurrentWidget(control<QWidget>("stepsPage"));
    table->setFocus();
    table->setCurrentIndex(table->model()->index(3, 0));
    QTest::keyClick(table, Qt::Key_Return);
    EXPECT_EQ(document()->view()->range(), steps.step(3).interval);
}

TEST_F(RangeTest, ShowMeZoomsToTheCopyWithTheMostTimeOutsideKernels)
{
    const EventIndex worst = worstExposedCopy(*document());
    ASSERT_TRUE(worst.valid());
    const Trace& trace = *document()->trace();
    ASSERT_TRUE(isCopy(trace.kind(worst)));
    QTest::mouseClick(control<QPushButton>("showMe"), Qt::LeftButton);
    EXPECT_EQ(document()->selection()->event(), worst);
    const Interval seen = document()->view()->range();
    EXPECT_TRUE(seen.contains(trace.interval(worst).startNs));
    EXPECT_LE(trace.interval(worst).endNs, seen.endNs);
    EXPECT_LT(seen.lengthNs(), 20 * lengthNs(trace, worst));
}

TEST_F(RangeTest, ShowMeLeadsToTheLongestWaitWhereTheLoaderIsTheCause)
{
    for (const Preset& preset : allPresets())
        if (preset.key == "loader_starved")
            document()->laboratory()->applyPreset(preset);
    settle();
    ASSERT_EQ(document()->judgement()->verdict.mainLoss, LostCause::Batches);
    QTest::mouseClick(control<QPushButton>("showMe"), Qt::LeftButton);
    const EventIndex shown = document()->selection()->event();
    ASSERT_TRUE(shown.valid());
    const Trace& trace = *document()->trace();
    EXPECT_FALSE(isDeviceWork(trace.kind(shown)));
    const Interval wait = trace.interval(shown);
    const Interval seen = document()->view()->range();
    EXPECT_LE(seen.startNs, wait.startNs);
    EXPECT_GE(seen.endNs, wait.endNs);
    // The GPU lost no longer stretch to batches than the one that this wait is part of.
    const LostTime* lost = document()->current().analysis->lost(document()->judgement()->verdict.device);
    ASSERT_NE(lost, nullptr);
    const IntervalSet& toBatches = (*lost)[static_cast<std::size_t>(LostCause::Batches)];
    std::int64_t hereNs = 0;
    std::int64_t longestNs = 0;
    for (const Interval& stretch : toBatches.intervals()) {
        longestNs = std::max(longestNs, stretch.lengthNs());
        if (!stretch.intersected(wait).empty())
            hereNs = std::max(hereNs, stretch.lengthNs());
    }
    EXPECT_GT(hereNs, 0);
    EXPECT_EQ(hereNs, longestNs);
}

}  // namespace
}  // namespace overlane
