// What can be done with the tables: sort, copy, export, zoom; and that long queries can be given up.
#include <atomic>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSet>

#include "app/shell/bottom_panel.h"
#include "app/tables/causes_model.h"
#include "app/tables/events_model.h"
#include "app/tables/events_panel.h"
#include "app/tables/step_plot.h"
#include "app/tables/steps_model.h"
#include "app/tables/summary_model.h"
#include "app/tables/summary_page.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "app/widgets/two_line_delegate.h"
#include "core/base/exact_time.h"
#include "core/loader/settings.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class TablesTest : public WindowTest
{
protected:
    EventsPanel* lookAtEvents()
    {
        EventsPanel* panel = m_window.bottomPanel()->events();
        m_window.bottomPanel()->setCurrentWidget(panel);
        wait(panel->model());
        return panel;
    }
    void wait(EventsModel* model)
    {
        ASSERT_TRUE(QTest::qWaitFor([model] { return !model->worker()->busy(); }, kLongestWaitMs));
    }
    static QStringList linesOf(const QString& path)
    {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QString::fromUtf8(file.readAll()).split("\r\n", Qt::SkipEmptyParts);
    }
    void clickHeader(DataTable* table, int column)
    {
        QHeaderView* header = table->horizontalHeader();
        const QPoint at(header->sectionViewportPosition(column) + 8, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
    }
    QTemporaryDir m_folder;
};

TEST_F(TablesTest, TypingFiltersAndAClickOnTheHeaderSorts)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    auto* name = control<QLineEdit>("eventsName");
    QTest::keyClicks(name, "htod");
    wait(panel->model());
    const Trace& trace = *document()->trace();
    ASSERT_EQ(panel->model()->rowCount(), device().h2d);
    EXPECT_TRUE(control<QLabel>("eventsCount")->text().startsWith("16 "));

    clickHeader(panel->table(), EventsModel::Duration);
    wait(panel->model());
    const auto length = [&](int row) { return trace.interval(panel->model()->event(row)).lengthNs(); };
    for (int row = 1; row < panel->model()->rowCount(); ++row)
        EXPECT_GE(length(row - 1), length(row)) << "the longest first";
    clickHeader(panel->table(), EventsModel::Duration);
    wait(panel->model());
    for (int row = 1; row < panel->model()->rowCount(); ++row)
        EXPECT_LE(length(row - 1), length(row)) << row;
    QTest::keyClicks(name, " no such event");
    wait(panel->model());
    EXPECT_EQ(panel->model()->rowCount(), 0);
    test::expectText(panel->table()->emptyText());
}

// A warm-up of a second would press steps of milliseconds to the lower edge.
TEST(StepPlotTest, AWarmUpLeavesTheStepsTheirHeight)
{
    std::vector<Step> steps(8);
    for (std::size_t at = 0; at < steps.size(); ++at) {
        steps[at].timeNs = at == 0 ? 2'000'000'000 : 40'000'000;
        steps[at].warmUp = at == 0;
    }
    StepPlot plot;
    plot.resize(300, 120);
    plot.show();
    plot.setSteps(steps);
    handleEvents();
    const int height = plot.canvas()->height();
    EXPECT_LT(plot.placeOf(3).y(), height * 3 / 4);
    EXPECT_LT(plot.placeOf(0).y(), plot.placeOf(3).y());
    EXPECT_GE(plot.placeOf(0).y(), 0) << "at the upper edge, not above it";
    // Where nothing else is shown, it is the height.
    steps.resize(1);
    plot.setSteps(steps);
    handleEvents();
    EXPECT_GE(plot.placeOf(0).y(), 0);
}

TEST_F(TablesTest, AQueryThatIsCancelledLeavesTheRowsAndSaysSo)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    const int rows = panel->model()->rowCount();
    // The query waits behind a job that ends when it may.
    std::atomic<bool> go = false;
    panel->model()->worker()->run(
        "Waiting",
        [&go](Progress&) -> Result<int> {
            go.wait(false);
            return 0;
        },
        [](const Result<int>&) {});
    panel->model()->setFilter("htod", {}, {});
    panel->model()->cancel();
    go = true;
    go.notify_all();
    wait(panel->model());
    EXPECT_FALSE(panel->model()->current());
    EXPECT_EQ(panel->model()->rowCount(), rows);
    EXPECT_TRUE(control<QLabel>("eventsCount")->text().contains("Cancelled"));
    panel->model()->setFilter("htod", {}, {});
    wait(panel->model());
    EXPECT_TRUE(panel->model()->current());
    EXPECT_EQ(panel->model()->rowCount(), device().h2d);
}

TEST_F(TablesTest, AQueryUnderWayLooksForTheWishToCancel)
{
    Progress progress;
    progress.cancel();
    EventsQuery query;
    EXPECT_TRUE(findEvents(*document()->trace(), query, progress).isCancelled());
    query.name = "htod";
    EXPECT_TRUE(findEvents(*document()->trace(), query, progress).isCancelled());
}

