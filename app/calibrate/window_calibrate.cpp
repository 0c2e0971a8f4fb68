#include "app/calibrate/window_calibrate.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include "app/calibrate/calibrate_dialog.h"
#include "app/ui/document.h"
#include "app/ui/gpu_runs.h"
#include "app/ui/laboratory_panel.h"
#include "app/ui/main_window.h"

namespace overlane
{

WindowCalibrate::WindowCalibrate(MainWindow* window) : QObject(window), m_window(window)
{
    makeMenu();
}

void WindowCalibrate::makeMenu()
{
    QMenuBar* bar = m_window->menuBar();
    auto* menu = bar->findChild<QMenu*>(QStringLiteral("toolsMenu"));
    if (menu == nullptr) {
        menu = new QMenu(tr("&Tools"), bar);
        menu->setObjectName("toolsMenu");
        const QList<QAction*> menus = bar->actions();
        bar->insertMenu(menus.isEmpty() ? nullptr : menus.back(), menu);
    }
    auto* action = new QAction(tr("&Calibrate …"), m_window);
    action->setStatusTip(tr("Measure this machine's GPU and memory, and look at the figures and plots of any profile"));
    connect(action, &QAction::triggered, this, [this] { open(); });
    menu->addAction(action);
}

CalibrateDialog* WindowCalibrate::open()
{
    if (m_dialog == nullptr) {
        m_dialog = new CalibrateDialog(m_window);
        GpuRuns* runs = m_window->document()->gpuRuns();
        Laboratory* laboratory = m_window->document()->laboratory();
        m_dialog->setSupport(runs->support());
        m_dialog->showProfile(laboratory->state().deviceKey);
        connect(runs, &GpuRuns::supportChanged, m_dialog, [this, runs] { m_dialog->setSupport(runs->support()); });
        connect(m_dialog, &CalibrateDialog::profilesChanged, m_window->laboratoryPanel(),
                &LaboratoryPanel::refreshDevices);
        connect(m_dialog, &CalibrateDialog::profileUsed, this, [this, laboratory](const QString& key) {
            laboratory->setDevice(key.toStdString());
            m_window->laboratoryPanel()->refreshDevices();
        });
        connect(m_dialog, &CalibrateDialog::helpRequested, this,
                [this](const QString& page) { m_window->showHelp(page); });
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    return m_dialog;
}

}  // namespace overlane
