// Why a copy did or did not hide behind compute, from the records alone.
//
// Pure functions, any thread. The causes are asked in the order below and the first that holds
// is the answer: each one alone is enough to prevent overlap (design of the CUDA runtime: a
// pageable copy is staged by the host, a synchronous call holds the host, one stream runs its
// work in order), so fixing a later one first would change nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/trace/event.h"

namespace overlane
{

enum class CopyCause : std::uint8_t {
    Hidden,           // at least half of its time lies under kernels of the device
    PageableMemory,   // the host's side is pageable
    SynchronousCall,  // the host asked with a call that waits
    SameStream,       // the copy's stream also carries kernels
    UnknownMemory,    // the trace does not name the memory kind
    NoCompute,        // no kernel ran beside it, though nothing above prevented that
};
constexpr int kCopyCauseCount = 6;

// What the decision is made from.
struct CopyFacts {
    std::int64_t durationNs = 0;
    std::int64_t hiddenNs = 0;  // part of it under kernels of the same device
    MemoryKind hostMemory = MemoryKind::Unknown;
    AsyncFlag async = AsyncFlag::Unknown;
    bool streamHasKernels = false;
};

CopyCause causeOf(const CopyFacts& facts);

// "pageable memory", "same stream as the kernels"; stable, used in JSON and golden texts.
std::string_view causeName(CopyCause cause);
// One sentence: what happened to such a copy.
std::string_view causeSentence(CopyCause cause);
// One sentence: what to change, in PyTorch's words; empty for Hidden.
std::string_view causeAdvice(CopyCause cause);

}  // namespace overlane
