// The Collector as CUPTI calls it: for buffers, with buffers, and for the time.
#include <atomic>
#include <cstdint>

#include "core/spool/spool_clock.h"
#include "cupti/collector/collector.h"

namespace overlane
{
namespace
{

// CUPTI calls these from any thread and passes nothing of ours along, so the one collector of the
// process is found here. Set once, before the callbacks are registered.
std::atomic<Collector*> theCollector{nullptr};

void CUPTIAPI bufferRequested(std::uint8_t** data, std::size_t* size, std::size_t* mostRecords)
{
    const ActivityBuffers::Buffer buffer = theCollector.load(std::memory_order_acquire)->requested();
    *data = buffer.data;
    *size = buffer.size;
    *mostRecords = 0;
}

void CUPTIAPI bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* data, std::size_t size, std::size_t valid)
{
    try {
        theCollector.load(std::memory_order_acquire)->completed(data, size, valid);
    } catch (...) {
        // Out of memory: these records are lost, the program is not.
        return;
    }
}

std::uint64_t CUPTIAPI timestamp()
{
    return static_cast<std::uint64_t>(monotonicNs());
}

}  // namespace

CUptiResult Collector::prepareCupti()
{
    m_buffers.prepare();
    theCollector.store(this, std::memory_order_release);
    if (m_cupti.cuptiActivitySetAttribute != nullptr) {
        std::uint8_t yes = 1;
        std::size_t size = sizeof(yes);
        m_cupti.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &yes);
        size = sizeof(yes);
        m_perThread = m_cupti.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &yes) ==
                      CUPTI_SUCCESS;
    }
    m_cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    const CUptiResult clock = m_cupti.cuptiActivityRegisterTimestampCallback(timestamp);
    if (clock != CUPTI_SUCCESS)
        return clock;
    return m_cupti.cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted);
}

}  // namespace overlane
