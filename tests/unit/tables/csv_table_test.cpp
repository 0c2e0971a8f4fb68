#include "core/tables/csv_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/unit/tables/made_up_table.h"

namespace overlane
{
namespace
{

TEST(CsvTable, IsRfc4180WithNoneEmptyAndNoFormula)
{
    Progress progress;
    std::string csv;
    ASSERT_TRUE(makeCsv(test::madeUpTable(), CsvLines::CrLf, progress, [&](std::string_view text) {
                    csv += text;
                    return Result<void>();
                }).ok());
    EXPECT_EQ(csv,
              "start_ns,name,bytes,share,warm_up,group\r\n"
              "-5000000000,\"'=SUM(A1,\"\"x\"\")\",4000000000,0,false,\"\"\r\n"
              "-4999999999,,,0.125,false,g\r\n"
              "-4999999998,\"two\nlines\",4000000000,0.25,true,gg\r\n"
              "-4999999997,\"'=SUM(A1,\"\"x\"\")\",4000000000,0.375,false,ggg\r\n");
    EXPECT_EQ(progress.fraction(), 1);
}

TEST(CsvTable, StopsWhereTheTextIsNotTaken)
{
    Progress progress;
    const Result<void> made = makeCsv(test::madeUpTable(), CsvLines::CrLf, progress,
                                      [](std::string_view) { return Result<void>(Error{"no room."}); });
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error(), "no room.");
}

TEST(CsvTable, CancelledItLeavesTheOlderFile)
{
    const test::TempDir folder;
    const std::string path = folder.write("t.csv", "older");
    ArrowTable many = test::madeUpTable();
    many.rows = 3000;
    Progress progress;
    progress.cancel();
    EXPECT_TRUE(writeCsv(many, path, progress).isCancelled());
    EXPECT_EQ(test::readFile(path), "older");
}

}  // namespace
}  // namespace overlane
