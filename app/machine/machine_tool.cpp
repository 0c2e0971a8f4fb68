#include "app/machine/machine_tool.h"

#include "app/machine/calculator_page.h"
#include "app/machine/machine_dialog.h"
#include "app/session/document.h"
#include "app/session/laboratory.h"
#include "app/session/shell.h"
#include "app/widgets/text.h"

namespace overlane
{

MachineTool::MachineTool(Shell* shell) : QObject(shell->window()), m_shell(shell)
{
    shell->addEntry(Shell::Menu::Tools,
                    {.label = u"&Machine and memory …"_s,
                     .meaning = u"This machine's memory, NUMA nodes and GPUs, and how much a loader pins"_s,
                     .keys = Qt::CTRL | Qt::Key_M},
                    [this] { open(); });
}

MachineDialog* MachineTool::open()
{
    if (m_dialog == nullptr)
        makeDialog();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    return m_dialog;
}

void MachineTool::makeDialog()
{
    m_dialog = new MachineDialog(m_shell->window());
    m_dialog->follow(m_shell->document()->gpuRuns());
    Laboratory* laboratory = m_shell->document()->laboratory();
    const auto take = [this, laboratory] {
        m_dialog->calculator()->setScenario(laboratory->scenario(), laboratory->device());
    };
    connect(m_dialog, &MachineDialog::scenarioWanted, this, take);
    connect(m_dialog, &MachineDialog::scenarioUsed, this, [this, laboratory](const Scenario& scenario) {
        laboratory->setScenario(scenario, u"Memory calculator"_s);
        m_shell->showLaboratory();
    });
    connect(m_dialog, &MachineDialog::helpRequested, m_shell, &Shell::showHelp);
    take();
}

}  // namespace overlane
