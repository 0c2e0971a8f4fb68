// Scenario: every setting of a data loader, as one struct of data with documented defaults.
//
// The defaults are the scenario of a first start: pageable memory and blocking copies, the most
// common mistake. Keys of `overlane run --set` and of scenario files are the member names in
// snake_case, as listed by allSettings() (settings.h). Sizes in bytes, times in microseconds where
// the name says so.
#pragma once

#include <cstdint>
#include <string>

namespace overlane
{

// Where page-locked memory comes from.
enum class PinStrategy : std::uint8_t {
    None,      // batches stay pageable
    Thread,    // a pin thread copies each batch into pinned memory (DataLoader pin_memory=True)
    Consumer,  // the training thread calls pin_memory() just before the copy
    Ring,      // workers write straight into a ring of buffers pinned once
    Register,  // each batch is page-locked in place with cudaHostRegister and released after
};

// Where workers read from.
enum class Files : std::uint8_t {
    Timed,   // no files: readUs stands for reading them
    Cached,  // files in the page cache
    Drive,   // files that nobody has read before
};

enum class Allocator : std::uint8_t {
    Fresh,  // cudaHostAlloc and cudaFreeHost for every batch
    Pool,   // PyTorch's caching host allocator: power-of-two blocks, reused once their streams are done
};

enum class CopyStream : std::uint8_t {
    Compute,  // the stream of the kernel that needs the batch
    Side,     // a stream of its own; the compute stream waits for an event
};

// What limits a batch's kernel. Memory-bound kernels and copies slow each other down a little.
enum class KernelKind : std::uint8_t { Spin, Memory, Gemm };

struct Scenario {
    std::string name = "pageable, blocking";

    // Data
    std::int64_t batches = 64;             // batches in the run
    std::int64_t batchBytes = 48ll << 20;  // bytes of one batch, all tensors together
    std::int64_t samples = 64;             // samples of one batch; its bytes are those of all of them
    std::int64_t tensors = 2;              // tensors, and so copies, per batch
    std::uint64_t seed = 1;                // of the spread of batches, and of what the device's threads differ by

    // Loader
    std::int64_t workers = 4;         // 0: the consumer produces batches itself
    std::int64_t prefetchFactor = 2;  // batches in flight per worker
    double readUs = 0;                // to read one sample from files that are in the page cache
    Files files = Files::Timed;       // or really read, beside readUs
    std::int64_t fileBytes = 0;       // read for one batch; 0: a quarter of it, as compressed data
    double transformUs = 0;           // to decode and transform one sample
    double produceUs = 24000;         // per batch and beyond its samples: a batch takes
                                      // produceUs + samples * (readUs + transformUs) in one worker
    double produceSpread = 0.1;       // relative standard deviation of the whole, 0 to 1

    // Host memory
    PinStrategy pin = PinStrategy::None;
    Allocator allocator = Allocator::Pool;

    // Copy
    bool nonBlocking = false;  // cudaMemcpyAsync rather than cudaMemcpy
    CopyStream copyStream = CopyStream::Compute;
    std::int64_t streams = 1;        // compute streams; batch i runs on stream i mod streams
    std::int64_t deviceBuffers = 2;  // batches in flight on the device (prefetch depth)
    std::int64_t runAhead = 0;       // queued operations after which a call blocks; 0: the device's launch queue

    // Compute
    double computeUs = 10000;  // kernel time of one batch on an idle device
    double computeFlops = 0;   // the same as work of a matrix product; 0: computeUs counts
    KernelKind kernel = KernelKind::Gemm;
    std::int64_t resultBytes = 0;  // copied back after each batch; 0 = no result
    bool readResultEarly = false;  // the host reads the result before a sync: a hazard
    bool syncEveryStep = false;    // .item() or a device sync after each batch

    // Machine
    std::int64_t ramBytes = 0;    // 0: as the device profile's machine
    std::int64_t swapBytes = -1;  // -1: as the device profile's machine
    std::int64_t otherBytes = 0;  // working set of other programs, beyond what the profile's machine uses
    std::int64_t cores = 0;       // 0: as the device profile's machine
    std::int64_t workerNode = 0;  // NUMA node of the workers and of what they write first
    std::int64_t mainNode = 0;    // NUMA node of the training process, its pin thread and its pinned memory
    std::int64_t gpuNode = 0;     // NUMA node the GPU is attached to

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

}  // namespace overlane
