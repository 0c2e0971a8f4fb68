#include "core/base/process_news.h"

#include <gtest/gtest.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

TEST(ProcessNewsTest, ComesBackAsItWasTold)
{
    const std::string line = lineOf(ProcessNews{0.375, "step 2 of 4, 74.0 MiB pinned: batch 3.1 ms"});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto news = parseProcessNews(line);
    ASSERT_TRUE(news);
    EXPECT_DOUBLE_EQ(news->fraction, 0.375);
    EXPECT_EQ(news->words, "step 2 of 4, 74.0 MiB pinned: batch 3.1 ms");
}

TEST(ProcessNewsTest, WordsOfAnyBytesFitOnALine)
{
    const std::string line = lineOf(ProcessNews{0.5, "swap file /var/tmp/\xff\n\"x\": batch 3.1 ms"});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto news = parseProcessNews(line);
    ASSERT_TRUE(news);
    test::expectText(news->words);
}

TEST(ProcessNewsTest, WhateverElseAProgramPrintsIsNoNews)
{
    for (const char* other : {"", "overlane: /var/tmp is full.", "step 2 of 4, 74.0 MiB pinned", "{", "{}", "[0.5]",
                              R"({"fraction": "half", "words": "x"})", R"({"fraction": 0.5})"})
        EXPECT_FALSE(parseProcessNews(other)) << other;
    EXPECT_DOUBLE_EQ(parseProcessNews(R"({"fraction": 7, "words": "x"})")->fraction, 1);
}

}  // namespace
}  // namespace overlane
