#include "core/recorder/recording_name.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

constexpr const char* kStandard = "train-20261127-081500";

RecordingPlace placeOf(int rank, std::optional<int> worldSize, std::optional<int> localRank = {})
{
    return {LaunchedRank{rank, worldSize, localRank}, "node7.cluster.example", 0};
}

std::string nameOf(const std::string& asked, const RecordingPlace& place)
{
    const auto name = recordingName(asked, kStandard, place);
    EXPECT_TRUE(name.ok()) << (name.ok() ? "" : name.error());
    return name.ok() ? name.value().file : std::string();
}

TEST(RecordingName, OfARankHasRankAndHost)
{
    EXPECT_EQ(nameOf("", placeOf(3, 4)), "train-20261127-081500-rank03-node7.overlane");
    EXPECT_EQ(nameOf("runs/", placeOf(3, 4)), "runs/rank03-node7.overlane");
    EXPECT_EQ(nameOf("x.overlane", placeOf(3, 4)), "x-rank03-node7.overlane");
    EXPECT_EQ(nameOf("x", placeOf(3, {})), "x-rank03-node7");
    RecordingPlace again = placeOf(3, 4);
    again.restarts = 2;
    EXPECT_EQ(nameOf("runs/", again), "runs/rank03-node7-restart2.overlane");
}

TEST(RecordingName, SaysWhetherAPersonsOwnNameWasChanged)
{
    const auto changed = [](const std::string& asked) {
        return recordingName(asked, kStandard, placeOf(3, 4)).value().changed;
    };
    EXPECT_TRUE(changed("x.overlane"));
    EXPECT_FALSE(changed("x{rank}.overlane"));
    EXPECT_FALSE(changed("runs/"));
    EXPECT_FALSE(changed(""));
}

TEST(RecordingName, OutsideAJobStaysAsItIs)
{
    for (const RecordingPlace& place : {RecordingPlace{}, placeOf(0, 1)}) {
        EXPECT_EQ(nameOf("", place), "train-20261127-081500.overlane");
        EXPECT_EQ(nameOf("x.overlane", place), "x.overlane");
        EXPECT_EQ(nameOf("x", place), "x");
        EXPECT_EQ(nameOf("runs/", place), "runs/train-20261127-081500.overlane");
    }
    EXPECT_EQ(nameOf("x-{rank}.overlane", placeOf(0, 1)), "x-00.overlane");
}

TEST(RecordingName, PlacesAreFilledInAndNothingIsAdded)
{
    EXPECT_EQ(nameOf("{host}/r{rank}-{local_rank}.overlane", placeOf(11, 16, 3)), "node7/r11-3.overlane");
    EXPECT_EQ(recordingName("{host}/r{rank}", kStandard, placeOf(1, 4)).value().folder, "node7");
    EXPECT_EQ(nameOf("runs/{host}/", placeOf(11, 16)), "runs/node7/rank11-node7.overlane");
    EXPECT_EQ(nameOf("x-{host}.overlane", RecordingPlace{{}, "node7", 0}), "x-node7.overlane");
    EXPECT_EQ(nameOf("open{brace", RecordingPlace{}), "open{brace");
}

TEST(RecordingName, WhatCannotBeFilledInIsSaid)
{
    for (const char* asked : {"x-{ranks}.overlane", "x-{rank}.overlane", "{local_rank}/"}) {
        const auto name = recordingName(asked, kStandard, {});
        ASSERT_FALSE(name.ok());
        test::expectText(name.error());
    }
}

TEST(RecordingName, AFolderThatIsThereIsOneWithoutASlash)
{
    const test::TempDir dir;
    const auto name = recordingName(dir.path().string(), kStandard, placeOf(0, 4));
    EXPECT_EQ(name.value().folder, dir.path().string());
    EXPECT_EQ(name.value().file, (dir.path() / "rank00-node7.overlane").string());
}

TEST(RecordingName, RanksOfAJobSortAndNeverCollide)
{
    for (const int worldSize : {4, 100, 1'001}) {
        std::vector<std::string> names;
        for (int rank = 0; rank < worldSize; ++rank)
            names.push_back(nameOf("runs/", placeOf(rank, worldSize)));
        EXPECT_TRUE(std::is_sorted(names.begin(), names.end())) << worldSize;
        EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    }
}

TEST(RecordingName, HostsAreFitForFiles)
{
    EXPECT_EQ(hostForName("node7"), "node7");
    EXPECT_EQ(hostForName("10.0.0.7"), "10.0.0.7");
    EXPECT_EQ(hostForName("a/b c\n.example"), "a-b-c-");
    EXPECT_EQ(hostForName(std::string(300, 'n')).size(), 64u);
    EXPECT_EQ(hostForName(""), "");
    EXPECT_EQ(nameOf("runs/", {LaunchedRank{1, 2, {}}, "", 0}), "runs/rank01.overlane");
}

}  // namespace
}  // namespace overlane
