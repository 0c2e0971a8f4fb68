// Why a copy was exposed and why a device was idle: in the details, beside the tracks, in the events table
// and in the summary.
#include <QComboBox>
#include <QTextBrowser>

#include "app/details/details_panel.h"
#include "app/shell/bottom_panel.h"
#include "app/tables/causes_model.h"
#include "app/tables/events_model.h"
#include "app/tables/events_panel.h"
#include "app/tables/step_plot.h"
#include "app/tables/steps_model.h"
#include "app/tables/steps_page.h"
#include "app/tables/summary_page.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/track_badges.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "core/analysis/copy_verdict.h"
#include "core/analysis/idle_attribution.h"
#include "core/loader/presets.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class WhyTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        open(recorded(kPageableRun));
        look();
    }
    void look()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->insights()->busy(); }, kLongestWaitMs));
        ASSERT_NE(document()->insights()->insight(), nullptr);
    }
    const Trace& trace() { return *document()->trace(); }
    const Analysis& analysis() { return *document()->current().analysis; }
    const DeviceActivity& gpu() { return analysis().devices().front(); }
    // The text of the panel has plain spaces.
    QString details() { return plain(control<DetailsPanel>("detailsPanel")->shownText()); }
    static QString plain(QString text) { return text.replace(QChar(0x2009), ' '); }
    QString badgeOf(TrackKind kind)
    {
        for (const auto& [track, badge] : m_window.timeline()->lanes()->badges())
            if (trace().track(track).kind == kind)
                return badge.texts.front();
        return {};
    }
};

TEST_F(WhyTest, ACopysReasonsAreRankedWithEvidenceToGoTo)
{
    const EventIndex copy = gpu().h2dCopies[3].event;
    const CopyVerdict verdict = copyVerdict(trace(), analysis(), copy);
    ASSERT_FALSE(verdict.empty());
    document()->selection()->setEvent(copy);
    const QString shown = details();
    qsizetype at = shown.indexOf("Why:");
    ASSERT_GE(at, 0) << shown.toStdString();
    for (const CopyReason& reason : verdict.reasons) {
        const qsizetype next = shown.indexOf(text(causeSentence(reason.cause)), at);
        EXPECT_GT(next, at) << causeName(reason.cause);
        at = next;
    }
    ASSERT_FALSE(verdict.reasons.front().evidence.empty());
    const EventIndex proof = verdict.reasons.front().evidence.front().event;
    const QString html = control<QTextBrowser>("detailsText")->toHtml();
    EXPECT_TRUE(html.contains(QStringLiteral("event:%1").arg(proof.value())));
}

TEST_F(WhyTest, AGapSaysItsCausesAndTheyAddUp)
{
    const Interval gap{gpu().kernels.intervals()[40].endNs, gpu().kernels.intervals()[41].startNs};
    document()->selection()->setGap({gpu().id, gap});
    const QString shown = details();
    EXPECT_TRUE(shown.contains(plain(durationText(gap.lengthNs())))) << shown.toStdString();
    std::int64_t sumNs = 0;
    for (const IdlePiece& piece : idlePieces(analysis(), gpu().id, gap)) {
        sumNs += piece.interval.lengthNs();
        EXPECT_TRUE(shown.contains(text(lostCauseName(piece.cause)), Qt::CaseInsensitive)) << shown.toStdString();
    }
    EXPECT_EQ(sumNs, gap.lengthNs());
    document()->selection()->setEvent({});
    test::expectText(details());
}

