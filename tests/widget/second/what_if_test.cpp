// What-if in the window: switches, what each would give, and the predicted timeline below.
#include <algorithm>
#include <cstdlib>

#include <QCheckBox>
#include <QClipboard>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QWheelEvent>

#include "app/second/second_timelines.h"
#include "app/second/what_if_panel.h"
#include "app/second/what_if_row.h"
#include "app/shell/bottom_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/elided_label.h"
#include "core/io/format.h"
#include "core/trace/trace_builder.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class WhatIfTest : public WindowTest
{
protected:
    SecondTimelines* timelines() { return m_window.secondTimelines(); }
    WhatIfSource* source() { return timelines()->whatIf(); }
    WhatIfPanel* panel() { return timelines()->whatIfPanel(); }
    SecondLanes* second() { return m_window.timeline()->below(); }
    void wait()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->busy() && !timelines()->busy(); }, kLongestWaitMs));
    }
    void look()
    {
        timelines()->openWhatIf();
        wait();
        ASSERT_EQ(source()->state(), WhatIfSource::State::Ready) << qPrintable(source()->error());
    }
    void click(ChangeKind kind)
    {
        QTest::mouseClick(panel()->row(kind)->box(), Qt::LeftButton, {}, QPoint(8, 8));
        wait();
    }
    void openPageable()
    {
        open(recorded(kPageableRun));
        look();
    }
};

TEST_F(WhatIfTest, NothingIsRebuiltUntilSomebodyLooks)
{
    wait();
    EXPECT_EQ(source()->state(), WhatIfSource::State::Idle);
    EXPECT_FALSE(second()->isVisible());
    look();
    EXPECT_NE(source()->report(), nullptr);
    EXPECT_FALSE(second()->isVisible());
}

TEST_F(WhatIfTest, APageableRunIsPredictedPinnedBelowItself)
{
    openPageable();
    ASSERT_TRUE(panel()->row(ChangeKind::Pin)->box()->isEnabled());
    click(ChangeKind::Pin);
    const auto& prediction = source()->prediction();
    ASSERT_TRUE(prediction);
    // The recorded pair: 14.3 ms pageable, 5.7 ms pinned.
    EXPECT_LT(prediction->stepNsPredicted, prediction->stepNsMeasured / 2);
    EXPECT_GT(prediction->pinnedBytes, 0);
    ASSERT_TRUE(second()->isVisible());
    EXPECT_EQ(second()->lanes()->trace(), prediction->trace);
    EXPECT_EQ(second()->second().badge, "predicted");
    EXPECT_EQ(second()->second().firstBadge, "measured");
    test::expectText(second()->second().rest);
    const QString words = panel()->words();
    for (const char* part : {"With pin:", "less; range", "pinned memory", "baseline replay", "pin_memory=True"})
        EXPECT_TRUE(words.contains(part)) << part << "\n" << qPrintable(words);
    // The measured one stays as it is.
    EXPECT_EQ(m_window.timeline()->trace(), document()->trace());
    click(ChangeKind::Pin);
    EXPECT_FALSE(second()->isVisible());
    EXPECT_FALSE(source()->prediction());
}

