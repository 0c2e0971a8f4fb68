// What the window draws from and what it takes of memory: pyramids come with a trace, and the status line tells
// the trace's memory from the program's.
#include "app/shell/status_line.h"

#include <QFile>
#include <QRegularExpression>

#include "app/second/second_timelines.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/system/memory_status.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class StatusLineTest : public WindowTest
{
protected:
    QString line() { return m_window.statusLine()->text().replace(QChar(0x2009), ' '); }
    std::int64_t ownBytes()
    {
        const AnalyzedTrace& shown = document()->current();
        return static_cast<std::int64_t>(shown.trace->bytes() + shown.pyramids->bytes());
    }
};

// Whatever is made for a trace of millions of events is made on a worker: the window draws from what came.
TEST_F(StatusLineTest, PyramidsComeWithTheTraceAndTheWindowMakesNone)
{
    int announced = 0;
    const auto connection = QObject::connect(document(), &Document::traceChanged, [&] {
        ++announced;
        ASSERT_NE(document()->current().pyramids, nullptr);
        EXPECT_EQ(document()->current().pyramids->trace, document()->trace());
    });
    const auto drawnFromThese = [this](const std::shared_ptr<const TracePyramids>& made) {
        EXPECT_EQ(m_window.timeline()->lanes()->pyramids(), made);
        const auto* gauges = m_window.findChild<GaugePanel*>();
        ASSERT_NE(gauges, nullptr);
        EXPECT_EQ(gauges->pyramids(), made);
    };
    drawnFromThese(document()->current().pyramids);
    open(recorded(kPinnedRun));
    drawnFromThese(document()->current().pyramids);
    m_window.compareWith(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return !document()->busy() && !m_window.secondTimelines()->busy(); }, kLongestWaitMs));
    const AnalyzedTrace& compared = m_window.secondTimelines()->comparison()->other();
    ASSERT_NE(compared.pyramids, nullptr);
    EXPECT_EQ(m_window.timeline()->below()->lanes()->pyramids(), compared.pyramids);
    document()->simulate();
    settle();
    drawnFromThese(document()->current().pyramids);
    EXPECT_GE(announced, 2);
    QObject::disconnect(connection);
}

TEST_F(StatusLineTest, TellsTheTracesMemoryFromThePrograms)
{
    open(recorded(kPinnedRun));
    EXPECT_TRUE(line().contains(text(formatBytes(ownBytes())).replace(QChar(0x2009), ' ') + " of the program's "))
        << line().toStdString();
    QFile status("/proc/self/status");
    ASSERT_TRUE(status.open(QIODevice::ReadOnly));
    const std::int64_t whole = parseProcessMemory(status.readAll().toStdString()).residentBytes;
    const QRegularExpressionMatch said = QRegularExpression("program's ([0-9.]+) (M|G)iB").match(line());
    ASSERT_TRUE(said.hasMatch()) << line().toStdString();
    const double bytes = said.captured(1).toDouble() * (said.captured(2) == "M" ? 1 << 20 : 1 << 30);
    EXPECT_GT(bytes, static_cast<double>(ownBytes()));
    EXPECT_LE(bytes, 1.5 * static_cast<double>(whole));
}

// What runs in the background changes the program's memory: the line looks again while it is seen.
TEST_F(StatusLineTest, LooksAgainByItselfWhileItIsShown)
{
    StatusLine line;
    line.describe("7 events", 3 << 20, ".  Simulated.");
    test::expectText(test::withoutFigures(line.text().toStdString()));
    line.show();
    const auto* again = line.findChild<QTimer*>();
    ASSERT_NE(again, nullptr);
    EXPECT_TRUE(again->isActive());
    line.hide();
    EXPECT_FALSE(again->isActive());
}

}  // namespace
}  // namespace overlane
