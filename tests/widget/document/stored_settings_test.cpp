// A file that the laboratory made brings its settings back, and the person goes on from there.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QSlider>
#include <QUndoStack>

#include "app/widgets/message_bar.h"
#include "core/io/format.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "core/trace/trace_builder.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class StoredSettingsTest : public WindowTest
{
protected:
    // Saves a run of 2 tensors a batch on the laptop, then turns the laboratory to something else.
    void SetUp() override
    {
        WindowTest::SetUp();
        Laboratory& laboratory = *document()->laboratory();
        laboratory.setDevice("rtx3060_laptop");
        laboratory.set(*findSetting("batches"), 40);
        laboratory.set(*findSetting("pin"), 1);
        settle();
        m_saved = laboratory.state();
        m_events = document()->trace()->eventCount();
        m_path = m_folder.filePath("kept.overlane");
        document()->save(m_path);
        settle();
        ASSERT_TRUE(QFile::exists(m_path));
        laboratory.applyPreset(allPresets()[5]);
        settle();
        m_before = laboratory.state();
        ASSERT_FALSE(m_before.scenario == m_saved.scenario);
    }

    QTemporaryDir m_folder;
    QString m_path;
    Laboratory::State m_saved;
    Laboratory::State m_before;
    std::size_t m_events = 0;
};

TEST_F(StoredSettingsTest, OpeningAStoredRunTakesItsSettingsWithoutSimulating)
{
    QSignalSpy changed(document(), &Document::traceChanged);
    open(m_path);
    EXPECT_EQ(changed.count(), 1) << "the opened trace must not be replaced by a run";
    EXPECT_EQ(document()->origin(), Document::Origin::File);
    EXPECT_EQ(document()->path(), m_path);
    EXPECT_EQ(document()->trace()->eventCount(), m_events);
    EXPECT_EQ(scenario(), m_saved.scenario);
    EXPECT_EQ(document()->laboratory()->state().deviceKey, "rtx3060_laptop");
    EXPECT_EQ(control<QDoubleSpinBox>("batches")->value(), 40);
    EXPECT_EQ(control<QComboBox>("pin")->currentIndex(), 1);
    EXPECT_EQ(control<QComboBox>("device")->currentData().toString(), "rtx3060_laptop");
    EXPECT_TRUE(document()->laboratoryMatchesFile());
    test::expectText(control<QLabel>("hint")->text());
}

TEST_F(StoredSettingsTest, ASliderGoesOnFromTheStoredSettings)
{
    open(m_path);
    auto* slider = control<QSlider>("workers_slider");
    QTest::keyClick(slider, Qt::Key_Right);
    settle();
    EXPECT_EQ(document()->path(), m_path) << "the trace stays until a run is asked for";
    QTest::keyClick(slider, Qt::Key_R, Qt::ControlModifier);
    settle();
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_TRUE(document()->path().isEmpty());
    Scenario expected = m_saved.scenario;
    ++expected.workers;
    EXPECT_EQ(scenario(), expected);
    EXPECT_EQ(device().h2d, expected.batches * expected.tensors);
    EXPECT_FALSE(document()->laboratoryMatchesFile());
}

TEST_F(StoredSettingsTest, OpeningIsOneStepOfUndoAndLosesNone)
{
    const int steps = document()->laboratory()->undoStack()->count();
    open(m_path);
    EXPECT_EQ(document()->laboratory()->undoStack()->count(), steps + 1);
    auto* slider = control<QSlider>("workers_slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(document()->laboratory()->state(), m_before);
    EXPECT_EQ(document()->path(), m_path);
    QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(document()->laboratory()->state(), m_saved) << "the step before the file was opened";
}

TEST_F(StoredSettingsTest, ARecordedTraceLeavesTheLaboratoryAlone)
{
    const int steps = document()->laboratory()->undoStack()->count();
    open(recorded(kPinnedRun));
    EXPECT_EQ(document()->laboratory()->state(), m_before);
    EXPECT_EQ(document()->laboratory()->undoStack()->count(), steps);
    EXPECT_FALSE(document()->laboratoryMatchesFile());
}

TEST_F(StoredSettingsTest, SettingsThatCannotBeReadAreToldAndTheTraceStaysOpen)
{
    TraceBuilder builder;
    builder.metadata().format = "simulated";
    builder.metadata().scenarioJson = "{\"workers\": 4, \"warp_drive\": true}";
    const TrackId track = builder.addTrack({}, TrackKind::Thread, "main");
    Event event;
    event.track = track;
    event.durationNs = 1'000;
    event.name = builder.intern("step");
    builder.addEvent(event);
    const QString path = m_folder.filePath("strange.overlane");
    Progress progress;
    ASSERT_TRUE(writeTrace(builder.build(), path.toStdString(), progress).ok());
    open(path);
    EXPECT_EQ(document()->origin(), Document::Origin::File);
    EXPECT_EQ(document()->laboratory()->state(), m_before);
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_TRUE(m_window.messageBar()->sentence().contains("warp_drive"))
        << m_window.messageBar()->sentence().toStdString();
}

}  // namespace
}  // namespace overlane