TEST_F(WhatIfTest, EachChangeSaysWhatItAloneWouldGiveAndTheBestComesFirst)
{
    openPageable();
    std::int64_t beforeNs = 0;
    int possible = 0;
    for (const ChangeKind kind : panel()->order()) {
        const WhatIfTrial& trial = source()->trial(kind);
        ASSERT_TRUE(trial.known);
        if (!trial.error.isEmpty()) {
            EXPECT_EQ(panel()->row(kind)->reason(), trial.error);
            EXPECT_FALSE(panel()->row(kind)->box()->isEnabled());
            continue;
        }
        ++possible;
        EXPECT_FALSE(panel()->row(kind)->figure().isEmpty());
        EXPECT_EQ(panel()->row(kind)->reason(), QString());
        if (kind == ChangeKind::Device || kind == ChangeKind::Link)
            continue;
        EXPECT_GE(trial.stepNs, beforeNs);
        beforeNs = trial.stepNs;
    }
    EXPECT_GE(possible, 3);
    EXPECT_EQ(panel()->order().front(), ChangeKind::Pin);
    // What a row says is what choosing it gives.
    const std::int64_t promisedNs = source()->trial(ChangeKind::Pin).stepNs;
    click(ChangeKind::Pin);
    EXPECT_EQ(source()->prediction()->stepNsPredicted, promisedNs);
    // And without it, it is what the replay says.
    EXPECT_EQ(source()->trial(ChangeKind::Pin).stepNs, source()->report()->stepNsReplayed);
    EXPECT_TRUE(panel()->row(ChangeKind::Pin)->figure().startsWith("without"))
        << qPrintable(panel()->row(ChangeKind::Pin)->figure());
}

TEST_F(WhatIfTest, AChangeWithinTheNoiseIsNoGainAndComesBelowThoseBeyondIt)
{
    openPageable();
    int unclear = 0, faster = 0;
    for (const ChangeKind kind : panel()->order()) {
        const WhatIfTrial& trial = source()->trial(kind);
        if (!trial.error.isEmpty() || kind == ChangeKind::Device || kind == ChangeKind::Link)
            continue;
        const Direction direction = trial.noise.direction(source()->report()->stepNsReplayed, trial.stepNs);
        const WhatIfRow* row = panel()->row(kind);
        const QString figure = row->figure();
        const bool says = figure.startsWith("no clear change") || figure == "no change";
        EXPECT_EQ(says, direction == Direction::Unclear) << qPrintable(figure);
        EXPECT_EQ(row->findChild<QLabel*>("whatIfFigure")->isVisible(), direction != Direction::Unclear);
        EXPECT_EQ(row->findChild<QLabel*>("whatIfUnclear")->isVisible(), direction == Direction::Unclear);
        unclear += direction == Direction::Unclear;
        faster += direction == Direction::Faster;
        EXPECT_FALSE(direction == Direction::Faster && unclear > 0) << "it stands below one within the noise";
    }
    EXPECT_GE(unclear, 1);
    EXPECT_GE(faster, 1);
}

TEST_F(WhatIfTest, ValuesAreTakenFromTheirFields)
{
    look();  // the laboratory's first scenario: its loader is known
    auto* workers = panel()->row(ChangeKind::Workers)->findChild<QSpinBox*>();
    ASSERT_NE(workers, nullptr);
    workers->setValue(3);
    wait();
    EXPECT_EQ(source()->choices().workers, 3);
    EXPECT_FALSE(source()->prediction()) << "a value alone switches nothing on";
    const WhatIfTrial three = source()->trial(ChangeKind::Workers);
    ASSERT_TRUE(three.error.isEmpty()) << three.error.toStdString();
    click(ChangeKind::Workers);
    ASSERT_TRUE(source()->prediction());
    EXPECT_EQ(changeText(source()->prediction()->changes), "workers=3");
    EXPECT_EQ(source()->prediction()->stepNsPredicted, three.stepNs);
}

