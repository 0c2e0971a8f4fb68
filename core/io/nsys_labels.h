// What Nsight Systems' enumerations and names mean to Overlane.
//
// Pure functions on the text of the file's own ENUM_ tables: the numbers behind them differ
// between versions and from CUPTI's.
#pragma once

#include <string>
#include <string_view>

#include "core/trace/event.h"

namespace overlane
{

// "Pinned" or "CUDA_MEMOPR_MEMORY_KIND_PINNED".
MemoryKind nsysMemoryKind(std::string_view text);

struct NsysCopy {
    EventKind kind = EventKind::CopyOther;
    const char* name = "Memcpy";
    bool unified = false;  // moved by the driver, not asked for by a call
    bool betweenDevices = false;
};
// "CUDA_MEMCPY_KIND_HTOD" or "Host-to-Device".
NsysCopy nsysCopy(std::string_view text);

// "cudaMemcpyAsync_v3020" -> "cudaMemcpyAsync"; "cuMemcpyHtoDAsync_v2" keeps its own _v2.
std::string_view nsysApiName(std::string_view name);
// Whether a call that copies returns before the copy is done.
AsyncFlag nsysAsyncFlag(std::string_view apiName);

// Whether a call into the operating system is a wait rather than work.
bool nsysIsWait(std::string_view osCall);

}  // namespace overlane
