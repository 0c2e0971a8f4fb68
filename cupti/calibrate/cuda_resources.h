// What probes take of the GPU and of memory, freed whatever happens.
//
// A failed call throws ProbeFailure, which the step that the probe belongs to turns into a miss: probes are
// long rows of calls, any of which may fail. One thread. Bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <utility>

namespace overlane
{

struct ProbeFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void check(cudaError_t code, const char* call);

class DeviceStream
{
public:
    DeviceStream() { check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "cudaStreamCreate"); }
    ~DeviceStream()
    {
        cudaStreamSynchronize(m_stream);
        cudaStreamDestroy(m_stream);
    }
    DeviceStream(const DeviceStream&) = delete;
    DeviceStream& operator=(const DeviceStream&) = delete;
    operator cudaStream_t() const { return m_stream; }
    void wait() const { check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize"); }

private:
    cudaStream_t m_stream = nullptr;
};

class DeviceEvent
{
public:
    DeviceEvent() { check(cudaEventCreate(&m_event), "cudaEventCreate"); }
    ~DeviceEvent() { cudaEventDestroy(m_event); }
    DeviceEvent(const DeviceEvent&) = delete;
    DeviceEvent& operator=(const DeviceEvent&) = delete;
    operator cudaEvent_t() const { return m_event; }
    void record(cudaStream_t stream) const { check(cudaEventRecord(m_event, stream), "cudaEventRecord"); }

private:
    cudaEvent_t m_event = nullptr;
};

// After both were reached.
double betweenNs(const DeviceEvent& before, const DeviceEvent& after);

// Blocks of one kind; `kFree` frees one.
template <cudaError_t (*kTake)(void**, std::size_t), cudaError_t (*kFree)(void*)>
class CudaBlock
{
public:
    explicit CudaBlock(std::int64_t bytes)
    {
        check(kTake(&m_address, static_cast<std::size_t>(bytes)), "an allocation");
    }
    ~CudaBlock() { kFree(m_address); }
    CudaBlock(const CudaBlock&) = delete;
    CudaBlock& operator=(const CudaBlock&) = delete;
    char* at(std::int64_t offset = 0) const { return static_cast<char*>(m_address) + offset; }

private:
    void* m_address = nullptr;
};

inline cudaError_t takePinned(void** address, std::size_t bytes)
{
    return cudaHostAlloc(address, bytes, cudaHostAllocDefault);
}
inline cudaError_t takeOnDevice(void** address, std::size_t bytes)
{
    return cudaMalloc(address, bytes);
}

using PinnedBlock = CudaBlock<takePinned, cudaFreeHost>;
using DeviceBlock = CudaBlock<takeOnDevice, cudaFree>;

// Fresh from the system, no page touched.
class PageableBlock
{
public:
    explicit PageableBlock(std::int64_t bytes, bool shared = false);
    ~PageableBlock() { free(); }
    PageableBlock(const PageableBlock&) = delete;
    PageableBlock& operator=(const PageableBlock&) = delete;
    char* at(std::int64_t offset = 0) const { return static_cast<char*>(m_address) + offset; }
    void free();

private:
    void* m_address = nullptr;
    std::size_t m_bytes = 0;
};

// Page-locks what lies there, for as long as this lives.
class Registration
{
public:
    Registration(char* address, std::int64_t bytes) : m_address(address)
    {
        check(cudaHostRegister(address, static_cast<std::size_t>(bytes), cudaHostRegisterDefault), "cudaHostRegister");
    }
    ~Registration() { cudaHostUnregister(m_address); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

private:
    char* m_address;
};

// Writes one byte to each page.
void touch(char* address, std::int64_t bytes);

}  // namespace overlane
