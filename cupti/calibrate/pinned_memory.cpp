// cudaHostAlloc, cudaHostRegister, what undoes them, and a pool of pinned blocks, by size.
#include <map>
#include <mutex>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"

namespace overlane
{
namespace
{

void allocateAndFree(std::int64_t bytes, std::vector<double>& row)
{
    void* block = nullptr;
    const std::int64_t startNs = probeNowNs();
    check(cudaHostAlloc(&block, static_cast<std::size_t>(bytes), cudaHostAllocDefault), "cudaHostAlloc");
    const std::int64_t allocatedNs = probeNowNs();
    touch(static_cast<char*>(block), bytes);
    const std::int64_t touchedNs = probeNowNs();
    check(cudaFreeHost(block), "cudaFreeHost");
    row[0] = static_cast<double>(allocatedNs - startNs);
    row[1] = static_cast<double>(touchedNs - allocatedNs);
    row[2] = static_cast<double>(probeNowNs() - touchedNs);
}

void registerAndBack(char* block, std::int64_t bytes, std::vector<double>& row)
{
    const std::int64_t startNs = probeNowNs();
    check(cudaHostRegister(block, static_cast<std::size_t>(bytes), cudaHostRegisterDefault), "cudaHostRegister");
    const std::int64_t registeredNs = probeNowNs();
    check(cudaHostUnregister(block), "cudaHostUnregister");
    row[0] = static_cast<double>(registeredNs - startNs);
    row[1] = static_cast<double>(probeNowNs() - registeredNs);
}

// Free blocks by size with the event that says when they may be used again, as PyTorch's
// CachingHostAllocator keeps them.
class Pool
{
public:
    Pool(std::int64_t bytes, DeviceStream& stream) : m_block(bytes), m_stream(stream)
    {
        m_used.record(m_stream);
        m_stream.wait();
        m_free.emplace(bytes, m_block.at());
    }
    double takeAndPutNs(std::int64_t bytes)
    {
        const std::int64_t startNs = probeNowNs();
        char* block = nullptr;
        {
            const std::lock_guard lock(m_mutex);
            const auto found = m_free.lower_bound(bytes);
            if (cudaEventQuery(m_used) == cudaSuccess && found != m_free.end()) {
                block = found->second;
                m_free.erase(found);
            }
        }
        const std::lock_guard lock(m_mutex);
        m_used.record(m_stream);
        m_free.emplace(bytes, block);
        const std::int64_t endNs = probeNowNs();
        if (block == nullptr)
            throw ProbeFailure("the pool had no free block");
        return static_cast<double>(endNs - startNs);
    }

private:
    PinnedBlock m_block;
    DeviceStream& m_stream;
    DeviceEvent m_used;
    std::mutex m_mutex;
    std::multimap<std::int64_t, char*> m_free;
};

}  // namespace

void probePinnedMemory(ProbeRun& run)
{
    const std::vector<std::int64_t> sizes = run.sizes(run.limits().largestBlockBytes);
    DeviceStream stream;
    for (const std::int64_t bytes : sizes) {
        run.repeat({{"host_alloc", {}, bytes}, {"host_alloc_touch", {}, bytes}, {"host_free", {}, bytes}},
                   [&](std::vector<double>& row) { allocateAndFree(bytes, row); });
        {
            PageableBlock block(bytes);
            touch(block.at(), bytes);
            run.repeat({{"host_register", {}, bytes}, {"host_unregister", {}, bytes}},
                       [&](std::vector<double>& row) { registerAndBack(block.at(), bytes, row); });
        }
        Pool pool(bytes, stream);
        run.repeatOne({"pool", {}, bytes}, [&] {
            const double tookNs = pool.takeAndPutNs(bytes);
            stream.wait();
            return tookNs;
        });
        run.within(static_cast<double>(bytes) / static_cast<double>(sizes.back()));
    }
}

}  // namespace overlane
