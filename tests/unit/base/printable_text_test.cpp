#include "core/base/printable_text.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(PrintableTextTest, LeavesWhatPeopleWrite)
{
    for (const char* text :
         {"", "gemm<128, 64>(float*)", "C:\\dir", "µs, Größe, 日本語, 𝛼", "3\u202f000", "1\u00a0%"}) {
        EXPECT_EQ(printableText(text), text);
        EXPECT_TRUE(isPrintable(text)) << text;
    }
}

TEST(PrintableTextTest, EscapesWhatSteersATerminalOrTurnsTheText)
{
    using namespace std::string_view_literals;
    for (const auto& [text, shown] : {std::pair{"\x1b[31mred"sv, "\\u001b[31mred"},
                                      {"a\nb\tc\rd"sv, "a\\nb\\tc\\rd"},
                                      {"bell\a\x7f"sv, "bell\\u0007\\u007f"},
                                      {"nul\0x"sv, "nul\\u0000x"},
                                      {"\u009b31m"sv, "\\u009b31m"},
                                      {"\u202egnp.exe"sv, "\\u202egnp.exe"},
                                      {"\u2066\u200f\u061c\u2028\ufeff"sv, "\\u2066\\u200f\\u061c\\u2028\\ufeff"},
                                      {"\x9b\xff\xc3"sv, "\\x9b\\xff\\xc3"},
                                      {"\xed\xa0\x80"sv, "\\xed\\xa0\\x80"},
                                      {"\xc0\xaf"sv, "\\xc0\\xaf"}}) {
        EXPECT_EQ(printableText(text), shown);
        EXPECT_FALSE(isPrintable(text)) << shown;
        EXPECT_TRUE(isPrintable(printableText(text))) << shown;
    }
}

TEST(PrintableTextTest, LinesOfTheProgramsOwnStay)
{
    EXPECT_EQ(printableText("a\n\tb\x1b\r", TextLines::Several), "a\n\tb\\u001b\\r");
    EXPECT_TRUE(isPrintable("a\n\tb", TextLines::Several));
    EXPECT_FALSE(isPrintable("a\rb", TextLines::Several));
}

}  // namespace
}  // namespace overlane
