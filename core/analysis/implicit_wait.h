// Implicit waits: calls that wait for the device although they are not called so, or hold the host while they work.
//
// cudaFree returns when the device is done with all that was issued, and so does unloading a module; allocation and
// page-locking may wait, too ("Implicit Synchronization" of NVIDIA's CUDA programming guide), and so may the lazy
// loading of a kernel, which "may require context synchronization" ("Lazy Loading" there). Stream-ordered calls
// (cudaFreeAsync, cudaMallocAsync) wait for nothing. A call is taken for a wait only where the device ran empty
// in its second half: it then lasted about as long as the device had work. Pure functions; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/strong_id.h"

namespace overlane
{

enum class ImplicitWait : std::uint8_t {
    None,
    Free,        // of device memory
    Allocate,    // device memory, not from a stream-ordered pool
    PageLock,    // allocates, registers or frees page-locked memory
    LoadModule,  // loads or unloads device code, a kernel at its first launch for one
};
constexpr int kImplicitWaitCount = 5;

// By the name of a runtime or driver call, or of an overhead that the profiler records.
ImplicitWait implicitWaitOf(std::string_view name);
// "cudaFree", "Loading kernels": the subject of a sentence.
std::string_view implicitWaitWords(ImplicitWait wait);

struct ImplicitCall {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    EventIndex event;
    ImplicitWait kind = ImplicitWait::None;

    std::int64_t lengthNs() const { return endNs - startNs; }
    // Whether the call waited for a device that ran empty at a time.
    bool waitedUntil(std::int64_t timeNs) const
    {
        return timeNs >= startNs + lengthNs() / 2 && timeNs <= endNs && timeNs > startNs;
    }
};

}  // namespace overlane
