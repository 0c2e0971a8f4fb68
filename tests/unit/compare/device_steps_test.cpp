#include "core/compare/device_steps.h"

#include <gtest/gtest.h>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

// The host launches a step every 100 ns, the device needs 250 ns for each: it falls behind.
StepSequence runAhead(bool linked)
{
    test::SampleTrace sample;
    for (std::int64_t step = 0; step < 6; ++step) {
        const auto call = linked ? static_cast<std::uint32_t>(step + 1) : 0U;
        sample.host(EventKind::Step, step * 100, step * 100 + 90, "ProfilerStep#" + std::to_string(step + 4));
        sample.host(EventKind::RuntimeCall, step * 100 + 10, step * 100 + 20, "cudaLaunchKernel", call);
        sample.kernel(50 + step * 250, 300 + step * 250, 7, call);
    }
    const Trace trace = sample.build();
    return deviceSteps(trace, Analysis(trace), detectSteps(trace));
}

TEST(DeviceStepsTest, AHostThatRunsAheadDoesNotHideWhatTheDeviceNeeds)
{
    const StepSequence steps = runAhead(true);
    ASSERT_EQ(steps.steps.size(), 5U);  // nothing tells where the last one ends
    EXPECT_EQ(steps.steps[0].interval, (Interval{50, 300}));
    EXPECT_EQ(steps.steps[4].interval, (Interval{1050, 1300}));
    EXPECT_EQ(steps.steps[4].name, "ProfilerStep#8");
    EXPECT_EQ(steps.statistics.medianNs, 250);
}

TEST(DeviceStepsTest, WithoutLinksTheMarksCount)
{
    const StepSequence steps = runAhead(false);
    ASSERT_EQ(steps.steps.size(), 6U);
    EXPECT_EQ(steps.statistics.medianNs, 100);
}

}  // namespace
}  // namespace overlane
