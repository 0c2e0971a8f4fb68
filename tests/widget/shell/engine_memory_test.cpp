// The engine chosen for the laboratory, from one start of the window to the next.
#include <QComboBox>
#include <QSettings>
#include <QTemporaryDir>

#include "app/widgets/message_bar.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class EngineMemoryTest : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 60'000;

    EngineMemoryTest()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    }
    ~EngineMemoryTest() override { QSettings().clear(); }

    // A start of the window on a machine with these GPUs, or with none.
    std::unique_ptr<MainWindow> start(const std::vector<std::string>& gpus)
    {
        auto window = std::make_unique<MainWindow>(true);
        window->show();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
        QSignalSpy answered(window->document()->gpuRuns(), &GpuRuns::supportChanged);
        window->document()->gpuRuns()->detect(
            [gpus] { return describeGpuSupport(!gpus.empty(), gpus.empty() ? 0 : 13000, gpus, !gpus.empty()); });
        EXPECT_TRUE(answered.wait(kLongestWaitMs));
        return window;
    }
    static void choose(const MainWindow& window, Qt::Key key)
    {
        auto* engine = window.findChild<QComboBox*>("engine");
        engine->setFocus();
        QTest::keyClick(engine, key);
    }
    static Document::Engine engineOf(const std::unique_ptr<MainWindow>& window) { return window->document()->engine(); }

    QTemporaryDir m_folder;
};

TEST_F(EngineMemoryTest, TheGpuThatWasChosenIsChosenAgain)
{
    {
        const auto first = start({"NVIDIA A100", "NVIDIA H200"});
        EXPECT_EQ(engineOf(first), Document::Engine::Simulated);
        choose(*first, Qt::Key_Down);
        choose(*first, Qt::Key_Down);
        ASSERT_EQ(first->document()->gpuRuns()->device(), 1);
    }
    {
        const auto again = start({"NVIDIA H200", "NVIDIA A100"});  // the driver counts them anew
        EXPECT_EQ(engineOf(again), Document::Engine::Gpu);
        EXPECT_EQ(again->document()->gpuRuns()->device(), 0);
        EXPECT_EQ(again->findChild<QComboBox*>("engine")->currentIndex(), 1);
        EXPECT_FALSE(again->messageBar()->isVisible());
        choose(*again, Qt::Key_Up);
    }
    const auto last = start({"NVIDIA H200"});
    EXPECT_EQ(engineOf(last), Document::Engine::Simulated) << "the simulation was chosen last";
}

TEST_F(EngineMemoryTest, WithoutThatGpuItIsSaidAndNotForgotten)
{
    {
        const auto first = start({"NVIDIA H200"});
        choose(*first, Qt::Key_Down);
    }
    {
        const auto without = start({});
        EXPECT_EQ(engineOf(without), Document::Engine::Simulated);
        ASSERT_TRUE(without->messageBar()->isVisible());
        const std::string said = without->messageBar()->sentence().toStdString();
        test::expectText(said);
        EXPECT_NE(said.find(without->document()->gpuRuns()->support()->sentence), std::string::npos) << said;
        test::expectText(said);
    }
    {
        const auto other = start({"NVIDIA L4"});
        EXPECT_EQ(engineOf(other), Document::Engine::Gpu);
        test::expectText(other->messageBar()->sentence());
    }
    const auto back = start({"NVIDIA H200"});
    EXPECT_EQ(engineOf(back), Document::Engine::Gpu);
    EXPECT_FALSE(back->messageBar()->isVisible());
}

}  // namespace
}  // namespace overlane
