#include "core/trace/track_names.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace overlane
{
namespace
{

TEST(TrackNamesTest, ADeviceIsNamedByNumberAndName)
{
    EXPECT_EQ(deviceTrackName(3, "NVIDIA A100"), "GPU 3 \xC2\xB7 NVIDIA A100");
    EXPECT_EQ(deviceTrackName(0, ""), "GPU 0");
}

TEST(TrackNamesTest, ANegativeStreamIsTheWholeDevice)
{
    EXPECT_EQ(streamTrackName(7), "stream 7");
    EXPECT_EQ(streamTrackName(-1), "whole device");
}

TEST(TrackNamesTest, EveryKindOfWorkHasItsEngine)
{
    struct Expected {
        EventKind work;
        bool betweenDevices;
        std::string_view name;
        TrackKind kind;
    };
    for (const Expected& expected : {Expected{EventKind::CopyH2D, false, "H2D", TrackKind::EngineH2D},
                                     Expected{EventKind::CopyD2H, false, "D2H", TrackKind::EngineD2H},
                                     Expected{EventKind::CopyD2D, false, "D2D", TrackKind::EnginePeer},
                                     Expected{EventKind::CopyD2D, true, "P2P", TrackKind::EnginePeer},
                                     Expected{EventKind::CopyOther, false, "other copies", TrackKind::EnginePeer},
                                     Expected{EventKind::Kernel, false, "compute", TrackKind::EngineCompute},
                                     Expected{EventKind::Memset, false, "compute", TrackKind::EngineCompute}}) {
        const EngineLane lane = engineLane(expected.work, expected.betweenDevices);
        EXPECT_EQ(engineTrackName(lane), expected.name);
        EXPECT_EQ(engineTrackKind(lane), expected.kind);
    }
}

TEST(TrackNamesTest, ALoadersActorIsKnownByItsName)
{
    const auto role = [](TrackKind kind, const char* name) {
        Track track;
        track.kind = kind;
        track.name = name;
        return loaderRole(track);
    };
    EXPECT_EQ(role(TrackKind::LoaderActor, "worker 3"), LoaderRole::Worker);
    EXPECT_EQ(role(TrackKind::LoaderActor, "worker 3 (loader 2)"), LoaderRole::Worker);
    EXPECT_EQ(role(TrackKind::LoaderActor, "pin thread"), LoaderRole::PinThread);
    EXPECT_EQ(role(TrackKind::LoaderActor, "pin thread (loader 2)"), LoaderRole::PinThread);
    EXPECT_EQ(role(TrackKind::LoaderActor, "main"), LoaderRole::Training);
    EXPECT_EQ(role(TrackKind::LoaderActor, "python main"), LoaderRole::Other);
    EXPECT_EQ(role(TrackKind::Thread, "worker 3"), LoaderRole::Other);
}

TEST(TrackNamesTest, GaugesStandInOneOrderWhateverTheirSource)
{
    const std::vector<std::string_view> order = {"Pinned memory",
                                                 "Device memory allocated",
                                                 "Device memory, all programs",
                                                 "Process memory",
                                                 "Available RAM",
                                                 "Swap used",
                                                 "Swap traffic",
                                                 "Memory pressure (some)",
                                                 "index queue",
                                                 "Major faults per second",
                                                 "Link traffic from the host",
                                                 "GPU utilisation",
                                                 "Page cache",
                                                 "Other programs",
                                                 "Processes"};
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end(),
                               [](std::string_view a, std::string_view b) { return gaugeRank(a) < gaugeRank(b); }));
    EXPECT_EQ(gaugeRank("Device memory allocated by process 7"), gaugeRank("Device memory allocated"));
    EXPECT_GT(gaugeRank("Process memory swapped out"), gaugeRank("Swap traffic"));
}

}  // namespace
}  // namespace overlane
