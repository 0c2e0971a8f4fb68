#include "core/trace/import_stats.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace overlane
