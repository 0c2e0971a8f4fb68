// Recording on another machine from the window: over a script in place of ssh that runs everything here under another
// HOME (tests/unit/remote/program/ssh), and over OpenSSH itself. Skipped where this build cannot record.
#include <filesystem>

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>

#include "app/recording/record_bar.h"
#include "app/recording/record_dialog.h"
#include "app/session/document.h"
#include "app/session/recorder.h"
#include "tests/support/own_sshd.h"
#include "tests/support/temp_dir.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

// That a test opens.
const QString kWaits = QStringLiteral(
    "sh -c 'echo ready >&2; until [ -e %1 ]; do sleep 0.05; done; exec " OVERLANE_RECORDED_PROGRAM " 5 1'");

class RecordThereWindowTest : public WindowTest
{
protected:
    void SetUp() override
    {
        if (!QString::fromUtf8(OVERLANE_INJECT).size())
            GTEST_SKIP() << "this build cannot record";
        WindowTest::SetUp();
        m_window.recorder()->there().setProgram(QStringLiteral(OVERLANE_PROGRAM));
        setenv("STAND_IN_HOME", m_home.path().c_str(), 1);
        std::filesystem::create_directory(m_home.path("bin"));
        std::filesystem::create_symlink(OVERLANE_PROGRAM, m_home.path("bin/overlane"));
        setenv("STAND_IN_PATH", m_home.path("bin").c_str(), 1);
    }
    void TearDown() override
    {
        WindowTest::TearDown();
        for (const char* name : {"STAND_IN_HOME", "STAND_IN_PATH", "STAND_IN_WORDS"})
            unsetenv(name);
        if (!m_path.empty())
            setenv("PATH", m_path.c_str(), 1);
    }
    void standIn()
    {
        m_path = std::getenv("PATH");
        setenv("PATH", (std::string(OVERLANE_STAND_IN_SSH ":") + m_path).c_str(), 1);
    }
    RecordDialog* ask(const QString& host, const QString& command)
    {
        actionNamed(m_window, "Record a program …")->trigger();
        auto* dialog = control<RecordDialog>("recordDialog");
        m_dialog = dialog;
        EXPECT_TRUE(QTest::qWaitForWindowActive(dialog));
        control<QComboBox>("recordHost")->lineEdit()->setFocus();
        QTest::keyClicks(control<QComboBox>("recordHost")->lineEdit(), host);
        control<QLineEdit>("recordCommand")->setText(command);
        control<QLineEdit>("recordOutputFile")->setText(m_file);
        return dialog;
    }
    void press(const char* button) { QTest::mouseClick(control<QPushButton>(button), Qt::LeftButton); }
    // Of the dialog while it is there.
    QString error() const { return m_dialog ? m_dialog->error() : QString(); }
    RecordBar* bar() { return m_window.recordBar(); }
    bool waitForPhase(Recorder::Phase phase)
    {
        return QTest::qWaitFor([&] { return m_window.recorder()->phase() == phase; }, kLongestWaitMs);
    }
    QString log() const
    {
        QFile file(m_file + QStringLiteral(".log"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    std::string shown(QString words) const
    {
        static const QRegularExpression run(QStringLiteral("run-\\w+"));
        words.replace(QString::fromStdString(m_home.path().string()), QStringLiteral("HOME"))
            .replace(m_folder.path(), QStringLiteral("HERE"))
            .replace(run, QStringLiteral("run-ID"));
        return words.toStdString();
    }

    test::TempDir m_home;  // there
    std::string m_path;
    QPointer<RecordDialog> m_dialog;
    QTemporaryDir m_folder;
    QString m_file = m_folder.filePath(QStringLiteral("there.overlane"));
    QString m_gate = m_folder.filePath(QStringLiteral("gate"));
};

TEST_F(RecordThereWindowTest, TheTraceComesAndOpens)
{
    standIn();
    ask(QStringLiteral("me@there"), QStringLiteral("sh -c 'echo \"$SAID\"; exec " OVERLANE_RECORDED_PROGRAM " 5 1'"));
    control<QPlainTextEdit>("recordEnvironment")->setPlainText(QStringLiteral("SAID=it's $HOME"));
    QStringList steps;
    QObject::connect(m_window.recorder(), &Recorder::stepped, [&](const QString& step) { steps << step; });
    QSignalSpy opened(document(), &Document::opened);
    press("recordStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1 || !error().isEmpty(); }, kLongestWaitMs));
    ASSERT_EQ(opened.count(), 1) << error().toStdString();
    EXPECT_EQ(document()->path(), m_file);
    EXPECT_EQ(device().kernels, 5);
    EXPECT_EQ(m_window.recorder()->phase(), Recorder::Phase::Idle);
    EXPECT_TRUE(log().startsWith(QStringLiteral("it's $HOME\n"))) << log().toStdString();
    steps.removeIf([](const QString& step) { return step.contains('%'); });
    test::expectText(shown(bar()->sentence().simplified() + '\n' + steps.join('\n')));
    EXPECT_FALSE(control<QPushButton>("recordStop")->isVisible());
}

TEST_F(RecordThereWindowTest, TheLauncherIsThatOfTheCommandLine)
{
    RecordDialog* dialog = ask(QStringLiteral("me@there"), QStringLiteral("train"));
    auto* launcher = control<QComboBox>("recordLauncher");
    auto* ranks = control<QSpinBox>("recordRanks");
    EXPECT_TRUE(launcher->isVisible());
    EXPECT_EQ(dialog->launcher(), QString());
    EXPECT_FALSE(ranks->isEnabled());
    ranks->setValue(8);
    QStringList words;
    for (const char* name : {"torchrun", "srun", "mpirun", "launch -x 3"}) {
        launcher->setCurrentText(QString::fromLatin1(name));
        EXPECT_EQ(ranks->isEnabled(), !QString::fromLatin1(name).contains(' '));
        words << dialog->launcher();
    }
    EXPECT_EQ(words,
              QStringList({"torchrun --nproc-per-node 8 --no-python", "srun -n 8", "mpirun -np 8", "launch -x 3"}));
    control<QComboBox>("recordHost")->setCurrentText(QString());
    EXPECT_FALSE(launcher->isVisible());
    EXPECT_EQ(dialog->launcher(), QString());
    dialog->close();
}

TEST_F(RecordThereWindowTest, RanksOfALauncherOpenAsAJob)
{
    standIn();
    QFile launch(QString::fromStdString(m_home.path("bin/launch")));
    ASSERT_TRUE(launch.open(QIODevice::WriteOnly));
    launch.write("#!/bin/sh\nfor rank in 0 1; do RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=2 \"$@\" || exit; done\n");
    launch.close();
    launch.setPermissions(launch.permissions() | QFile::ExeOwner);
    ask(QStringLiteral("me@there"), QStringLiteral(OVERLANE_RECORDED_PROGRAM " 5 1"));
    control<QComboBox>("recordLauncher")->setCurrentText(QStringLiteral("launch"));
    QSignalSpy jobs(&m_window, &MainWindow::jobRequested);
    press("recordStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return jobs.count() == 1 || !error().isEmpty(); }, kLongestWaitMs));
    ASSERT_EQ(jobs.count(), 1) << error().toStdString();
    const QString folder = m_folder.filePath(QStringLiteral("there"));
    EXPECT_EQ(jobs.first().first().toStringList(), QStringList(folder));
    EXPECT_EQ(QDir(folder).entryList(QDir::Files).size(), 2);
    EXPECT_EQ(m_window.recorder()->phase(), Recorder::Phase::Idle);
}

TEST_F(RecordThereWindowTest, ARefusedLoginKeepsWhatWasTyped)
{
    standIn();
    setenv("STAND_IN_WORDS", "me@there: Permission denied (publickey).", 1);
    RecordDialog* dialog = ask(QStringLiteral("me@there"), QStringLiteral("train"));
    press("recordStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !error().isEmpty(); }, kLongestWaitMs));
    test::expectText(error().toStdString());
    EXPECT_EQ(m_window.recorder()->phase(), Recorder::Phase::Idle);
    EXPECT_EQ(control<QLineEdit>("recordCommand")->text(), QStringLiteral("train"));
    EXPECT_TRUE(control<QPushButton>("recordStart")->hasFocus());
    EXPECT_FALSE(control<QLabel>("recordStep")->isVisible());
    dialog->close();
}

TEST_F(RecordThereWindowTest, ABadHostIsSaidInWordsOfRecording)
{
    for (const char* host : {"-oProxyCommand=touch x", "two words"}) {
        RecordDialog* dialog = ask(QString::fromLatin1(host), QStringLiteral("train"));
        press("recordStart");
        ASSERT_TRUE(QTest::qWaitFor([&] { return !error().isEmpty(); }, kLongestWaitMs));
        test::expectText(error().toStdString() + '\n');
        dialog->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

TEST_F(RecordThereWindowTest, AProgramThatIsLeftThereIsSaidHowToBring)
{
    standIn();
    ask(QStringLiteral("me@there"), kWaits.arg(m_gate));
    press("recordStart");
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Recording));
    ASSERT_TRUE(QTest::qWaitFor([&] { return log().contains(QStringLiteral("ready")); }, kLongestWaitMs));
    EXPECT_EQ(control<QPushButton>("recordStop")->text(), QStringLiteral("Leave it there"));
    press("recordStop");
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    test::expectText(shown(bar()->sentence() + '\n' + bar()->warning()));
    EXPECT_FALSE(QFile::exists(m_file));
    QFile gate(m_gate);
    ASSERT_TRUE(gate.open(QIODevice::WriteOnly));
    const QString end = m_window.recorder()->there().folder() + QStringLiteral("/end");
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(end); }, kLongestWaitMs)) << "it is recorded to its end";
}

TEST_F(RecordThereWindowTest, AProgramThatIsAskedToEndBringsItsTrace)
{
    standIn();
    ask(QStringLiteral("me@there"),
        QStringLiteral("sh -c '" OVERLANE_RECORDED_PROGRAM " 5 1; echo ready; exec sleep 1000'"));
    press("recordStart");
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Recording));
    ASSERT_TRUE(QTest::qWaitFor([&] { return log().contains(QStringLiteral("ready")); }, kLongestWaitMs));
    QSignalSpy opened(document(), &Document::opened);
    press("recordEnd");
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, kLongestWaitMs)) << bar()->warning().toStdString();
    EXPECT_EQ(document()->path(), m_file);
}

