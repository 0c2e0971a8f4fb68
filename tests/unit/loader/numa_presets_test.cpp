// The pair of presets that shows what two sockets cost: one setting apart, and the step tells them apart.
#include <gtest/gtest.h>

#include "core/loader/presets.h"
#include "core/loader/run.h"

namespace overlane
{
namespace
{

const Preset& presetOf(std::string_view key)
{
    for (const Preset& preset : allPresets())
        if (preset.key == key)
            return preset;
    ADD_FAILURE() << "no preset " << key;
    return allPresets().front();
}

TEST(NumaPresets, WorkersOnTheOtherSocketSlowThePinThreadAndTheStep)
{
    const Preset& far = presetOf("workers_far");
    const Preset& near = presetOf("workers_near");
    Scenario moved = far.scenario;
    moved.workerNode = 1;
    moved.name = near.scenario.name;
    EXPECT_EQ(moved, near.scenario);
    const DeviceProfile& device = *findDeviceProfile(far.device);
    const auto farRun = simulate(far.scenario, device);
    const auto nearRun = simulate(near.scenario, device);
    ASSERT_TRUE(farRun.ok() && nearRun.ok());
    const auto gained = 1 - static_cast<double>(nearRun.value().wallNs) / static_cast<double>(farRun.value().wallNs);
    EXPECT_GT(gained, 0.05);
    EXPECT_LT(gained, 0.5 * (1 / device.remoteMemoryRatio - 1));  // half of a memcpy is the far side
}

}  // namespace
}  // namespace overlane
