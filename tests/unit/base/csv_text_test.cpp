#include "core/base/csv_text.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

std::string csvOf(std::string_view text)
{
    std::string field;
    appendCsvText(field, text);
    return field;
}

TEST(CsvText, QuotesWhatWouldEndTheField)
{
    EXPECT_EQ(csvOf("plain text"), "plain text");
    EXPECT_EQ(csvOf(""), "");
    EXPECT_EQ(csvOf("a,b"), "\"a,b\"");
    EXPECT_EQ(csvOf("say \"hi\""), "\"say \"\"hi\"\"\"");
    EXPECT_EQ(csvOf("two\r\nlines"), "\"two\r\nlines\"");
}

TEST(CsvText, MakesNoFormula)
{
    for (const char* start : {"=", "+", "-", "@", "\t"})
        EXPECT_EQ(csvOf(std::string(start) + "cmd"), "'" + std::string(start) + "cmd");
    EXPECT_EQ(csvOf("\rcmd"), "\"'\rcmd\"");
    EXPECT_EQ(csvOf("a=b"), "a=b");
}

}  // namespace
}  // namespace overlane
