// Pageable memory of the host: which GPUs read it themselves, and when the driver stages a copy from it.
//
// The Grace modules, which NVLink-C2C joins to their GPU, read and write pageable memory by the host's page tables
// ("ATS: system allocated memory is addressable from the device via Address Translation Services", AddressingMode of
// cuda-core; cudaDevAttrPageableMemoryAccessUsesHostPageTables). What is known of staging was measured on PCIe, so
// pageable copies are not judged there. Pure functions, any thread.
#pragma once

#include <string_view>

#include "core/trace/trace.h"

namespace overlane
{

bool readsPageableMemory(std::string_view gpuName);
bool readsPageableMemory(const Trace& trace);                      // any of its devices
bool readsPageableMemory(const Trace& trace, EventIndex gpuWork);  // the device of that work
constexpr std::string_view kPageableNotJudged =
    "Pageable memory is not judged on this machine: the GPU reads it over NVLink-C2C.";

// The part of a pageable host-to-device copy during which its call still ran: the driver was staging. Empty for other
// events, and where the device reads pageable memory itself.
Interval stagedPart(const Trace& trace, EventIndex copy);

}  // namespace overlane
