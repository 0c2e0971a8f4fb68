// Labels of axes stand apart at every width; sweeps that are called alike say what differs.
#include <qcustomplot.h>

#include "app/sweep/front_plot.h"
#include "app/sweep/sweep_names.h"
#include "app/sweep/unit_ticker.h"
#include "core/loader/setting_value.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/sweep/sweep_window_test.h"

namespace overlane
{
namespace
{

QVector<double> ticksOf(QCPAxisTicker& ticker, const QCPRange& range)
{
    QVector<double> ticks;
    ticker.generate(range, QLocale::c(), 'g', 6, ticks, nullptr, nullptr);
    QVector<double> inside;
    for (const double tick : ticks)
        if (range.contains(tick))
            inside << tick;
    return inside;
}

// Whether two labels of an axis lie on each other.
void expectApart(const QCPAxis& axis, const char* what, int width)
{
    const QFontMetrics metrics(axis.tickLabelFont());
    double lastRight = -1e9;
    int shown = 0;
    for (qsizetype i = 0; i < axis.tickVector().size(); ++i) {
        if (!axis.range().contains(axis.tickVector()[i]))
            continue;
        const double middle = axis.coordToPixel(axis.tickVector()[i]);
        const double half = metrics.horizontalAdvance(axis.tickVectorLabels()[i]) / 2.0;
        EXPECT_GT(middle - half, lastRight + 4)
            << what << " " << width << ": " << axis.tickVectorLabels().join(" | ").toStdString();
        lastRight = middle + half;
        ++shown;
    }
    EXPECT_GE(shown, 1) << what << " " << width;
}

TEST(UnitTicker, NeverMakesMoreTicksThanThereIsRoomFor)
{
    const auto words = [](double value) { return QString::number(value); };
    for (const TickKind kind : {TickKind::Decimal, TickKind::Binary})
        for (int most = 2; most < 12; ++most)
            for (double top = 1; top < 1e12; top *= 1.13) {
                const auto linear = unitTicker(kind, false, words, most);
                const qsizetype ticks = ticksOf(*linear, {0, top}).size();
                EXPECT_LE(ticks, most + 1) << top;
                EXPECT_GE(ticks, 2) << top << " of " << most;
                const auto ratios = unitTicker(kind, true, words, most);
                EXPECT_LE(ticksOf(*ratios, {1, 1 + top}).size(), most + 2) << top;
            }
}

TEST(UnitTicker, GivesEveryScaleTwoTicks)
{
    const auto words = [](double value) { return QString::number(value); };
    for (const TickKind kind : {TickKind::Decimal, TickKind::Binary})
        for (int most = 2; most < 12; ++most)
            for (double least = 1; least < 100; least *= 1.07)
                EXPECT_GE(ticksOf(*unitTicker(kind, false, words, most), {least, least * 1.7}).size(), 2) << least;
    EXPECT_GE(ticksOf(*unitTicker(TickKind::Decimal, false, words, 2), {1.477, 3.016}).size(), 3) << "3 is at the top";
    const auto ratios = unitTicker(TickKind::Decimal, true, words, 6);
    for (const QCPRange range : {QCPRange(1.4e9, 3.9e9), QCPRange(2.1e6, 4.9e6), QCPRange(5.1, 9.9)})
        EXPECT_GE(ticksOf(*ratios, range).size(), 2) << range.lower;
}

class SweepNames : public SweepWindowTest
{
protected:
    void runSweep()
    {
        click("sweepRun");
        wait();
    }
};

TEST_F(SweepNames, OfTwoSweepsOfOneKindSayWhatDiffers)
{
    std::deque<KeptSweep> sweeps(3);
    for (int i = 0; i < 3; ++i) {
        KeptSweep& sweep = sweeps[static_cast<std::size_t>(i)];
        sweep.id = i + 1;
        sweep.title = "Batch size";
        sweep.device = "H200";
        sweep.result.plan.axes = {parseSweepAxis("batch_bytes=1M,2M").value()};
    }
    sweeps[2].device = "A100";
    test::expectText(distinctName(sweeps, sweeps[0]));
    test::expectText(distinctName(sweeps, sweeps[1]));
    EXPECT_EQ(distinctName(sweeps, sweeps[2]), "Batch size") << "its device tells it apart";
    sweeps[1].result.plan.base.workers = 2;
    const auto workers = static_cast<double>(sweeps[0].result.plan.base.workers);
    EXPECT_EQ(
        distinctName(sweeps, sweeps[0]),
        "Batch size (Workers " + QString::fromStdString(settingValueText(*findSetting("workers"), workers)) + ")");
    test::expectText(distinctName(sweeps, sweeps[1]));
    sweeps[1].result.plan.base.workers = sweeps[0].result.plan.base.workers;
    sweeps[1].result.plan.repeats = 3;
    test::expectText(distinctName(sweeps, sweeps[1]));
    sweeps[1].result.plan.axes = {parseSweepAxis("batch_bytes=1M,2M,4M").value()};
    test::expectText(distinctName(sweeps, sweeps[1]));
    sweeps[2] = sweeps[1];
    sweeps[2].id = 7;
    EXPECT_NE(distinctName(sweeps, sweeps[1]), distinctName(sweeps, sweeps[2]));
}

TEST_F(SweepNames, NumbersOfTheFrontStandApartAtEveryWidth)
{
    document()->laboratory()->set(*findSetting("produce_us"), 2000);
    settle();
    m_lab->openAdvisor();
    click("adviceSearch");
    wait();
    ASSERT_TRUE(advisor()->advice());
    auto* front = control<FrontPlot>("frontPlot");
    auto* plot = front->findChild<QCustomPlot*>();
    QWidget* home = front->parentWidget();
    front->setParent(nullptr);
    front->show();
    for (int width = 160; width < 900; width += 20) {
        front->resize(width, 200);
        QCoreApplication::processEvents();
        plot->replot(QCustomPlot::rpImmediateRefresh);
        expectApart(*plot->xAxis, "front", width);
    }
    front->setParent(home);
}

}  // namespace
}  // namespace overlane
