#include "core/io/device_tracks.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

void print(const Trace& trace, TrackId id, int depth, std::string& text)
{
    const Track& track = trace.track(id);
    text += std::string(static_cast<std::size_t>(depth) * 2, ' ') + track.name + (track.bookkeeping ? "*\n" : "\n");
    for (const TrackId child : track.children)
        print(trace, child, depth + 1, text);
}

std::string treeOf(TraceBuilder& builder)
{
    const Trace trace = builder.build();
    std::string text;
    for (const TrackId root : trace.roots())
        print(trace, root, 0, text);
    return text;
}

TEST(DeviceTracksTest, OneOrderWhateverCameFirst)
{
    TraceBuilder builder;
    DeviceTracks tracks(builder);
    tracks.annotations(1);
    tracks.syncCalls(1, -1);
    tracks.syncCalls(1, 9);
    tracks.stream(1, EngineLane::Compute, 22);
    tracks.stream(1, EngineLane::Compute, 7);
    tracks.counter(1, "memory");
    tracks.stream(1, EngineLane::P2P, 7);
    tracks.stream(1, EngineLane::D2D, 7);
    tracks.stream(1, EngineLane::D2H, 7);
    tracks.stream(1, EngineLane::H2D, 7);
    tracks.stream(0, EngineLane::H2D, 3);
    tracks.finish({{1, "NVIDIA H200", 5, 0}, {7, "not met", 0, 0}});
    EXPECT_EQ(treeOf(builder),
              "GPU 0\n"
              "  H2D\n    stream 3\n"
              "GPU 1 \xC2\xB7 NVIDIA H200\n"
              "  H2D\n    stream 7\n"
              "  D2H\n    stream 7\n"
              "  D2D\n    stream 7\n"
              "  P2P\n    stream 7\n"
              "  compute\n    stream 7\n    stream 22\n"
              "  memory\n"
              "  annotations*\n"
              "  sync calls*\n    whole device\n    stream 9\n");
}

TEST(DeviceTracksTest, AnswersTheSameTrackAgain)
{
    TraceBuilder builder;
    DeviceTracks tracks(builder);
    EXPECT_EQ(tracks.stream(0, EngineLane::H2D, 7), tracks.stream(0, EngineLane::H2D, 7));
    EXPECT_NE(tracks.stream(0, EngineLane::H2D, 7), tracks.stream(0, EngineLane::D2H, 7));
    EXPECT_NE(tracks.stream(0, EngineLane::H2D, 7), tracks.stream(1, EngineLane::H2D, 7));
    EXPECT_EQ(tracks.lane(0, "CUDA events"), tracks.lane(0, "CUDA events"));
}

TEST(DeviceTracksTest, EqualStreamNumbersOfTwoProcessesStayApart)
{
    TraceBuilder builder;
    DeviceTracks tracks(builder);
    const TrackId first = tracks.stream(0, EngineLane::H2D, 7, 1, 100);
    EXPECT_NE(first, tracks.stream(0, EngineLane::H2D, 7, 2, 200));
    EXPECT_EQ(treeOf(builder), "GPU 0\n  H2D\n    stream 7\n    stream 7 of process 200\n");
}

TEST(DeviceTracksTest, EqualStreamNumbersOfTwoContextsStayApart)
{
    TraceBuilder builder;
    DeviceTracks tracks(builder);
    const TrackId first = tracks.stream(0, EngineLane::H2D, 7, 1, 100, 3);
    EXPECT_EQ(first, tracks.stream(0, EngineLane::H2D, 7, 1, 100, 0));  // not known: the first one
    EXPECT_NE(first, tracks.stream(0, EngineLane::H2D, 7, 1, 100, 4));
    tracks.stream(0, EngineLane::H2D, 7, 2, 200, 4);  // the first of its process
    tracks.stream(0, EngineLane::H2D, 7, 2, 200, 5);
    tracks.stream(1, EngineLane::H2D, 7, 1, 100, 4);  // the first on its device
    tracks.syncCalls(0, 7, 1, 3);
    tracks.syncCalls(0, 7, 1, 4);
    EXPECT_EQ(treeOf(builder),
              "GPU 0\n"
              "  H2D\n    stream 7\n    stream 7 of context 4\n    stream 7 of process 200\n"
              "    stream 7 of context 5 of process 200\n"
              "  sync calls*\n    stream 7\n    stream 7 of context 4\n"
              "GPU 1\n  H2D\n    stream 7\n");
}

TEST(DeviceTracksTest, OnlyDevicesThatWereMetAreDescribed)
{
    TraceBuilder builder;
    DeviceTracks tracks(builder);
    tracks.stream(2, EngineLane::Compute, 7);
    tracks.finish({{1, "other", 0, 0}, {2, "mine", 80, 0}});
    const Trace trace = builder.build();
    ASSERT_EQ(trace.devices().size(), 1u);
    EXPECT_EQ(trace.devices()[0].name, "mine");
    EXPECT_EQ(trace.devices()[0].memoryBytes, 80);
}

}  // namespace
}  // namespace overlane
