// What rooms say that need no trace: advice, lessons, memory, trials.
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/lessons/lesson_run.h"
#include "core/lessons/lesson_table.h"
#include "core/loader/loader_memory_blocks.h"
#include "core/pressure/pressure_blocks.h"
#include "core/sweep/advisor_text.h"
#include "core/system/machine_memory.h"
#include "core/system/numa_tables.h"
#include "core/trial/trial_answer.h"
#include "tests/support/made_up_advice.h"
#include "tests/unit/lessons/lesson_sample.h"
#include "tests/widget/content/same_figures.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/trial/stand_in.h"

namespace overlane
{
namespace
{

using test::expectTheSameFigures;

TEST(RoomBlocksTest, AnAdvice)
{
    Blocks blocks = adviceBlocks(test::madeUpAdvice());
    EXPECT_GE(blocks.size(), 5U);
    blocks.emplace_back(adviceTable(test::madeUpAdvice()));
    EXPECT_EQ(expectTheSameFigures(blocks), 1);
}

TEST(RoomBlocksTest, ALessonsTable)
{
    const Lesson lesson = parseLesson(test::kSmallLesson, "small.md").value();
    Progress progress;
    const LessonRun run = LessonRun::run(lesson, simulatedLessonEngine(), progress, {}).value();
    expectTheSameFigures(lessonTable(run));
}

TEST(RoomBlocksTest, AMachineShortOfMemory)
{
    MachineMemoryView view;
    view.parts.lockedBytes = 3 * kMiB;
    view.parts.swapTotalBytes = 64 * kMiB;
    view.parts.swapUsedBytes = 7 * kMiB;
    view.hasPressure = true;
    view.pressureSomePercent = 12.3;
    view.majorFaultsPerSecond = 456;
    expectTheSameFigures(Blocks{shortageFacts(view), shortageFacts({})});
    Scenario scenario;
    scenario.pin = PinStrategy::Thread;
    scenario.batchBytes = 96 * kMiB;
    EXPECT_EQ(expectTheSameFigures(loaderMemoryBlocks(loaderMemory(scenario, 200 * kMiB))), 1);
}

TEST(RoomBlocksTest, AMachinesNodesAndGpus)
{
    NumaTopology topology;
    topology.nodes = {{0, {0, 1, 2, 3}, 2, 0, 64 * kMiB, 5 * kMiB, {10, 32}}, {1, {}, 0, -1, 32 * kMiB, 0, {32, 10}}};
    topology.gpus = {{0, "0000:41:00.0", "Sample GPU", true, 1, 8, "32.0 GT/s PCIe", 16}, {1, "0000:42:00.0"}};
    expectTheSameFigures(nodeTable(topology));
    expectTheSameFigures(gpuTable(topology));
    test::expectText(spokenText(nodeTable(topology)));
}

TEST(RoomBlocksTest, AnExperimentWithMemory)
{
    const PressurePlan plan = withSteps({});
    EXPECT_EQ(expectTheSameFigures(planBlocks(plan, {}, {})), 1);
    EXPECT_EQ(expectTheSameFigures(planBlocks(plan, {}, {"The machine runs on its battery: plug it in."})), 1);
    PressureReport report;
    report.ended = "Stopped with Ctrl+C.";
    for (const std::int64_t medianNs : {1'000'000, 9'000'000}) {
        PressureStep& step = report.steps.emplace_back();
        step.batches = 1234;
        step.medianBatchNs = medianNs;
        step.slowBatchNs = 2 * medianNs;
        step.usage.swapBytes = step.expected.swapBytes = 20 * kMiB;
        step.refaultedBytesPerSecond = 5.5e6;
        step.pressurePercent = 12;
    }
    EXPECT_EQ(expectTheSameFigures(reportBlocks(plan, report)), 1);
}

TEST(RoomBlocksTest, ATrial)
{
    const auto answer = parseTrialAnswer(test::StandIn::fasterJson().toStdString());
    ASSERT_TRUE(answer.ok()) << answer.error();
    expectTheSameFigures(trialTable(answer.value()));
}

}  // namespace
}  // namespace overlane
