// Pictures of the window's states in both themes, for people to look at: in the build folder under
// tests/widget/ui/pictures. What they show is checked by the other tests; here only that they show it.
#include <QDir>
#include <QPushButton>

#include "app/ui/about_box.h"
#include "app/ui/first_hint.h"
#include "app/ui/help_window.h"
#include "app/ui/message_bar.h"
#include "app/ui/verdict_bar.h"
#include "tests/widget/ui/window_gestures.h"
#include "tests/widget/ui/window_test.h"

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
        QTest::qWait(50);
    }
    void take(QWidget& widget, const QString& name)
    {
        const QString theme = GetParam() == Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light");
        const QString path = QStringLiteral(OVERLANE_PICTURES "/%1_%2.png").arg(name, theme);
        EXPECT_TRUE(widget.grab().save(path)) << path.toStdString();
    }

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

TEST_P(PicturesTest, ATraceIsOpenedAndOneCannotBe)
{
    m_window.document()->open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/") +
                              QString::fromUtf8(kPinnedRun));
    QTest::qWait(0);
    take(m_window, "loading");
    settle();
    m_window.document()->open("/no/such/folder/trace.json");
    settle();
    take(m_window, "error");
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_NE(m_window.document()->trace(), nullptr);
}

TEST_P(PicturesTest, HelpAndAbout)
{
    for (const QString& page : HelpWindow::pages()) {
        HelpWindow* help = m_window.showHelp(page);
        QTest::qWait(20);
        take(*help, "help_" + page);
        EXPECT_EQ(help->page(), page);
    }
    showAbout(&m_window, [] { return describeGpuSupport(false, 0, {}, false); });
    auto* about = m_window.findChild<QDialog*>("aboutBox");
    ASSERT_NE(about, nullptr);
    QTest::qWait(100);
    take(*about, "about");
}

INSTANTIATE_TEST_SUITE_P(Themes, PicturesTest, testing::Values(Theme::Light, Theme::Dark));

}  // namespace
}  // namespace overlane
