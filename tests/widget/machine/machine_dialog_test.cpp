#include "app/machine/machine_dialog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>

#include "app/machine/calculator_page.h"
#include "app/machine/machine_page.h"
#include "app/machine/memory_bar.h"
#include "app/machine/topology_picture.h"
#include "app/theme/palette.h"
#include "core/base/units.h"
#include "core/devices/device_profile.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "core/system/numa_tables.h"
#include "tests/widget/machine/fake_machine.h"
#include "tests/widget/pending_events.h"

namespace overlane
{
namespace
{

constexpr int kLongestWaitMs = 20'000;
constexpr int kPeriodMs = 20;

class MachineDialogTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_dialog.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_dialog));
        ASSERT_TRUE(QTest::qWaitFor(
            [this] {
                return picture()->topology().nodes.size() == 2 && find<MemoryBar>("machineMemory")->totalBytes() > 0;
            },
            kLongestWaitMs));
    }

    template <typename Widget>
    Widget* find(const QString& name)
    {
        auto* found = m_dialog.findChild<Widget*>(name);
        EXPECT_NE(found, nullptr) << name.toStdString();
        return found;
    }
    TopologyPicture* picture() { return find<TopologyPicture>("topologyPicture"); }
    QString labelText(const char* name) { return find<QLabel>(QString::fromLatin1(name))->text(); }
    // The beginning of the sum.
    static QString pinned(std::int64_t mebibytes)
    {
        return QString::fromStdString(formatBytes(mebibytes * kMiB)) + QStringLiteral(" pinned");
    }
    void openCalculator()
    {
        m_dialog.showCalculator();
        handleEvents();
    }

    test::FakeMachine m_machine;
    MachineDialog m_dialog{nullptr, m_machine.root(), kPeriodMs};
};

TEST_F(MachineDialogTest, MemoryIsShownInPartsThatFillTheRam)
{
    const MemoryBar* bar = find<MemoryBar>("machineMemory");
    std::int64_t sum = 0;
    for (const MemoryBar::Part& part : bar->parts())
        sum += part.bytes;
    EXPECT_EQ(sum, bar->totalBytes());
    EXPECT_EQ(bar->totalBytes(), 262'144'000ll * 1024);
    EXPECT_TRUE(labelText("machineFigures").contains("tasks waiting for memory, last 10 s: 0.0 %"));
    EXPECT_NE(m_dialog.findChild<QLabel*>("noWarning"), nullptr);
}

TEST_F(MachineDialogTest, WarningsComeAndGoWithTheMachine)
{
    m_machine.swapping();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return m_dialog.findChild<QLabel*>("warning_pressure") != nullptr; }, kLongestWaitMs));
    EXPECT_NE(m_dialog.findChild<QLabel*>("warning_available"), nullptr);
    EXPECT_EQ(find<MemoryBar>("machineSwap")->parts().front().bytes, 3'000'000ll * 1024);
    EXPECT_TRUE(m_dialog.findChild<QLabel*>("warning_pressure")->text().contains("prefetch_factor"));
    m_machine.healthy();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return m_dialog.findChild<QLabel*>("noWarning") != nullptr; }, kLongestWaitMs));
    EXPECT_EQ(m_dialog.findChild<QLabel*>("warning_pressure"), nullptr);
}

TEST_F(MachineDialogTest, AHiddenDialogReadsNothing)
{
    m_dialog.hide();
    m_machine.swapping();
    // As often as another one reads that began after it was hidden.
    MachineSource beside(m_machine.root(), kPeriodMs);
    QSignalSpy reads(&beside, &MachineSource::memoryRead);
    beside.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return reads.count() >= 4; }, kLongestWaitMs));
    EXPECT_EQ(m_dialog.findChild<QLabel*>("warning_pressure"), nullptr);
    m_dialog.show();
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return m_dialog.findChild<QLabel*>("warning_pressure") != nullptr; }, kLongestWaitMs));
}

