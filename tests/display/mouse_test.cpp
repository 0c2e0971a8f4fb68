// The window under a real mouse: buttons, drags, the wheel, and the title bar that the window manager draws.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QUndoStack>

#include "app/shell/main_window.h"
#include "app/timeline/timeline_view.h"
#include "tests/display/hand.h"

namespace overlane
{
namespace
{

class MouseTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_window.document()->simulate();
        m_window.show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window, kLongestWaitMs));
        ASSERT_TRUE(waitFor([this] { return !m_window.document()->busy(); }));
        m_window.timeline()->setFocus();
    }
    template <typename Widget>
    Widget* control(const char* name)
    {
        auto* found = m_window.findChild<Widget*>(QString::fromUtf8(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    static void moveTo(const QWidget* widget, QPoint at)
    {
        const QPoint place = widget->mapToGlobal(at) * widget->devicePixelRatio();
        ASSERT_TRUE(hand({"mousemove", QString::number(place.x()), QString::number(place.y())}));
    }
    static void moveTo(const QWidget* widget) { moveTo(widget, widget->rect().center()); }
    static void press(const char* what, const char* button)
    {
        ASSERT_TRUE(hand({QString::fromUtf8(what), QString::fromUtf8(button)}));
    }
    static QPoint handleOf(QSlider* slider)
    {
        QStyleOptionSlider option;
        option.initFrom(slider);
        option.orientation = slider->orientation();
        option.minimum = slider->minimum();
        option.maximum = slider->maximum();
        option.sliderPosition = slider->sliderPosition();
        option.sliderValue = slider->value();
        return slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider).center();
    }

    MainWindow m_window{false};
};

TEST_F(MouseTest, AClickPressesAButton)
{
    ASSERT_EQ(m_window.document()->baseline().trace, nullptr);
    moveTo(control<QPushButton>("keepAsA"));
    press("click", "1");
    EXPECT_TRUE(waitFor([this] { return m_window.document()->baseline().trace != nullptr; }, 5000));
}

TEST_F(MouseTest, ADraggedSliderIsOneChange)
{
    auto* slider = control<QSlider>("workers_slider");
    const QUndoStack* undo = m_window.document()->laboratory()->undoStack();
    const int before = slider->value();
    const int changes = undo->count();
    const QPoint handle = handleOf(slider);
    moveTo(slider, handle);
    press("mousedown", "1");
    for (int px = 3; px <= 18; px += 3)
        moveTo(slider, handle + QPoint(px, 0));
    EXPECT_TRUE(waitFor([&] { return slider->value() > before; }, 5000)) << slider->value();
    press("mouseup", "1");
    EXPECT_TRUE(waitFor([&] { return !slider->isSliderDown() && !m_window.document()->busy(); }));
    EXPECT_EQ(undo->count(), changes + 1);
    EXPECT_GT(m_window.document()->laboratory()->scenario().workers, 4);
}

TEST_F(MouseTest, TheWheelTurnsAValueOnlyWhereThePersonIsAtIt)
{
    auto* device = control<QComboBox>("device");
    QSignalSpy turned(device, &QComboBox::currentIndexChanged);
    const auto trace = m_window.document()->trace();
    moveTo(device);
    press("click", "5");
    // The wheel's notch has come once the next thing of the hand has.
    moveTo(control<QPushButton>("keepAsA"));
    press("click", "1");
    ASSERT_TRUE(waitFor([this] { return m_window.document()->baseline().trace != nullptr; }, 5000));
    EXPECT_EQ(turned.count(), 0);
    EXPECT_EQ(m_window.document()->trace(), trace);
    device->setFocus();
    moveTo(device);
    press("click", "5");
    EXPECT_TRUE(waitFor([&] { return turned.count() > 0; }, 5000)) << "with the focus it does turn";
}

TEST_F(MouseTest, ADoubleClickOnTheTitleMaximizes)
{
    const QRect inside = m_window.geometry();
    const int titlePx = inside.top() - m_window.frameGeometry().top();
    ASSERT_GT(titlePx, 4) << "the window manager draws no title";
    moveTo(&m_window, QPoint(inside.width() / 2, -titlePx / 2));
    ASSERT_TRUE(hand({"click", "--repeat", "2", "--delay", "60", "1"}));
    EXPECT_TRUE(waitFor([this] { return m_window.isMaximized(); }, 5000));
    EXPECT_TRUE(waitFor([this] { return m_window.width() == m_window.screen()->availableGeometry().width(); }, 5000));
}

}  // namespace
}  // namespace overlane
