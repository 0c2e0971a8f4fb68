#include "core/content/markup.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(MarkupTest, WhatMarkupMeansIsEscaped)
{
    EXPECT_EQ(markupText("<script>alert('x')</script>"), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    EXPECT_EQ(markupText("a & \"b\""), "a &amp; &quot;b&quot;");
    EXPECT_EQ(markupText("12.3\u2009\u00b5s"), "12.3\u2009\u00b5s");
}

TEST(MarkupTest, BytesThatAreNoTextAreReplaced)
{
    EXPECT_EQ(markupText("a\xff z"), "a\uFFFD z");
    EXPECT_EQ(markupText("\xc3"), "\uFFFD");                      // cut off
    EXPECT_EQ(markupText("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
    EXPECT_EQ(markupText("\xc0\xbc"), "\uFFFD\uFFFD");            // '<', overlong
    EXPECT_EQ(markupText(std::string("a\0b\x1b", 4)),
              "a\uFFFD"
              "b\uFFFD");
    EXPECT_EQ(markupText("\xef\xbf\xbf"), "\uFFFD");
    EXPECT_EQ(markupText("\U0001F680"), "\U0001F680");
}

TEST(MarkupTest, NamesAreElidedInTheMiddle)
{
    EXPECT_EQ(shortened("short", 10), "short");
    EXPECT_EQ(shortened("abcdefghijklmnop", 9), "abcd\u2026mnop");
    EXPECT_EQ(shortened("\u00b5\u00b5\u00b5\u00b5\u00b5\u00b5", 4), "\u00b5\u2026\u00b5\u00b5");
    EXPECT_EQ(shortened("abcdef", 2), "");
}

TEST(MarkupTest, PixelsCarryOneDecimalWhereNeeded)
{
    EXPECT_EQ(pixels(12), "12");
    EXPECT_EQ(pixels(12.04), "12");
    EXPECT_EQ(pixels(12.26), "12.3");
    EXPECT_EQ(pixels(-0.5), "-0.5");
}

}  // namespace
}  // namespace overlane
