#include "core/system/gpu_support.h"

#include <gtest/gtest.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using State = GpuSupport::State;

TEST(GpuSupport, each_finding_has_its_state)
{
    EXPECT_EQ(describeGpuSupport(false, 0, {}, true).state, State::NoDriver);
    EXPECT_EQ(describeGpuSupport(true, 13000, {}, true).state, State::NoDevice);
    EXPECT_EQ(describeGpuSupport(true, 13000, {"NVIDIA H200"}, false).state, State::NoBackend);
    EXPECT_EQ(describeGpuSupport(true, 13000, {"NVIDIA H200"}, true).state, State::Ready);
}

TEST(GpuSupport, the_sentence_names_the_devices)
{
    const GpuSupport support = describeGpuSupport(true, 13000, {"NVIDIA H200", "NVIDIA A100"}, false);
    test::expectText(support.sentence);
}

TEST(GpuSupport, detection_agrees_with_itself_on_this_machine)
{
    const GpuSupport support = detectGpuSupport();
    EXPECT_EQ(support.devices.empty(), support.state == State::NoDriver || support.state == State::NoDevice);
    EXPECT_FALSE(support.sentence.empty());
}

}  // namespace
}  // namespace overlane
