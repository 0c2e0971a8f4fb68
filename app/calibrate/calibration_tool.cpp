#include "app/calibrate/calibration_tool.h"

#include "app/calibrate/calibrate_dialog.h"
#include "app/session/document.h"
#include "app/session/gpu_runs.h"
#include "app/session/laboratory.h"
#include "app/session/shell.h"
#include "app/widgets/text.h"

namespace overlane
{

CalibrationTool::CalibrationTool(Shell* shell) : QObject(shell->window()), m_shell(shell)
{
    shell->addEntry(
        Shell::Menu::Tools,
        {.label = u"&Calibrate …"_s,
         .meaning = u"Measure this machine's GPU and memory, and look at the figures and plots of any profile"_s},
        [this] { open(); });
}

CalibrateDialog* CalibrationTool::open()
{
    if (m_dialog == nullptr) {
        GpuRuns* runs = m_shell->document()->gpuRuns();
        Laboratory* laboratory = m_shell->document()->laboratory();
        m_dialog = new CalibrateDialog(m_shell->window(), laboratory->state().deviceKey);
        m_dialog->setSupport(runs->support());
        connect(runs, &GpuRuns::supportChanged, m_dialog, [this, runs] { m_dialog->setSupport(runs->support()); });
        connect(m_dialog, &CalibrateDialog::profilesChanged, laboratory, &Laboratory::devicesChanged);
        connect(m_dialog, &CalibrateDialog::profileUsed, this, [laboratory](const QString& key) {
            laboratory->setDevice(key.toStdString());
            emit laboratory->devicesChanged();
        });
        connect(m_dialog, &CalibrateDialog::helpRequested, m_shell, &Shell::showHelp);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    return m_dialog;
}

}  // namespace overlane
