// Handouts on paper: what belongs together is on one page.
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QDir>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>

#include "app/widgets/paper.h"
#include "tests/widget/lessons/lessons_window.h"

namespace overlane
{
namespace
{

class Handout : public LessonsWindow
{
};

TEST(Paper, AHeadingStaysWithWhatItHeadsAndATableIsNotBroken)
{
    QBuffer buffer;
    ASSERT_TRUE(buffer.open(QIODevice::WriteOnly));
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setResolution(300);
    // However long what stands before it is.
    for (int lines = 20; lines < 60; ++lines) {
        QTextDocument document;
        QString html;
        for (int line = 0; line < lines; ++line)
            html += "<p>line</p>";
        html += "<h2>Head</h2><p>body</p><h3>Part</h3><p>first</p><p>second</p><table>";
        for (int row = 0; row < 6; ++row)
            html += "<tr><td>cell</td></tr>";
        document.setHtml(html + "</table><p>end</p>");
        layOutOnPaper(document, writer);
        const auto pageOf = [&](double y) { return static_cast<int>(y / document.pageSize().height()); };
        const auto place = [&](const QTextBlock& block) { return document.documentLayout()->blockBoundingRect(block); };
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            if (block.blockFormat().headingLevel() > 0) {
                EXPECT_EQ(pageOf(place(block).top()), pageOf(place(block.next()).bottom() - 1)) << lines;
            }
        for (QTextFrame* frame : document.rootFrame()->childFrames()) {
            const QRectF table = document.documentLayout()->frameBoundingRect(frame);
            EXPECT_EQ(pageOf(table.top()), pageOf(table.bottom() - 1)) << lines;
        }
    }
}

// For people to look at, too.
TEST_F(Handout, LessonsWithFewAndManyLanesAreWritten)
{
    ASSERT_TRUE(QDir().mkpath(OVERLANE_PICTURES));
    for (const char* key : {"why_pinned", "memory_pressure", "numa"}) {
        m_lessons->show(QString::fromLatin1(key));
        page()->session()->skip();
        page()->session()->run();
        settle();
        ASSERT_NE(page()->session()->result(), nullptr);
        const QString path = QStringLiteral("%1/handout_%2.pdf").arg(QStringLiteral(OVERLANE_PICTURES), key);
        EXPECT_TRUE(m_lessons->writeHandout(path, true));
    }
}

}  // namespace
}  // namespace overlane
