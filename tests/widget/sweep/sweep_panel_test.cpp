// Sweeps in the window, by real events: run, cancel, go on, overlay, heat map, open a point, export, keep.
#include <algorithm>

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QToolTip>
#include <qcustomplot.h>

#include "core/loader/run.h"
#include "core/sweep/sweep_file.h"
#include "core/sweep/sweep_ready.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/sweep/sweep_window_test.h"

namespace overlane
{
namespace
{

class SweepPanelTest : public SweepWindowTest
{
protected:
    void SetUp() override
    {
        SweepWindowTest::SetUp();
        m_lab->openSweeps();
    }
    void runReady(const char* key)
    {
        pick("sweepReady", QString(key));
        click("sweepRun");
        wait();
    }
    const KeptSweep& last() { return library()->sweeps().back(); }
};

TEST_F(SweepPanelTest, AnEmptyPanelSaysWhatToDo)
{
    EXPECT_TRUE(panel()->isVisible());
    auto* empty = control<QLabel>("sweepEmpty");
    EXPECT_TRUE(empty->isVisible());
    test::expectText(empty->text());
    EXPECT_FALSE(control<QToolButton>("sweepGoOn")->isEnabled());
    EXPECT_FALSE(control<QToolButton>("sweepRemove")->isEnabled());
    // A plot needs room, and a small window stays small.
    EXPECT_TRUE(QTest::qWaitFor([this] { return panel()->height() > 180; }, kLongestWaitMs));
    EXPECT_EQ(m_window.width(), 1280);
}

TEST_F(SweepPanelTest, AReadyMadeSweepIsRunAndDrawn)
{
    runReady("compute");
    ASSERT_EQ(library()->sweeps().size(), 1U);
    const KeptSweep& sweep = last();
    EXPECT_TRUE(sweep.complete());
    EXPECT_EQ(panel()->chosen(), sweep.id);
    // Every point of both lines stands where its figure says.
    const auto& points = panel()->plot()->points();
    EXPECT_EQ(points.size(), sweep.result.plan.points());
    for (const SweepPlot::Point& point : points) {
        EXPECT_EQ(point.y, sweep.result.spread(point.point, runMetric(metric_key::kBatch))->median);
        EXPECT_EQ(point.x, sweep.result.plan.value(point.point, 0));
        EXPECT_TRUE(panel()->plot()->canvas()->axisRect()->rect().contains(panel()->plot()->placeOf(point)));
    }
    // Two lines and their bounds.
    EXPECT_EQ(panel()->plot()->canvas()->graphCount(), 4);
    EXPECT_FALSE(control<QLabel>("sweepEmpty")->isVisible());
}

TEST_F(SweepPanelTest, RangesAreSetByHand)
{
    pick("sweepFirstSetting", "workers");
    control<QDoubleSpinBox>("sweepFirstFrom")->setValue(1);
    control<QDoubleSpinBox>("sweepFirstTo")->setValue(5);
    control<QSpinBox>("sweepFirstCount")->setValue(3);
    pick("sweepSecondSetting", "pin");
    control<QToolButton>("sweepSecondChoices")->menu()->actions()[2]->trigger();
    control<QToolButton>("sweepSecondChoices")->menu()->actions()[3]->trigger();
    control<QToolButton>("sweepSecondChoices")->menu()->actions()[4]->trigger();
    control<QSpinBox>("sweepRepeats")->setValue(2);
    test::expectText(panel()->status());
    click("sweepRun");
    wait();
    const SweepPlan& plan = last().result.plan;
    EXPECT_EQ(plan.axes[0].values, (std::vector<double>{1, 3, 5}));
    EXPECT_EQ(plan.axes[1].values, (std::vector<double>{0, 1}));
    EXPECT_EQ(last().result.runs.size(), 12U);
    test::expectText(last().title);
    // Impossible ranges are said and not run.
    control<QDoubleSpinBox>("sweepFirstTo")->setValue(1);
    EXPECT_FALSE(control<QPushButton>("sweepRun")->isEnabled());
    test::expectText(panel()->status());
}

TEST_F(SweepPanelTest, CancelledItGoesOnLater)
{
    document()->laboratory()->set(*findSetting("batches"), 3000);
    settle();
    pick("sweepReady", "compute");
    click("sweepRun");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !last().result.runs.empty(); }, kLongestWaitMs));
    click("sweepRun");  // which now cancels
    wait();
    const std::size_t there = last().result.runs.size();
    ASSERT_LT(there, last().result.plan.runs());
    EXPECT_EQ(readSweep(last().file.toStdString()).value().result.runs.size(), there);
    test::expectText(test::withoutFigures(control<QListWidget>("sweepList")->currentItem()->text().toStdString()));
    ASSERT_TRUE(control<QToolButton>("sweepGoOn")->isEnabled());
    click("sweepGoOn");
    wait();
    EXPECT_TRUE(last().complete());
    EXPECT_FALSE(control<QToolButton>("sweepGoOn")->isEnabled());
}

