// What the names inside PyTorch traces say: direction, memory kinds, how a call copies.
//
// CUDA writes "Memcpy HtoD (Pinned -> Device)", ROCm "Memcpy HtoD (Host -> Device)" or
// "CopyHostToDevice". Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "core/trace/event.h"

namespace overlane
{

struct CopyName {
    EventKind kind = EventKind::CopyOther;
    MemoryKind source = MemoryKind::Unknown;
    MemoryKind destination = MemoryKind::Unknown;
    bool betweenDevices = false;
};

CopyName parseCopyName(std::string_view name);

// Sync for cudaMemcpy, Async for cudaMemcpyAsync, likewise cu... and hip...; empty for other calls.
std::optional<AsyncFlag> copyCallFlag(std::string_view callName);

}  // namespace overlane
