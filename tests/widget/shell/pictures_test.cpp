// Pictures of the window's states in both themes, for people to look at: in the build folder under
// tests/widget/shell/pictures. What they show is checked by the other tests; here only that they show it.
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include "app/recording/record_bar.h"
#include "app/recording/record_dialog.h"
#include "app/session/gpu_runs.h"
#include "app/shell/about_box.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/first_hint.h"
#include "app/shell/help_window.h"
#include "app/shell/lane_menu.h"
#include "app/tables/names_model.h"
#include "app/tables/names_panel.h"
#include "app/tables/summary_page.h"
#include "app/timeline/timeline_view.h"
#include "app/verdict/verdict_bar.h"
#include "app/widgets/data_table.h"
#include "app/widgets/message_bar.h"
#include "core/base/units.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/staged_run.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class PicturesTest : public testing::TestWithParam<Theme>
{
protected:
    void SetUp() override
    {
        QDir().mkpath(QStringLiteral(OVERLANE_PICTURES));
        m_window.setTheme(GetParam());
        m_window.resize(1280, 800);
        m_window.arrangeDocks();
        m_window.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_window));
    }
    ~PicturesTest() override { applyTheme(*qApp, Theme::Light); }

    void settle()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !m_window.document()->busy(); }, 60'000));
        handleEvents();
    }
    void take(QWidget& widget, const QString& name)
    {
        const QString theme = GetParam() == Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light");
        const QString path = QStringLiteral(OVERLANE_PICTURES "/%1_%2.png").arg(name, theme);
        EXPECT_TRUE(widget.grab().save(path, nullptr, kFastPng)) << path.toStdString();
    }

    static constexpr int kFastPng = 90;  // as a quality: hardly compressed
    MainWindow m_window{false};
};

TEST_P(PicturesTest, NothingIsOpen)
{
    take(m_window, "empty");
    EXPECT_EQ(m_window.document()->trace(), nullptr);
}

TEST_P(PicturesTest, TheHintAndTheRunKeptAsA)
{
    m_window.document()->simulate();
    m_window.offerFirstHint();
    settle();
    take(m_window, "first_start");
    m_window.document()->keepAsBaseline();
    auto* button = m_window.findChild<QPushButton*>("hintTry");
    for (int step = 0; step < 3; ++step) {
        QTest::mouseClick(button, Qt::LeftButton);
        settle();
    }
    take(m_window, "compared");
    EXPECT_TRUE(differenceSentence(*m_window.document()).contains("faster"));
    EXPECT_FALSE(button->isVisible());
}

TEST_P(PicturesTest, WorkByNameUnderTheCursorAndTheMenuOfAnEvent)
{
    Document* document = m_window.document();
    document->open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/programs/resnet_page.overlane"));
    settle();
    BottomPanel* bottom = m_window.bottomPanel();
    bottom->setCurrentWidget(bottom->names());
    ASSERT_TRUE(QTest::qWaitFor([&] { return bottom->names()->model()->rowCount() > 2; }, 60'000));
    bottom->names()->table()->selectRow(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !bottom->names()->walk().events().empty(); }, 60'000));
    const Interval range = document->view()->range();
    document->view()->cursor()->pointAt(range.startNs + range.lengthNs() / 3);
    take(m_window, "names");
    LaneCanvas* lanes = m_window.timeline()->lanes();
    EventIndex shown;
    for (std::uint32_t at = 0; at < document->trace()->eventCount() && !shown.valid(); ++at)
        if (lanes->rectOf(EventIndex(at)).width() > 40)
            shown = EventIndex(at);
    LaneMenu menu(lanes->spotAt(lanes->rectOf(shown).center()), document, m_window.timeline(), &m_window);
    menu.setAttribute(Qt::WA_DeleteOnClose, false);
    menu.popup(m_window.mapToGlobal(QPoint(400, 200)));
    take(menu, "lane_menu");
    menu.close();
}

TEST_P(PicturesTest, ATraceIsOpenedAndOneCannotBe)
{
    m_window.document()->open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/") +
                              QString::fromUtf8(kPinnedRun));
    handleEvents();
    take(m_window, "loading");
    settle();
    m_window.document()->open("/no/such/folder/trace.json");
    settle();
    take(m_window, "error");
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_NE(m_window.document()->trace(), nullptr);
}

TEST_P(PicturesTest, FindingsReasonsAndCauses)
{
    Document* document = m_window.document();
    document->open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_page_nb_side_d16.pt.trace.json.gz"));
    const auto look = [&] {
        settle();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !document->insights()->busy(); }, 60'000));
        handleEvents();
    };
    look();
    take(m_window, "findings");
    m_window.showEvidence(1);
    look();
    take(m_window, "finding_shown");
    EXPECT_TRUE(document->selection()->event().valid());
    m_window.timeline()->setIdleShown(true);
    const DeviceActivity& gpu = document->current().analysis->devices().front();
    const auto gap = idleGapAt(*document->current().analysis, gpu.id, gpu.h2dCopies[2].startNs);
    ASSERT_TRUE(gap.has_value());
    document->selection()->setGap(*gap);
    m_window.bottomPanel()->setCurrentWidget(m_window.bottomPanel()->summaryPage());
    look();
    take(m_window, "gap_and_causes");
    document->selection()->setRange(document->current().steps.steps[4].interval);
    m_window.bottomPanel()->setCurrentWidget(m_window.findChild<QWidget*>("stepsPage"));
    look();
    take(m_window, "steps");
}

