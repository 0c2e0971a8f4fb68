// LoaderMemory: how much host memory a data loader needs, part by part, calculated without running it, and what that
// means for a machine.
//
// A loader keeps workers x prefetch_factor batches outstanding (PyTorch, torch/utils/data/dataloader.py,
// _MultiProcessingDataLoaderIter: prefetch_factor * num_workers indices are put at the start, one more
// for each batch returned). With W workers, factor F, B bytes a batch in T tensors and D batches in
// flight on the device, at most
//     pin thread:            W F + 1 + C  blocks, C = D where copies are non_blocking, else 1
//     training thread:       1 + C        blocks
//     ring:                  W F + D + 1  buffers, pinned once
//     cudaHostRegister:      1 + C        batches
// are page-locked: those outstanding (all of them behind the pin thread, if the workers are faster than
// the training loop), the one in hand, and those that a copy may still read; C is 1 where copies block
// because the block is free only once the event behind its copy has been asked. Each tensor is a block
// of its own, rounded up to a power of two by PyTorch's caching host allocator (aten/src/ATen/core/
// CachingHostAllocator.h, allocate(): llvm::PowerOf2Ceil), which never frees blocks. No run has
// more than its number of batches of anything. The same loader simulated stays within these and reaches
// them where the training loop is slow (tests/unit/loader/pinned_calculator_test.cpp). Pure; bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/devices/device_profile.h"
#include "core/loader/scenario.h"

namespace overlane
{

struct MemoryPart {
    std::string what;  // "behind the pin thread"
    std::int64_t count = 0;
    std::int64_t eachBytes = 0;
    bool pinned = false;
    std::int64_t bytes() const { return count * eachBytes; }
};

struct LoaderMemory {
    std::vector<MemoryPart> parts;  // that add up to both sums
    std::int64_t pinnedBytes = 0;
    std::int64_t pageableBytes = 0;     // batches in shared or ordinary memory, results, worker processes
    std::int64_t batchPinnedBytes = 0;  // of one batch, rounded where it is
    std::int64_t roundingBytes = 0;     // of the pinned that only rounding asks for
    std::int64_t totalBytes() const { return pinnedBytes + pageableBytes; }
};

// The most that the scenario's loader takes at once.
LoaderMemory loaderMemory(const Scenario& scenario, std::int64_t workerProcessBytes);

struct MachineSize {
    std::string name;  // "16 GB", "this machine"
    std::int64_t ramBytes = 0;
    std::int64_t swapBytes = 0;
    std::int64_t usedBytes = 0;     // system and other programs, before the loader starts
    std::int64_t datasetBytes = 0;  // files that should stay in the page cache
};

// What a machine has to do to make room, from harmless to impossible.
enum class MemoryFit : std::uint8_t {
    Fits,        // beside the data set in the page cache
    DropsCache,  // the page cache loses files of the data set, which are read from the drive again
    Swaps,       // memory in use goes to the drive
    TooMuch,     // more than RAM and swap, or more page-locked than RAM leaves
};

struct MemoryFitting {
    MemoryFit fit = MemoryFit::Fits;
    std::int64_t leftBytes = 0;     // free or page cache, beside everything
    std::int64_t cacheBytes = 0;    // of the data set in the page cache
    std::int64_t swappedBytes = 0;  // of memory in use
    double pinnedShare = 0;         // of the RAM
    // More than half of the RAM page-locked: other programs feel it whatever fits.
    bool pinnedTooLarge = false;
    std::string sentence;  // for people
};
MemoryFitting fitLoader(const LoaderMemory& memory, const MachineSize& machine);

// What to lower first so that nothing is swapped: the smallest step down of prefetch_factor, else of
// workers as well, else the pinning. Equal to the scenario where it fits already or nothing helps.
Scenario loweredToFit(const Scenario& scenario, std::int64_t workerProcessBytes, const MachineSize& machine);
// "Lower prefetch_factor from 6 to 2."; empty where the two are equal.
std::string loweringText(const Scenario& from, const Scenario& to);

// Machines to compare with: 16, 32 and 64 GB, as the profile's machine is used.
std::vector<MachineSize> usualMachines(const DeviceProfile& profile);

}  // namespace overlane
