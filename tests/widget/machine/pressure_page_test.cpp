// The memory experiment's page with a program that stands in for it: nothing here runs short of memory.
#include "app/machine/pressure_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/theme/palette.h"
#include "core/base/units.h"
#include "core/pressure/pressure_news.h"
#include "tests/widget/pending_events.h"

namespace overlane
{
namespace
{

PressureFacts willingMachine(const PressurePlan&)
{
    PressureFacts facts;
    facts.mayAdminister = true;
    facts.mayLock = true;
    facts.hierarchy.version = 2;
    facts.hierarchy.folder = "/sys/fs/cgroup";
    facts.diskFreeBytes = 100 * kGiB;
    facts.ramBytes = 64 * kGiB;
    facts.availableBytes = 48 * kGiB;
    return facts;
}

PressureReport twoSteps(const std::string& ended)
{
    PressureReport report;
    report.ended = ended;
    report.steps.resize(2);
    report.steps[0].batches = 700;
    report.steps[0].medianBatchNs = 4'000'000;
    report.steps[0].usage.pageCacheBytes = report.steps[0].expected.pageCacheBytes = 128 << 20;
    report.steps[1].pinnedBytes = 448 << 20;
    report.steps[1].batches = 70;
    report.steps[1].medianBatchNs = 38'000'000;
    report.steps[1].usage.swapBytes = report.steps[1].expected.swapBytes = 144 << 20;
    return report;
}

class PressurePageTest : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 20'000;

    void SetUp() override
    {
        m_page.setFacts(willingMachine);
        m_page.resize(960, 640);
    }
    // A shell script in the place of `overlane`.
    void standIn(const QString& script)
    {
        const QString path = m_folder.filePath("overlane");
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(("#!/bin/sh\n" + script).toUtf8());
        file.close();
        ASSERT_TRUE(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        m_page.run()->setProgram(path);
        m_page.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_page));
    }
    // A line of the script that tells such news.
    static QString tell(double fraction, const std::string& words)
    {
        return "cat >&2 <<'NEWS'\n" + QString::fromStdString(lineOf(ProcessNews{fraction, words})) + "NEWS\n";
    }
    static QString result(const std::string& ended = {})
    {
        return "cat <<'END'\n" + QString::fromStdString(jsonOf({}, twoSteps(ended))) + "END\n";
    }
    template <typename Widget>
    Widget* in(const char* name)
    {
        auto* found = m_page.findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    // For a person to look at.
    void take(const QString& name)
    {
        QDir().mkpath(QStringLiteral(OVERLANE_PICTURES));
        for (const auto& [theme, called] : {std::pair{Theme::Dark, "dark"}, std::pair{Theme::Light, "light"}}) {
            applyTheme(*qApp, theme);
            handleEvents();
            EXPECT_TRUE(m_page.grab().save(
                QStringLiteral(OVERLANE_PICTURES "/pressure_%1_%2.png").arg(name, QLatin1String(called))));
        }
    }
    void start() { QTest::mouseClick(in<QPushButton>("pressureStart"), Qt::LeftButton); }
    void waitForEnd()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !m_page.run()->running(); }, kLongestWaitMs));
    }

    QTemporaryDir m_folder;
    PressurePage m_page;
};

TEST_F(PressurePageTest, RunsToItsEndAndShowsEveryStepBesideTheModel)
{
    ASSERT_EQ(QProcess::execute("mkfifo", {m_folder.filePath("go.fifo")}), 0);
    standIn("[ \"$*\" = \"pressure --yes --json --progress-json\" ] || exit 2\n" +
            tell(0.375, "step 2 of 4, 74.0 MiB pinned: batch 3.1 ms") + "read go < " + m_folder.filePath("go.fifo") +
            "\n" + result());
    EXPECT_TRUE(in<QLabel>("pressurePromise")->isVisible());
    EXPECT_FALSE(in<QWidget>("pressureRefused")->isVisible());
    start();
    ASSERT_TRUE(QTest::qWaitFor([this] { return in<QLabel>("pressureNow")->text().startsWith("step 2 of 4"); },
                                kLongestWaitMs));
    EXPECT_NEAR(in<QProgressBar>("pressureProgress")->value(), 375, 1);
    EXPECT_TRUE(in<QPushButton>("pressureCancel")->isVisible());
    EXPECT_FALSE(in<QPushButton>("pressureStart")->isVisible());
    QFile go(m_folder.filePath("go.fifo"));
    ASSERT_TRUE(go.open(QIODevice::WriteOnly));
    go.write("go\n");
    go.close();
    waitForEnd();
    auto* table = in<QTableView>("pressureTable");
    ASSERT_TRUE(table->isVisible());
    ASSERT_EQ(table->model()->rowCount(), 2);
    const auto shown = [&](int column) { return table->model()->index(1, column).data().toString().toStdString(); };
    EXPECT_EQ(shown(0), formatBytes(448 << 20));
    EXPECT_EQ(shown(6), formatBytes(144 << 20));
    EXPECT_EQ(shown(7), formatBytes(144 << 20));
    EXPECT_TRUE(in<QLabel>("pressureConclusion")->text().contains("9.5 times as long"));
    EXPECT_TRUE(in<QPushButton>("pressureStart")->isVisible());
    take("done");
}