TEST_F(WhyTest, AKernelSaysWhatItWaitedFor)
{
    EventIndex kernel;
    for (std::size_t i = 0; i < trace().eventCount() && !kernel.valid(); ++i)
        if (const auto gap = idleGapBefore(trace(), analysis(), EventIndex(i));
            gap && gap->interval.lengthNs() > 50'000)
            kernel = EventIndex(i);
    ASSERT_TRUE(kernel.valid());
    document()->selection()->setEvent(kernel);
    const auto gap = idleGapBefore(trace(), analysis(), kernel);
    EXPECT_TRUE(details().contains(plain(durationText(gap->interval.lengthNs())))) << details().toStdString();
    test::expectText(details());
}

// A badge counts as the verdict does and names the reason with the most time; its tip has the others.
TEST_F(WhyTest, BadgesCountTheHiddenCopiesOfTheRange)
{
    const auto expected = [&](Interval range) {
        const Verdict said = verdict(analysis(), document()->current().steps.steps, range);
        return QStringLiteral("%1 of %2 hidden: pageable").arg(said.hiddenCopies).arg(said.copies);
    };
    EXPECT_EQ(badgeOf(TrackKind::EngineH2D), expected(document()->insights()->insight()->range));
    EXPECT_TRUE(badgeOf(TrackKind::EngineCompute).contains("idle"));
    const auto& steps = document()->current().steps.steps;
    ASSERT_GT(steps.size(), 7u);
    const Interval half{steps[3].interval.startNs, steps[6].interval.endNs};
    document()->selection()->setRange(half);
    look();
    EXPECT_EQ(badgeOf(TrackKind::EngineH2D), expected(half));
}

TEST_F(WhyTest, BadgesNameNoFaultWhereAlmostAllIsHidden)
{
    for (const Preset& preset : allPresets())
        if (preset.key == "pinned_side_stream")
            document()->laboratory()->applyPreset(preset);
    document()->simulate();
    settle();
    look();
    const Verdict said =
        verdict(analysis(), document()->current().steps.steps, document()->insights()->insight()->range);
    ASSERT_LT(said.hiddenCopies, said.copies) << "the first of a run is exposed";
    EXPECT_EQ(badgeOf(TrackKind::EngineH2D), QStringLiteral("%1 of %2 hidden").arg(said.hiddenCopies).arg(said.copies));
    EXPECT_FALSE(badgeOf(TrackKind::EngineCompute).contains(":"));
}

TEST_F(WhyTest, WithoutRecordedKernelsNoBadgeClaimsWhatIsExposedOrIdle)
{
    RangeInsight insight = *document()->insights()->insight();
    insight.kernelsKnown = false;
    const TrackBadges badges = trackBadges(insight, *insight.trace, Palette::lightTheme());
    ASSERT_FALSE(badges.empty());
    for (const auto& [track, badge] : badges) {
        EXPECT_NE(trace().track(track).kind, TrackKind::EngineCompute);
        for (const QString& words : badge.texts)
            EXPECT_FALSE(words.contains("exposed")) << words.toStdString();
        test::expectText(badge.tip);
    }
}

TEST_F(WhyTest, TheEventsTableSaysWhyAndFiltersByIt)
{
    EventsPanel* panel = m_window.bottomPanel()->events();
    m_window.bottomPanel()->setCurrentWidget(panel);
    auto* filter = control<QComboBox>("eventsWhy");
    filter->setCurrentIndex(filter->findData(static_cast<int>(CopyCause::PageableMemory)));
    EventsModel* model = panel->model();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model->worker()->busy(); }, kLongestWaitMs));
    int wanted = 0;
    for (const auto* copies : {&gpu().h2dCopies, &gpu().d2hCopies})
        for (const CopyRecord& copy : *copies)
            wanted += copy.cause == CopyCause::PageableMemory ? 1 : 0;
    ASSERT_GT(wanted, 0);
    ASSERT_EQ(model->rowCount(), wanted);
    for (int row = 0; row < wanted; ++row)
        EXPECT_EQ(model->index(row, EventsModel::Why).data().toString(), "pageable memory");
    for (int row = 0; row < wanted; ++row) {
        const CopyRecord* copy = analysis().copyRecord(model->event(row));
        ASSERT_NE(copy, nullptr);
        EXPECT_EQ(model->index(row, EventsModel::Carries).data().toString().toStdString(), copyRoleName(copy->role));
    }
    filter->setCurrentIndex(0);
    model->sort(EventsModel::Why, Qt::DescendingOrder);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model->worker()->busy(); }, kLongestWaitMs));
    EXPECT_FALSE(model->index(0, EventsModel::Why).data().toString().isEmpty());
    EXPECT_TRUE(model->index(model->rowCount() - 1, EventsModel::Why).data().toString().isEmpty());
}

TEST_F(WhyTest, TheCausesOfTheSummaryAddUpToTheTimeWithoutKernels)
{
    const SummaryPage* page = m_window.bottomPanel()->summaryPage();
    const auto check = [&] {
        const DeviceSummary figures = *analysis().summarize(document()->judgedRange()).worst();
        std::int64_t idleNs = 0;
        double share = 0;
        for (int row = 0; row < page->idle()->rowCount(); ++row) {
            idleNs += page->idle()->index(row, CausesModel::Time).data(kExportRole).toLongLong();
            share += page->idle()->index(row, CausesModel::Share).data(kExportRole).toDouble();
        }
        EXPECT_EQ(idleNs, figures.wallNs - figures.kernelBusyNs);
        EXPECT_NEAR(share, static_cast<double>(idleNs) / static_cast<double>(figures.wallNs), 1e-9);
    };
    check();
    ASSERT_GT(page->copies()->rowCount(), 0);
    test::expectText(page->copies()->index(0, CausesModel::What).data().toString());
    document()->selection()->setRange(document()->current().steps.steps[5].interval);
    look();
    check();
}

TEST_F(WhyTest, AStepChosenInThePlotOrTheTableIsTheSelectedRange)
{
    auto* page = control<StepsPage>("stepsPage");
    m_window.bottomPanel()->setCurrentWidget(page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->plot()->width() > 100; }, kLongestWaitMs));
    handleEvents();
    const std::vector<Step>& steps = document()->current().steps.steps;
    QTest::mouseClick(page->plot()->canvas(), Qt::LeftButton, {}, page->plot()->placeOf(6));
    ASSERT_TRUE(document()->selection()->range().has_value());
    EXPECT_EQ(*document()->selection()->range(), steps[6].interval);
    test::expectText(page->caption());

    auto* table = control<DataTable>("stepsTable");
    EXPECT_EQ(table->model()->rowCount(), static_cast<int>(steps.size()));
    table->setFocus();
    table->setCurrentIndex(table->model()->index(2, 0));
    EXPECT_EQ(*document()->selection()->range(), steps[2].interval);
    QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(*document()->selection()->range(), (Interval{steps[2].interval.startNs, steps[3].interval.endNs}));
}

}  // namespace
}  // namespace overlane
