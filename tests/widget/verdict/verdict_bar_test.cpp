// The first thing that is read of a trace: whole at every usual size, and the same figures as everywhere else
// in the window, for every recorded trace.
#include "app/verdict/verdict_bar.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <QDirIterator>
#include <QLabel>
#include <QMap>
#include <QToolButton>

#include "app/laboratory/laboratory_panel.h"
#include "app/second/second_timelines.h"
#include "app/second/what_if_panel.h"
#include "app/shell/bottom_panel.h"
#include "app/tables/causes_model.h"
#include "app/tables/summary_model.h"
#include "app/tables/summary_page.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/track_badges.h"
#include "app/verdict/time_bar.h"
#include "app/widgets/data_table.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/text.h"
#include "core/analysis/verdict_text.h"
#include "core/loader/presets.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

constexpr std::array kUsualSizes = {QSize(800, 600), QSize(900, 700), QSize(960, 540), QSize(1280, 800),
                                    QSize(1920, 1080)};

class VerdictBarTest : public WindowTest
{
protected:
    static std::vector<std::string> everyRecordedTrace()
    {
        std::vector<std::string> files;
        QDirIterator folder(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces"),
                            {"*.gz", "*.sqlite", "*.overlane"}, QDir::Files, QDirIterator::Subdirectories);
        while (folder.hasNext())
            files.push_back(folder.next().toStdString());
        std::ranges::sort(files);
        EXPECT_GE(files.size(), 28u);
        return files;
    }
    void look()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->insights()->busy(); }, kLongestWaitMs));
    }
    QString badgeOf(TrackKind kind, std::int32_t device)
    {
        for (const auto& [track, badge] : m_window.timeline()->lanes()->badges())
            if (document()->trace()->track(track).kind == kind && document()->trace()->track(track).device == device)
                return badge.texts.front();
        return {};
    }
    void resizeTo(const QSize& size)
    {
        m_window.resize(size);
        m_window.resetLayout();
        QCoreApplication::processEvents();
        EXPECT_EQ(m_window.width(), size.width());
    }
    void expectWhole(const char* label)
    {
        auto* text = control<ElidedLabel>(label);
        EXPECT_LE(text->linesNeeded(), text->lines()) << text->text().toStdString();
        EXPECT_GE(text->height(), text->lines() * text->fontMetrics().lineSpacing());
    }
    // What to do is always in the bar; what else there is may be behind "More", and is never lost.
    void expectWholeVerdict()
    {
        expectWhole("verdictSentence");
        expectWhole("verdictAdvice");
        const QString shown =
            control<ElidedLabel>("verdictSentence")->text() + ' ' + control<ElidedLabel>("verdictAdvice")->text();
        const Verdict& verdict = document()->judgement()->verdict;
        EXPECT_TRUE(shown.contains(text(verdict.advice)));
        const QString more = m_window.verdictBar()->more();
        for (const QString& sentence : text(verdict.sentence).split(". "))
            EXPECT_TRUE((shown + ' ' + more).contains(sentence)) << sentence.toStdString();
        EXPECT_EQ(control<QToolButton>("verdictShowMore")->isVisible(), !more.isEmpty());
    }
    // How many traces had what is compared.
    struct Seen {
        int devices = 0;
        int kernels = 0;
        int badges = 0;
        int bars = 0;
        int withoutFigures = 0;
    };
    // Verdict, summary, badges and findings of the shown trace say the same.
    void expectOneCount(Seen& seen)
    {
        ASSERT_NE(document()->judgement(), nullptr);
        const Verdict& verdict = document()->judgement()->verdict;
        EXPECT_EQ(document()->judgedRange(), verdict.range);
        const Summary& summary = m_window.bottomPanel()->summary()->summary();
        const auto& insight = *document()->insights()->insight();
        EXPECT_EQ(insight.findings.range, insight.range);
        std::int64_t idleNs = 0;
        for (const DeviceSummary& device : summary.devices) {
            idleNs += device.wallNs - device.kernelBusyNs;
            if (device.id != verdict.device)
                continue;
            ++seen.devices;
            EXPECT_EQ(summary.range, verdict.range);
            EXPECT_EQ(device.h2d, verdict.copies);
            EXPECT_EQ(device.exposedCopyNs, verdict.exposedNs);
            EXPECT_NEAR(device.overlapShare, verdict.hiddenShare, 1e-9);
        }
        if (insight.kernelsKnown) {
            // Every nanosecond without kernels has one cause.
            ++seen.kernels;
            const CausesModel* causes = m_window.bottomPanel()->summaryPage()->idle();
            std::int64_t byCauseNs = 0;
            for (int row = 0; row < causes->rowCount(); ++row)
                byCauseNs += causes->index(row, CausesModel::Time).data(kExportRole).toLongLong();
            EXPECT_EQ(byCauseNs, idleNs);
            EXPECT_EQ(insight.findings.idleNs, idleNs);
            EXPECT_LE(insight.findings.explainedNs, idleNs);
        }
        if (verdict.copies > verdict.hiddenCopies) {
            ++seen.badges;
            const QString counted =
                QStringLiteral("%1 of %2 hidden")
                    .arg(text(formatCount(verdict.hiddenCopies)), text(formatCount(verdict.copies)));
            EXPECT_TRUE(badgeOf(TrackKind::EngineH2D, verdict.device).startsWith(counted));
        }
        // The bar has the whole range in it.
        if (!control<TimeBar>("timeBar")->parts().empty()) {
            ++seen.bars;
            std::int64_t partsNs = 0;
            for (const TimePart& part : control<TimeBar>("timeBar")->parts())
                partsNs += part.timeNs;
            EXPECT_EQ(partsNs, verdict.range.lengthNs());
        }
    }
};

