// The machine dialog in the window: opened by its keys, fed from the laboratory, and back.
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QSpinBox>

#include "app/machine/calculator_page.h"
#include "app/machine/machine_dialog.h"
#include "app/machine/machine_page.h"
#include "app/machine/machine_tool.h"
#include "app/session/document.h"
#include "app/session/gpu_runs.h"
#include "app/shell/help_window.h"
#include "app/shell/window_shell.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class MachineWindowTest : public WindowTest
{
protected:
    void SetUp() override
    {
        new MachineTool(m_window.shell());
        WindowTest::SetUp();
        QTest::keyClick(&m_window, Qt::Key_M, Qt::ControlModifier);
        m_dialog = m_window.findChild<MachineDialog*>();
        ASSERT_NE(m_dialog, nullptr);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(m_dialog));
    }

    MachineDialog* m_dialog = nullptr;
};

TEST_F(MachineWindowTest, WithoutAGpuThatIsSaidAtTheTop)
{
    auto* notice = m_dialog->findChild<QLabel*>("gpuNotice");
    ASSERT_NE(notice, nullptr);
    EXPECT_FALSE(notice->isVisible()) << "not asked yet";
    document()->gpuRuns()->detect([] { return describeGpuSupport(true, 13000, {}, true); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return notice->isVisible(); }, kLongestWaitMs));
    EXPECT_EQ(notice->geometry().top(), m_dialog->layout()->contentsRect().top());
    test::expectText(notice->text());
}

TEST_F(MachineWindowTest, CalculatorStartsFromTheLaboratoryAndGivesBack)
{
    EXPECT_EQ(m_dialog->calculator()->scenario(), scenario());
    m_dialog->showCalculator();
    auto* workers = m_dialog->findChild<QSpinBox*>("calculatorWorkersBox");
    workers->setFocus();
    QTest::keyClick(workers, Qt::Key_Up);
    EXPECT_EQ(scenario().workers, 4);
    QTest::mouseClick(m_dialog->findChild<QPushButton*>("calculatorUse"), Qt::LeftButton);
    EXPECT_EQ(scenario().workers, 5);
    document()->laboratory()->undoStack()->undo();
    EXPECT_EQ(scenario().workers, 4);
    QTest::mouseClick(m_dialog->findChild<QPushButton*>("calculatorTake"), Qt::LeftButton);
    EXPECT_EQ(m_dialog->calculator()->scenario().workers, 4);
}

TEST_F(MachineWindowTest, ItsLinksOpenTheirPages)
{
    emit m_dialog->machine()->helpRequested("numa");
    auto* help = m_window.findChild<HelpWindow*>();
    ASSERT_NE(help, nullptr);
    EXPECT_EQ(help->page(), "numa");
    emit m_dialog->machine()->helpRequested("memory");
    EXPECT_EQ(help->page(), "memory");
    EXPECT_TRUE(help->text().contains("workers x prefetch", Qt::CaseInsensitive) || help->text().contains("W x F"));
}

}  // namespace
}  // namespace overlane
