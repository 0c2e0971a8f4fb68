// Counts the iterations that a program marks with NVTX, for a recording of some of them.
//
// NVTX keeps a table of functions for each library that uses it, and CUPTI puts its own there: at once, or when ranges
// are first recorded. Where iterations bound the recording, functions that look at the name stand in front of those
// that begin a range, and go on to CUPTI's. A range named "step 3" or like other marks of iterations
// (core/trace/step_name.h) counts; of several such names, and of several threads, the one with most. NVTX may call from
// any thread; nothing throws into the program. What NCCL says in its ranges is handed on as well (nccl_calls.h), in
// every recording.
#pragma once

#include <cstdint>

#include "core/spool/record_control.h"
#include "cupti/collector/nccl_calls.h"

namespace overlane
{

// As NVTX declares them; CUDA's headers may come without NVTX's, and then nothing is counted here.
using NvtxExportTables = const void* (*)(std::uint32_t);
using NvtxInitialize = int (*)(NvtxExportTables);

// Has `initialize` (CUPTI's) fill the tables, and stands in front of what it put there. Answers what it answers.
// `control` is kept for good; without one, and where no iterations are asked for, only what NCCL calls is replaced.
int watchNvtxSteps(NvtxExportTables getExportTable, NvtxInitialize initialize, RecordControl control);

// Once CUPTI records ranges, and may have filled the tables anew.
void watchNvtxStepsAgain() noexcept;

// Stands in the places of NVTX's extension for payloads. 1: go on.
int watchNvtxPayloads(NvtxExtensionModule* module);

// A range of this name began on the calling thread.
void countNvtxRange(const char* name) noexcept;

}  // namespace overlane