// Each is opened once: that is most of the time of this test.
TEST_F(VerdictBarTest, EveryRecordedTraceIsWholeAtAnyUsualSizeAndCountedOnce)
{
    m_window.setUpdatesEnabled(false);  // where all lies is asked here, not how it is painted
    std::vector<int> highs;
    for (const QSize& size : kUsualSizes) {
        resizeTo(size);
        highs.push_back(m_window.verdictBar()->height());
    }
    Seen seen;
    for (const std::string& file : everyRecordedTrace()) {
        SCOPED_TRACE(file);
        open(QString::fromStdString(file));
        ASSERT_EQ(document()->path().toStdString(), file);
        look();
        expectOneCount(seen);
        for (std::size_t at = 0; at < highs.size(); ++at) {
            SCOPED_TRACE(kUsualSizes[at].width());
            resizeTo(kUsualSizes[at]);
            EXPECT_EQ(m_window.verdictBar()->height(), highs[at]);
            expectWhole("verdictSentence");
            if (kUsualSizes[at].width() >= 1280)
                expectWholeVerdict();
            if (control<QLabel>("verdictNumbers")->isHidden()) {
                ++seen.withoutFigures;
                EXPECT_TRUE(control<QToolButton>("verdictShowMore")->isVisible());
            }
        }
    }
    // Enough of the traces have what is compared.
    EXPECT_GE(seen.devices, 45);
    EXPECT_GE(seen.kernels, 45);
    EXPECT_GE(seen.badges, 30);
    EXPECT_GE(seen.bars, 40);
    EXPECT_GE(seen.withoutFigures, 5);
}

TEST_F(VerdictBarTest, TheFiguresSayWhatTheyAreOf)
{
    const auto numbers = [this] { return control<QLabel>("verdictNumbers")->text(); };
    open(recorded(kPinnedRun));
    test::expectText(numbers());
    // What the step takes without one loss is no prediction of a change, and so not called what it could be.
    open(recorded(kPageableRun));
    const Verdict& verdict = document()->judgement()->verdict;
    EXPECT_TRUE(numbers().contains(durationText(verdict.couldBeNs))) << numbers().toStdString();
    EXPECT_TRUE(control<QLabel>("verdictNumbers")->toolTip().contains(text(withoutLossText(verdict))));
    // The verdict leaves out what came before the first GPU work: these are not figures of the whole trace.
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/hta_alexnet.json.gz"));
    test::expectText(numbers());
    document()->selection()->setRange(document()->trace()->span());
    test::expectText(numbers());
    // Kernels fill the time: there is no better time to name.
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/hta_ns_resolution.pt.trace.json.gz"));
    test::expectText(numbers());
    EXPECT_TRUE(control<QLabel>("verdictNumbers")->toolTip().isEmpty());
    // Copies that the link is too narrow for are no time that a change takes away.
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/nsys/nsys_h100_2gpu.sqlite"));
    EXPECT_TRUE(document()->judgement()->verdict.linkBound);
    test::expectText(numbers());
}

