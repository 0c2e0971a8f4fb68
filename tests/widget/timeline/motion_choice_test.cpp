#include "app/theme/motion_choice.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/theme/window_style.h"

namespace overlane
{
namespace
{

class MotionChoiceTest : public testing::Test
{
protected:
    void SetUp() override { ASSERT_NE(style(), nullptr); }
    void TearDown() override
    {
        qputenv("PATH", m_path);
        qputenv("XDG_CURRENT_DESKTOP", m_desktop);
        qputenv("XDG_CONFIG_HOME", m_config);
        style()->setMotionReduced(false);
    }
    static WindowStyle* style() { return qobject_cast<WindowStyle*>(qApp->style()); }
    // A desktop of this name, whose gsettings is this script.
    void pretend(const char* desktop, const QByteArray& script)
    {
        QFile file(m_folder.filePath("gsettings"));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        qputenv("XDG_CURRENT_DESKTOP", desktop);
        qputenv("PATH", m_folder.path().toUtf8() + ":/bin:/usr/bin");
    }
    static void ask(MotionChoice& motion)
    {
        QSignalSpy answered(&motion, &MotionChoice::desktopAnswered);
        motion.askDesktop();
        ASSERT_TRUE(!answered.isEmpty() || answered.wait(10'000));
        EXPECT_EQ(answered.size(), 1);
    }

    QTemporaryDir m_folder;
    const QByteArray m_path = qgetenv("PATH");
    const QByteArray m_desktop = qgetenv("XDG_CURRENT_DESKTOP");
    const QByteArray m_config = qgetenv("XDG_CONFIG_HOME");
};

TEST_F(MotionChoiceTest, ReadsWhatTheDesktopsSay)
{
    EXPECT_EQ(MotionChoice::gnomeWantsLess("false\n"), true);
    EXPECT_EQ(MotionChoice::gnomeWantsLess("true\n"), false);
    EXPECT_EQ(MotionChoice::gnomeWantsLess("No such schema"), std::nullopt);
    EXPECT_EQ(MotionChoice::kdeWantsLess("[KDE]\nAnimationDurationFactor=0\n"), true);
    EXPECT_EQ(MotionChoice::kdeWantsLess("[KDE]\nAnimationDurationFactor=0.5\n"), false);
    EXPECT_EQ(MotionChoice::kdeWantsLess("[General]\nAnimationDurationFactor=0\n"), std::nullopt);
    EXPECT_EQ(MotionChoice::kdeWantsLess("[KDE]\nAnimationDurationFactor=slow\n"), std::nullopt);
}

TEST_F(MotionChoiceTest, FollowsTheDesktopUnlessAPersonChose)
{
    pretend("GNOME", "[ \"$*\" = 'get org.gnome.desktop.interface enable-animations' ] && echo false");
    MotionChoice motion;
    ask(motion);
    EXPECT_TRUE(motion.desktopWantsLess());
    EXPECT_TRUE(style()->motionReduced());
    motion.choose(MotionChoice::Choice::Full);
    EXPECT_FALSE(style()->motionReduced());
    motion.choose(MotionChoice::Choice::Desktop);
    EXPECT_TRUE(style()->motionReduced());
    pretend("GNOME", "echo true");
    ask(motion);
    EXPECT_FALSE(style()->motionReduced());
    motion.choose(MotionChoice::Choice::Reduced);
    EXPECT_TRUE(style()->motionReduced());
}

TEST_F(MotionChoiceTest, ADesktopThatFailsHasMotion)
{
    pretend("GNOME", "echo false; exit 1");
    MotionChoice motion;
    ask(motion);
    EXPECT_FALSE(style()->motionReduced());
}

TEST_F(MotionChoiceTest, ADesktopThatHangsIsNotWaitedFor)
{
    pretend("GNOME", "exec sleep 60");
    MotionChoice motion;
    ask(motion);
    EXPECT_FALSE(motion.desktopWantsLess());
}

TEST_F(MotionChoiceTest, AWindowThatClosesEndsTheQuestion)
{
    pretend("GNOME", "exec sleep 60");
    {
        MotionChoice motion;
        motion.askDesktop();
        ASSERT_TRUE(motion.findChild<QProcess*>()->waitForStarted());
    }
    EXPECT_FALSE(style()->motionReduced());
}

TEST_F(MotionChoiceTest, ReadsTheFileOfKde)
{
    pretend("KDE", "echo true");
    QFile file(m_folder.filePath("kdeglobals"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[KDE]\nAnimationDurationFactor=0\n");
    file.close();
    qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8());
    MotionChoice motion;
    ask(motion);
    EXPECT_TRUE(style()->motionReduced());
}

}  // namespace
}  // namespace overlane
