#include "app/tables/loop_menu.h"

#include <QAction>
#include <QUndoStack>

#include "app/shell/bottom_panel.h"
#include "app/tables/steps_page.h"
#include "core/analysis/copy_roles.h"
#include "core/judgement/judged_trace.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class LoopMenuTest : public WindowTest
{
protected:
    LoopMenu* menu() { return control<LoopMenu>("loopMenu"); }
    void openMenu()
    {
        emit menu()->aboutToShow();
        wait();
    }
    void wait()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !menu()->busy(); }, kLongestWaitMs));
        QCoreApplication::processEvents();
    }
    int checkedAt()
    {
        const QList<QAction*> actions = menu()->actions();
        for (int at = 0; at < actions.size(); ++at)
            if (actions[at]->isChecked())
                return at;
        return -1;
    }
};

TEST_F(LoopMenuTest, ALoopIsTakenForTheStepsAndUndone)
{
    open(recorded(kPageableRun));
    const Judgement before = *document()->judgement();
    EXPECT_EQ(document()->current().steps.origin, StepOrigin::Profiler);
    openMenu();
    ASSERT_EQ(menu()->actions().size(), 2);
    EXPECT_EQ(checkedAt(), 0);

    menu()->actions()[1]->trigger();
    wait();
    const Trace& trace = *document()->trace();
    const StepSequence wanted = stepsOfLevel(trace, "2").value();
    EXPECT_EQ(document()->current().steps.origin, StepOrigin::Pattern);
    ASSERT_EQ(document()->current().steps.steps.size(), wanted.steps.size());
    EXPECT_EQ(document()->current().steps.steps.front().interval, wanted.steps.front().interval);
    // What copies carry is told by these steps.
    const Analysis& analysis = *document()->current().analysis;
    EXPECT_EQ(analysis.steps().steps.size(), wanted.steps.size());
    const Analysis byWanted(trace, wanted);
    ASSERT_EQ(analysis.devices().size(), byWanted.devices().size());
    for (std::size_t device = 0; device < analysis.devices().size(); ++device)
        EXPECT_EQ(mainRole(analysis.devices()[device].h2dCopies), mainRole(byWanted.devices()[device].h2dCopies));
    const Judgement& now = *document()->judgement();
    EXPECT_EQ(now.stepNs, judge({trace, *document()->current().analysis, wanted.steps}).stepNs);
    EXPECT_NE(now.stepNs, before.stepNs);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->insights()->busy(); }, kLongestWaitMs));
    EXPECT_EQ(document()->insights()->insight()->stepNs, now.stepNs);
    openMenu();
    EXPECT_EQ(checkedAt(), 1);

    document()->laboratory()->undoStack()->undo();
    EXPECT_EQ(document()->current().steps.origin, StepOrigin::Profiler);
    EXPECT_EQ(document()->current().analysis->steps().origin, StepOrigin::Profiler);
    EXPECT_EQ(document()->judgement()->stepNs, before.stepNs);
    openMenu();
    EXPECT_EQ(checkedAt(), 0);
    document()->laboratory()->undoStack()->redo();
    EXPECT_EQ(document()->current().steps.origin, StepOrigin::Pattern);
    EXPECT_EQ(document()->current().analysis->steps().origin, StepOrigin::Pattern);
}

TEST_F(LoopMenuTest, AChoiceEndsWithItsTrace)
{
    open(recorded(kPageableRun));
    openMenu();
    menu()->actions()[1]->trigger();
    wait();
    open(recorded(kPinnedRun));
    EXPECT_EQ(document()->current().steps.origin, StepOrigin::Profiler);
    const std::int64_t stepNs = document()->judgement()->stepNs;
    document()->laboratory()->undoStack()->undo();
    EXPECT_EQ(document()->judgement()->stepNs, stepNs);
    openMenu();
    EXPECT_EQ(checkedAt(), 0);
}

}  // namespace
}  // namespace overlane