TEST_F(TablesTest, CtrlCCopiesTheSelectedRowsAsShown)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    DataTable* table = panel->table();
    table->setFocus();
    table->selectRow(2);
    QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[0], "Start\tDuration\tName\tKind\tTrack\tBytes\tMemory\tCarries\tWhy");
    for (int row = 2; row <= 3; ++row)
        for (const int column : {EventsModel::Start, EventsModel::Name})
            EXPECT_EQ(lines[row - 1].split('\t')[column], table->model()->index(row, column).data().toString());
}

TEST_F(TablesTest, TheEventsAreExportedWithRawNumbersInTheOrderShown)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    panel->model()->setFilter({}, EventKind::CopyH2D, {});
    wait(panel->model());
    QSignalSpy exported(panel->table(), &DataTable::exported);
    const QString path = m_folder.filePath("events.csv");
    panel->table()->exportCsv(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel->table()->exporting(); }, kLongestWaitMs));
    ASSERT_EQ(exported.count(), 1);
    const QStringList lines = linesOf(path);
    ASSERT_EQ(lines.size(), panel->model()->rowCount() + 1);
    EXPECT_EQ(lines[0], "start_ns,duration_ns,name,kind,track,bytes,memory,carries,why");
    const EventIndex first = panel->model()->event(0);
    const Trace& trace = *document()->trace();
    EXPECT_TRUE(lines[1].startsWith(
        QStringLiteral("%1,%2,Memcpy HtoD").arg(trace.interval(first).startNs).arg(trace.interval(first).lengthNs())))
        << lines[1].toStdString();
    const CopyRecord* record = document()->current().analysis->copyRecord(first);
    ASSERT_NE(record, nullptr);
    const std::string_view why = causeName(record->cause);
    QString reason = QString::fromUtf8(why.data(), static_cast<qsizetype>(why.size()));
    if (reason.contains(','))
        reason = '"' + reason + '"';
    EXPECT_TRUE(lines[1].contains(QStringLiteral(",%1,").arg(trace.copy(first)->bytes))) << lines[1].toStdString();
    EXPECT_TRUE(lines[1].endsWith(QStringLiteral(",batch,%1").arg(reason))) << lines[1].toStdString();
}

TEST_F(TablesTest, AnExportThatCannotBeWrittenIsTold)
{
    EventsPanel* panel = lookAtEvents();
    QSignalSpy failed(document(), &Document::failed);
    panel->table()->exportCsv(m_folder.filePath("no/such/folder/events.csv"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel->table()->exporting(); }, kLongestWaitMs));
    ASSERT_EQ(failed.count(), 1);
    EXPECT_TRUE(failed.at(0).at(0).toString().contains("no/such/folder"));
}

TEST_F(TablesTest, ADoubleClickSelectsTheEventAndZoomsToIt)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    const QModelIndex cell = panel->model()->index(1, EventsModel::Start);
    const EventIndex event = panel->model()->event(1);
    panel->table()->scrollTo(cell);
    const QPoint at = panel->table()->visualRect(cell).center();
    QTest::mouseClick(panel->table()->viewport(), Qt::LeftButton, {}, at);
    EXPECT_EQ(document()->selection()->event(), event);
    QTest::mouseDClick(panel->table()->viewport(), Qt::LeftButton, {}, at);
    const Interval interval = document()->trace()->interval(event);
    EXPECT_TRUE(QTest::qWaitFor([&] {
        const Interval seen = document()->view()->range();
        return seen.startNs <= interval.startNs && seen.endNs >= interval.endNs &&
               seen.lengthNs() <= 3 * std::max<std::int64_t>(interval.lengthNs(), 1'000);
    }));
}

TEST_F(TablesTest, TheTableFollowsAnEventSelectedElsewhere)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    const EventIndex far = panel->model()->event(5'000);
    document()->selection()->setEvent(far);
    ASSERT_TRUE(panel->table()->currentIndex().isValid());
    EXPECT_EQ(panel->model()->event(panel->table()->currentIndex().row()), far);
}

TEST_F(TablesTest, SortingShowsTheFirstRowsAndKeepsTheSelectedEvent)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    DataTable* table = panel->table();
    table->setFocus();
    table->scrollToBottom();
    const QPoint inSight(20, table->viewport()->height() / 2);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, inSight);
    const EventIndex selected = document()->selection()->event();
    ASSERT_TRUE(selected.valid());
    for (const int column : {EventsModel::Duration, EventsModel::Duration, EventsModel::Name}) {
        clickHeader(table, column);
        wait(panel->model());
        QCoreApplication::processEvents();
        EXPECT_EQ(table->rowAt(0), 0) << column;
        ASSERT_EQ(table->selectionModel()->selectedRows().size(), 1) << column;
        EXPECT_EQ(panel->model()->event(table->currentIndex().row()), selected) << column;
    }
}