TEST_F(MachineDialogTest, TheMouseOverANodeShowsItsDistances)
{
    TopologyPicture* nodes = picture();
    const TopologyGeometry geometry = layOutTopology(nodes->topology(), nodes->width());
    ASSERT_EQ(geometry.nodes.size(), 2u);
    ASSERT_EQ(geometry.nodes[1].gpus.size(), 1u);
    EXPECT_EQ(nodes->distanceText(0), QString());
    QTest::mouseMove(nodes, geometry.nodes[1].box.center());
    ASSERT_TRUE(QTest::qWaitFor([nodes] { return nodes->hoveredNode() == 1; }, kLongestWaitMs));
    EXPECT_EQ(nodes->distanceText(0), "distance 32");
    EXPECT_EQ(nodes->distanceText(1), "distance 10");
    EXPECT_EQ(nodes->accessibleDescription().toStdString(),
              spokenText(nodeTable(nodes->topology())) + "; " + spokenText(gpuTable(nodes->topology())));
}

TEST_F(MachineDialogTest, TheLineToBindWithFollowsTheGpuAndIsCopied)
{
    const auto* command = find<QLineEdit>("machineCommand");
    EXPECT_EQ(
        command->text(),
        "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=0 numactl --cpunodebind=0 --membind=0 python train.py");
    auto* gpus = find<QComboBox>("machineGpu");
    ASSERT_EQ(gpus->count(), 2);
    gpus->setFocus();
    QTest::keyClick(gpus, Qt::Key_Down);
    EXPECT_TRUE(command->text().contains("CUDA_VISIBLE_DEVICES=1 numactl --cpunodebind=1 --membind=1"));
    EXPECT_EQ(picture()->boundNode(), 1);
    QTest::mouseClick(find<QPushButton>("machineCopy"), Qt::LeftButton);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), command->text());
}

TEST_F(MachineDialogTest, CalculatorAnswersEveryStepOfASlider)
{
    openCalculator();
    Scenario scenario;
    scenario.pin = PinStrategy::Thread;
    scenario.nonBlocking = true;
    scenario.workers = 4;
    scenario.prefetchFactor = 2;
    scenario.batchBytes = 48 * kMiB;
    scenario.tensors = 1;
    scenario.batches = 1000;
    m_dialog.calculator()->setScenario(scenario, *findDeviceProfile("rtx3060_laptop"));
    // 4 x 2 outstanding, one in hand, two in flight, 64 MiB each.
    EXPECT_TRUE(labelText("calculatorSum").startsWith(pinned(704))) << labelText("calculatorSum").toStdString();
    auto* workers = find<QSlider>("calculatorWorkers");
    workers->setFocus();
    QTest::keyClick(workers, Qt::Key_Right);
    EXPECT_EQ(m_dialog.calculator()->scenario().workers, 5);
    EXPECT_EQ(find<QSpinBox>("calculatorWorkersBox")->value(), 5);
    EXPECT_TRUE(labelText("calculatorSum").startsWith(pinned(832))) << labelText("calculatorSum").toStdString();
    QTest::mouseClick(find<QCheckBox>("calculatorPool"), Qt::LeftButton, {}, QPoint(8, 8));
    EXPECT_TRUE(labelText("calculatorSum").startsWith(pinned(624))) << labelText("calculatorSum").toStdString();
    auto* prefetch = find<QSpinBox>("calculatorPrefetchBox");
    prefetch->setFocus();
    prefetch->selectAll();
    QTest::keyClicks(prefetch, "3");
    QTest::keyClick(prefetch, Qt::Key_Return);
    EXPECT_EQ(m_dialog.calculator()->scenario().prefetchFactor, 3);
    auto* batch = find<QSlider>("calculatorBatch");
    batch->setFocus();
    QTest::keyClick(batch, Qt::Key_Home);
    EXPECT_EQ(m_dialog.calculator()->scenario().batchBytes, kMiB);
    QTest::keyClick(batch, Qt::Key_End);
    EXPECT_EQ(m_dialog.calculator()->scenario().batchBytes, 4096 * kMiB);
}

TEST_F(MachineDialogTest, TheCalculatorAllowsWhatTheLaboratoryDoes)
{
    constexpr std::pair<const char*, const char*> kCounts[] = {{"calculatorWorkersBox", "workers"},
                                                               {"calculatorPrefetchBox", "prefetch_factor"},
                                                               {"calculatorTensorsBox", "tensors"},
                                                               {"calculatorBuffersBox", "device_buffers"}};
    for (const auto& [box, setting] : kCounts) {
        EXPECT_EQ(find<QSpinBox>(box)->minimum(), findSetting(setting)->minimum) << setting;
        EXPECT_EQ(find<QSpinBox>(box)->maximum(), findSetting(setting)->maximum) << setting;
    }
}

