// The findings tab: what it lists, how it is read with the keyboard, and where it leads.
#include "core/findings/findings.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>

#include "app/findings/finding_row.h"
#include "app/findings/finding_text.h"
#include "app/findings/findings_panel.h"
#include "app/second/second_timelines.h"
#include "app/second/what_if_panel.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/help_window.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/verdict/time_bar.h"
#include "core/analysis/verdict.h"
#include "core/loader/presets.h"
#include "core/trace/trace_builder.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class FindingsTest : public WindowTest
{
protected:
    FindingsPanel* panel() { return m_window.bottomPanel()->findings(); }
    // Until the findings are those of the shown trace and range.
    void look()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->insights()->busy(); }, kLongestWaitMs));
        ASSERT_NE(document()->insights()->insight(), nullptr);
    }
    void openAndLook(const char* name)
    {
        open(recorded(name));
        look();
    }
    const FindingList& list() { return document()->insights()->insight()->findings; }
    FindingRow* row(int place) { return panel()->rows()[static_cast<std::size_t>(place)]; }
};

TEST_F(FindingsTest, TheTabComesFirstAndListsWhatTheRulesFoundInTheirOrder)
{
    m_window.bottomPanel()->setCurrentIndex(2);
    openAndLook(kPageableRun);
    EXPECT_EQ(m_window.bottomPanel()->currentWidget(), panel());
    EXPECT_EQ(m_window.bottomPanel()->indexOf(panel()), 0);

    const AnalyzedTrace& shown = document()->current();
    const FindingList wanted = findings(*shown.trace, *shown.analysis, shown.steps.steps,
                                        activeRange(*shown.analysis, shown.steps.steps).range);
    ASSERT_FALSE(wanted.findings.empty());
    ASSERT_EQ(panel()->rows().size(), wanted.findings.size());
    for (std::size_t i = 0; i < wanted.findings.size(); ++i) {
        EXPECT_EQ(panel()->rows()[i]->finding().id, wanted.findings[i].id);
        EXPECT_EQ(panel()->rows()[i]->finding().sentence, wanted.findings[i].sentence);
        if (i > 0) {
            EXPECT_LE(panel()->rows()[i - 1]->y(), panel()->rows()[i]->y());
        }
    }
    EXPECT_NE(panel()->rowOf(RuleId::PageableSideStream), nullptr);
    EXPECT_TRUE(panel()->emptyText().isEmpty());
}

TEST_F(FindingsTest, RowsFollowTheSelectedRangeAndStayOpen)
{
    openAndLook(kPageableRun);
    const RuleId first = list().findings.front().rule;
    panel()->rowOf(first)->setOpen(true);
    const QString whole = panel()->caption();
    const Step& step = document()->current().steps.steps[document()->current().steps.steps.size() / 2];
    document()->selection()->setRange(step.interval);
    look();
    EXPECT_EQ(list().range, step.interval);
    EXPECT_NE(panel()->caption(), whole);
    const AnalyzedTrace& shown = document()->current();
    const FindingList wanted = findings(*shown.trace, *shown.analysis, shown.steps.steps, step.interval);
    ASSERT_EQ(panel()->rows().size(), wanted.findings.size());
    for (std::size_t i = 0; i < wanted.findings.size(); ++i)
        EXPECT_EQ(panel()->rows()[i]->finding().cost.gpuIdleNs, wanted.findings[i].cost.gpuIdleNs);
    const FindingRow* kept = panel()->rowOf(first);
    ASSERT_NE(kept, nullptr);
    EXPECT_TRUE(kept->isOpen());
    document()->selection()->setRange({});
    look();
    EXPECT_EQ(panel()->caption(), whole);
}

TEST_F(FindingsTest, TheCaptionExplainsNothingWhereNothingIsWrong)
{
    FindingList shown;
    shown.range = {0, 600'000'000};
    shown.steps = 59;
    shown.devices = 1;
    shown.idleNs = 913'000;
    Finding good;
    good.severity = FindingSeverity::Good;
    shown.findings = {good};
    test::expectText(listCaption(shown, false));
    shown.findings.front().severity = FindingSeverity::Problem;
    test::expectText(listCaption(shown, false));
}

