// MachineSource: this machine's memory once a period, and its topology once, read beside the GUI.
//
// Lives on the GUI thread and owns a thread of its own that reads; signals arrive on the GUI thread.
// Reads only between start() and stop(), so that a closed window costs nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include <QObject>

#include "app/session/mailbox.h"
#include "core/system/machine_memory.h"
#include "core/system/numa_topology.h"

namespace overlane
{

class MachineSource : public QObject
{
    Q_OBJECT

public:
    static constexpr int kPeriodMs = 1000;

    // Another root than / and another period only for tests.
    explicit MachineSource(std::string root = "/", int periodMs = kPeriodMs, QObject* parent = nullptr);
    ~MachineSource() override;

    void start() { wish(Wish::Read); }
    void stop() { wish(Wish::Rest); }

signals:
    void memoryRead(const overlane::MachineMemoryView& view);
    void topologyRead(const overlane::NumaTopology& topology);

private:
    enum class Wish : std::uint8_t { Rest, Read, Quit };

    void wish(Wish wish);
    void loop();

    const std::string m_root;
    const std::chrono::milliseconds m_period;
    Mailbox m_news;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    Wish m_wish = Wish::Rest;
    std::thread m_thread;
};

}  // namespace overlane
