// Host memory: the host's own time with the memory of copies, which shows as pauses between its calls.
//
// Staging: a library that copies pageable memory into page-locked blocks of its own, in the thread that asks for
// the copy. It shows as page-locked copies with a pause before each call as long as reading its bytes takes, and
// an event recorded behind each, by which the owner of the block learns when it is free again.
// Giving back: memory that results come to, fresh in every step (the copy is as slow as touching it for the first
// time), is freed before the next one comes.
// Pure functions on a program, any thread. Nanoseconds, bytes, bytes per second.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "core/analysis/program_traits.h"
#include "core/replay/program.h"

namespace overlane
{

// So much of the host's time before a call.
struct HostPause {
    std::uint32_t call = kNoIndex;
    std::int64_t ns = 0;
};

struct HostPauses {
    std::vector<HostPause> pauses;
    std::int64_t copies = 0;
    std::int64_t bytes = 0;  // of these copies

    std::int64_t sumNs() const;
};

// Whether a framework's library stages by itself: CuPy does, PyTorch and JAX do not in the thread that launches.
enum class LibraryStaging : std::uint8_t { Never, Perhaps, Known };
LibraryStaging libraryStaging(Framework framework);

// The pauses in which the host copied what a page-locked copy carried. Where it is not known that the library does
// so, only where a pause holds little else.
HostPauses stagingPauses(const ReplayProgram& program, LibraryStaging library);
// Sizes of results that are copied as slowly as memory is touched for the first time: it is new each time.
std::unordered_set<std::int64_t> freshSizes(const ReplayProgram& program);
// One thread frees touched memory at about this rate: an H200's machine, and 20 to 38 in recordings of others.
constexpr double kFreeingBytesPerSecond = 25e9;
// The pauses in which memory was freed that results had come to, at most at this rate.
HostPauses freeingPauses(const ReplayProgram& program, double bytesPerSecond = kFreeingBytesPerSecond);

// Copies of a lane from or to pageable memory that calls are held for, in the judged steps.
struct HeldCopies {
    std::int64_t ns = 0;
    std::int64_t bytes = 0;
};
HeldCopies heldCopies(const ReplayProgram& program, Lane lane);

}  // namespace overlane