// Nothing below the bar may jump, whatever is said in it.
TEST_F(VerdictBarTest, NothingBelowTheBarMovesForASettingOrARange)
{
    const auto places = [this] {
        QCoreApplication::processEvents();
        QMap<QString, QRect> all;
        for (QWidget* below : std::initializer_list<QWidget*>{m_window.timeline(), m_window.laboratoryPanel(),
                                                              m_window.bottomPanel(), control<QWidget>("workers")})
            all[QString::fromUtf8(below->metaObject()->className()) + below->objectName()] =
                QRect(below->mapTo(&m_window, QPoint()), below->size());
        return all;
    };
    for (const QSize& size : kUsualSizes) {
        SCOPED_TRACE(size.width());
        document()->laboratory()->applyPreset(allPresets().front());
        settle();
        resizeTo(size);
        auto before = places();
        ASSERT_TRUE(QTest::qWaitFor([&] { return std::exchange(before, places()) == before; })) << "docks glide";
        int sentences = 0;
        QString last;
        const auto expectStill = [&](const char* after) {
            EXPECT_EQ(places(), before) << after;
            sentences += std::exchange(last, m_window.verdictBar()->sentence()) != last ? 1 : 0;
        };
        for (const auto& [key, value] :
             {std::pair{"pin", 1}, {"non_blocking", 1}, {"copy_stream", 1}, {"workers", 1}}) {
            document()->laboratory()->set(*findSetting(key), value);
            settle();
            expectStill(key);
        }
        const Interval span = document()->trace()->span();
        document()->selection()->setRange(Interval{span.startNs, span.startNs + span.lengthNs() / 100});
        expectStill("a range");
        document()->selection()->setRange({});
        EXPECT_GE(sentences, 3) << "the bar said the same all the time";
    }
}

TEST_F(VerdictBarTest, EachPartOfTheTimeIsNamedAtEveryWidth)
{
    const auto* bar = control<TimeBar>("timeBar");
    const auto parts = std::ranges::count_if(bar->parts(), [](const TimePart& part) { return part.timeNs > 0; });
    ASSERT_GE(parts, 3);
    for (const QSize& size : {QSize(1280, 800), QSize(1440, 900), QSize(1920, 1080)}) {
        resizeTo(size);
        ASSERT_TRUE(bar->isVisible());
        EXPECT_EQ(bar->names().size(), parts) << size.width() << ": " << bar->names().join(", ").toStdString();
        EXPECT_LE(bar->geometry().bottom(), m_window.verdictBar()->height());
    }
}

TEST_F(VerdictBarTest, MoreShowsTheWholeVerdictOverTheWindow)
{
    m_window.resize(1280, 800);
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/param_resnet_kineto.json.gz"));
    QCoreApplication::processEvents();
    auto* more = control<QToolButton>("verdictShowMore");
    ASSERT_TRUE(more->isVisible());
    const int high = m_window.verdictBar()->height();
    QTest::mouseClick(more, Qt::LeftButton);
    const auto* page = control<QFrame>("verdictMore");
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->isVisible());
    const auto* words = control<QLabel>("verdictMoreText");
    EXPECT_TRUE(words->text().contains(m_window.verdictBar()->more().toHtmlEscaped()));
    EXPECT_EQ(words->height(), words->heightForWidth(words->width()));
    EXPECT_EQ(m_window.verdictBar()->height(), high);
}

