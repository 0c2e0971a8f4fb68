// The table models keep Qt's rules while traces and ranges change, and the events table its promises.
#include <set>

#include <QAbstractItemModelTester>
#include <QPushButton>

#include "app/findings/findings_panel.h"
#include "app/shell/bottom_panel.h"
#include "app/tables/events_model.h"
#include "app/tables/events_panel.h"
#include "app/tables/step_plot.h"
#include "app/tables/steps_model.h"
#include "app/tables/summary_model.h"
#include "app/verdict/verdict_bar.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class ModelsTest : public WindowTest
{
protected:
    static void wait(EventsModel& model)
    {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !model.worker()->busy(); }, kLongestWaitMs));
    }
};
using ComparisonTest = WindowTest;

// Fails the test at the rule that is broken.
class RulesOf
{
public:
    explicit RulesOf(QAbstractItemModel* model)
        : m_tester(model, QAbstractItemModelTester::FailureReportingMode::Warning)
    {
        s_broken = 0;
        m_previous = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
            if (type == QtWarningMsg && QLatin1String(context.category) == QLatin1String("qt.modeltest"))
                ++s_broken;
            else
                m_previous(type, context, text);
        });
        m_tester.setUseFetchMore(true);
    }
    ~RulesOf() { qInstallMessageHandler(m_previous); }
    int broken() const { return s_broken; }

private:
    QAbstractItemModelTester m_tester;
    inline static QtMessageHandler m_previous = nullptr;
    inline static int s_broken = 0;
};

TEST_F(ModelsTest, ThePlotOfStepsHasThoseThatCameWhileItWasHidden)
{
    BottomPanel* figures = m_window.bottomPanel();
    auto* plot = control<StepPlot>("stepPlot");
    const auto showSteps = [&] {
        for (int tab = 0; tab < figures->count(); ++tab)
            if (figures->widget(tab)->isAncestorOf(plot))
                figures->setCurrentIndex(tab);
    };
    showSteps();
    figures->setCurrentWidget(figures->findings());
    document()->laboratory()->set(*findSetting("batches"), 16);
    settle();
    showSteps();
    const int last = static_cast<int>(document()->current().steps.steps.size()) - 1;
    ASSERT_GE(last, 8);
    EXPECT_GT(plot->placeOf(last).x(), plot->canvas()->width() * 4 / 5);
}

TEST_F(ModelsTest, SummaryKeepsTheRules)
{
    const RulesOf rules(m_window.bottomPanel()->summary());
    open(recorded(kPinnedRun));
    document()->selection()->setRange(Interval{0, document()->trace()->span().endNs / 2});
    EXPECT_EQ(m_window.bottomPanel()->summary()->rowCount(), 1);
    EXPECT_EQ(rules.broken(), 0);
}

TEST_F(ModelsTest, StepsKeepTheRules)
{
    const RulesOf rules(m_window.bottomPanel()->steps());
    document()->selection()->setRange(Interval{0, document()->trace()->span().endNs / 2});
    EXPECT_GT(m_window.bottomPanel()->steps()->rowCount(), 0);
    open(recorded(kPinnedRun));
    EXPECT_EQ(rules.broken(), 0);
}

TEST_F(ModelsTest, EventsKeepTheRules)
{
    EventsModel model;
    const RulesOf rules(&model);
    model.setTrace(document()->trace());
    wait(model);
    EXPECT_EQ(static_cast<std::size_t>(model.rowCount()), document()->trace()->eventCount());
    model.sort(EventsModel::Name, Qt::DescendingOrder);
    wait(model);
    model.setFilter("memcpy", EventKind::CopyH2D, {});
    wait(model);
    model.setFilter({}, {}, {});
    model.setTrace(nullptr);
    wait(model);
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_EQ(rules.broken(), 0);
}

