#include "core/trial/trial_news.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(TrialNewsTest, ARunComesBackAsItWasTold)
{
    const std::string line =
        lineOf({TrialNews::Run{12, "pin_memory=True, num_workers=8", 12'900'000}, "12.9 ms a batch"});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto news = parseTrialNews(line);
    ASSERT_TRUE(news && news->run);
    EXPECT_EQ(news->run->number, 12);
    EXPECT_EQ(news->run->setting, "pin_memory=True, num_workers=8");
    EXPECT_EQ(news->run->batchNs, 12'900'000);
    EXPECT_EQ(news->words, "12.9 ms a batch");
}

TEST(TrialNewsTest, WordsOfAnyBytesFitOnALine)
{
    const std::string line = lineOf({{}, "first, a run as it is: python \xff\n\"train\".py"});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto news = parseTrialNews(line);
    ASSERT_TRUE(news);
    EXPECT_FALSE(news->run);
    EXPECT_NE(news->words.find("\n\"train\".py"), std::string::npos);
}

TEST(TrialNewsTest, WhateverElseAProgramPrintsIsNoNews)
{
    for (const char* other :
         {"", "overlane: No GPU here.", "Traceback (most recent call last):", "{", "{}", "[1]", "12", R"({"words": 3})",
          R"({"words": "x", "run": 7})", R"({"words": "x", "run": {"number": "one", "setting": "y", "batch_ns": 1}})"})
        EXPECT_FALSE(parseTrialNews(other)) << other;
}

}  // namespace
}  // namespace overlane
