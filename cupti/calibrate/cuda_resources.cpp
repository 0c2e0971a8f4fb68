#include "cupti/calibrate/cuda_resources.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kPageBytes = 4096;

}  // namespace

void check(cudaError_t code, const char* call)
{
    if (code == cudaSuccess)
        return;
    cudaGetLastError();  // clears it
    throw ProbeFailure(std::string(call) + " failed: " + cudaGetErrorString(code));
}

double betweenNs(const DeviceEvent& before, const DeviceEvent& after)
{
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, before, after), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e6;
}

PageableBlock::PageableBlock(std::int64_t bytes, bool shared) : m_bytes(static_cast<std::size_t>(bytes))
{
    const int sharing = shared ? MAP_SHARED : MAP_PRIVATE;
    m_address = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
    if (m_address == MAP_FAILED)
        throw ProbeFailure("mmap failed: no memory");
}

void PageableBlock::free()
{
    if (m_address != nullptr)
        munmap(m_address, m_bytes);
    m_address = nullptr;
}

void touch(char* address, std::int64_t bytes)
{
    volatile char* pages = address;
    for (std::int64_t at = 0; at < bytes; at += kPageBytes)
        pages[at] = 1;
}

}  // namespace overlane
