// The program on a real display: it starts, is maximized, quits and starts again, with settings of any age.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QProcessEnvironment>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/display/hand.h"
#include "tests/display/saved_geometry.h"

namespace overlane
{
namespace
{

class StartTest : public testing::Test
{
protected:
    void SetUp() override { ASSERT_TRUE(QDir(m_home.path()).mkdir("overlane")); }
    void TearDown() override
    {
        m_program.kill();
        m_program.waitForFinished(kLongestWaitMs);
    }

    void begin(const QStringList& arguments = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", m_home.path());
        m_program.setProcessEnvironment(environment);
        m_program.setProcessChannelMode(QProcess::MergedChannels);
        m_program.start(QStringLiteral(OVERLANE_UI_PROGRAM), arguments);
    }
    bool running() const { return m_program.state() != QProcess::NotRunning; }
    // Until the window is on the screen and its first trace in it: the title names it then.
    void start(const QStringList& arguments = {})
    {
        begin(arguments);
        const auto drawn = [this] {
            const auto found = tool("xdotool", {"search", "--all", "--onlyvisible", "--pid",
                                                QString::number(m_program.processId()), "--name", " — Overlane$"});
            m_window = found.value_or(QString()).section('\n', -1);
            return !m_window.isEmpty();
        };
        ASSERT_TRUE(waitFor([&] { return !running() || drawn(); }));
        ASSERT_TRUE(running()) << "it ended: " << m_program.exitStatus() << ", " << m_program.exitCode() << ": "
                               << m_program.readAll().toStdString();
    }
    void quit()
    {
        // Said again where the window had not the keyboard yet.
        const auto gone = [this] {
            hand({"windowactivate", m_window, "key", "--clearmodifiers", "ctrl+q"});
            return waitFor([this] { return !running(); }, 5000);
        };
        ASSERT_TRUE(waitFor(gone));
        EXPECT_EQ(m_program.exitStatus(), QProcess::NormalExit);
        EXPECT_EQ(m_program.exitCode(), 0);
        EXPECT_EQ(m_program.readAll().toStdString(), "");
    }
    QRect place() { return placeOf(m_window); }
    bool maximized() { return place().width() == screenSize().width(); }
    // As the window manager's own button asks for it; said again it changes nothing.
    void setMaximized(bool wanted)
    {
        const QString change = QStringLiteral("%1,maximized_vert,maximized_horz").arg(wanted ? "add" : "remove");
        const auto done = [&] {
            tool("wmctrl", {"-i", "-r", m_window, "-b", change});
            return waitFor([&] { return maximized() == wanted; }, 2000);
        };
        ASSERT_TRUE(waitFor(done));
    }
    void expectOnTheScreen()
    {
        const QRect screen({0, 0}, screenSize());
        EXPECT_TRUE(screen.contains(place()))
            << place().x() << "," << place().y() << " " << place().width() << "x" << place().height();
    }

    QString settingsFile() const { return m_home.filePath("overlane/overlane-ui.conf"); }
    QByteArray kept(const char* key)
    {
        return QSettings(settingsFile(), QSettings::IniFormat).value(QString::fromUtf8(key)).toByteArray();
    }
    void keep(const char* key, const QVariant& value)
    {
        QSettings(settingsFile(), QSettings::IniFormat).setValue(QString::fromUtf8(key), value);
    }
    bool marked()
    {
        QFile file(settingsFile());
        return file.open(QIODevice::ReadOnly) && file.readAll().contains("startUnderWay");
    }

    QTemporaryDir m_home;
    QProcess m_program;
    QString m_window;
};

TEST_F(StartTest, TheFirstWindowFitsTheScreen)
{
    start();
    expectOnTheScreen();
    quit();
    EXPECT_FALSE(kept("geometry").isEmpty());
    EXPECT_FALSE(kept("layout").isEmpty());
}

TEST_F(StartTest, MaximizedAndQuitItStartsMaximizedEveryTime)
{
    start();
    setMaximized(true);
    quit();
    for (const QStringList& arguments :
         {QStringList(), {OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane"}, {"--lesson", "why_pinned"}}) {
        SCOPED_TRACE(arguments.join(' ').toStdString());
        start(arguments);
        EXPECT_TRUE(waitFor([this] { return maximized(); }));
        quit();
    }
}

TEST_F(StartTest, RestoredItHasTheSizeItHadBeforeItWasMaximized)
{
    start();
    const QRect before = place();
    setMaximized(true);
    quit();
    start();
    EXPECT_TRUE(waitFor([this] { return maximized(); }));
    setMaximized(false);
    EXPECT_TRUE(waitFor([&] { return place().size() == before.size(); }))
        << place().width() << "x" << place().height() << " was " << before.width() << "x" << before.height();
    quit();
}

TEST_F(StartTest, SettingsOfAnOlderAndOfANewerVersionStart)
{
    start();
    const QSize size = place().size();
    setMaximized(true);
    quit();
    const QByteArray layout = kept("layout");
    ASSERT_GT(layout.size(), 40);
    // The version is the second number of the layout: older and newer, then cut short, then nonsense.
    QByteArray older = layout;
    older[7] = 0;
    QByteArray newer = layout;
    newer[7] = 99;
    for (const QByteArray& unknown : {older, newer, layout.left(layout.size() / 2), QByteArray("\xff\0nonsense", 10)}) {
        SCOPED_TRACE(unknown.toHex().toStdString());
        keep("layout", unknown);
        keep("geometry", savedGeometry(QRect({20, 40}, size), false));
        keep("aKeyOfTomorrow", QVariantList{1, 2, 3});
        start();
        expectOnTheScreen();
        quit();
        EXPECT_EQ(kept("layout").size(), layout.size()) << "the layout should be the default one again";
    }
}

TEST_F(StartTest, AWindowLeftOnAScreenThatIsGoneComesBack)
{
    const QSize screen = screenSize();
    for (const QPoint corner : {QPoint(3 * screen.width(), 50), QPoint(-2 * screen.width(), -700),
                                QPoint(screen.width() - 60, screen.height() - 60)}) {
        SCOPED_TRACE(corner.x());
        keep("geometry", savedGeometry(QRect(corner, QSize(2400, 1500)), false));
        start();
        expectOnTheScreen();
        quit();
    }
}

TEST_F(StartTest, AStartThatWasKilledBeforeItPaintedIsFollowedByTheDefaultLayout)
{
    start();
    const QRect usual = place();
    setMaximized(true);
    quit();
    // The mark is there from before the window is shown until it is painted: kill it in between.
    const auto killedInTime = [this] {
        begin();
        const bool seen = QTest::qWaitFor([this] { return marked() || !running(); }, kLongestWaitMs);
        m_program.kill();
        m_program.waitForFinished(kLongestWaitMs);
        return seen && marked();
    };
    ASSERT_TRUE(waitFor(killedInTime));
    start();
    EXPECT_EQ(place().size(), usual.size()) << "the layout that may have been the cause is left alone";
    EXPECT_FALSE(marked());
    quit();
    start();
    EXPECT_EQ(place().size(), usual.size());
    quit();
}

}  // namespace
}  // namespace overlane