TEST_F(RecordThereWindowTest, ThroughOpenSsh)
{
    const test::OwnSshd server;
    if (!server.letsIn())
        GTEST_SKIP() << "no sshd here, or it does not let this user in";
    ask(QStringLiteral("there"), QStringLiteral(OVERLANE_RECORDED_PROGRAM " 7 1"));
    QSignalSpy opened(document(), &Document::opened);
    press("recordStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1 || !error().isEmpty(); }, kLongestWaitMs));
    ASSERT_EQ(opened.count(), 1) << error().toStdString();
    EXPECT_EQ(device().kernels, 7);
}

TEST_F(RecordThereWindowTest, CancelEndsTheStartAndKeepsTheDialog)
{
    // A connection that never answers.
    std::filesystem::create_directory(m_home.path("slow"));
    const std::string ssh = m_home.write("slow/ssh", "#!/bin/sh\nexec sleep 1000\n");
    std::filesystem::permissions(ssh, std::filesystem::perms::owner_all);
    m_path = std::getenv("PATH");
    setenv("PATH", (m_home.path("slow") + ":" + m_path).c_str(), 1);
    RecordDialog* dialog = ask(QStringLiteral("me@there"), QStringLiteral("train"));
    press("recordStart");
    auto* step = control<QLabel>("recordStep");
    ASSERT_TRUE(QTest::qWaitFor([&] { return step->isVisible(); }, kLongestWaitMs));
    EXPECT_EQ(step->text(), QStringLiteral("Connecting to me@there …"));
    EXPECT_FALSE(control<QPushButton>("recordStart")->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Escape);
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_TRUE(error().isEmpty()) << error().toStdString();
    EXPECT_TRUE(control<QPushButton>("recordStart")->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Escape);
    EXPECT_FALSE(dialog->isVisible());
}

}  // namespace
}  // namespace overlane