TEST_F(WhatIfTest, TheWheelScrollsTheListAndTurnsNoValue)
{
    look();
    auto* workers = panel()->row(ChangeKind::Workers)->findChild<QSpinBox*>();
    const int before = workers->value();
    const QPoint at = workers->rect().center();
    QWheelEvent wheel(at, workers->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(workers, &wheel);
    EXPECT_EQ(workers->value(), before);
    workers->setFocus();
    QWheelEvent again(at, workers->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(workers, &again);
    EXPECT_EQ(workers->value(), before + 1);
}

TEST_F(WhatIfTest, TheUsualThreeGoOnAndOffTogether)
{
    openPageable();
    auto* together = control<QPushButton>("whatIfTogether");
    together->click();
    wait();
    ASSERT_TRUE(source()->prediction());
    EXPECT_EQ(changeText(source()->prediction()->changes), "pin + non_blocking + side_stream");
    control<QToolButton>("whatIfReset")->click();
    wait();
    EXPECT_FALSE(source()->choices().any());
    EXPECT_FALSE(second()->isVisible());
    EXPECT_FALSE(together->isChecked());
}

// As a picture of it shows: its palette says nothing of colors that a style keeps from the theme before.
TEST_F(WhatIfTest, TheLineOfTheUsualThreeIsReadInAThemeThatWasSwitchedTo)
{
    look();
    auto* together = control<QPushButton>("whatIfTogether");
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Light}) {
        m_window.setTheme(theme);
        QCoreApplication::processEvents();
        const QRect place(together->mapTo(&m_window, QPoint()), together->size());
        const QImage shown = m_window.grab(place).toImage().convertToFormat(QImage::Format_RGB32);
        const int ground = shown.pixelColor(2, shown.height() / 2).lightness();
        int most = 0;
        for (int y = 2; y < shown.height() - 2; ++y)
            for (int x = 2; x < shown.width() / 2; ++x)
                most = std::max(most, std::abs(shown.pixelColor(x, y).lightness() - ground));
        EXPECT_GT(most, 120) << "in theme " << static_cast<int>(theme);
    }
}

TEST_F(WhatIfTest, ARunWithOtherSettingsKeepsTheSwitchesAnotherFileDoesNot)
{
    look();
    click(ChangeKind::Pin);
    ASSERT_TRUE(source()->prediction());
    const auto before = source()->prediction();
    document()->simulate();
    wait();
    EXPECT_TRUE(source()->choices().has(ChangeKind::Pin));
    ASSERT_TRUE(source()->prediction());
    EXPECT_NE(source()->prediction(), before);
    EXPECT_EQ(source()->prediction()->stepNsPredicted, before->stepNsPredicted);
    open(recorded(kPageableRun));
    wait();
    EXPECT_FALSE(source()->choices().any());
    EXPECT_FALSE(second()->isVisible());
}

TEST_F(WhatIfTest, ATraceWithoutGpuWorkSaysWhy)
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "host only", -1, 1);
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main");
    Event event;
    event.track = thread;
    event.durationNs = 1000;
    event.kind = EventKind::HostWork;
    event.name = builder.intern("work");
    builder.addEvent(event);
    QTemporaryDir folder;
    const QString path = folder.filePath("host.overlane");
    Progress progress;
    ASSERT_TRUE(writeTrace(builder.build(), path.toStdString(), progress).ok());
    open(path);
    timelines()->openWhatIf();
    wait();
    EXPECT_EQ(source()->state(), WhatIfSource::State::Impossible);
    test::expectText(panel()->words());
    EXPECT_FALSE(panel()->row(ChangeKind::Pin)->isEnabled());
}

TEST_F(WhatIfTest, WithoutIterationsTheRangeIsReplayedAsAWhole)
{
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/hta_event_sync_multi_stream.json.gz"));
    look();
    EXPECT_TRUE(source()->report()->wholeRange);
    test::expectText(panel()->words());
    test::expectText(control<ElidedLabel>("whatIfCaption")->text());

    click(ChangeKind::Pin);
    ASSERT_TRUE(second()->isVisible());
    // The active range begins 43 ms into the trace, the prediction with it.
    const std::int64_t rangeNs = document()->judgement()->range.startNs;
    EXPECT_GT(rangeNs, 40'000'000);
    EXPECT_EQ(rangeNs + second()->offsetNs(), source()->prediction()->stepStartsNs.at(0));
}

TEST_F(WhatIfTest, WhatAFindingAsksForIsSwitchedOn)
{
    open(recorded(kPageableRun));
    EXPECT_TRUE(timelines()->tryChangeFor(RuleId::PageableAsync));
    wait();
    EXPECT_TRUE(panel()->isVisible());
    EXPECT_TRUE(panel()->row(ChangeKind::Pin)->box()->isChecked());
    EXPECT_TRUE(second()->isVisible());
    EXPECT_FALSE(timelines()->tryChangeFor(RuleId::NothingToWin));
}