TEST_F(VerdictBarTest, TheEasiestChangeStandsBelowTheFiguresAndOpensItsPrediction)
{
    const EasiestSource& source = m_window.verdictBar()->easiest();
    const auto predicted = [&] { return QTest::qWaitFor([&] { return !source.busy(); }, kLongestWaitMs); };
    auto* link = control<QLabel>("verdictEasiest");
    for (const QSize& size : {QSize(1920, 1080), QSize(1280, 800), QSize(1366, 700)}) {
        SCOPED_TRACE(size.width());
        resizeTo(size);
        open(recorded(kPinnedRun));
        ASSERT_TRUE(predicted());
        EXPECT_FALSE(link->isVisible());
        const int high = m_window.verdictBar()->height();
        open(recorded(kPageableRun));
        EXPECT_FALSE(source.easiest()) << "said before it was predicted";
        QCoreApplication::processEvents();
        const QRect bar = control<TimeBar>("timeBar")->geometry();
        ASSERT_TRUE(predicted());
        ASSERT_TRUE(source.easiest());
        EXPECT_TRUE(link->isVisible());
        EXPECT_LE(link->sizeHint().width(), link->width());
        EXPECT_EQ(m_window.verdictBar()->height(), high);
        EXPECT_EQ(control<TimeBar>("timeBar")->geometry().left(), bar.left());
        EXPECT_EQ(control<QLabel>("verdictNumbers")->isVisible(), size.height() > 760) << "the link takes its place";
        test::expectText(link->text());
        document()->selection()->setRange(document()->judgedRange());
        EXPECT_FALSE(link->isVisible()) << "not of a range";
        document()->selection()->setRange({});
        EXPECT_TRUE(link->isVisible());
    }
    resizeTo(QSize(1920, 1080));
    const QString wide = link->text();
    resizeTo(QSize(1280, 800));
    EXPECT_LT(link->text().size(), wide.size());
    resizeTo(QSize(1920, 1080));
    EXPECT_EQ(link->text(), wide) << "the form follows the width";
    emit link->linkActivated("easiest");
    const WhatIfSource* whatIf = m_window.secondTimelines()->whatIf();
    EXPECT_EQ(whatIf->choices().changes(), source.easiest()->changes);
    EXPECT_TRUE(m_window.secondTimelines()->whatIfPanel()->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return whatIf->prediction() != nullptr; }, kLongestWaitMs));
    EXPECT_EQ(whatIf->prediction()->stepNsPredicted, source.easiest()->stepNsPredicted);
}

TEST_F(VerdictBarTest, TheEasiestChangeTakesTheColorOfAnotherTheme)
{
    resizeTo(QSize(1920, 1080));
    open(recorded(kPageableRun));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_window.verdictBar()->easiest().busy(); }, kLongestWaitMs));
    auto* link = control<QLabel>("verdictEasiest");
    ASSERT_TRUE(link->isVisible());
    for (const char* theme : {"High contrast", "Dark", "Light"}) {
        actionNamed(m_window, QString::fromLatin1(theme))->trigger();
        handleEvents();
        const QColor ink = QApplication::palette().color(QPalette::Link);
        const QImage drawn = link->grab().toImage();
        int inked = 0;
        for (int y = 0; y < drawn.height(); ++y)
            for (int x = 0; x < drawn.width(); ++x)
                inked += drawn.pixelColor(x, y) == ink ? 1 : 0;
        EXPECT_GT(inked, 100) << theme << ": its underline at least";
    }
}

// The page has the mouse and the keys of the whole display while it is open.
TEST_F(VerdictBarTest, EscapeOrAClickOutsideClosesWhatMoreShows)
{
    m_window.resize(1280, 800);
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/param_resnet_kineto.json.gz"));
    QCoreApplication::processEvents();
    auto* more = control<QToolButton>("verdictShowMore");
    const auto opened = [&]() -> QPointer<QWidget> {
        QTest::mouseClick(more, Qt::LeftButton);
        return QApplication::activePopupWidget();
    };
    QPointer<QWidget> page = opened();
    ASSERT_TRUE(page);
    QTest::mouseClick(page->windowHandle(), Qt::LeftButton, {}, page->rect().center());
    EXPECT_EQ(QApplication::activePopupWidget(), page) << "a click inside leaves it";
    QTest::keyClick(page->windowHandle(), Qt::Key_Escape);
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr) << "Escape";
    page = opened();
    ASSERT_TRUE(page);
    QTest::mouseClick(page->windowHandle(), Qt::LeftButton, {}, page->mapFromGlobal(more->mapToGlobal(QPoint(1, 1))));
    QCoreApplication::processEvents();
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr) << "a click outside, on the button itself";
}

}  // namespace
}  // namespace overlane
