#include "core/lessons/markdown.h"

#include <gmock/gmock.h>
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

TEST(Markdown, rendersMarksWithinText)
{
    EXPECT_EQ(markdownInlineHtml("**b** *e* `c*d*` 2 * 3"), "<b>b</b> <em>e</em> <code>c*d*</code> 2 * 3");
    EXPECT_EQ(markdownInlineHtml("[t](https://x.org/?a&b)"), "<a href=\"https://x.org/?a&amp;b\">t</a>");
    EXPECT_EQ(markdownInlineHtml("[t](javascript:alert(1))").find("href"), std::string::npos);
    EXPECT_EQ(markdownInlineHtml("<script> & [x] *"), "&lt;script&gt; &amp; [x] *");
    EXPECT_EQ(markdownInlinePlain("**b** `c` [t](u)"), "b c t");
}

}  // namespace
}  // namespace overlane
