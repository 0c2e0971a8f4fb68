#include "app/machine/machine_source.h"

#include <chrono>
#include <utility>

namespace overlane
{

MachineSource::MachineSource(std::string root, int periodMs, QObject* parent)
    : QObject(parent), m_root(std::move(root)), m_period(periodMs), m_thread([this] { loop(); })
{
}

MachineSource::~MachineSource()
{
    wish(Wish::Quit);
    m_thread.join();
}

void MachineSource::wish(Wish wish)
{
    {
        const std::lock_guard lock(m_mutex);
        m_wish = wish;
    }
    m_wake.notify_one();
}

void MachineSource::loop()
{
    MemoryWatch watch(m_root);
    std::unique_lock lock(m_mutex);
    while (m_wish != Wish::Quit) {
        m_wake.wait(lock, [this] { return m_wish != Wish::Rest; });
        for (bool first = true; m_wish == Wish::Read; first = false) {
            lock.unlock();
            if (first)
                m_news.post([this, read = readNumaTopology(m_root)] { emit topologyRead(read); });
            const auto nowNs = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
            m_news.post([this, read = watch.read(nowNs)] { emit memoryRead(read); });
            lock.lock();
            m_wake.wait_for(lock, m_period, [this] { return m_wish != Wish::Read; });
        }
    }
}

}  // namespace overlane
