// The table of names: what it lists follows the range, filters narrow it, and a row's events are marked and walked.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "app/shell/bottom_panel.h"
#include "app/tables/names_model.h"
#include "app/tables/names_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/data_table.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class NamesTest : public WindowTest
{
protected:
    NamesPanel* look()
    {
        m_window.bottomPanel()->setCurrentWidget(names());
        wait();
        return names();
    }
    NamesPanel* names() { return m_window.bottomPanel()->names(); }
    NamesModel* model() { return names()->model(); }
    void wait()
    {
        ASSERT_TRUE(
            QTest::qWaitFor([this] { return model()->current() && !model()->worker()->busy(); }, kLongestWaitMs));
    }
    void choose(WorkGroupKind kind)
    {
        auto* group = control<QComboBox>("namesGroup");
        group->setCurrentIndex(group->findData(static_cast<int>(kind)));
        wait();
    }
    void chooseRow(int row)
    {
        names()->table()->setFocus();
        names()->table()->selectRow(row);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !names()->walk().events().empty(); }, kLongestWaitMs));
    }
    std::int64_t allCounts()
    {
        std::int64_t count = 0;
        for (int row = 0; row < model()->rowCount(); ++row)
            count += model()->work(row).count;
        return count;
    }
};

TEST_F(NamesTest, ItIsOfTheActiveRangeUntilOneIsSelected)
{
    open(recorded(kPinnedRun));
    look();
    const std::int64_t kernels = allCounts();
    EXPECT_EQ(kernels, document()->judgement()->summary.worst()->kernels);
    const Interval active = document()->judgedRange();
    document()->selection()->setRange(Interval{active.startNs, active.startNs + active.lengthNs() / 2});
    wait();
    EXPECT_LT(allCounts(), kernels);
    EXPECT_GT(allCounts(), 0);
    EXPECT_TRUE(control<QLabel>("namesRange")->text().contains("selected"));
    document()->selection()->setRange(std::nullopt);
    wait();
    EXPECT_EQ(allCounts(), kernels);
}

TEST_F(NamesTest, EveryGroupHasItsColumns)
{
    open(recorded(kPageableRun));
    look();
    for (const WorkGroupRow& group : workGroups()) {
        if (group.kind == WorkGroupKind::Functions)
            continue;  // this trace has no samples
        choose(group.kind);
        EXPECT_GT(model()->rowCount(), 0) << group.id;
        EXPECT_EQ(model()->query().group, group.kind);
    }
    choose(WorkGroupKind::Functions);
    EXPECT_EQ(model()->rowCount(), 0);
    EXPECT_FALSE(names()->table()->emptyText().isEmpty());
}

TEST_F(NamesTest, AFilterNarrowsByTextAndByExpression)
{
    open(recorded(kPinnedRun));
    look();
    choose(WorkGroupKind::Calls);
    const int all = model()->rowCount();
    auto* filter = control<QLineEdit>("namesFilter");
    QTest::keyClicks(filter, "memcpy");
    EXPECT_LT(model()->rowCount(), all);
    ASSERT_GT(model()->rowCount(), 0);
    for (int row = 0; row < model()->rowCount(); ++row)
        EXPECT_NE(model()->work(row).name.find("Memcpy"), std::string::npos);
    filter->setText("^cuda(Launch|Memcpy)");
    EXPECT_EQ(model()->rowCount(), 0) << "as a text it is in no name";
    QTest::mouseClick(control<QToolButton>("namesExpression"), Qt::LeftButton);
    EXPECT_GE(model()->rowCount(), 2);
    filter->setText("(");
    EXPECT_TRUE(control<QLabel>("namesCount")->text().contains("character")) << "what is wrong, and where";
    filter->clear();
    EXPECT_EQ(model()->rowCount(), all);
    auto* least = control<QComboBox>("namesLeast");
    least->setCurrentIndex(least->count() - 1);
    wait();
    EXPECT_EQ(model()->rowCount(), 0);
}

TEST_F(NamesTest, ARowMarksItsEventsAndEnterWalksThem)
{
    open(recorded(kPinnedRun));
    look();
    choose(WorkGroupKind::Copies);
    int row = 0;
    while (model()->work(row).count < 3)
        ++row;
    chooseRow(row);
    EXPECT_EQ(names()->walk().events().size(), static_cast<std::size_t>(model()->work(row).count));
    QTest::keyClick(names()->table(), Qt::Key_Return);
    EXPECT_EQ(document()->selection()->event(), names()->walk().events()[0]);
    QTest::keyClick(names()->table(), Qt::Key_Return);
    EXPECT_EQ(document()->selection()->event(), names()->walk().events()[1]);
    QTest::keyClick(names()->table(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(document()->selection()->event(), names()->walk().events()[0]);
    EXPECT_TRUE(control<QLabel>("namesPlace")->text().startsWith("1 of "));
    QTest::mouseClick(control<QToolButton>("namesNext"), Qt::LeftButton);
    EXPECT_EQ(document()->selection()->event(), names()->walk().events()[1]);
    // Another trace has other events.
    open(recorded(kPageableRun));
    wait();
    EXPECT_TRUE(names()->walk().events().empty());
    EXPECT_FALSE(control<QToolButton>("namesNext")->isEnabled());
}

TEST_F(NamesTest, AnEventLeadsToTheRowOfItsName)
{
    open(recorded(kPinnedRun));
    look();
    const Trace& trace = *document()->trace();
    int shown = 0;
    for (std::uint32_t at = 0; at < trace.eventCount(); at += 997) {
        const EventIndex event(at);
        if (!document()->judgedRange().contains(trace.columns().startNs[at]) || !names()->show(event))
            continue;
        wait();
        handleEvents();
        const QModelIndex now = names()->table()->currentIndex();
        ASSERT_TRUE(now.isValid());
        EXPECT_EQ(model()->work(now.row()).key, keyOf(trace, event));
        ++shown;
    }
    EXPECT_GE(shown, 3);
}

TEST_F(NamesTest, OfALongNameTheTellingPartIsShown)
{
    open(recorded(kPinnedRun));
    look();
    int shortened = 0;
    for (int row = 0; row < model()->rowCount(); ++row) {
        const QString shown = model()->index(row, NamesModel::Name).data().toString();
        const QString whole = model()->index(row, NamesModel::Name).data(kExportRole).toString();
        EXPECT_EQ(whole.toStdString(), model()->work(row).name);
        shortened += whole.startsWith("void at::") && !shown.contains("at::");
    }
    EXPECT_GE(shortened, 2);
}

}  // namespace
}  // namespace overlane
