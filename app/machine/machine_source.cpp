#include "app/machine/machine_source.h"

#include <chrono>
#include <utility>

#include <QTimer>

namespace overlane
{

// Lives on the source's thread.
class MachineReader : public QObject
{
public:
    MachineReader(std::string root, int periodMs, MachineSource* source)
        : m_root(std::move(root)), m_source(source), m_watch(m_root), m_timer(this)
    {
        m_timer.setInterval(periodMs);
        connect(&m_timer, &QTimer::timeout, this, [this] { read(); });
    }

    void start()
    {
        emit m_source->topologyRead(readNumaTopology(m_root));
        read();
        m_timer.start();
    }
    void stop() { m_timer.stop(); }

private:
    void read()
    {
        emit m_source->memoryRead(
            m_watch.read(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1)));
    }

    const std::string m_root;
    MachineSource* m_source;
    MemoryWatch m_watch;
    QTimer m_timer;
};

MachineSource::MachineSource(std::string root, int periodMs, QObject* parent)
    : QObject(parent), m_reader(new MachineReader(std::move(root), periodMs, this))
{
    qRegisterMetaType<MachineMemoryView>("overlane::MachineMemoryView");
    qRegisterMetaType<NumaTopology>("overlane::NumaTopology");
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    m_thread.setObjectName("machine");
    m_thread.start();
}

MachineSource::~MachineSource()
{
    m_thread.quit();
    m_thread.wait();
}

void MachineSource::start()
{
    QMetaObject::invokeMethod(m_reader, [reader = m_reader] { reader->start(); });
}

void MachineSource::stop()
{
    QMetaObject::invokeMethod(m_reader, [reader = m_reader] { reader->stop(); });
}

}  // namespace overlane
