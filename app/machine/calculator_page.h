// CalculatorPage: how much memory a data loader page-locks and needs besides, as sliders move, against
// machines of 16, 32 and 64 GB and this one.
//
// Lives on the GUI thread; owns the scenario it reckons with, of which only the memory's settings are
// turned here. Reckoning is pinned_calculator.h, fast enough for every step of a slider.
#pragma once

#include <array>
#include <vector>

#include <QWidget>

#include "core/loader/pinned_calculator.h"
#include "core/loader/scenario.h"
#include "core/system/machine_memory.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace overlane
{

class MarkedLabel;
class MemoryBar;

class CalculatorPage : public QWidget
{
    Q_OBJECT

public:
    explicit CalculatorPage(QWidget* parent = nullptr);

    // Starts from these settings and that machine's habits (what is used, files, swap).
    void setScenario(const Scenario& scenario, const DeviceProfile& device);
    const Scenario& scenario() const { return m_scenario; }
    // This machine's row.
    void showMemory(const MachineMemoryView& view);

signals:
    void taken();                                   // the laboratory's settings are wanted
    void used(const overlane::Scenario& scenario);  // for the laboratory
    void helpRequested(const QString& page);

private:
    struct Machine {
        MemoryBar* bar;
        MarkedLabel* verdict;
        QPushButton* lower;
    };
    QWidget* makeControls();
    QWidget* makeMachines();
    // Of a setting of the laboratory, within its limits.
    void addCount(QFormLayout* form, const QString& label, const char* name, std::string_view setting,
                  std::int64_t Scenario::*member);
    void addBatch(QFormLayout* form);
    void showControls();
    void reckon();
    void showMachine(const Machine& row, const MachineSize& machine, const LoaderMemory& memory);
    std::vector<MachineSize> machines() const;

    struct Count {
        std::int64_t Scenario::*member;
        QSlider* slider;
        QSpinBox* box;
    };

    Scenario m_scenario;
    DeviceProfile m_device;
    MachineMemoryView m_memory;
    bool m_showing = false;
    std::vector<Count> m_counts;
    QSlider* m_batch = nullptr;
    QLabel* m_batchText = nullptr;
    QComboBox* m_pin = nullptr;
    QCheckBox* m_pool = nullptr;
    QCheckBox* m_nonBlocking = nullptr;
    QLabel* m_sum = nullptr;
    QLabel* m_parts = nullptr;
    std::array<Machine, 4> m_machines{};
};

}  // namespace overlane
