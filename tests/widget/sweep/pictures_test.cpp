// Pictures of sweeps and advisor for people to look at, light and dark, large and small.
#include <QDir>

#include "app/theme/palette.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/sweep/sweep_window_test.h"

namespace overlane
{
namespace
{

class SweepPicturesTest : public SweepWindowTest
{
protected:
    static constexpr int kFastPng = 90;  // as a quality: hardly compressed
    void TearDown() override { applyTheme(*qApp, Theme::Light); }
    void take(const QString& name)
    {
        ASSERT_TRUE(QDir().mkpath(OVERLANE_PICTURES));
        for (const auto& [theme, size] :
             {std::pair{Theme::Light, QSize(1280, 800)}, std::pair{Theme::Dark, QSize(1920, 1080)}}) {
            m_window.setTheme(theme);
            m_window.resize(size);
            m_window.arrangeDocks();
            m_lab->panel()->isVisible() ? m_lab->openSweeps() : m_lab->openAdvisor();
            handleEvents();
            const QString path =
                QStringLiteral("%1/%2-%3.png").arg(QStringLiteral(OVERLANE_PICTURES), name).arg(size.width());
            EXPECT_TRUE(m_window.grab().save(path, nullptr, kFastPng));
        }
    }
    // As files that a paper would take.
    void write(const char* name)
    {
        ASSERT_TRUE(QDir().mkpath(OVERLANE_PICTURES));
        for (const char* ending : {"png", "svg", "pdf"}) {
            const QString path =
                QStringLiteral("%1/%2.%3")
                    .arg(QStringLiteral(OVERLANE_PICTURES), QLatin1String(name), QLatin1String(ending));
            EXPECT_EQ(panel()->plot()->write(path), QString());
        }
    }
    void runReady(const char* key)
    {
        panel()->takeReady(QString(key));
        panel()->run();
        wait();
    }
};

TEST_F(SweepPicturesTest, Sweeps)
{
    m_lab->openSweeps();
    take("empty");
    control<QSpinBox>("sweepRepeats")->setValue(3);
    runReady("compute");
    take("lines");
    write("lines");
    control<QSpinBox>("sweepRepeats")->setValue(1);
    runReady("pinned_workers");
    take("heat-map");
    write("heat-map");
    panel()->takeReady("allocation_cost");
    take("allocation");
    write("allocation");
}

TEST_F(SweepPicturesTest, Advisor)
{
    document()->laboratory()->set(*findSetting("produce_us"), 2000);
    document()->laboratory()->set(*findSetting("sync_every_step"), 1);
    settle();
    m_lab->openAdvisor();
    advisor()->search();
    wait();
    take("advisor");
}

}  // namespace
}  // namespace overlane
