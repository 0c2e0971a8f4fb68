// The window while a run on this machine's GPU is under way: the lanes grow, Stop keeps what ran.
// Usage: live_lanes FOLDER; draws the window as it was in the middle of the run into FOLDER. Offscreen.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "app/shell/main_window.h"
#include "app/theme/palette.h"

namespace overlane
{
namespace
{

constexpr int kLongestWaitMs = 30'000;
QString pictureFolder;

Scenario aboutTwentySeconds()
{
    Scenario scenario;
    scenario.batches = 1000;
    scenario.batchBytes = 16ll << 20;
    scenario.produceUs = 20'000;
    scenario.computeUs = 20'000;
    return scenario;
}

TEST(LiveLanes, GrowWhileTheGpuRunsAndStopKeepsWhatRan)
{
    MainWindow window(false);
    window.resize(1280, 800);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    Document* document = window.document();
    GpuRuns* runs = document->gpuRuns();
    runs->detect();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs->support().has_value(); }, kLongestWaitMs));
    ASSERT_FALSE(runs->deviceName().isEmpty()) << runs->support()->sentence;
    document->laboratory()->setScenario(aboutTwentySeconds(), "long enough to watch");
    auto* engine = window.findChild<QComboBox*>("engine");
    engine->setFocus();
    QTest::keyClick(engine, Qt::Key_Down);
    ASSERT_EQ(document->engine(), Document::Engine::Gpu);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !document->busy(); }, kLongestWaitMs));

    QSignalSpy grown(runs, &GpuRuns::grown);
    QTest::mouseClick(window.findChild<QPushButton*>("run"), Qt::LeftButton);
    std::size_t events = 0;
    for (int times = 0; times < 3; ++times) {
        const auto before = document->trace();
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return document->current().partial && document->trace() != before; }, kLongestWaitMs))
            << "lanes that do not grow";
        EXPECT_GT(document->trace()->eventCount(), events);
        events = document->trace()->eventCount();
        printf("  lanes end at %.1f s, %zu events\n", static_cast<double>(document->trace()->span().endNs) / 1e9,
               events);
    }
    QTest::qWait(300);
    EXPECT_TRUE(window.grab().save(QDir(pictureFolder).filePath("live_lanes.png")));

    QTest::mouseClick(window.findChild<QPushButton*>("stopRun"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !document->busy(); }, kLongestWaitMs));
    EXPECT_TRUE(document->current().partial);
    EXPECT_GE(document->trace()->eventCount(), events);
    const Summary summary = document->summary();
    ASSERT_NE(summary.worst(), nullptr);
    EXPECT_GT(summary.worst()->kernels, 0);
    printf("  stopped: %zu events, %.1f s\n", document->trace()->eventCount(),
           static_cast<double>(document->trace()->span().endNs) / 1e9);
    EXPECT_TRUE(window.grab().save(QDir(pictureFolder).filePath("live_lanes_stopped.png")));
}

}  // namespace
}  // namespace overlane

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("overlane-tests");
    QCoreApplication::setApplicationName("live_lanes");
    overlane::applyTheme(application, overlane::Theme::Light);
    testing::InitGoogleTest(&argc, argv);
    overlane::pictureFolder = QString::fromLocal8Bit(argc > 1 ? argv[1] : ".");
    return RUN_ALL_TESTS();
}
