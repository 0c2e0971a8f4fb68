// MachineDialog: this machine's memory, NUMA nodes and GPUs, live, the calculator of pinned memory, and
// the memory experiment.
//
// Lives on the GUI thread, beside the main window, without stopping it. Reads only while it is shown.
#pragma once

#include <QDialog>

#include "app/machine/machine_source.h"
#include "core/loader/scenario.h"

class QTabWidget;

namespace overlane
{

class CalculatorPage;
class GpuRuns;
class MachinePage;
class PressurePage;
struct DeviceProfile;

class MachineDialog : public QDialog
{
    Q_OBJECT

public:
    // As MachineSource.
    explicit MachineDialog(QWidget* parent, std::string root = "/", int periodMs = MachineSource::kPeriodMs);

    CalculatorPage* calculator() const { return m_calculator; }
    MachinePage* machine() const { return m_machine; }
    PressurePage* pressure() const { return m_pressure; }
    // Says at the top where the machine has no GPU that can be used.
    void follow(GpuRuns* runs);
    void showCalculator();

signals:
    void scenarioWanted();                                  // answered by calculator()->setScenario()
    void scenarioUsed(const overlane::Scenario& scenario);  // for the laboratory
    void helpRequested(const QString& page);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    MachineSource m_source;
    QTabWidget* m_tabs;
    MachinePage* m_machine;
    CalculatorPage* m_calculator;
    PressurePage* m_pressure;
};

}  // namespace overlane
