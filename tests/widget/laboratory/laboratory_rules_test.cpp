// A row that is greyed out must be one that changes nothing, and every row can be taken back.
#include "app/session/laboratory_rules.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QUndoStack>

#include "core/loader/run.h"
#include "core/loader/settings.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

using LaboratoryRulesTest = WindowTest;
using LaboratoryRowTest = WindowTest;

void expectSameRun(const Trace& a, const Trace& b, const std::string& what)
{
    ASSERT_EQ(a.eventCount(), b.eventCount()) << what;
    EXPECT_EQ(a.columns().startNs, b.columns().startNs) << what;
    EXPECT_EQ(a.columns().durationNs, b.columns().durationNs) << what;
}

// Scenarios in which rules hold, small enough to run them all.
std::vector<Scenario> idleScenarios()
{
    Scenario base;
    base.batches = 6;
    std::vector<Scenario> all(6, base);
    all[1].workers = 0;
    all[2].produceUs = 0;
    all[3].produceSpread = 0;
    all[3].pin = PinStrategy::Ring;
    all[4].computeUs = 0;
    all[4].pin = PinStrategy::Register;
    all[5].pin = PinStrategy::Thread;
    all[5].resultBytes = 1 << 20;
    all[5].kernel = KernelKind::Spin;
    Scenario flops = base;
    flops.computeFlops = 1e12;
    all.push_back(flops);
    return all;
}

class LaboratoryRulesOf : public testing::TestWithParam<const char*>
{
};

TEST_P(LaboratoryRulesOf, ASettingWithoutEffectChangesNothingInARun)
{
    int held = 0;
    const DeviceProfile& device = *findDeviceProfile(GetParam());
    for (const Scenario& scenario : idleScenarios())
        for (const Setting& setting : allSettings()) {
            if (whyNoEffect(scenario, device, setting.key).isEmpty())
                continue;
            ++held;
            const auto first = simulate(scenario, device);
            ASSERT_TRUE(first.ok()) << first.error();
            const double now = setting.get(scenario);
            for (const double value : {setting.minimum, setting.minimum + 1, setting.minimum + 3}) {
                Scenario other = scenario;
                setting.set(other, std::min(value, setting.maximum));
                if (setting.get(other) == now || !checkScenario(other, device).ok())
                    continue;
                const auto second = simulate(other, device);
                ASSERT_TRUE(second.ok()) << second.error();
                expectSameRun(first.value().trace, second.value().trace, std::string(setting.key));
            }
        }
    EXPECT_GE(held, 20) << "the scenarios no longer reach the rules";
}

// One whose threads are all as fast, one whose threads differ.
INSTANTIATE_TEST_SUITE_P(Devices, LaboratoryRulesOf, testing::Values("h200", "h200_vm"));

TEST_F(LaboratoryRulesTest, ARowWithoutEffectIsDisabledAndSaysWhy)
{
    auto* factor = control<QDoubleSpinBox>("prefetch_factor");
    EXPECT_TRUE(factor->isEnabled());
    auto* workers = control<QSlider>("workers_slider");
    workers->setFocus();
    QTest::keyClick(workers, Qt::Key_Home);
    settle();
    ASSERT_EQ(scenario().workers, 0);
    EXPECT_FALSE(factor->isEnabled());
    EXPECT_FALSE(control<QSlider>("prefetch_factor_slider")->isEnabled());
    test::expectText(factor->toolTip());
    test::expectText(factor->accessibleDescription());
    QTest::keyClick(workers, Qt::Key_Right);
    EXPECT_EQ(scenario().workers, 1);
    EXPECT_TRUE(factor->isEnabled());
    test::expectText(factor->toolTip());
    settle();
}

TEST_F(LaboratoryRowTest, TheButtonOfARowTakesItsValueBackAsOneStep)
{
    const Scenario before = scenario();
    auto* reset = control<QToolButton>("batch_bytes_reset");
    EXPECT_FALSE(reset->isVisible());
    auto* slider = control<QSlider>("batch_bytes_slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_PageUp);
    QTest::keyClick(slider, Qt::Key_PageUp);
    ASSERT_NE(scenario().batchBytes, before.batchBytes);
    EXPECT_TRUE(reset->isVisible());
    test::expectText(reset->toolTip());
    const Scenario changed = scenario();
    const int steps = document()->laboratory()->undoStack()->count();
    QTest::mouseClick(reset, Qt::LeftButton);
    EXPECT_EQ(scenario(), before);
    EXPECT_FALSE(reset->isVisible());
    EXPECT_EQ(document()->laboratory()->undoStack()->count(), steps + 1);
    document()->laboratory()->undoStack()->undo();
    EXPECT_EQ(scenario(), changed);
    settle();
}

TEST_F(LaboratoryRowTest, ASliderOfACountHitsEverySmallOne)
{
    auto* slider = control<QSlider>("workers_slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    for (int workers = 1; workers <= 16; ++workers) {
        QTest::keyClick(slider, Qt::Key_Right);
        ASSERT_EQ(scenario().workers, workers);
    }
    QTest::keyClick(slider, Qt::Key_End);
    EXPECT_EQ(static_cast<double>(scenario().workers), findSetting("workers")->maximum);
    settle();
}

TEST_F(LaboratoryRowTest, AFoldedGroupSaysHowManySettingsDiffer)
{
    auto* header = control<QToolButton>("group_Loader");
    QTest::keyClick(control<QSlider>("workers_slider"), Qt::Key_Right);
    EXPECT_EQ(header->text(), "Loader");
    header->setFocus();
    QTest::keyClick(header, Qt::Key_Space);
    EXPECT_FALSE(control<QSlider>("workers_slider")->isVisible());
    EXPECT_EQ(header->text(), "Loader (1 changed)");
    QTest::keyClick(header, Qt::Key_Space);
    EXPECT_TRUE(control<QSlider>("workers_slider")->isVisible());
    settle();
}

TEST_F(LaboratoryRowTest, TheMemoryLineNamesWhatTheRunLocked)
{
    auto* line = control<QLabel>("memoryLine");
    test::expectText(line->text());
    QTest::keyClick(control<QComboBox>("pin"), Qt::Key_Down);
    settle();
    ASSERT_TRUE(document()->current().memory.has_value());
    EXPECT_GT(document()->current().memory->pinnedPeakBytes, scenario().batchBytes);
    test::expectText(line->text());
    open(recorded(kPinnedRun));
    EXPECT_FALSE(line->isVisible());
}

}  // namespace
}  // namespace overlane