TEST_P(PicturesTest, HelpAndAbout)
{
    // They differ by the colors alone, so that all are taken in one theme.
    const QStringList pages = HelpWindow::pages();
    for (const QString& page : GetParam() == Theme::Dark ? pages.first(1) : pages) {
        HelpWindow* help = m_window.showHelp(page);
        take(*help, "help_" + page);
        EXPECT_EQ(help->page(), page);
    }
    HelpWindow* searched = m_window.showHelp(QStringLiteral("pinned"));
    auto* words = searched->findChild<QLineEdit*>("helpSearch");
    QTest::keyClicks(words, "pageable");
    for (int line = 0; line < 4; ++line)
        QTest::keyClick(words, Qt::Key_Return);
    take(*searched, "help_search");
    showAbout(&m_window, [] { return describeGpuSupport(false, 0, {}, false); });
    auto* about = m_window.findChild<QDialog*>("aboutBox");
    ASSERT_NE(about, nullptr);
    const auto* machine = about->findChild<QLabel*>("aboutMachine");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !machine->text().contains("asking"); }, 60'000));
    take(*about, "about");
}

TEST_P(PicturesTest, AProgramIsRecorded)
{
    qunsetenv("CUDA_INJECTION64_PATH");
    m_window.setRecordLibrary("/dev/null");
    m_window.document()->simulate();
    settle();
    RecordDialog* dialog = m_window.askToRecord();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    take(*dialog, "record_dialog");
    m_window.document()->gpuRuns()->detect([] { return describeGpuSupport(false, 0, {}, false); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return dialog->findChild<QLabel*>("gpuNotice")->isVisible(); }, 60'000));
    handleEvents();
    take(*dialog, "record_dialog_without_gpu");
    const auto fill = [&](const char* name, const QString& words) {
        dialog->findChild<QLineEdit*>(QString::fromUtf8(name))->setText(words);
    };
    const QTemporaryDir folder;
    auto* start = dialog->findChild<QPushButton*>("recordStart");
    fill("recordCommand", "no-such-program --epochs 3");
    fill("recordOutputFile", folder.filePath("picture.overlane"));
    dialog->findChild<QPlainTextEdit*>("recordEnvironment")->setPlainText("CUDA_VISIBLE_DEVICES=0\nHF_TOKEN=x");
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !dialog->error().isEmpty(); }, 60'000));
    take(*dialog, "record_error");
    fill("recordCommand", QStringLiteral("\"" OVERLANE_RECORDED_PROGRAM "\" 200 8 3"));
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_window.document()->origin() == Document::Origin::Recording; }, 60'000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_window.recordBar()->sentence().contains("kernels"); }, 60'000));
    take(m_window, "recording");
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_window.document()->origin() == Document::Origin::File; }, 60'000));
    settle();
    take(m_window, "recorded");
    test::expectText(m_window.recordBar()->sentence());
}

TEST_P(PicturesTest, TheGpuRunsTheLaboratory)
{
    m_window.document()->gpuRuns()->detect([] { return describeGpuSupport(true, 13000, {"NVIDIA H200"}, true); });
    m_window.document()->simulate();
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_window.document()->gpuRuns()->support().has_value(); }, 60'000));
    settle();
    take(m_window, "engine_simulated");
    m_window.document()->setEngine(Document::Engine::Gpu);
    settle();
    take(m_window, "engine_gpu");
    Stage stage;
    stage.ends = false;
    stage.live = true;
    stage.grownNs = 400 * kNsPerMs;
    stage.report.resultsChecked = 64;
    stage.report.wrongResults = 64;
    m_window.document()->gpuRuns()->setStarter(stagedStarter(stage));
    m_window.document()->runOnBoth();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_window.document()->current().gpu.isEmpty(); }, 60'000));
    take(m_window, "engine_running");
    stage.ends = true;
    settle();
    take(m_window, "engine_both");
    EXPECT_FALSE(m_window.document()->current().gpu.isEmpty());
    EXPECT_TRUE(m_window.messageBar()->isVisible());
}

INSTANTIATE_TEST_SUITE_P(Themes, PicturesTest, testing::Values(Theme::Light, Theme::Dark));

}  // namespace
}  // namespace overlane