TEST_F(FindingsTest, KeysGoFromRowToRowOpenThemAndStepThroughTheEvidence)
{
    openAndLook(kPageableRun);
    ASSERT_GT(panel()->rows().size(), 1u);
    row(0)->setFocus();
    QTest::keyClick(row(0), Qt::Key_Down);
    EXPECT_TRUE(row(1)->hasFocus());
    QTest::keyClick(row(1), Qt::Key_Up);
    EXPECT_TRUE(row(0)->hasFocus());
    QTest::keyClick(row(0), Qt::Key_Up);
    EXPECT_TRUE(row(0)->hasFocus());

    QTest::keyClick(row(0), Qt::Key_Return);
    EXPECT_TRUE(row(0)->isOpen());
    const Finding& finding = row(0)->finding();
    const QString body = row(0)->body();
    for (const std::string& part : {finding.sentence, finding.changePyTorch, finding.changeCuda})
        EXPECT_TRUE(body.simplified().contains(QString::fromStdString(part).simplified())) << part;
    ASSERT_GT(finding.evidence.size(), 1u);

    QTest::keyClick(row(0), Qt::Key_N);
    EXPECT_EQ(document()->selection()->event(), finding.evidence[0]);
    EXPECT_TRUE(document()->view()->range().overlaps(document()->trace()->interval(finding.evidence[0])));
    QTest::keyClick(row(0), Qt::Key_N);
    EXPECT_EQ(document()->selection()->event(), finding.evidence[1]);
    QTest::keyClick(row(0), Qt::Key_P);
    QTest::keyClick(row(0), Qt::Key_P);
    EXPECT_EQ(document()->selection()->event(), finding.evidence.back());
    QTest::keyClick(&m_window, Qt::Key_F8);
    EXPECT_EQ(document()->selection()->event(), finding.evidence.front());
    QTest::keyClick(row(0), Qt::Key_Left);
    EXPECT_FALSE(row(0)->isOpen());
}

TEST_F(FindingsTest, ShowLeadsToTheTimelineAndWhyToTheSectionOfHelp)
{
    openAndLook(kPageableRun);
    QTest::mouseClick(row(0), Qt::LeftButton, {}, QPoint(row(0)->width() / 2, 8));
    ASSERT_TRUE(row(0)->isOpen());
    QTest::mouseClick(row(0)->findChild<QToolButton*>("findingShow"), Qt::LeftButton);
    EXPECT_EQ(document()->selection()->event(), row(0)->finding().evidence.front());
    EXPECT_FALSE(m_window.timeline()->lanes()->rectOf(row(0)->finding().evidence.front()).isNull());
    QTest::mouseClick(row(0)->findChild<QToolButton*>("findingWhy"), Qt::LeftButton);
    auto* help = m_window.findChild<HelpWindow*>();
    ASSERT_NE(help, nullptr);
    const std::string_view page = row(0)->finding().helpPage;
    EXPECT_EQ(help->page(), QString::fromUtf8(page.data(), static_cast<qsizetype>(page.size())));
    const std::string_view id = row(0)->finding().id;
    EXPECT_EQ(help->section(), QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())));
}

TEST_F(FindingsTest, EveryRuleHasASectionOfHelp)
{
    HelpWindow* help = m_window.showHelp("findings");
    for (const Rule& rule : allRules()) {
        const QString id = QString::fromUtf8(rule.id.data(), static_cast<qsizetype>(rule.id.size()));
        const QString page = QString::fromUtf8(rule.helpPage.data(), static_cast<qsizetype>(rule.helpPage.size()));
        m_window.showHelp(page, id);
        EXPECT_EQ(help->page(), page);
        EXPECT_EQ(help->section(), id);
    }
}

TEST_F(FindingsTest, AFindingAndTheWholeListAreCopiedAsText)
{
    openAndLook(kPageableRun);
    row(0)->setFocus();
    QTest::keyClick(row(0), Qt::Key_C, Qt::ControlModifier);
    const auto copied = [](const std::string& words) {  // whatever lines it is broken into
        return QApplication::clipboard()->text().simplified().contains(QString::fromStdString(words).simplified());
    };
    EXPECT_TRUE(copied(row(0)->finding().sentence));
    EXPECT_TRUE(copied(row(0)->finding().changePyTorch));
    QTest::mouseClick(control<QToolButton>("findingsCopy"), Qt::LeftButton);
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(panel()->caption()));
    for (const Finding& finding : list().findings)
        EXPECT_TRUE(copied(finding.sentence));
    for (const NotChecked& rule : list().notChecked)
        EXPECT_TRUE(copied(rule.reason));
}

TEST_F(FindingsTest, WhatWasNotCheckedIsFoldedBelow)
{
    openAndLook(kPageableRun);
    ASSERT_FALSE(list().notChecked.empty());
    auto* text = control<QLabel>("findingsNotChecked");
    EXPECT_FALSE(text->isVisible());
    control<QToolButton>("findingsFold")->click();
    EXPECT_TRUE(text->isVisible());
    EXPECT_TRUE(text->text().contains(QString::fromStdString(list().notChecked.front().reason)));
}

TEST_F(FindingsTest, ARunThatChangesReplacesTheFindings)
{
    look();
    ASSERT_FALSE(panel()->rows().empty());
    document()->laboratory()->applyPreset(allPresets().back());
    settle();
    look();
    EXPECT_EQ(document()->insights()->insight()->trace, document()->trace());
    ASSERT_EQ(panel()->rows().size(), list().findings.size());
    for (std::size_t i = 0; i < list().findings.size(); ++i)
        EXPECT_EQ(panel()->rows()[i]->finding().sentence, list().findings[i].sentence);
}