TEST_F(SweepPanelTest, AClickOpensThePointsTrace)
{
    runReady("workers");
    const SweepPlot::Point point = panel()->plot()->points()[3];
    const double workers = last().result.plan.value(point.point, 0);
    auto* canvas = panel()->plot()->canvas();
    const auto shown = document()->trace();
    test::expectText(panel()->plot()->describe(point));
    QTest::mouseMove(canvas, panel()->plot()->placeOf(point));
    QTest::mouseClick(canvas, Qt::LeftButton, {}, panel()->plot()->placeOf(point));
    settle();
    EXPECT_EQ(static_cast<double>(scenario().workers), workers);
    EXPECT_EQ(document()->trace()->metadata().title, "Workers 3");
    EXPECT_EQ(document()->baseline().trace, shown) << "what was shown stays, as A";
    const auto run = simulate(scenario(), document()->laboratory()->device());
    EXPECT_EQ(last().result.spread(point.point, runMetric(metric_key::kWall))->median,
              static_cast<double>(run.value().wallNs));
    // One undo step leads back.
    document()->laboratory()->undoStack()->undo();
    settle();
    EXPECT_EQ(scenario().workers, 4);
}

TEST_F(SweepPanelTest, SweepsAreLaidOverEachOther)
{
    runReady("workers");
    document()->laboratory()->set(*findSetting("produce_us"), 40'000);
    settle();
    runReady("workers");
    ASSERT_EQ(library()->sweeps().size(), 2U);
    EXPECT_EQ(panel()->plot()->points().size(), 2 * last().result.plan.points());
    auto* list = control<QListWidget>("sweepList");
    list->item(0)->setCheckState(Qt::Unchecked);
    EXPECT_EQ(panel()->plot()->points().size(), last().result.plan.points());
    // One over another setting has no place on this axis, and that is said.
    list->item(0)->setCheckState(Qt::Checked);
    runReady("prefetch_factor");
    EXPECT_EQ(panel()->plot()->leftOut().size(), 2);
    test::expectText(panel()->status());
}

TEST_F(SweepPanelTest, TwoSettingsMakeAHeatMap)
{
    runReady("pinned_workers");
    EXPECT_EQ(last().result.plan.base.pin, PinStrategy::Thread);
    EXPECT_EQ(scenario().pin, PinStrategy::None);  // the laboratory stays as it is
    EXPECT_EQ(panel()->plot()->view(), SweepPlot::View::HeatMap);
    const auto maps = panel()->plot()->canvas()->plottableCount();
    EXPECT_EQ(maps, 1);
    const auto& points = panel()->plot()->points();
    ASSERT_EQ(points.size(), last().result.plan.points());
    auto* map = qobject_cast<QCPColorMap*>(panel()->plot()->canvas()->plottable(0));
    ASSERT_NE(map, nullptr);
    const std::size_t rows = last().result.plan.axes[1].values.size();
    for (std::size_t at = 0; at < last().result.plan.points(); ++at)
        EXPECT_EQ(map->data()->cell(static_cast<int>(at / rows), static_cast<int>(at % rows)),
                  last().result.spread(at, runMetric(metric_key::kPinnedPeak))->median);
    pickText("sweepView", "Lines");
    EXPECT_EQ(static_cast<std::size_t>(panel()->plot()->canvas()->graphCount()), rows);
    // The choice stays while the list changes.
    library()->setShown(last().id, true);
    EXPECT_EQ(panel()->plot()->view(), SweepPlot::View::Lines);
}

TEST_F(SweepPanelTest, CurvesOfAProfile)
{
    pick("sweepReady", "allocation_cost");
    ASSERT_EQ(library()->sweeps().size(), 1U);
    EXPECT_TRUE(last().sheet);
    EXPECT_EQ(panel()->plot()->points().size(), last().sheet->curves.size() * curveSizes().size());
    EXPECT_EQ(panel()->plot()->canvas()->yAxis->scaleType(), QCPAxis::stLogarithmic);
    pickText("sweepScale", "Linear");
    EXPECT_EQ(panel()->plot()->canvas()->yAxis->scaleType(), QCPAxis::stLinear);
}

// Curves are drawn at once; the list must not claim that Run would run them.
TEST_F(SweepPanelTest, TheReadyMadeSweepThatIsNamedIsWhatRunRuns)
{
    pick("sweepReady", "allocation_cost");
    EXPECT_EQ(control<QComboBox>("sweepReady")->currentIndex(), 0);
    pick("sweepReady", "compute");
    const QString compute = control<QComboBox>("sweepReady")->currentText();
    EXPECT_TRUE(panel()->status().contains("Press Run")) << qPrintable(panel()->status());
    pick("sweepReady", "allocation_cost");
    EXPECT_EQ(control<QComboBox>("sweepReady")->currentText(), compute);
    click("sweepRun");
    wait();
    EXPECT_EQ(last().title, compute);
}

TEST_F(SweepPanelTest, ExportsInEveryFormat)
{
    runReady("workers");
    QString path;
    FileChooser chooser;
    chooser.toSave = [&path](QWidget*, const QString&, const QString&, const QString&) { return path; };
    panel()->setFileChooser(chooser);
    const std::pair<const char*, const char*> formats[] = {
        {"plot.png", "\x89PNG"}, {"plot.svg", "<?xml"}, {"plot.pdf", "%PDF"}, {"points.csv", "point,workers"}};
    for (const auto& [name, start] : formats) {
        path = m_folder.filePath(name);
        click("sweepExport");
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name << ": " << qPrintable(panel()->status());
        EXPECT_TRUE(file.readAll().startsWith(start)) << name;
    }
    path = m_folder.filePath("plot.doc");
    click("sweepExport");
    test::expectText(panel()->status());
}

TEST_F(SweepPanelTest, SweepsAreKeptAndGoOnlyWhenAsked)
{
    runReady("workers");
    runReady("prefetch_factor");
    SweepLibrary again(m_folder.filePath("sweeps"));
    again.load();
    ASSERT_EQ(again.sweeps().size(), 2U);
    test::expectText(again.sweeps()[0].title);
    EXPECT_TRUE(again.sweeps()[1].complete());

    int asked = 0;
    bool answer = false;
    panel()->setConfirm([&](QWidget*, const QString& question) {
        ++asked;
        test::expectText(question);
        return answer;
    });
    const QString file = last().file;
    click("sweepRemove");
    EXPECT_EQ(library()->sweeps().size(), 2U);
    EXPECT_TRUE(QFile::exists(file));
    answer = true;
    click("sweepRemove");
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(library()->sweeps().size(), 1U);
    EXPECT_FALSE(QFile::exists(file));
}

TEST_F(SweepPanelTest, AKeptSweepComesBackWithTheFigureItIsAbout)
{
    runReady("workers");
    const auto pinned = std::ranges::find(allSweeps(), metric_key::kPinnedPeak, &ReadySweep::metric);
    ASSERT_NE(pinned, allSweeps().end());
    runReady(std::string(pinned->key).c_str());
    SweepLibrary again(m_folder.filePath("sweeps"));
    again.load();
    ASSERT_EQ(again.sweeps().size(), 2U);
    for (const KeptSweep& kept : again.sweeps()) {
        const bool isPinned = kept.title == QString::fromUtf8(pinned->title.data(), qsizetype(pinned->title.size()));
        EXPECT_EQ(kept.metric, isPinned ? metric_key::kPinnedPeak : metric_key::kBatch) << qPrintable(kept.title);
    }
}

// On a GPU that a function stands in for: the traces are kept, and a click opens them.
TEST_F(SweepPanelTest, MeasuredPointsOpenTheirOwnTrace)
{
    library()->setMeasure([](const Scenario& run, const MeasuredRunOptions&, Progress&) {
        MeasuredRunResult result;
        result.run = simulate(run, *findDeviceProfile("h200")).value();
        result.device = "Test GPU";
        return Result<MeasuredRunResult>(std::move(result));
    });
    SweepPlan plan;
    plan.base = scenario();
    plan.deviceKey = "h200";
    plan.engine = SweepEngine::Gpu;
    plan.axes = {parseSweepAxis("workers=2,4").value()};
    const int id = library()->start(plan, "on the GPU", metric_key::kBatch);
    wait();
    ASSERT_TRUE(library()->find(id)->complete());
    EXPECT_EQ(library()->find(id)->device, "Test GPU");
    const QString trace = SweepLibrary::traceFile(*library()->find(id), 1);
    ASSERT_TRUE(QFile::exists(trace));
    m_lab->showPoint(id, 1);
    settle();
    EXPECT_EQ(document()->origin(), Document::Origin::File);
    EXPECT_EQ(document()->path(), trace);
    library()->remove(id);
    EXPECT_FALSE(QFile::exists(trace));
}

TEST_F(SweepPanelTest, AFileThatIsNoSweepIsSaidToBe)
{
    QFile file(m_folder.filePath("no.jsonl"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("hello\n");
    file.close();
    library()->open(file.fileName());
    test::expectText(panel()->status());
    EXPECT_TRUE(library()->sweeps().empty());
}

TEST_F(SweepPanelTest, TheMenuLeadsHere)
{
    m_window.bottomPanel()->setCurrentIndex(0);
    QTest::keyClick(&m_window, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(m_window.bottomPanel()->currentWidget(), panel());
    QTest::keyClick(&m_window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(m_window.bottomPanel()->currentWidget(), advisor());
}

}  // namespace
}  // namespace overlane
