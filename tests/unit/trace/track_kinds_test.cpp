#include "core/trace/track_kinds.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <string>

namespace overlane
{
namespace
{

TEST(TrackKindsTest, AreOneRowEachInTheirOrder)
{
    ASSERT_EQ(trackKinds().size(), static_cast<std::size_t>(kTrackKindCount));
    std::set<std::string_view> ids;
    for (int kind = 0; kind < kTrackKindCount; ++kind) {
        const TrackKindRow& row = rowOf(static_cast<TrackKind>(kind));
        EXPECT_EQ(static_cast<int>(row.kind), kind);
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_FALSE(row.id.empty());
        EXPECT_EQ(row.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string_view::npos) << row.id;
        EXPECT_FALSE(row.name.empty()) << row.id;
    }
}

TEST(TrackKindsTest, EnginesAreLanesThatTheOverviewHasABandFor)
{
    for (int at = 0; at <= static_cast<int>(EngineLane::Compute); ++at) {
        const EngineLaneRow& lane = rowOf(static_cast<EngineLane>(at));
        const TrackKindRow& row = rowOf(lane.kind);
        EXPECT_TRUE(row.isEngine() && row.isLane()) << lane.name;
        EXPECT_NE(row.band, LaneBand::None) << lane.name;
        EXPECT_NE(row.name.find(row.bearsOwnName ? "D2D" : lane.name), std::string_view::npos) << lane.name;
    }
}

TEST(TrackKindsTest, AProcessAddsLanesOfSomeKindsOnly)
{
    EXPECT_EQ(recordedKind(static_cast<std::uint32_t>(TrackKind::LoaderActor)), TrackKind::LoaderActor);
    EXPECT_EQ(recordedKind(static_cast<std::uint32_t>(TrackKind::Annotations)), TrackKind::Annotations);
    EXPECT_EQ(recordedKind(static_cast<std::uint32_t>(TrackKind::Device)), TrackKind::Group);
    EXPECT_EQ(recordedKind(kTrackKindCount), TrackKind::Group);
    EXPECT_EQ(recordedKind(0xffffffff), TrackKind::Group);
}

TEST(TrackKindsTest, TheFormatsPageNamesTheNumberOfEach)
{
    std::ifstream file(std::string(OVERLANE_SOURCE_DIR) + "/docs/format.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::size_t start = page.find("\nKinds of tracks:");
    ASSERT_NE(start, std::string::npos);
    const std::string numbers = page.substr(start, page.find("Units of counters", start) - start);
    for (const TrackKindRow& row : trackKinds())
        EXPECT_NE(numbers.find(" " + std::to_string(static_cast<int>(row.kind)) + " "), std::string::npos) << row.id;
}

}  // namespace
}  // namespace overlane
