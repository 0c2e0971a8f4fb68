// A run that stands for one on a GPU, without a window.
#include "app/session/gpu_runs.h"

#include <gtest/gtest.h>

#include <QTest>

#include "tests/widget/staged_run.h"

namespace overlane
{
namespace
{

class GpuRunsTest : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 60'000;
};

TEST_F(GpuRunsTest, WhoLeavesDoesNotWaitForTheRun)
{
    Stage stage;
    stage.ends = false;
    {
        GpuRuns leaving;
        leaving.setStarter(stagedStarter(stage));
        leaving.start(Scenario());
        ASSERT_TRUE(QTest::qWaitFor([&] { return stage.starts == 1; }, kLongestWaitMs));
    }
    EXPECT_TRUE(stage.cancelled);
}

TEST_F(GpuRunsTest, ARunIsFollowedAndAnswered)
{
    Stage stage;
    stage.ends = false;
    stage.live = true;
    stage.grownNs = 60'000'000;
    GpuRuns runs;
    runs.setStarter(stagedStarter(stage));
    QStringList news;
    QObject::connect(&runs, &GpuRuns::grown, [&](const GpuGrowth& growth) {
        EXPECT_FALSE(growth.file.isEmpty());
        news << "grown";
        stage.ends = true;
    });
    QObject::connect(&runs, &GpuRuns::measured, [&](const GpuAnswer& answer) {
        EXPECT_GT(answer.measured.trace->eventCount(), 0u);
        news << "measured";
    });
    runs.start(Scenario());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runs.busy(); }, kLongestWaitMs));
    EXPECT_EQ(news, (QStringList{"grown", "measured"}));
}

}  // namespace
}  // namespace overlane
