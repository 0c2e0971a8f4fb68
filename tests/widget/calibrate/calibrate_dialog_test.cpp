// The calibration dialog with a process that stands for a real one.
#include "app/calibrate/calibrate_dialog.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <qcustomplot.h>

#include "app/calibrate/calibration_plot_view.h"
#include "app/session/profile_label.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/base/progress.h"
#include "core/devices/user_profiles.h"
#include "tests/unit/calibration/made_up_samples.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"

namespace overlane
{
namespace
{

constexpr int kLongestWaitMs = 30'000;

// What the process that is not there does.
struct Stage {
    CalibratedProfile made = calibratedProfile(recordOf(madeUpSamples(), "2026-11-21", false));
    CalibrationRunOptions asked;
    int starts = 0;
    std::string refusal;  // of the start
    std::string failure;  // at the end
    bool ends = false;
    bool cancelled = false;
    std::atomic<bool> gone = false;  // ended by a thread of its own
};

class StagedProcess : public CalibrationProcess
{
public:
    explicit StagedProcess(Stage& stage) : m_stage(stage) {}
    ~StagedProcess() override { m_stage.gone = true; }
    bool poll(CalibrationNews& news) override
    {
        news.fraction = 0.4;
        news.doing = "copies by size";
        if (!m_told)
            news.series = m_stage.made.record.series;
        m_told = true;
        return !m_stage.ends && !m_stage.cancelled;
    }
    void cancel() override { m_stage.cancelled = true; }
    Result<CalibratedProfile> finish() override
    {
        if (m_stage.cancelled)
            return Error::cancelled();
        if (!m_stage.failure.empty())
            return Error{m_stage.failure};
        return m_stage.made;
    }

private:
    Stage& m_stage;
    bool m_told = false;
};

class CalibrateDialogTest : public testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_TRUE(m_home.isValid());
        setenv("XDG_DATA_HOME", m_home.path().toUtf8().constData(), 1);
        m_dialog = std::make_unique<CalibrateDialog>();
        m_dialog->calibrator()->setStarter(
            [this](const CalibrationRunOptions& options) -> Result<std::unique_ptr<CalibrationProcess>> {
                m_stage.asked = options;
                ++m_stage.starts;
                if (!m_stage.refusal.empty())
                    return Error{m_stage.refusal};
                return std::unique_ptr<CalibrationProcess>(std::make_unique<StagedProcess>(m_stage));
            });
        m_dialog->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(m_dialog.get()));
    }
    void TearDown() override
    {
        m_dialog.reset();
        unsetenv("XDG_DATA_HOME");
    }
    template <typename Widget>
    Widget* control(const char* name)
    {
        auto* found = m_dialog->findChild<Widget*>(QString::fromUtf8(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void press(const char* name) { QTest::mouseClick(control<QPushButton>(name), Qt::LeftButton); }
    QString sentence() { return control<QLabel>("calibrationSentence")->text(); }
    void haveGpu() { m_dialog->setSupport(describeGpuSupport(true, 13000, {"Imagined Quokka 77"}, true)); }
    bool idle()
    {
        return QTest::qWaitFor([this] { return !m_dialog->calibrator()->running(); }, kLongestWaitMs);
    }
    void startAndWaitForNews()
    {
        QSignalSpy grown(m_dialog->calibrator(), &Calibrator::recordGrown);
        press("startCalibration");
        ASSERT_TRUE(grown.wait(kLongestWaitMs));
    }

    QTemporaryDir m_home;
    Stage m_stage;
    std::unique_ptr<CalibrateDialog> m_dialog;
};

TEST_F(CalibrateDialogTest, WithoutAGpuItSaysWhyAndShowsTheProfilesAllTheSame)
{
    test::expectText(sentence());
    const GpuSupport none = describeGpuSupport(false, 0, {}, false);
    m_dialog->setSupport(none);
    EXPECT_EQ(sentence().toStdString(), none.sentence);
    EXPECT_FALSE(control<QPushButton>("startCalibration")->isEnabled());
    auto* profiles = control<QComboBox>("profiles");
    EXPECT_EQ(profiles->count(), static_cast<int>(allDeviceProfiles().size()));
    EXPECT_EQ(m_dialog->shownProfile(), "h200");
    EXPECT_GT(control<QTableWidget>("figures")->rowCount(), 40);
    EXPECT_FALSE(m_dialog->plot()->plot().curves.empty());
    profiles->setFocus();
    QTest::keyClick(profiles, Qt::Key_Down);
    EXPECT_EQ(m_dialog->shownProfile(), allDeviceProfiles()[1].key);
}

TEST_F(CalibrateDialogTest, AMeasurementShowsItsPlotsOnTheWayAndIsKeptAmongThePersonsOwn)
{
    haveGpu();
    EXPECT_TRUE(sentence().isEmpty());
    QSignalSpy changed(m_dialog.get(), &CalibrateDialog::profilesChanged);
    startAndWaitForNews();
    EXPECT_EQ(m_stage.asked.device, 0);
    EXPECT_FALSE(m_stage.asked.quick);
    test::expectText(sentence());
    EXPECT_EQ(m_dialog->findChild<QProgressBar*>()->value(), 400);
    EXPECT_EQ(control<QTabBar>("plots")->count(), 4) << "what is measured so far";
    EXPECT_FALSE(control<QComboBox>("profiles")->isEnabled());
    m_stage.ends = true;
    ASSERT_TRUE(idle());
    EXPECT_TRUE(m_stage.gone);
    ASSERT_EQ(changed.size(), 1);
    const std::string key = changed.front().front().toString().toStdString();
    EXPECT_EQ(key, m_stage.made.profile.key);
    EXPECT_EQ(m_dialog->shownProfile(), key);
    EXPECT_NE(findDeviceProfile(key), nullptr);
    EXPECT_TRUE(std::filesystem::exists(profileFilePath(m_stage.made.profile)));
    EXPECT_EQ(control<QComboBox>("profiles")->currentText(), "This machine, calibrated 2026-11-21");
    EXPECT_EQ(control<QTabBar>("plots")->count(), 4);
    test::expectText(sentence());

    QSignalSpy used(m_dialog.get(), &CalibrateDialog::profileUsed);
    press("useProfile");
    ASSERT_EQ(used.size(), 1);
    EXPECT_EQ(used.front().front().toString().toStdString(), key);
}

TEST_F(CalibrateDialogTest, CancelledNothingIsKept)
{
    haveGpu();
    startAndWaitForNews();
    press("cancelCalibration");
    EXPECT_FALSE(control<QPushButton>("cancelCalibration")->isEnabled()) << "once is enough";
    ASSERT_TRUE(idle());
    EXPECT_TRUE(m_stage.cancelled);
    EXPECT_TRUE(m_stage.gone);
    EXPECT_TRUE(sentence().startsWith("Cancelled")) << sentence().toStdString();
    EXPECT_TRUE(userDeviceProfiles().empty());
    EXPECT_TRUE(control<QPushButton>("startCalibration")->isEnabled());
    EXPECT_EQ(m_dialog->shownProfile(), "h200");
}

TEST_F(CalibrateDialogTest, RefusalsAndFailuresAreTheirSentences)
{
    haveGpu();
    m_stage.refusal = "A calibration needs 2 GiB of available memory.";
    press("startCalibration");
    EXPECT_EQ(sentence().toStdString(), m_stage.refusal);
    EXPECT_FALSE(m_dialog->calibrator()->running());
    m_stage.refusal.clear();
    m_stage.failure = "The GPU fell off the bus.";
    m_stage.ends = true;
    press("startCalibration");
    ASSERT_TRUE(idle());
    EXPECT_EQ(sentence().toStdString(), m_stage.failure);
    EXPECT_TRUE(userDeviceProfiles().empty());
}

TEST_F(CalibrateDialogTest, ClosingAsksBeforeItEndsACalibration)
{
    haveGpu();
    startAndWaitForNews();
    const auto answer = [](QMessageBox::StandardButton button) {
        QTimer::singleShot(0, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            ASSERT_NE(box, nullptr);
            QTest::mouseClick(box->button(button), Qt::LeftButton);
        });
    };
    answer(QMessageBox::No);
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    EXPECT_TRUE(m_dialog->isVisible());
    EXPECT_FALSE(m_stage.cancelled);
    answer(QMessageBox::Yes);
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    EXPECT_FALSE(m_dialog->isVisible());
    EXPECT_TRUE(m_stage.cancelled);
}

TEST_F(CalibrateDialogTest, AWindowThatClosesEndsTheProcess)
{
    haveGpu();
    startAndWaitForNews();
    m_dialog.reset();
    EXPECT_TRUE(QTest::qWaitFor([this] { return m_stage.gone.load(); }, kLongestWaitMs));
}

TEST_F(CalibrateDialogTest, AFileOfAnotherMachineIsOpenedAndADamagedOneRefused)
{
    const QString file = m_home.filePath("elsewhere.json");
    ASSERT_TRUE(saveProfile(m_stage.made, file.toStdString()).ok());
    FileChooser chooser;
    QString answer = file;
    chooser.toOpen = [&](QWidget*, const QString&, const QString&, const QString&) { return answer; };
    m_dialog->setFileChooser(chooser);
    press("openProfile");
    EXPECT_EQ(m_dialog->shownProfile(), m_stage.made.profile.key);
    EXPECT_EQ(control<QComboBox>("profiles")->currentText().toStdString(), m_stage.made.profile.name);
    EXPECT_EQ(control<QTabBar>("plots")->count(), 4);
    answer = m_home.filePath("broken.json");
    QFile broken(answer);
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("{}");
    broken.close();
    press("openProfile");
    EXPECT_TRUE(sentence().contains("broken.json")) << sentence().toStdString();
    EXPECT_EQ(m_dialog->shownProfile(), m_stage.made.profile.key) << "what was shown stays";
}

TEST_F(CalibrateDialogTest, ThePointerTellsAPointsFiguresAndCurvesCanBeSwitchedOff)
{
    ASSERT_TRUE(saveProfile(m_stage.made, profileFilePath(m_stage.made.profile)).ok());
    m_dialog->showProfile(m_stage.made.profile.key);
    CalibrationPlotView* view = m_dialog->plot();
    const CalibrationPlot& plot = view->plot();
    ASSERT_EQ(plot.key, "memory_cost");
    handleEvents();  // the plot has drawn itself
    const PlotPoint& point = plot.curves[0].points[4];
    const QPoint place = view->placeOf(0, 4);
    EXPECT_TRUE(view->canvas()->rect().contains(place));
    const QString tip = view->tipAt(place + QPoint(3, 2));
    EXPECT_TRUE(tip.contains("cudaHostAlloc")) << tip.toStdString();
    EXPECT_TRUE(tip.contains(text(plotValueText(point.median, PlotUnit::Time)))) << tip.toStdString();
    test::expectText(tip);
    EXPECT_TRUE(view->tipAt({2, 2}).isEmpty());

    auto* curves = control<QListWidget>("curves");
    ASSERT_EQ(curves->count(), static_cast<int>(plot.curves.size()));
    EXPECT_EQ(view->canvas()->graphCount(), curves->count());
    curves->item(0)->setCheckState(Qt::Unchecked);
    EXPECT_EQ(view->canvas()->graphCount(), curves->count() - 1);
    EXPECT_FALSE(view->tipAt(place).contains("cudaHostAlloc</b>"));
    auto* tabs = control<QTabBar>("plots");
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    EXPECT_EQ(view->plot().key, "copy_rate");
    EXPECT_EQ(view->canvas()->graphCount(), curves->count());
}

TEST_F(CalibrateDialogTest, PlotsAreWrittenAsPictureAndTable)
{
    FileChooser chooser;
    QString answer;
    chooser.toSave = [&](QWidget*, const QString&, const QString&, const QString&) { return answer; };
    m_dialog->setFileChooser(chooser);
    for (const auto& [name, start] :
         {std::pair{"plot.png", QByteArray("\x89PNG")}, std::pair{"plot.svg", QByteArray("<?xml")},
          std::pair{"plot.pdf", QByteArray("%PDF")}}) {
        answer = m_home.filePath(name);
        press("exportPicture");
        QFile file(answer);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        EXPECT_TRUE(file.read(5).startsWith(start)) << name;
        EXPECT_GT(file.size(), 2000) << name;
    }
    answer = m_home.filePath("plot.csv");
    press("exportCsv");
    QFile csv(answer);
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
    EXPECT_EQ(csv.readAll().toStdString(), plotCsv(m_dialog->plot()->plot()));
    answer = "/proc/no/such/plot.png";
    press("exportPicture");
    test::expectText(sentence());
}

TEST_F(CalibrateDialogTest, APlotThatDoesNotFitLeavesTheFileThatWasThere)
{
    FileChooser chooser;
    QString answer;
    chooser.toSave = [&](QWidget*, const QString&, const QString&, const QString&) { return answer; };
    m_dialog->setFileChooser(chooser);
    for (const char* name : {"plot.png", "plot.svg", "plot.pdf"}) {
        answer = m_home.filePath(name);
        press("exportPicture");
        const qint64 size = QFileInfo(answer).size();
        ASSERT_GT(size, 2000) << name;
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit full{1024, before.rlim_max};
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &full);
        press("exportPicture");
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        test::expectText(sentence());
        EXPECT_EQ(QFileInfo(answer).size(), size) << name;
    }
}

