// MachineSource: this machine's memory once a period, and its topology once, read beside the GUI.
//
// Lives on the GUI thread and owns a thread of its own that reads; signals arrive on the GUI thread.
// Reads only between start() and stop(), so that a closed window costs nothing.
#pragma once

#include <memory>
#include <string>

#include <QObject>
#include <QThread>

#include "core/system/machine_memory.h"
#include "core/system/numa_topology.h"

namespace overlane
{

class MachineReader;

class MachineSource : public QObject
{
    Q_OBJECT

public:
    static constexpr int kPeriodMs = 1000;

    // Another root than / and another period only for tests.
    explicit MachineSource(std::string root = "/", int periodMs = kPeriodMs, QObject* parent = nullptr);
    ~MachineSource() override;

    void start();
    void stop();

signals:
    void memoryRead(const overlane::MachineMemoryView& view);
    void topologyRead(const overlane::NumaTopology& topology);

private:
    QThread m_thread;
    MachineReader* m_reader;
};

}  // namespace overlane
