// What Nsight Systems' enumerations and names mean to Overlane.
//
// Pure functions on the text of the file's own ENUM_ tables: the numbers behind them differ
// between versions and from CUPTI's. Exports of 2021 and before have no such tables; for them the
// texts behind the numbers are here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

// An enumeration without its table: the text at place N stands for the number N.
using NsysTexts = std::span<const std::string_view>;
// Kinds of copies are numbered as CUPTI does (CUpti_ActivityMemcpyKind), and unified memory after those.
NsysTexts nsysCopyTexts();
NsysTexts nsysSyncTexts();
NsysTexts nsysMemoryOperationTexts();
NsysTexts nsysNvtxTexts();
NsysTexts nsysSeverityTexts();
// Kinds of memory have two numberings, Nsight Systems' own (0 is pageable, its report scripts say) and
// CUPTI's (1 is pageable, CUpti_ActivityMemoryKind).
enum class NsysMemoryNumbers : std::uint8_t { Nsight, Cupti };
NsysTexts nsysMemoryTexts(NsysMemoryNumbers numbers);
// The numbering that a copy gives away: on the device it is in device memory, which is 2 or 3.
std::optional<NsysMemoryNumbers> nsysMemoryNumbers(EventKind copy, std::int64_t source, std::int64_t target);

// Whether a call into the operating system is a wait rather than work.
bool nsysIsWait(std::string_view osCall);

}  // namespace overlane
