// MachinePage: what this machine is and how it fares: topology, memory now, warnings, and the line that
// binds a program to the node of its GPU.
//
// Lives on the GUI thread; shows what it is given.
#pragma once

#include <QWidget>

#include "core/system/machine_memory.h"
#include "core/system/numa_topology.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace overlane
{

class MemoryBar;
class TopologyPicture;

class MachinePage : public QWidget
{
    Q_OBJECT

public:
    explicit MachinePage(QWidget* parent = nullptr);

    void showMemory(const MachineMemoryView& view);
    void showTopology(const NumaTopology& topology);

signals:
    void helpRequested(const QString& page);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showBinding();
    void showWarnings(const MachineMemoryView& view);

    NumaTopology m_topology;
    TopologyPicture* m_picture;
    MemoryBar* m_bar;
    MemoryBar* m_swap;
    QLabel* m_figures;
    QVBoxLayout* m_warnings;
    MachineMemoryView m_view;
    std::vector<std::string> m_shownWarnings;
    QComboBox* m_gpu;
    QLabel* m_sentence;
    QLineEdit* m_command;
    QPushButton* m_copy;
};

}  // namespace overlane