TEST_F(TablesTest, AFilterShowsItsFirstRowsWhereTheSelectedEventIsNotAmongThem)
{
    open(recorded(kPinnedRun));
    EventsPanel* panel = lookAtEvents();
    document()->selection()->setEvent(panel->model()->event(panel->model()->rowCount() - 1));
    ASSERT_GT(panel->table()->verticalScrollBar()->value(), 0);
    control<QLineEdit>("eventsName")->setText("cudaLaunchKernel");
    wait(panel->model());
    ASSERT_GT(panel->model()->rowCount(), 100);
    EXPECT_EQ(panel->table()->verticalScrollBar()->value(), 0);
}

TEST_F(TablesTest, StepsAreSortedByAFigureAndSelectedRowsFollowTheirStep)
{
    StepsModel* steps = m_window.bottomPanel()->steps();
    auto* table = control<DataTable>("stepsTable");
    m_window.bottomPanel()->setCurrentWidget(control<QWidget>("stepsPage"));
    table->selectRow(5);
    const Step selected = steps->step(5);
    steps->sort(StepsModel::Exposed, Qt::DescendingOrder);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !steps->busy(); }, kLongestWaitMs));
    const Analysis& analysis = *document()->current().analysis;
    std::int64_t above = INT64_MAX;
    for (int row = 0; row < steps->rowCount(); ++row) {
        const std::int64_t exposedNs = analysis.summarize(steps->step(row).interval).worst()->exposedCopyNs;
        EXPECT_LE(exposedNs, above) << row;
        above = exposedNs;
    }
    ASSERT_TRUE(table->currentIndex().isValid());
    EXPECT_EQ(steps->step(table->currentIndex().row()).name, selected.name);
    // Another trace keeps the order that was asked for.
    document()->laboratory()->set(*findSetting("batches"), 20);
    settle();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !steps->busy(); }, kLongestWaitMs));
    EXPECT_EQ(steps->rowCount(), 20);
    const auto exposed = [&](int row) {
        return document()->current().analysis->summarize(steps->step(row).interval).worst()->exposedCopyNs;
    };
    EXPECT_GE(exposed(0), exposed(19));
}

TEST_F(TablesTest, TheSummaryFitsTheSmallWindow)
{
    m_window.resize(1280, 800);
    m_window.arrangeDocks();
    open(recorded(kPinnedRun));
    m_window.bottomPanel()->setCurrentWidget(m_window.bottomPanel()->summaryPage());
    handleEvents();
    auto* table = control<DataTable>("summaryTable");
    const QHeaderView* header = table->horizontalHeader();
    EXPECT_LE(header->length(), table->viewport()->width());
    const SummaryModel& model = *m_window.bottomPanel()->summary();
    for (int column = 0; column < model.columnCount(); ++column) {
        EXPECT_FALSE(model.index(0, column).data().toString().isEmpty());
        EXPECT_FALSE(model.index(0, column).data(kDetailRole).toString().isEmpty()) << column;
        EXPECT_TRUE(model.index(0, column).data(kExportRole).isValid());
    }
}

TEST_F(TablesTest, CausesAreNamedInFullBesideTheirBars)
{
    open(recorded(kPageableRun));
    for (const int width : {1280, 1920}) {
        m_window.bottomPanel()->setCurrentIndex(0);
        m_window.resize(width, 1000);
        m_window.arrangeDocks();
        handleEvents();
        m_window.bottomPanel()->setCurrentWidget(m_window.bottomPanel()->summaryPage());
        handleEvents();
        for (const char* name : {"copyCausesTable", "idleCausesTable"}) {
            auto* table = control<DataTable>(name);
            ASSERT_GT(table->model()->rowCount(), 0) << name;
            const QString cause = table->model()->index(0, CausesModel::What).data().toString();
            EXPECT_GE(table->columnWidth(CausesModel::What), table->fontMetrics().horizontalAdvance(cause)) << width;
            EXPECT_GE(table->columnWidth(CausesModel::Share), 100) << name << " at " << width;
        }
    }
}

TEST_F(TablesTest, StepsLateInATraceBeginAtDifferentTimes)
{
    open(recorded(kPageableRun));
    const StepsModel* steps = m_window.bottomPanel()->steps();
    ASSERT_GT(steps->rowCount(), 2);
    QSet<QString> starts;
    for (int row = 0; row < steps->rowCount(); ++row)
        starts << steps->index(row, StepsModel::Start).data().toString();
    EXPECT_EQ(starts.size(), steps->rowCount());
    EXPECT_EQ(steps->index(1, StepsModel::Start).data().toString(),
              text(formatExactTime(steps->step(1).interval.startNs)));
}

}  // namespace
}  // namespace overlane