TEST_F(WhatIfTest, APredictionCanBeTakenAway)
{
    openPageable();
    click(ChangeKind::Pin);
    control<QToolButton>("whatIfCopy")->click();
    const QString copied = QApplication::clipboard()->text();
    test::expectText(copied);
    QTemporaryDir folder;
    QString path = folder.filePath("predicted.overlane");
    FileChooser chooser;
    chooser.toSave = [path](QWidget*, const QString&, const QString&, const QString&) { return path; };
    m_window.setFileChooser(chooser);
    control<QToolButton>("whatIfSave")->click();
    wait();
    Progress progress;
    const Result<Trace> read = readTrace(path.toStdString(), progress);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().eventCount(), source()->prediction()->trace->eventCount());
}

TEST_F(WhatIfTest, CancellingLeavesTheTraceAndCanBeTakenBack)
{
    open(recorded(kPageableRun));
    timelines()->openWhatIf();
    ASSERT_EQ(source()->state(), WhatIfSource::State::Rebuilding);
    control<QToolButton>("whatIfCancel")->click();
    EXPECT_EQ(source()->state(), WhatIfSource::State::Cancelled);
    wait();
    EXPECT_EQ(source()->state(), WhatIfSource::State::Cancelled);
    control<QToolButton>("whatIfCancel")->click();
    wait();
    EXPECT_EQ(source()->state(), WhatIfSource::State::Ready);
}

TEST_F(WhatIfTest, StepsOfMeasuredAndPredictedCanBePutBesideEachOther)
{
    openPageable();
    click(ChangeKind::Pin);
    // The steps that are judged lie below each other, however much shorter those before them became.
    auto first = static_cast<std::size_t>(source()->report()->firstStep);
    ASSERT_GT(second()->second().stepCount, 6);
    // Of them the first in sight: the prediction of the first one ends before what is seen.
    const Interval seen = document()->view()->range();
    while (document()->current().steps.steps.at(first).interval.startNs < seen.startNs)
        ++first;
    EXPECT_GE(second()->spanInFirst().intersected(seen).lengthNs(), seen.lengthNs() / 2);
    EXPECT_EQ(second()->second().meetAt, MeetAt::Step);
    EXPECT_EQ(second()->second().step, static_cast<int>(first));
    EXPECT_EQ(second()->offsetNs(),
              source()->prediction()->stepStartsNs[first] - document()->current().steps.steps[first].interval.startNs);
    emit second()->meetRequested(MeetAt::Start, 0);
    EXPECT_EQ(second()->second().meetAt, MeetAt::Start);
    emit second()->meetRequested(MeetAt::Step, 6);
    EXPECT_EQ(second()->second().meetAt, MeetAt::Step);
    EXPECT_EQ(second()->offsetNs(),
              source()->prediction()->stepStartsNs[6] - document()->current().steps.steps[6].interval.startNs);
    second()->findChild<QToolButton*>("secondClose")->click();
    wait();
    EXPECT_FALSE(source()->choices().any());
    EXPECT_FALSE(second()->isVisible());
}

TEST_F(WhatIfTest, ChangesOfTheCommandLineWaitForTheTrace)
{
    MainWindow window(false);
    EXPECT_FALSE(window.secondTimelines()->choose({"pinn"}).ok());
    ASSERT_TRUE(window.secondTimelines()->choose({"pin", "side_stream=2"}).ok());
    window.show();
    window.document()->open(recorded(kPageableRun));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return window.secondTimelines()->whatIf()->prediction() != nullptr; }, kLongestWaitMs));
    EXPECT_EQ(changeText(window.secondTimelines()->whatIf()->prediction()->changes), "pin + side_stream=2");
}

}  // namespace
}  // namespace overlane
