// What a person does in the laboratory must show in the numbers of the trace beside it.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QRadioButton>
#include <QSlider>

#include "app/laboratory/laboratory_panel.h"
#include "app/widgets/setting_row.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

using LaboratoryTest = WindowTest;

TEST_F(LaboratoryTest, LongerKernelsBySliderKeysMakeALongerRun)
{
    const DeviceSummary before = device();
    const double computeUs = scenario().computeUs;
    auto* slider = control<QSlider>("compute_us_slider");
    slider->setFocus();
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(slider, Qt::Key_PageUp);
    settle();

    const double factor = scenario().computeUs / computeUs;
    EXPECT_GT(factor, 1.5);
    EXPECT_GT(device().wallNs, before.wallNs);
    EXPECT_NEAR(static_cast<double>(device().kernelBusyNs), static_cast<double>(before.kernelBusyNs) * factor,
                0.05 * static_cast<double>(device().kernelBusyNs));
    EXPECT_EQ(device().kernels, before.kernels);
}

TEST_F(LaboratoryTest, PinnedNonBlockingSideStreamHidesTheCopies)
{
    const DeviceSummary before = device();
    EXPECT_EQ(before.h2dPinned, 0);
    EXPECT_EQ(before.h2dPageable, scenario().batches * scenario().tensors);
    QTest::keyClick(control<QComboBox>("pin"), Qt::Key_Down);
    QTest::keyClick(control<QCheckBox>("non_blocking"), Qt::Key_Space);
    QTest::keyClick(control<QRadioButton>("copy_stream_side"), Qt::Key_Space);
    settle();

    EXPECT_EQ(scenario().pin, PinStrategy::Thread);
    EXPECT_TRUE(scenario().nonBlocking);
    EXPECT_EQ(scenario().copyStream, CopyStream::Side);
    EXPECT_GT(device().overlapShare, before.overlapShare + 0.5);
    EXPECT_LT(device().exposedCopyNs, before.exposedCopyNs / 2);
    EXPECT_LT(device().wallNs, before.wallNs);
    EXPECT_EQ(device().h2dPageable, 0);
    EXPECT_EQ(device().h2dPinned, before.h2dPageable);
    EXPECT_EQ(device().h2dBytes, before.h2dBytes);
}