TEST_F(ModelsTest, EventsAreFilteredByKindNameAndRange)
{
    open(recorded(kPinnedRun));
    const Trace& trace = *document()->trace();
    EventsModel model;
    model.setTrace(document()->trace());
    model.setFilter({}, EventKind::Kernel, {});
    wait(model);
    EXPECT_EQ(model.rowCount(), 1132);
    const EventIndex some = model.event(500);
    EXPECT_EQ(model.rowOf(some), 500);
    model.setFilter(QString::fromUtf8(trace.name(some)).toUpper(), EventKind::Kernel, trace.interval(some));
    wait(model);
    ASSERT_GE(model.rowOf(some), 0);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(trace.name(model.event(row)), trace.name(some));
        EXPECT_TRUE(trace.interval(model.event(row)).overlaps(trace.interval(some)));
    }
    model.setFilter({}, EventKind::CopyH2D, {});
    wait(model);
    EXPECT_EQ(model.rowOf(some), -1);
    EXPECT_EQ(model.rowCount(), device().h2d);
}

TEST_F(ModelsTest, CopiesOfEveryDirectionAreOneFilter)
{
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane"));
    const Trace& trace = *document()->trace();
    EventsModel model;
    model.setTrace(document()->trace());
    model.setFilter({}, {}, {}, {}, 0, {}, true);
    wait(model);
    int copies = 0;
    for (std::size_t i = 0; i < trace.eventCount(); ++i)
        copies += isCopy(trace.kind(EventIndex(i))) ? 1 : 0;
    ASSERT_GT(copies, 0);
    EXPECT_EQ(model.rowCount(), copies);
    // A stream is told by its GPU, which is no part of its name.
    std::set<QString> gpus;
    for (int row = 0; row < model.rowCount(); ++row)
        gpus.insert(model.index(row, EventsModel::Track).data().toString().section(' ', 0, 1));
    EXPECT_EQ(gpus, (std::set<QString>{"GPU 0", "GPU 1"}));
}

TEST_F(ModelsTest, EventsAreSortedByNumbersNotByTexts)
{
    open(recorded(kPinnedRun));
    const Trace& trace = *document()->trace();
    EventsModel model;
    model.setTrace(document()->trace());
    model.sort(EventsModel::Duration, Qt::DescendingOrder);
    wait(model);
    for (int row = 1; row < model.rowCount(); ++row)
        ASSERT_GE(trace.interval(model.event(row - 1)).lengthNs(), trace.interval(model.event(row)).lengthNs()) << row;
    model.sort(EventsModel::Name, Qt::AscendingOrder);
    wait(model);
    for (int row = 1; row < model.rowCount(); ++row)
        ASSERT_LE(trace.name(model.event(row - 1)), trace.name(model.event(row))) << row;
    model.sort(EventsModel::Bytes, Qt::DescendingOrder);
    wait(model);
    for (int row = 1; row < device().h2d; ++row)
        ASSERT_GE(trace.copy(model.event(row - 1))->bytes, trace.copy(model.event(row))->bytes) << row;
}

TEST_F(ModelsTest, EventsTableFillsOnceItIsLookedAt)
{
    EventsPanel* panel = m_window.bottomPanel()->events();
    EXPECT_EQ(panel->model()->rowCount(), 0);
    m_window.bottomPanel()->setCurrentWidget(panel);
    wait(*panel->model());
    EXPECT_EQ(static_cast<std::size_t>(panel->model()->rowCount()), document()->trace()->eventCount());
    open(recorded(kPinnedRun));
    wait(*panel->model());
    EXPECT_EQ(static_cast<std::size_t>(panel->model()->rowCount()), document()->trace()->eventCount());
}

TEST_F(ComparisonTest, AKeptRunIsComparedUntilItIsDropped)
{
    EXPECT_TRUE(differenceSentence(*document()).isEmpty());
    auto* keep = control<QPushButton>("keepAsA");
    QTest::mouseClick(keep, Qt::LeftButton);
    ASSERT_EQ(document()->baseline().trace, document()->trace());
    test::expectText(differenceSentence(*document()));
    const std::int64_t before = device().exposedCopyNs;

    for (const Preset& preset : allPresets())
        if (preset.key == "pinned_side_stream")
            document()->laboratory()->applyPreset(preset);
    settle();
    EXPECT_NE(document()->baseline().trace, document()->trace());
    EXPECT_LT(device().exposedCopyNs, before);
    const QString sentence = differenceSentence(*document());
    test::expectText(sentence);

    QTest::mouseClick(keep, Qt::LeftButton);
    EXPECT_EQ(document()->baseline().trace, nullptr);
    EXPECT_TRUE(differenceSentence(*document()).isEmpty());
}

}  // namespace
}  // namespace overlane