TEST_F(MachineDialogTest, AMachineThatSwapsOffersWhatToLower)
{
    openCalculator();
    const Preset* laptop = nullptr;
    for (const Preset& preset : allPresets())
        if (preset.key == "laptop_swaps")
            laptop = &preset;
    ASSERT_NE(laptop, nullptr);
    m_dialog.calculator()->setScenario(laptop->scenario, *findDeviceProfile(laptop->device));
    EXPECT_TRUE(labelText("calculatorVerdict0").startsWith("Swaps") ||
                labelText("calculatorVerdict0").startsWith("Does not fit"))
        << labelText("calculatorVerdict0").toStdString();
    auto* lower = find<QPushButton>("calculatorLower0");
    ASSERT_TRUE(lower->isVisible());
    EXPECT_TRUE(lower->text().contains("prefetch_factor from 6 to "));
    QTest::mouseClick(lower, Qt::LeftButton);
    EXPECT_LT(m_dialog.calculator()->scenario().prefetchFactor, 6);
    EXPECT_TRUE(labelText("calculatorVerdict0").startsWith("Fits"));
    EXPECT_FALSE(lower->isVisible());
}

TEST_F(MachineDialogTest, LaboratoryIsTakenFromAndUsed)
{
    openCalculator();
    QSignalSpy wanted(&m_dialog, &MachineDialog::scenarioWanted);
    QTest::mouseClick(find<QPushButton>("calculatorTake"), Qt::LeftButton);
    EXPECT_EQ(wanted.count(), 1);
    Scenario used;
    QObject::connect(&m_dialog, &MachineDialog::scenarioUsed, &m_dialog,
                     [&used](const Scenario& scenario) { used = scenario; });
    auto* pin = find<QComboBox>("calculatorPin");
    pin->setFocus();
    QTest::keyClick(pin, Qt::Key_Down);
    QTest::keyClick(pin, Qt::Key_Down);
    QTest::mouseClick(find<QPushButton>("calculatorUse"), Qt::LeftButton);
    EXPECT_EQ(used.pin, PinStrategy::Ring);
    EXPECT_EQ(used, m_dialog.calculator()->scenario());
}

TEST_F(MachineDialogTest, LinksAskForTheirPageOfHelp)
{
    QSignalSpy asked(&m_dialog, &MachineDialog::helpRequested);
    emit find<QLabel>("machineHelp")->linkActivated("numa");
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked.front().front().toString(), "numa");
}

TEST(MemoryBarTest, PartsBeyondTheRamKeepTheirPlaceOnTheScale)
{
    MemoryBar bar;
    bar.resize(401, 80);
    bar.setParts("RAM", 100, {{"a", 50, MemoryBar::Role::Pinned}, {"b", 150, MemoryBar::Role::Loader}});
    const int y = 25;
    EXPECT_EQ(bar.partAt({50, y}), 0);
    EXPECT_EQ(bar.partAt({150, y}), 1);
    EXPECT_EQ(bar.partAt({390, y}), 1);
    EXPECT_EQ(bar.partAt({50, 2}), -1);
    EXPECT_LT(bar.heightForWidth(400), bar.heightForWidth(60));  // the legend breaks
}

TEST(TopologyGeometryTest, EightNodesWrapAndNothingOverlaps)
{
    NumaTopology topology;
    for (int id = 0; id < 8; ++id) {
        NumaNode node;
        node.id = id;
        topology.nodes.push_back(node);
    }
    for (int index = 0; index < 4; ++index) {
        NumaGpu gpu;
        gpu.index = index;
        gpu.node = index == 3 ? -1 : 5;
        topology.gpus.push_back(gpu);
    }
    for (const int width : {200, 500, 900, 1600}) {
        const TopologyGeometry geometry = layOutTopology(topology, width);
        ASSERT_EQ(geometry.nodes.size(), 8u);
        EXPECT_EQ(geometry.nodes[5].gpus.size(), 3u);
        EXPECT_EQ(geometry.unplaced.gpus.size(), 1u);
        for (std::size_t at = 0; at < 8; ++at) {
            EXPECT_LE(geometry.nodes[at].box.right(), width) << width;
            EXPECT_LE(geometry.nodes[at].box.bottom(), geometry.heightPx);
            for (const QRect& gpu : geometry.nodes[at].gpus)
                EXPECT_TRUE(geometry.nodes[at].box.contains(gpu));
            for (std::size_t other = at + 1; other < 8; ++other)
                EXPECT_FALSE(geometry.nodes[at].box.intersects(geometry.nodes[other].box)) << at << ' ' << other;
        }
        EXPECT_EQ(geometry.nodeAt(geometry.nodes[3].box.center()), 3);
    }
}