TEST(ProfileLabelTest, OnlyAProfileOfAGpuThatIsHereIsThisMachines)
{
    DeviceProfile profile = *findDeviceProfile("h200");
    profile.name = "Imagined Quokka 77, calibrated 2026-11-21";
    EXPECT_EQ(profileLabel(profile, std::nullopt).toStdString(), profile.name);
    EXPECT_EQ(profileLabel(profile, describeGpuSupport(true, 13000, {"Other"}, true)).toStdString(), profile.name);
    EXPECT_EQ(profileLabel(profile, describeGpuSupport(true, 13000, {"Imagined Quokka 77"}, true)),
              "This machine, calibrated 2026-11-21");
}

// Looked at by people: OVERLANE_PICTURES names a folder.
TEST_F(CalibrateDialogTest, Pictures)
{
    const QByteArray folder = qgetenv("OVERLANE_PICTURES");
    if (folder.isEmpty())
        GTEST_SKIP() << "OVERLANE_PICTURES is not set";
    const std::string shown = qEnvironmentVariable("OVERLANE_PROFILE").toStdString();
    haveGpu();
    auto& application = *static_cast<QApplication*>(QApplication::instance());
    for (const auto& [theme, name] : {std::pair{Theme::Light, "light"}, std::pair{Theme::Dark, "dark"}}) {
        applyTheme(application, theme);
        if (!shown.empty()) {
            const auto read = readDeviceProfile(shown);
            ASSERT_TRUE(read.ok()) << read.error();
            m_dialog->showProfile(read.value()->key);
        }
        for (int tab = 0; tab < control<QTabBar>("plots")->count(); ++tab) {
            control<QTabBar>("plots")->setCurrentIndex(tab);
            handleEvents();
            m_dialog->grab().save(
                QStringLiteral("%1/calibrate_%2_%3.png").arg(QString::fromUtf8(folder), name).arg(tab));
        }
    }
    applyTheme(application, Theme::Light);
}

}  // namespace
}  // namespace overlane
