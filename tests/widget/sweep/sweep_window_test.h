// A window with sweeps and advisor, and a folder of its own for what is kept.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

#include "app/session/document.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/window_shell.h"
#include "app/sweep/advisor_panel.h"
#include "app/sweep/sweep_library.h"
#include "app/sweep/sweep_panel.h"
#include "app/sweep/sweep_tool.h"
#include "tests/widget/window_test.h"

namespace overlane
{

class SweepWindowTest : public WindowTest
{
protected:
    void SetUp() override
    {
        ASSERT_TRUE(m_folder.isValid());
        m_lab = new SweepTool(m_window.shell(), m_folder.filePath("sweeps"));
        WindowTest::SetUp();
        m_window.resize(1280, 800);
    }
    SweepLibrary* library() { return m_lab->library(); }
    SweepPanel* panel() { return m_lab->panel(); }
    AdvisorPanel* advisor() { return m_lab->advisor(); }
    void wait()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !library()->busy() && !advisor()->busy() && !document()->busy(); },
                                    kLongestWaitMs));
    }
    void click(const char* button) { QTest::mouseClick(control<QAbstractButton>(button), Qt::LeftButton); }
    // As a person turns a combo box: by its text's data.
    void pick(const char* box, const QVariant& data)
    {
        auto* combo = control<QComboBox>(box);
        const int at = combo->findData(data);
        ASSERT_GE(at, 0) << box;
        combo->setCurrentIndex(at);
        emit combo->activated(at);
    }
    void pickText(const char* box, const QString& text)
    {
        auto* combo = control<QComboBox>(box);
        const int at = combo->findText(text);
        ASSERT_GE(at, 0) << box;
        combo->setCurrentIndex(at);
        emit combo->activated(at);
    }
    QTemporaryDir m_folder;
    SweepTool* m_lab = nullptr;
};

}  // namespace overlane
