#include "app/widgets/elided_label.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <QFontMetrics>
#include <QTextBlock>
#include <QTextDocument>

#include "app/widgets/firm_units.h"

namespace overlane
{
namespace
{

TEST(FirmUnitsTest, SpacesBeforeUnitsBreakNoLine)
{
    EXPECT_EQ(withFirmUnits("It took 6.92 ms, at 55.3 GB/s, 0 % of it."),
              QStringLiteral("It took 6.92\u00a0ms, at 55.3\u00a0GB/\u2060s, 0\u00a0% of it."));
    EXPECT_EQ(withFirmUnits(QStringLiteral("1.53\u2009s of 2\u2009s")), QStringLiteral("1.53\u202fs of 2\u202fs"));
    EXPECT_EQ(withFirmUnits("2 streams, 3 bars"), QStringLiteral("2 streams, 3 bars"));
}

TEST(FirmUnitsTest, NorDoTheyInRichText)
{
    QTextDocument page;
    page.setHtml(richWithFirmUnits(QStringLiteral("<p>14.679\u2009362\u2009s, then 6.92 ms</p>")));
    EXPECT_EQ(page.firstBlock().text(), QStringLiteral("14.679\u00a0362\u00a0s, then 6.92\u00a0ms"));
}

TEST(ElidedLabelTest, ALineNeverEndsBetweenANumberAndItsUnit)
{
    ElidedLabel label;
    const QFontMetrics metrics = label.fontMetrics();
    label.resize(1 + std::max(metrics.horizontalAdvance("a 1.53"), metrics.horizontalAdvance("1.53 s")), 100);
    EXPECT_EQ(label.linesNeeded("a 1.53 x b"), 2) << "a 1.53, x b";
    EXPECT_EQ(label.linesNeeded(QStringLiteral("a 1.53\u2009s b")), 3) << "a, 1.53 s, b";
}

// To lay out a text for a width that no layout asks for took longer than to paint it.
// Bold capitals are wider than a font's average character.
TEST(ElidedLabelTest, OneThatIsCutLastAsksForItsWholeText)
{
    ElidedLabel label;
    QFont bold = label.font();
    bold.setBold(true);
    label.setFont(bold);
    label.setText(QStringLiteral("WWW MMM"));
    label.setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    EXPECT_GE(label.sizeHint().width(), label.fontMetrics().horizontalAdvance(label.text()));
}

TEST(ElidedLabelTest, ItsHintIsOfItsLinesAndNotOfItsText)
{
    ElidedLabel label;
    label.setLines(2);
    const int highPx = label.sizeHint().height();
    label.setText(QString(100'000, 'w'));
    EXPECT_EQ(label.sizeHint().height(), highPx);
    EXPECT_EQ(label.minimumSizeHint(), QSize(0, highPx));
    EXPECT_LT(label.sizeHint().width(), 10'000);
}

}  // namespace
}  // namespace overlane
