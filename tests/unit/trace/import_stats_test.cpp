#include "core/trace/import_stats.h"

#include <gtest/gtest.h>

#include "core/trace/import_text.h"

namespace overlane
{
namespace
{

TEST(ImportStatsTest, AddsUpByReasonInOrderOfFirstSight)
{
    ImportStats stats;
    stats.add("metadata", "names of processes", Severity::Info, 3);
    stats.add("bad", "broken", Severity::Error);
    stats.add("metadata", "names of processes", Severity::Info, 2);
    ASSERT_EQ(stats.all().size(), 2u);
    EXPECT_EQ(stats.all()[0], (ImportStat{"metadata", "names of processes", Severity::Info, 5}));
    EXPECT_EQ(stats.count("bad"), 1);
    EXPECT_EQ(stats.count("never"), 0);
}

TEST(ImportTextTest, ANoteOfTheRecordingIsASentence)
{
    ImportStat stat{"recording_note_stacks", "notes of the recording: No stacks.", Severity::Warning, 1};
    EXPECT_EQ(countedText(stat), "note of the recording: No stacks.");
    EXPECT_TRUE(isLoss(stat));
    stat.count = 2;
    EXPECT_EQ(countedText(stat), "2 notes of the recording: No stacks.");
    EXPECT_EQ(countedText({"dropped", "records were dropped", Severity::Warning, 3}), "3 records were dropped");
    EXPECT_EQ(countedText({"remark", "the file ends early", Severity::Warning, 0}), "the file ends early");
}

// A program without PyTorch's DataLoader lacks nothing.
TEST(ImportTextTest, NoLoaderIsNoLoss)
{
    EXPECT_FALSE(isLoss({std::string(kNoLoaderNote), "notes of the recording: no loader", Severity::Warning, 1}));
    EXPECT_FALSE(isLoss({"metadata", "names", Severity::Info, 3}));
    EXPECT_TRUE(isLoss({"negative_duration", "events that end before they start", Severity::Error, 1}));
}

}  // namespace
}  // namespace overlane
