#include "core/lessons/markdown.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(Markdown, rendersWhatLessonsUse)
{
    EXPECT_EQ(markdownHtml("One\ntwo.\n\nThree."), "<p>One two.</p>\n<p>Three.</p>\n");
    EXPECT_EQ(markdownHtml("- a\n  more\n- b"), "<ul>\n<li>a more</li>\n<li>b</li>\n</ul>\n");
    EXPECT_EQ(markdownHtml("### Head\nText"), "<h3>Head</h3>\n<p>Text</p>\n");
    EXPECT_EQ(markdownHtml("```python\nx < 1\n```"), "<pre><code>x &lt; 1\n</code></pre>\n");
    EXPECT_EQ(markdownHtml("| a | b |\n|---|---|\n| 1 | 2 |"),
              "<div class=\"scroll\"><table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n"
              "</table></div>\n");
}

TEST(Markdown, rendersWhatPeopleWriteBeyondThat)
{
    EXPECT_EQ(markdownHtml("3. a\n4. b"), "<ol>\n<li value=\"3\">a</li>\n<li value=\"4\">b</li>\n</ol>\n");
    EXPECT_EQ(markdownText("3. a\n4. b"), "  3. a\n  4. b\n");
    EXPECT_EQ(markdownHtml("- a\n\n  more\n  - b"), "<ul>\n<li>a more</li>\n<li>b</li>\n</ul>\n");
    EXPECT_EQ(markdownHtml("> said\n\n---\n<b>"), "<p>said</p>\n<p>&lt;b&gt;</p>\n");
    EXPECT_EQ(markdownText("# Head\n```\na\n\n  b"), "  Head\n      a\n      \n        b\n");
    EXPECT_EQ(markdownHtml(std::string_view("a\0b", 3)), "<p>a\uFFFDb</p>\n");
}

TEST(Markdown, aTableOfFarMoreCellsThanItsTextHasIsLeftOut)
{
    std::string table = "before\n\n";
    for (int column = 0; column < 1000; ++column)
        table += "|a";
    table += "\n";
    for (int column = 0; column < 1000; ++column)
        table += "|---";
    for (int row = 0; row < 1000; ++row)
        table += "\n|x";
    EXPECT_EQ(markdownHtml(table), "<p>before</p>\n<p>The rest is left out: its tables are too large.</p>\n");
}

TEST(Markdown, rendersMarksWithinText)
{
    EXPECT_EQ(markdownInlineHtml("**b** *e* `c*d*` 2 * 3"), "<b>b</b> <em>e</em> <code>c*d*</code> 2 * 3");
    EXPECT_EQ(markdownInlineHtml("[t](https://x.org/?a&b)"), "<a href=\"https://x.org/?a&amp;b\">t</a>");
    EXPECT_EQ(markdownInlineHtml("[t](javascript:alert(1))").find("href"), std::string::npos);
    EXPECT_EQ(markdownInlineHtml("<script> & [x] *"), "&lt;script&gt; &amp; [x] *");
    EXPECT_EQ(markdownInlineText("**b** `c` [t](u)"), "b c t");
}

}  // namespace
}  // namespace overlane
