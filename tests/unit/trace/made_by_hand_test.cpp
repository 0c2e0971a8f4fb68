#include "core/trace/made_by_hand.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

std::string notes(const char* before, const char* mine, const char* theirs)
{
    return mergeMadeByHand({before, {}, {}}, {mine, {}, {}}, {theirs, {}, {}}).notes;
}

std::string bookmarks(const char* before, const char* mine, const char* theirs)
{
    return mergeMadeByHand({{}, before, {}}, {{}, mine, {}}, {{}, theirs, {}}).bookmarks;
}

TEST(MadeByHandTest, WhatOnlyOneChangedIsAsThatOneLeftIt)
{
    EXPECT_EQ(notes("a", "a\nb", "a"), "a\nb");
    EXPECT_EQ(notes("a", "a", "a\nb"), "a\nb");
    EXPECT_EQ(notes("a", "", "a"), "");
    EXPECT_EQ(notes("a", "b", "b"), "b");
    EXPECT_EQ(bookmarks("5\tx\n", "", "5\tx\n"), "");
    EXPECT_EQ(bookmarks("", "", "5\tx\n"), "5\tx\n");
}

TEST(MadeByHandTest, NotesOfBothAreThere)
{
    EXPECT_EQ(notes("", "mine", "theirs"), "mine\ntheirs");
    EXPECT_EQ(notes("head", "head\nmine\n", "head\ntheirs\nmore"), "head\nmine\ntheirs\nmore");
    EXPECT_EQ(notes("head\ntail", "HEAD\ntail", "head\ntail\ntheirs"), "HEAD\ntail\ntheirs");
}

TEST(MadeByHandTest, BookmarksOfBothAreThere)
{
    EXPECT_EQ(bookmarks("", "20\tmine\n", "-3\ttheirs\n"), "-3\ttheirs\n20\tmine\n");
    EXPECT_EQ(bookmarks("", "20\tmine\n", "20\ttheirs\n"), "20\tmine / theirs\n");
    EXPECT_EQ(bookmarks("1\ta\n2\tb\n", "2\tb\n3\tc\n", "1\ta\n2\tnew\n"), "2\tnew\n3\tc\n");
    EXPECT_EQ(bookmarks("1\ta\n", "1\tb\n", "no number\n"), "1\tb\n");
}

TEST(MadeByHandTest, FoldingIsMine)
{
    EXPECT_EQ(mergeMadeByHand({{}, {}, "a"}, {{}, {}, "b"}, {{}, {}, "c"}).folding, "b");
}

}  // namespace
}  // namespace overlane
