// A legend explains the lines and hides none of them, in a plot of any size and in a file.
#include <QImage>
#include <qcustomplot.h>

#include "app/plot/plot_style.h"
#include "app/theme/palette.h"
#include "tests/widget/sweep/sweep_window_test.h"

namespace overlane
{
namespace
{

class LegendTest : public testing::Test
{
protected:
    LegendTest() { dressPlot(m_plot, Palette::lightTheme()); }
    void show(QSize size, int lines, const QString& name)
    {
        m_plot.resize(size);
        m_plot.setViewport(QRect(QPoint(), size));
        m_plot.clearPlottables();
        for (int line = 0; line < lines; ++line)
            m_plot.addGraph()->setName(name.arg(line));
        placeLegend(m_plot, size);
        m_plot.replot(QCustomPlot::rpImmediateRefresh);
    }
    // Visible, whole, and apart from the axes.
    void expectBeside(const char* what) const
    {
        ASSERT_TRUE(m_plot.legend->visible()) << what;
        EXPECT_FALSE(m_plot.legend->outerRect().intersects(m_plot.axisRect()->rect())) << what;
        EXPECT_TRUE(m_plot.rect().contains(m_plot.legend->outerRect())) << what;
        for (int item = 0; item < m_plot.legend->itemCount(); ++item)
            if (const QCPAbstractLegendItem* line = m_plot.legend->item(item)) {
                EXPECT_GE(line->outerRect().width(), line->minimumOuterSizeHint().width()) << what << ", " << item;
            }
        EXPECT_GT(m_plot.axisRect()->width(), m_plot.width() / 3) << what;
        EXPECT_GT(m_plot.axisRect()->height(), m_plot.height() / 4) << what;
    }

    QCustomPlot m_plot;
};

TEST_F(LegendTest, StandsBesideTheAxesWhereTheyAreLow)
{
    show({660, 130}, 4, "Pinned memory: %1");
    expectBeside("low");
    show({660, 130}, 9, "line %1");
    expectBeside("two columns");
    show({900, 500}, 16, "allocate, touch, transfer %1");
    expectBeside("high");
}

TEST_F(LegendTest, StandsAboveThemWhereTheNamesAreLong)
{
    show({700, 300}, 2, "Step time against compute per batch, pageable and pinned, measured on a GPU %1");
    expectBeside("long");
    EXPECT_LT(m_plot.legend->outerRect().bottom(), m_plot.axisRect()->top());
}

TEST_F(LegendTest, GoesWhereThereIsNoRoomAndComesBack)
{
    show({300, 90}, 12, "a name of some length, number %1");
    EXPECT_FALSE(m_plot.legend->visible());
    show({900, 500}, 3, "line %1");
    expectBeside("back");
    removeLegend(m_plot);
    EXPECT_FALSE(m_plot.legend->visible());
    EXPECT_EQ(m_plot.plotLayout()->elementCount(), 1);
    EXPECT_EQ(m_plot.plotLayout()->columnCount(), 1);
}

TEST_F(SweepWindowTest, AFileIsLargeEnoughOnWhiteAndLeavesTheWindowAsItWas)
{
    m_lab->openSweeps();
    panel()->takeReady(QStringLiteral("compute"));
    panel()->run();
    wait();
    auto* plot = panel()->plot();
    auto* drawn = plot->findChild<QCustomPlot*>();
    drawn->replot(QCustomPlot::rpImmediateRefresh);
    const QSize before = drawn->axisRect()->size();
    const QString path = m_folder.filePath("sweep.png");
    m_window.setTheme(Theme::Dark);
    ASSERT_EQ(plot->write(path), QString());
    const QImage picture(path);
    EXPECT_GE(picture.width(), 1000);
    EXPECT_GE(picture.height(), 600);
    EXPECT_EQ(picture.pixelColor(2, picture.height() - 3), QColor(Qt::white));
    drawn->replot(QCustomPlot::rpImmediateRefresh);
    EXPECT_EQ(drawn->axisRect()->size(), before);
    EXPECT_NE(drawn->legend->itemCount(), 0);
    m_window.setTheme(Theme::Light);
}

}  // namespace
}  // namespace overlane