TEST_F(LaboratoryTest, UndoBringsBackScenarioControlAndRun)
{
    const Scenario scenarioBefore = scenario();
    const DeviceSummary before = device();
    auto* box = control<QDoubleSpinBox>("compute_us");
    const double shown = box->value();
    QTest::keyClick(control<QSlider>("compute_us_slider"), Qt::Key_PageUp);
    QTest::keyClick(control<QCheckBox>("non_blocking"), Qt::Key_Space);
    settle();
    const Scenario scenarioAfter = scenario();
    ASSERT_NE(scenarioAfter, scenarioBefore);
    ASSERT_NE(device().wallNs, before.wallNs);

    auto* slider = control<QSlider>("compute_us_slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_FALSE(scenario().nonBlocking);
    EXPECT_FALSE(control<QCheckBox>("non_blocking")->isChecked());
    EXPECT_EQ(scenario().computeUs, scenarioAfter.computeUs) << "one change is one step";
    QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(scenario(), scenarioBefore);
    EXPECT_EQ(box->value(), shown);
    EXPECT_EQ(device().wallNs, before.wallNs);
    EXPECT_EQ(device().exposedCopyNs, before.exposedCopyNs);

    QTest::keyClick(slider, Qt::Key_Y, Qt::ControlModifier);
    QTest::keyClick(slider, Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(scenario(), scenarioAfter);
}

TEST_F(LaboratoryTest, ATypedSizeIsTakenWithItsUnitAndHeldToTheLimits)
{
    const DeviceSummary before = device();
    auto* box = control<QDoubleSpinBox>("batch_bytes");
    const auto type = [&](const char* text) {
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::fromUtf8(text));
        QTest::keyClick(box, Qt::Key_Return);
    };
    type("96 MiB");
    settle();
    EXPECT_EQ(scenario().batchBytes, 96ll << 20);
    EXPECT_EQ(device().h2dBytes, 2 * before.h2dBytes);
    type("nonsense");
    EXPECT_EQ(scenario().batchBytes, 96ll << 20);
    type("900 TiB");
    EXPECT_LE(static_cast<double>(scenario().batchBytes), findSetting("batch_bytes")->maximum);
}

TEST_F(LaboratoryTest, APresetTakesItsDeviceAlongAndIsOneStepBack)
{
    const Laboratory& laboratory = *document()->laboratory();
    const Laboratory::State before = laboratory.state();
    auto* presets = control<QComboBox>("preset");
    for (std::size_t i = 1; i < allPresets().size(); ++i) {
        const Preset& preset = allPresets()[i];
        QTest::keyClick(presets, Qt::Key_Down);
        ASSERT_EQ(laboratory.state().presetKey, preset.key);
        EXPECT_EQ(laboratory.scenario(), preset.scenario) << preset.key;
        EXPECT_EQ(laboratory.state().deviceKey, preset.device) << preset.key;
        EXPECT_EQ(control<QComboBox>("device")->currentData().toString().toStdString(), preset.device);
        EXPECT_FALSE(laboratory.differsFromPreset());
    }
    for (std::size_t i = 1; i < allPresets().size(); ++i)
        document()->laboratory()->undoStack()->undo();
    EXPECT_EQ(laboratory.state(), before);
    settle();
}

// A preset's name says what its settings are, so it must not be kept by others.
TEST_F(LaboratoryTest, ARunIsCalledByTheSettingsItHas)
{
    Laboratory& laboratory = *document()->laboratory();
    const auto* hint = control<QLabel>("hint");
    const auto plain = [](QString words) { return words.replace(QChar(0x2009), ' '); };
    ASSERT_EQ(laboratory.runTitle(), "pageable, blocking");
    test::expectText(hint->text());
    laboratory.set(*findSetting("pin"), static_cast<double>(PinStrategy::Thread));
    settle();
    EXPECT_EQ(laboratory.runTitle(), "pinned, blocking");
    EXPECT_EQ(document()->title(), "pinned, blocking");
    test::expectText(hint->text());
    laboratory.set(*findSetting("produce_us"), 1900.0000000000002);
    settle();
    test::expectText(plain(laboratory.runTitle()));
    test::expectText(plain(hint->text()));
    laboratory.set(*findSetting("produce_us"), 76);
    laboratory.set(*findSetting("batch_bytes"), 1 << 20);
    laboratory.set(*findSetting("workers"), 2);
    laboratory.set(*findSetting("cores"), 2);
    EXPECT_EQ(plain(laboratory.runTitle()),
              QString::fromUtf8(
                  "pinned, blocking, but with Batch size 1.00 MiB, Workers 2, Time per batch 76.0 \u00b5s, 1 more"));
    settle();
}

// "1900.0000000000002" is no number that a person chose.
TEST_F(LaboratoryTest, EveryPlaceOfASliderIsAShortNumber)
{
    for (const Setting& setting : allSettings()) {
        if (setting.kind != SettingKind::Real)
            continue;
        QWidget parent;
        QGridLayout grid(&parent);
        SettingRow row(setting, &grid, 0, &parent);
        row.show(setting.minimum, setting.minimum, {});
        auto* slider = parent.findChild<QSlider*>();
        ASSERT_NE(slider, nullptr) << setting.key;
        double edited = setting.minimum;
        QObject::connect(&row, &SettingRow::edited, &parent, [&](double value) { edited = value; });
        for (int at = slider->minimum(); at <= slider->maximum(); ++at) {
            slider->setValue(at);
            const QString shortest = QString::number(edited, 'g', QLocale::FloatingPointShortest);
            EXPECT_EQ(shortest.toDouble(), edited);
            EXPECT_LE(shortest.size(), 7) << setting.key << " " << shortest.toStdString();
        }
    }
}

TEST_F(LaboratoryTest, SlidersAreWideEnoughToHit)
{
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
        m_window.resize(size);
        m_window.arrangeDocks();
        handleEvents();
        int sliders = 0;
        for (const QSlider* slider : m_window.laboratoryPanel()->findChildren<QSlider*>()) {
            if (!slider->isVisible())
                continue;
            EXPECT_GE(slider->width(), 120) << slider->objectName().toStdString() << " at " << size.width();
            ++sliders;
        }
        EXPECT_GT(sliders, 8);
    }
}

TEST_F(LaboratoryTest, ValuesAreTypedWithTheirUnits)
{
    const auto type = [&](const char* key, const QString& words) {
        auto* box = control<QDoubleSpinBox>(key);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, words);
        QTest::keyClick(box, Qt::Key_Return);
        settle();
        return box->text();
    };
    EXPECT_EQ(type("batch_bytes", "64 MiB"), "64 MiB");
    EXPECT_EQ(scenario().batchBytes, 64 * 1024 * 1024);
    EXPECT_EQ(type("compute_us", "1.5 ms"), "1.5 ms");
    EXPECT_EQ(scenario().computeUs, 1500);
    type("batches", "0.2k");
    EXPECT_EQ(scenario().batches, 200);
}

TEST_F(LaboratoryTest, APresetSaysWhatItChanges)
{
    auto* preset = control<QComboBox>("preset");
    const auto tipOf = [&](const char* key) {
        return preset->itemData(preset->findData(QString::fromLatin1(key)), Qt::ToolTipRole).toString();
    };
    test::expectText(QStringList{tipOf("pageable_blocking"), tipOf("pinned_side_stream")});
    const QString before = tipOf("pinned_side_stream");
    document()->laboratory()->applyPreset(allPresets()[4]);
    settle();
    EXPECT_NE(tipOf("pinned_side_stream"), before) << "it would change nothing now";
}

}  // namespace
}  // namespace overlane
