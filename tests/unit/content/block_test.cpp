// Blocks as the terminal, a page and a spreadsheet show them.
#include "core/content/block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/content/html.h"
#include "core/content/terminal.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

Table kernels()
{
    return {"Kernels",
            {{"name", "kernel", Column::Kind::Name}, {"ns", "time"}, {"claim", "", Column::Kind::Words}},
            {{{{"gemm<float>"}, durationCell(2'000, Tone::Better), {"clearly lower", {}, Tone::Muted}}, "on hover"},
             {{{"softmax"}, missingCell(), {""}}, ""}}};
}

TEST(BlockTest, ColumnsArePickedByIdInTheOrderAskedForAndRowsFromTheFirst)
{
    const Table picked = kernels().picked({"claim", "name"}, 1);
    ASSERT_EQ(picked.columns.size(), 2U);
    EXPECT_EQ(picked.columns[0].id, "claim");
    ASSERT_EQ(picked.rows.size(), 1U);
    EXPECT_EQ(picked.rows[0].cells[1].text, "gemm<float>");
    EXPECT_EQ(picked.rows[0].remark, "on hover");
    EXPECT_EQ(picked.at(picked.rows[0], "claim").text, "clearly lower");
    EXPECT_EQ(kernels().picked({"name"}, 9).rows.size(), 2U);
}

TEST(BlockTest, ATerminalHasColumnsWithoutTones)
{
    EXPECT_EQ(terminalText(kernels()),
              "Kernels\n"
              "  kernel          time\n"
              "  gemm<float>  2.00\u2009\u00b5s  clearly lower\n"
              "  softmax            -\n");
    EXPECT_EQ(
        terminalText(Blocks{Sentence{"It is faster."}, Sentence{"By a replay.", Tone::Muted},
                            List{"What to do:", {"Pin it."}}, List{"Assumed:", {}},
                            Facts{{{"pinned", {"1 GiB", std::int64_t{1} << 30}}}}, Table{"None", {{"a", "a"}}, {}}}),
        "It is faster.\n  By a replay.\nWhat to do:\n  Pin it.\n  pinned         1 GiB\n");
}

TEST(BlockTest, ATerminalBreaksTheLastColumnWhereALineWereTooLong)
{
    Table table{"", {{"a", "setting", Column::Kind::Words}, {"b", "predicted", Column::Kind::Words}}, {}};
    table.rows.push_back({{{"pin_memory=True, non_blocking=True"}, {"4.02 ms (3.50 to 4.61), 43 % less"}}, ""});
    table.rows.push_back({{{"num_workers=4"}, {"none"}}, ""});
    setTextColumns(62);
    const std::string narrow = terminalText(Block(table));
    setTextColumns(kTextColumns);
    EXPECT_EQ(narrow,
              "  setting                             predicted\n"
              "  pin_memory=True, non_blocking=True  4.02 ms (3.50 to 4.61),\n"
              "                                      43 % less\n"
              "  num_workers=4                       none\n");
    test::expectText(terminalText(Block(table)));
}

TEST(BlockTest, ATerminalBreaksFactsThatAreWordsBesideTheirNames)
{
    const std::string words = std::string(60, 'a') + ' ' + std::string(60, 'b');
    EXPECT_EQ(
        terminalText(Facts{{{"cost", {"none"}}, {"to change", {words}}}}),
        "  cost       none\n  to change  " + std::string(60, 'a') + "\n             " + std::string(60, 'b') + "\n");
}

TEST(BlockTest, APageHasTonesAsClassesAndEscapesEveryText)
{
    const std::string page = htmlText(kernels());
    EXPECT_THAT(page, HasSubstr("<h3>Kernels</h3>"));
    test::expectText(page);
    EXPECT_THAT(page, HasSubstr("<td></td>"));
    const std::string rest = htmlText(Blocks{Sentence{"a < b", Tone::Warning}, Sentence{"", Tone::Plain, true},
                                             List{"To do", {"<script>"}}, Facts{{{"x & y", {"<b>"}}}}});
    EXPECT_EQ(rest,
              "<p><span class=\"warning\">a &lt; b</span></p>\n<h3>To do</h3>\n<ul>\n<li>&lt;script&gt;</li>\n</ul>\n"
              "<dl class=\"facts\">\n<dt>x &amp; y</dt><dd>&lt;b&gt;</dd>\n</dl>\n");
}

TEST(BlockTest, ASpreadsheetHasTabs)
{
    EXPECT_EQ(tabSeparated(kernels().picked({"name", "claim"})), "kernel\t\ngemm<float>\tclearly lower\nsoftmax\t\n");
    EXPECT_EQ(tabSeparated(Table{}), "");
}

TEST(BlockTest, CommaSeparatedValuesAreRawAndQuotedWhereTheyMustBe)
{
    const Table table{{},
                      {{"name", "kernel", Column::Kind::Name}, {"time_ns", "time"}, {"share", "share"}},
                      {{{Cell{"add<float, \"x\">"}, durationCell(2'000), shareCell(0.25)}, "hover"},
                       {{Cell{"two\nlines"}, durationCell(-1), missingCell()}, {}}}};
    EXPECT_EQ(commaSeparated(table), "name,time_ns,share\n\"add<float, \"\"x\"\">\",2000,0.25\n\"two\nlines\",-1,\n");
}

TEST(BlockTest, APageBreaksNoNumber)
{
    EXPECT_EQ(withWholeNumbers("<b>2\u2009268 copies, 12.3\u2009\u00b5s</b>"),
              "<b>2\u202f268 copies, 12.3\u202f\u00b5s</b>");
}

}  // namespace
}  // namespace overlane
