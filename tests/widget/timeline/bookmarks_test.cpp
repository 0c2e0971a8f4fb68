#include "app/timeline/bookmarks.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "app/timeline/time_ruler.h"

namespace overlane
{

TEST(Bookmarks, AreKeptInOrderAndFoundByTime)
{
    Bookmarks bookmarks;
    QSignalSpy changed(&bookmarks, &Bookmarks::changed);
    bookmarks.add(300, "c");
    bookmarks.add(100, " a\tb\n");
    bookmarks.add(300, "d");
    bookmarks.add(300, "d");
    EXPECT_EQ(changed.count(), 3);
    EXPECT_EQ(bookmarks.all(), (std::vector<Bookmark>{{100, "a b"}, {300, "d"}}));
    EXPECT_EQ(bookmarks.after(100)->timeNs, 300);
    EXPECT_EQ(bookmarks.after(300), nullptr);
    EXPECT_EQ(bookmarks.before(300)->timeNs, 100);
    EXPECT_EQ(bookmarks.before(100), nullptr);
    EXPECT_EQ(bookmarks.nearest(180, 80)->timeNs, 100);
    EXPECT_EQ(bookmarks.nearest(180, 79), nullptr);
    bookmarks.remove(200);
    EXPECT_EQ(changed.count(), 3);
    bookmarks.remove(100);
    EXPECT_EQ(bookmarks.all().size(), 1u);
}

TEST(Bookmarks, SurviveTheWayThroughText)
{
    Bookmarks bookmarks;
    bookmarks.add(-5, QString::fromUtf8("Anfang, \u00fc"));
    bookmarks.add(1'000'000'000'000, "");
    Bookmarks read;
    read.setText(bookmarks.toText());
    EXPECT_EQ(read.all(), bookmarks.all());
    read.setText("7\tseven\nno number\tx\n\n7\tagain\n3\n");
    EXPECT_EQ(read.all(), (std::vector<Bookmark>{{3, ""}, {7, "seven"}}));
    read.setText({});
    EXPECT_TRUE(read.all().empty());
}

TEST(Bookmarks, NamesInTheRulerNeverOverlap)
{
    const std::vector<Bookmark> bookmarks = {{0, "a"}, {100, "b"}, {104, "c"}, {500, "d"}, {1'000, "outside"}};
    const auto tags = bookmarkTags(bookmarks, {0, 1'000}, 1'000);
    ASSERT_EQ(tags.size(), 4u);
    EXPECT_EQ(tags[1].xPx, 100);
    EXPECT_EQ(tags[1].textPx, 0) << "no room before the next";
    for (std::size_t i = 0; i + 1 < tags.size(); ++i)
        EXPECT_LE(tags[i].xPx + tags[i].textPx, tags[i + 1].xPx);
    EXPECT_TRUE(bookmarkTags(bookmarks, {0, 1'000}, 0).empty());
}

}  // namespace overlane