TEST_F(FindingsTest, WhereNothingIsToWinThatIsTheFindingAndTheVerdict)
{
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples/dataloader_pinned_side_stream.overlane"));
    look();
    ASSERT_EQ(list().findings.size(), 1U);
    EXPECT_EQ(list().findings.front().rule, RuleId::NothingToWin);
    ASSERT_NE(document()->judgement(), nullptr);
    const Verdict* verdict = &document()->judgement()->verdict;
    EXPECT_TRUE(verdict->computeBound) << verdict->sentence;
    EXPECT_TRUE(panel()->emptyText().isEmpty());
}

TEST_F(FindingsTest, TheChangeOfAFindingCanBeTried)
{
    openAndLook(kPageableRun);
    FindingRow* pageable = panel()->rowOf(RuleId::PageableSideStream);
    ASSERT_NE(pageable, nullptr);
    pageable->setFocus();
    QTest::keyClick(pageable, Qt::Key_W);
    EXPECT_EQ(m_window.bottomPanel()->currentWidget(),
              static_cast<QWidget*>(m_window.secondTimelines()->whatIfPanel()));
    EXPECT_TRUE(m_window.secondTimelines()->whatIf()->choices().has(ChangeKind::Pin));
}

TEST_F(FindingsTest, AnOpenedFindingIsSeenWholeInASmallWindow)
{
    m_window.resize(1280, 800);
    m_window.arrangeDocks();
    const QString samples = QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples/");
    for (const QString& path : {recorded(kPageableRun), samples + "dataloader_pageable_blocking.overlane",
                                samples + "two_gpus.overlane", samples + "pipeline_pageable.overlane"}) {
        open(path);
        look();
        ASSERT_FALSE(panel()->rows().empty());
        row(0)->setOpen(true);
        const QWidget* viewport = panel()->findChild<QScrollArea*>()->viewport();
        const auto whole = [&] {
            const QRect seen(row(0)->mapTo(viewport, QPoint(0, 0)), row(0)->size());
            return viewport->rect().contains(seen);
        };
        EXPECT_TRUE(QTest::qWaitFor(whole, 2000))
            << qPrintable(path) << ": " << row(0)->height() << " px of " << viewport->height();
        const auto* evidence = row(0)->findChild<QLabel*>("findingEvidence");
        ASSERT_NE(evidence, nullptr);
        EXPECT_TRUE(evidence->isVisible());
        row(0)->setOpen(false);
    }
}

TEST_F(FindingsTest, WithoutGpuWorkItIsSaidWhatToDo)
{
    TraceBuilder builder;
    document()->show(analyzed(builder.build()), Document::Origin::Nothing, {});
    look();
    test::expectText(panel()->emptyText());

    TraceBuilder recorded;
    recorded.metadata().format = rowOf(TraceOrigin::Recorded).id;
    document()->show(analyzed(recorded.build()), Document::Origin::Nothing, {});
    look();
    test::expectText(panel()->emptyText());

    TraceBuilder host;
    Event event;
    event.track = host.addTrack({}, TrackKind::Thread, "main", -1, 1);
    event.kind = EventKind::HostWork;
    event.name = host.intern("forward");
    event.durationNs = 1000;
    host.addEvent(event);
    document()->show(analyzed(host.build()), Document::Origin::Nothing, {});
    look();
    EXPECT_TRUE(panel()->emptyText().contains("ProfilerActivity.CUDA")) << qPrintable(panel()->emptyText());
    EXPECT_TRUE(control<QLabel>("verdictAdvice")->text().contains("ProfilerActivity.CUDA"));
    EXPECT_FALSE(control<TimeBar>("timeBar")->isVisible());
}

TEST_F(FindingsTest, TheBarUnderTheFiguresIsTheWholeTimeOfTheVerdict)
{
    for (const char* name : {kPageableRun, kPinnedRun}) {
        openAndLook(name);
        const Verdict verdict = document()->judgement()->verdict;
        const auto* bar = control<TimeBar>("timeBar");
        ASSERT_TRUE(bar->isVisible());
        ASSERT_FALSE(bar->parts().empty());
        EXPECT_FALSE(bar->parts().front().cause.has_value());
        std::int64_t wholeNs = 0;
        for (const TimePart& part : bar->parts()) {
            EXPECT_GE(part.timeNs, 0);
            wholeNs += part.timeNs;
        }
        EXPECT_EQ(wholeNs, verdict.range.lengthNs());
        EXPECT_TRUE(bar->accessibleDescription().contains("kernels"));
    }
}

TEST_F(FindingsTest, WhatToDoStandsBeforeWhatElseThereIs)
{
    openAndLook(kPageableRun);
    const QString advice = QString::fromStdString(document()->judgement()->verdict.advice);
    ASSERT_FALSE(advice.isEmpty());
    EXPECT_TRUE(control<QLabel>("verdictAdvice")->text().startsWith(advice));
}

}  // namespace
}  // namespace overlane
