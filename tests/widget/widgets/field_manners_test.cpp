// The wheel and the keys of undo over fields: what a field may keep for itself, and what it may not.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QStyleOptionSlider>
#include <QWheelEvent>

#include "app/laboratory/laboratory_panel.h"
#include "app/timeline/timeline_view.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class FieldMannersTest : public WindowTest
{
protected:
    // As a mouse sends it: to what is under the pointer, and from there to its parents.
    static void turnWheel(QWidget* over, int notches)
    {
        const QPoint at = over->rect().center();
        QWheelEvent wheel(at, over->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&wheel);  // only those go on to the parents
        qApp->notify(over, &wheel);
    }
    QUndoStack* undo() { return document()->laboratory()->undoStack(); }
};

TEST_F(FieldMannersTest, TheWheelOverAFieldWithoutFocusScrollsThePageAndChangesNothing)
{
    m_window.resize(1000, 500);
    m_window.timeline()->setFocus();
    const Laboratory::State before = document()->laboratory()->state();
    const auto* area = m_window.laboratoryPanel()->findChild<QScrollArea*>();
    ASSERT_GT(area->verticalScrollBar()->maximum(), 0);
    QList<QWidget*> fields;
    for (QSlider* slider : m_window.laboratoryPanel()->findChildren<QSlider*>())
        fields << slider;
    for (QComboBox* combo : m_window.laboratoryPanel()->findChildren<QComboBox*>())
        fields << combo;
    for (QDoubleSpinBox* box : m_window.laboratoryPanel()->findChildren<QDoubleSpinBox*>())
        fields << box;
    int scrolled = 0;
    for (QWidget* field : fields) {
        if (!field->isVisible())
            continue;
        for (const int notches : {-1, 1}) {
            const int at = area->verticalScrollBar()->value();
            turnWheel(field, notches);
            scrolled += area->verticalScrollBar()->value() != at ? 1 : 0;
            EXPECT_TRUE(document()->laboratory()->state() == before) << field->objectName().toStdString();
            EXPECT_FALSE(field->hasFocus()) << field->objectName().toStdString();
        }
    }
    EXPECT_GT(scrolled, 4);
    EXPECT_EQ(undo()->count(), 0);
}

TEST_F(FieldMannersTest, TheWheelTurnsTheFieldThatThePersonIsAt)
{
    auto* slider = control<QSlider>("workers_slider");
    slider->setFocus();
    const int workers = scenario().workers;
    turnWheel(slider, 1);
    EXPECT_NE(scenario().workers, workers);
    settle();
}

TEST_F(FieldMannersTest, FieldsOfOtherWindowsKeepToItToo)
{
    QWidget dialog(&m_window, Qt::Dialog);
    QComboBox combo(&dialog);
    combo.addItems({"a", "b", "c"});
    combo.setCurrentIndex(1);
    QSpinBox box(&dialog);
    box.move(0, 60);
    box.setValue(7);
    QLineEdit other(&dialog);
    other.move(0, 120);
    dialog.show();
    other.setFocus();
    turnWheel(&combo, 1);
    turnWheel(&box, 1);
    EXPECT_EQ(combo.currentIndex(), 1);
    EXPECT_EQ(box.value(), 7);
}

TEST_F(FieldMannersTest, AfterEnterUndoAndRedoAreTheWindowsInTheFieldItself)
{
    auto* box = control<QDoubleSpinBox>("batch_bytes");
    const std::int64_t before = scenario().batchBytes;
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "96 MiB");
    // While it is typed, it is the text that is taken back.
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(undo()->count(), 0);
    box->selectAll();
    QTest::keyClicks(box, "96 MiB");
    QTest::keyClick(box, Qt::Key_Return);
    ASSERT_EQ(scenario().batchBytes, 96ll << 20);
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(scenario().batchBytes, before);
    EXPECT_EQ(box->value(), static_cast<double>(before));
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(scenario().batchBytes, 96ll << 20);
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(box, Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(scenario().batchBytes, 96ll << 20);
    settle();
}

TEST_F(FieldMannersTest, OneDragIsOneStepWhereverOnTheSliderItBegins)
{
    auto* slider = control<QSlider>("compute_us_slider");
    const Scenario before = scenario();
    const auto drag = [&](const QPoint& from, int byPx) {
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 8; ++i) {
            QTest::mouseMove(slider, from + QPoint(byPx * i / 8, 0));
            QTest::qWait(60);  // the runs between come and are shown; a groove steps on
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, from + QPoint(byPx, 0));
    };
    QStyleOptionSlider option;
    option.initFrom(slider);
    option.minimum = slider->minimum();
    option.maximum = slider->maximum();
    option.sliderPosition = option.sliderValue = slider->value();
    const QRect handle = slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider);
    drag(handle.center(), slider->width() / 2);
    ASSERT_FALSE(scenario() == before);
    EXPECT_EQ(undo()->count(), 1);
    settle();
    undo()->undo();
    EXPECT_EQ(scenario(), before);
    settle();

    QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(slider->width() - 4, slider->height() / 2));
    const int once = slider->value();
    ASSERT_TRUE(QTest::qWaitFor([&] { return slider->value() > once + slider->pageStep(); }, kLongestWaitMs))
        << "the groove repeats";
    QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() - 4, slider->height() / 2));
    ASSERT_FALSE(scenario() == before);
    EXPECT_EQ(undo()->count(), 1) << "a groove that is held";
    undo()->undo();
    EXPECT_EQ(scenario(), before);
    settle();
}

TEST_F(FieldMannersTest, AHeldKeyIsOneStepAndTwoKeysAreTwo)
{
    auto* slider = control<QSlider>("compute_us_slider");
    slider->setFocus();
    const auto send = [&](QEvent::Type type, bool repeats) {
        QKeyEvent event(type, Qt::Key_Right, Qt::NoModifier, QString(), repeats);
        QApplication::sendEvent(slider, &event);
    };
    const auto hold = [&] {
        send(QEvent::KeyPress, false);
        for (int i = 0; i < 5; ++i) {
            send(QEvent::KeyRelease, true);
            send(QEvent::KeyPress, true);
        }
        send(QEvent::KeyRelease, false);
    };
    hold();
    EXPECT_EQ(undo()->count(), 1);
    hold();
    EXPECT_EQ(undo()->count(), 2);
    settle();
}

}  // namespace
}  // namespace overlane
