#include "app/machine/machine_dialog.h"

#include <utility>

#include <QDialogButtonBox>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/machine/calculator_page.h"
#include "app/machine/machine_page.h"
#include "app/machine/pressure_page.h"
#include "app/session/gpu_notice.h"
#include "app/widgets/screen_room.h"
#include "app/widgets/text.h"

namespace overlane
{

MachineDialog::MachineDialog(QWidget* parent, std::string root, int periodMs)
    : QDialog(parent),
      m_source(std::move(root), periodMs),
      m_tabs(new QTabWidget(this)),
      m_machine(new MachinePage(this)),
      m_calculator(new CalculatorPage(this)),
      m_pressure(new PressurePage(this))
{
    setWindowTitle(u"Machine and memory"_s);
    setObjectName("machineDialog");
    m_tabs->setObjectName("machineTabs");
    m_tabs->addTab(m_machine, u"This &machine"_s);
    m_tabs->addTab(m_calculator, u"Pinned memory &calculator"_s);
    m_tabs->addTab(m_pressure, u"Memory e&xperiment"_s);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(buttons);
    resize(withinScreen(*this, {980, 720}));

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(&m_source, &MachineSource::memoryRead, m_machine, &MachinePage::showMemory);
    connect(&m_source, &MachineSource::memoryRead, m_calculator, &CalculatorPage::showMemory);
    connect(&m_source, &MachineSource::topologyRead, m_machine, &MachinePage::showTopology);
    connect(m_machine, &MachinePage::helpRequested, this, &MachineDialog::helpRequested);
    connect(m_calculator, &CalculatorPage::helpRequested, this, &MachineDialog::helpRequested);
    connect(m_pressure, &PressurePage::helpRequested, this, &MachineDialog::helpRequested);
    connect(m_calculator, &CalculatorPage::taken, this, &MachineDialog::scenarioWanted);
    connect(m_calculator, &CalculatorPage::used, this, &MachineDialog::scenarioUsed);
}

void MachineDialog::follow(GpuRuns* runs)
{
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    column->insertWidget(0,
                         new GpuNotice(runs, u"Memory, the calculator and the experiment do not need a GPU."_s, this));
}

void MachineDialog::showCalculator()
{
    m_tabs->setCurrentWidget(m_calculator);
}

void MachineDialog::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    m_source.start();
}

void MachineDialog::hideEvent(QHideEvent* event)
{
    m_source.stop();
    QDialog::hideEvent(event);
}

}  // namespace overlane
