#include "core/base/string_pool.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace overlane
{
namespace
{

TEST(StringPoolTest, GivesEachTextOneDenseId)
{
    StringPool pool;
    EXPECT_EQ(pool.intern("a").index(), 0u);
    EXPECT_EQ(pool.intern("b").index(), 1u);
    EXPECT_EQ(pool.intern("a").index(), 0u);
    EXPECT_EQ(pool.size(), 2u);
    EXPECT_EQ(pool.view(StringId(1)), "b");
}

TEST(StringPoolTest, TheEmptyTextIsATextOfItsOwn)
{
    StringPool pool;
    const StringId id = pool.intern("");
    EXPECT_TRUE(id.valid());
    EXPECT_EQ(pool.find(""), id);
    EXPECT_EQ(pool.view(id), "");
}

TEST(StringPoolTest, FindDoesNotAdd)
{
    StringPool pool;
    EXPECT_FALSE(pool.find("missing").valid());
    EXPECT_EQ(pool.size(), 0u);
}

TEST(StringPoolTest, NoneAndForeignIdsHaveNoText)
{
    StringPool pool;
    pool.intern("a");
    EXPECT_EQ(pool.view(StringId()), "");
    EXPECT_EQ(pool.view(StringId(5)), "");
}

TEST(StringPoolTest, KeepsBytesThatAreNoText)
{
    StringPool pool;
    const std::string odd("a\0b\xff", 4);
    EXPECT_EQ(pool.view(pool.intern(odd)), odd);
    EXPECT_NE(pool.intern("a"), pool.find(odd));
}

TEST(StringPoolTest, ViewsSurviveGrowthAndMoves)
{
    StringPool pool;
    std::vector<std::string_view> views;
    views.reserve(5000);
    for (int i = 0; i < 5000; ++i)
        views.push_back(pool.view(pool.intern("n" + std::to_string(i))));
    StringPool moved = std::move(pool);
    for (int i = 0; i < 5000; ++i) {
        const std::string text = "n" + std::to_string(i);
        EXPECT_EQ(views[i], text);
        EXPECT_EQ(moved.find(text).index(), static_cast<std::size_t>(i));
        EXPECT_EQ(moved.view(StringId(i)).data(), views[i].data());
    }
}

TEST(StringPoolTest, BytesGrowWithTheTexts)
{
    StringPool pool;
    const std::size_t before = pool.bytes();
    pool.intern(std::string(1000, 'x'));
    EXPECT_GE(pool.bytes(), before + 1000);
}

}  // namespace
}  // namespace overlane