// Pictures in both themes, for people to look at.
class MachinePictures : public testing::TestWithParam<Theme>
{
};

TEST_P(MachinePictures, TheDialog)
{
    QDir().mkpath(QStringLiteral(OVERLANE_PICTURES));
    applyTheme(*qApp, GetParam());
    const QString theme = GetParam() == Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light");
    const test::FakeMachine machine;
    for (const bool swaps : {false, true}) {
        if (swaps)
            machine.swapping();
        MachineDialog dialog(nullptr, machine.root());
        dialog.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
        auto* bar = dialog.findChild<MemoryBar*>("machineMemory");
        ASSERT_TRUE(QTest::qWaitFor([bar] { return bar->totalBytes() > 0; }, kLongestWaitMs));
        handleEvents();
        EXPECT_TRUE(dialog.grab().save(QStringLiteral(OVERLANE_PICTURES "/machine%1_%2.png")
                                           .arg(swaps ? QStringLiteral("_swaps") : QString(), theme)));
        dialog.showCalculator();
        if (swaps)
            for (const Preset& preset : allPresets())
                if (preset.key == "laptop_swaps")
                    dialog.calculator()->setScenario(preset.scenario, *findDeviceProfile(preset.device));
        handleEvents();
        EXPECT_TRUE(dialog.grab().save(QStringLiteral(OVERLANE_PICTURES "/calculator%1_%2.png")
                                           .arg(swaps ? QStringLiteral("_swaps") : QString(), theme)));
    }
    applyTheme(*qApp, Theme::Light);
}

// Eight nodes, 256 processors, GPUs with long names, one of them nowhere; and a machine without a GPU.
TEST_P(MachinePictures, CrowdedAndBare)
{
    QDir().mkpath(QStringLiteral(OVERLANE_PICTURES));
    applyTheme(*qApp, GetParam());
    const QString theme = GetParam() == Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light");
    NumaTopology crowded;
    for (int at = 0; at < 8; ++at) {
        NumaNode node;
        node.id = at;
        node.socket = at / 4;
        node.cores = 16;
        // As Linux counts them: every other processor of a core.
        for (int processor = at; processor < 256; processor += 8)
            node.processors.push_back(processor);
        node.totalBytes = std::int64_t{256} << 30;
        node.freeBytes = std::int64_t{99} << 30;
        for (int other = 0; other < 8; ++other)
            node.distances.push_back(other == at ? 10 : other / 4 == at / 4 ? 12 : 32);
        crowded.nodes.push_back(node);
        NumaGpu gpu;
        gpu.index = at;
        gpu.name = "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition 96GB";
        gpu.address = "0000:" + std::to_string(10 + at) + ":00.0";
        gpu.node = at < 7 ? at : -1;
        gpu.linkWidth = 8;
        gpu.widestLink = 16;
        gpu.linkSpeed = "32.0 GT/s PCIe";
        crowded.gpus.push_back(gpu);
    }
    NumaTopology bare;
    bare.nodes.push_back(crowded.nodes.front());
    bare.nodes.front().distances = {10};
    for (const auto& [topology, name] : {std::pair{&crowded, "crowded"}, std::pair{&bare, "bare"}}) {
        MachinePage page;
        page.resize(956, 600);
        page.showTopology(*topology);
        page.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&page));
        handleEvents();
        EXPECT_EQ(page.findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 0) << name;
        EXPECT_TRUE(
            page.grab().save(QStringLiteral(OVERLANE_PICTURES "/machine_%1_%2.png").arg(QLatin1String(name), theme)));
    }
    applyTheme(*qApp, Theme::Light);
}

INSTANTIATE_TEST_SUITE_P(Themes, MachinePictures, testing::Values(Theme::Light, Theme::Dark));

}  // namespace
}  // namespace overlane