TEST_F(PressurePageTest, CancellingInterruptsItAndItStillReports)
{
    standIn("trap 'rest; exit 130' INT\nrest() {\n" + result("Stopped with Ctrl+C.") + "}\n" +
            tell(0.125, "step 1 of 4, 0 B pinned: batch 3.1 ms") + "while :; do sleep 0.05; done\n");
    start();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return in<QLabel>("pressureNow")->text().startsWith("step 1"); }, kLongestWaitMs));
    QTest::mouseClick(in<QPushButton>("pressureCancel"), Qt::LeftButton);
    EXPECT_FALSE(in<QPushButton>("pressureCancel")->isEnabled());
    waitForEnd();
    EXPECT_TRUE(in<QLabel>("pressureConclusion")->text().contains("Stopped with Ctrl+C."));
    EXPECT_EQ(in<QTableView>("pressureTable")->model()->rowCount(), 2);
}

TEST_F(PressurePageTest, SaysWhatTheProgramSaidWhereItFailed)
{
    standIn("echo 'overlane: /var/tmp is full.' >&2\nexit 1\n");
    start();
    waitForEnd();
    EXPECT_TRUE(in<QLabel>("pressureConclusion")->isVisible());
    EXPECT_EQ(in<QLabel>("pressureConclusion")->text(), "/var/tmp is full.");
    m_page.run()->setProgram(m_folder.filePath("nothing"));
    start();
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return in<QLabel>("pressureConclusion")->text().contains("could not be started"); }, kLongestWaitMs));
    EXPECT_FALSE(m_page.run()->running());
}

TEST_F(PressurePageTest, SaysEveryReasonWhyItWillNotRunAndDoesNot)
{
    standIn(result());
    const auto unwilling = [](const PressurePlan& plan) {
        PressureFacts facts = willingMachine(plan);
        facts.mayAdminister = false;
        facts.onBattery = true;
        return facts;
    };
    m_page.setFacts(unwilling);
    const PressurePlan plan = withSteps({});
    const std::vector<std::string> refusals = pressureRefusals(plan, unwilling(plan));
    ASSERT_GE(refusals.size(), 2U);
    QStringList shown;
    for (const QLabel* label : in<QWidget>("pressureRefused")->findChildren<QLabel*>())
        shown << label->text();
    for (const std::string& refusal : refusals)
        EXPECT_TRUE(shown.contains(QString::fromStdString(refusal).toHtmlEscaped())) << refusal;
    EXPECT_FALSE(in<QPushButton>("pressureStart")->isEnabled());
    EXPECT_FALSE(in<QLabel>("pressurePromise")->isVisible());
    take("refused");
}

TEST_F(PressurePageTest, ClosingTheWindowEndsIt)
{
    auto page = std::make_unique<PressurePage>();
    page->setFacts(willingMachine);
    standIn("trap 'echo interrupted > " + m_folder.filePath("mark") + "; exit 130' INT\n" +
            tell(0.125, "step 1 of 4, x") + "while :; do sleep 0.05; done\n");
    page->run()->setProgram(m_folder.filePath("overlane"));
    QSignalSpy progressed(page->run(), &PressureRun::progressed);
    page->run()->start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return progressed.count() > 0; }, kLongestWaitMs));
    page.reset();
    EXPECT_TRUE(QFile::exists(m_folder.filePath("mark")));
}

}  // namespace
}  // namespace overlane
