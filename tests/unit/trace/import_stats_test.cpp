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
    EXPECT_EQ(countedText(stat), "Note of the recording: No stacks.");
    EXPECT_TRUE(isLoss(stat));
    stat.count = 2;
    EXPECT_EQ(countedText(stat), "2 notes of the recording: No stacks.");
    EXPECT_EQ(countedText({"dropped", "records were dropped", Severity::Warning, 3}), "3 records were dropped");
    EXPECT_EQ(countedText({"remark", "the file ends early", Severity::Warning, 0}), "The file ends early");
}

TEST(ImportTextTest, OneIsCountedAsOne)
{
    const auto ofOne = [](const char* explanation) { return countedText({"x", explanation, Severity::Error, 1}); };
    EXPECT_EQ(ofOne("events that end before they start"), "1 event that ends before it starts");
    EXPECT_EQ(ofOne("events that are no valid JSON"), "1 event that is no valid JSON");
    EXPECT_EQ(ofOne("copies of a size that no memory has"), "1 copy of a size that no memory has");
    EXPECT_EQ(ofOne("elements of a list that are no events"), "1 element of a list that is no event");
    EXPECT_EQ(ofOne("ranges that never end"), "1 range that never ends");
    EXPECT_EQ(ofOne("bytes behind the end"), "1 bytes behind the end") << "no word that is known here";
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
