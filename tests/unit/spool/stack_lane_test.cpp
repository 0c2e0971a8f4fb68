#include "core/spool/stack_lane.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "tests/support/times.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

// main -> train -> augment, and main -> train -> log.
constexpr std::uint32_t kMain = 0;
constexpr std::uint32_t kTrain = 1;
constexpr std::uint32_t kAugment = 2;
constexpr std::uint32_t kLog = 3;

StackNodes someNodes()
{
    StackNodes nodes;
    nodes.add({.id = kMain});
    nodes.add({.id = kTrain, .parent = kMain});
    nodes.add({.id = kAugment, .parent = kTrain});
    nodes.add({.id = kLog, .parent = kTrain});
    return nodes;
}

struct Frame {
    std::uint32_t node;
    std::int64_t startNs;
    std::int64_t endNs;
    friend bool operator==(const Frame&, const Frame&) = default;
    friend void PrintTo(const Frame& frame, std::ostream* to)
    {
        *to << "{" << frame.node << ", " << frame.startNs << ", " << frame.endNs << "}";
    }
};

std::vector<Frame> framesOf(const std::vector<spool::StackSample>& samples)
{
    const StackNodes nodes = someNodes();
    std::vector<Frame> frames;
    const auto emit = [&](std::uint32_t node, std::int64_t startNs, std::int64_t endNs) {
        frames.push_back({node, startNs, endNs});
    };
    StackLane lane;
    for (const spool::StackSample& sample : samples)
        lane.add(nodes, sample, emit);
    lane.end(emit);
    return frames;
}

TEST(StackLane, EverySampleIsAnEventAndCallersReachOverTheirSamples)
{
    EXPECT_THAT(framesOf({{10, 11, 0, kAugment}, {20, 21, 0, kAugment}, {30, 31, 0, kLog}}),
                ElementsAre(Frame{kAugment, 10, 20}, Frame{kAugment, 20, 30}, Frame{kMain, 10, 31},
                            Frame{kTrain, 10, 31}, Frame{kLog, 30, 31}));
}

TEST(StackLane, ACallerThatIsInnermostOnceIsASampleThen)
{
    EXPECT_THAT(framesOf({{10, 11, 0, kAugment}, {20, 21, 0, kTrain}, {30, 31, 0, kLog}}),
                ElementsAre(Frame{kTrain, 10, 20}, Frame{kAugment, 10, 20}, Frame{kTrain, 20, 30}, Frame{kMain, 10, 31},
                            Frame{kTrain, 30, 31}, Frame{kLog, 30, 31}));
}

TEST(StackLane, SamplesFarApartSayNothingOfTheTimeBetween)
{
    EXPECT_THAT(framesOf({{10, 11, 0, kTrain}, {900 * kMs, 901 * kMs, 0, kTrain}}),
                ElementsAre(Frame{kMain, 10, 11}, Frame{kTrain, 10, 11}, Frame{kMain, 900 * kMs, 901 * kMs},
                            Frame{kTrain, 900 * kMs, 901 * kMs}));
}

TEST(StackLane, SamplesAreCutNotOverlapping)
{
    EXPECT_THAT(framesOf({{10, 20, 0, kMain}, {15, 25, 0, kMain}, {5, 12, 0, kMain}, {30, 31, 0, 99}}),
                ElementsAre(Frame{kMain, 10, 20}, Frame{kMain, 20, 25}));
}

TEST(StackNodes, AreTakenInOrderAndOnce)
{
    StackNodes nodes;
    EXPECT_FALSE(nodes.add({.id = 1, .parent = 0}));  // below one that is not described
    EXPECT_FALSE(nodes.add({.id = 1, .parent = 1}));  // below itself
    EXPECT_TRUE(nodes.add({.id = 0}));
    EXPECT_FALSE(nodes.add({.id = 0}));
    EXPECT_FALSE(nodes.add({.id = spool::kNone}));
    EXPECT_FALSE(nodes.add({.id = StackNodes::kMostNodes}));
    for (std::uint32_t depth = 1; depth < StackNodes::kDeepest; ++depth)
        EXPECT_TRUE(nodes.add({.id = depth, .parent = depth - 1}));
    EXPECT_FALSE(nodes.add({.id = StackNodes::kDeepest, .parent = StackNodes::kDeepest - 1}));
    EXPECT_EQ(nodes.path(2).size(), 3u);
}

}  // namespace
}  // namespace overlane
