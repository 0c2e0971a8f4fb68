// DeviceProfile: what a GPU and the machine around it do, as figures with a source for each.
//
// Plain data, filled from a JSON file of resources/devices/ (embedded in the library) or from a
// calibration. Times in nanoseconds, sizes in bytes, rates in bytes per second.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/devices/cost_table.h"

namespace overlane
{

// How far the samples of a measured figure lay apart, in the figure's unit in the file: the tenth and the
// ninetieth percentile. The figure itself is the median.
struct FigureSpread {
    double low = 0;
    double high = 0;
    std::int64_t samples = 0;
    friend bool operator==(const FigureSpread&, const FigureSpread&) = default;
};

struct DeviceProfile {
    std::string key;   // "h200"; stable, also the file's name
    std::string name;  // for people
    std::string about;
    std::string basedOn;  // key of the embedded profile that gives what a file of an older version does not have

    // Link and device
    std::int64_t deviceMemoryBytes = 0;
    double h2dBytesPerSecond = 0;  // page-locked memory, one direction alone
    double d2hBytesPerSecond = 0;
    double bidirectionalBytesPerSecond = 0;  // sum of both directions at once
    std::int64_t copyLatencyNs = 0;          // engine time of a copy beyond its bytes
    std::int64_t submitLatencyNs = 0;        // from the end of a call to the start of work on an idle device
    std::int64_t dependencyLatencyNs = 0;  // from the end of work to the start of what waited for it on another engine
    double deviceMemoryBytesPerSecond = 0;
    double copyKernelSlowdown = 1;       // of memory-bound kernels and copies while both run, 1 = none
    std::int64_t concurrentKernels = 1;  // small (spin) kernels that run at the same time
    double peakFlopsPerSecond = 1;       // of dense BF16 matrix products, as the data sheet says
    double sustainedFlopsShare = 1;      // of the peak, that real matrix products reach

    // Host calls
    std::int64_t copyCallNs = 0;
    std::int64_t launchCallNs = 0;
    std::int64_t eventCallNs = 0;
    std::int64_t syncCallNs = 0;        // a wait for work that has ended
    std::int64_t syncReturnNs = 0;      // from the end of the work to the return of a wait
    std::int64_t runAheadLaunches = 1;  // queued operations after which a launch blocks

    // Pageable copies
    std::int64_t stagingChunkBytes = 0;
    double stagingWarmBytesPerSecond = 0;  // host to device, source in the last level cache
    double stagingColdBytesPerSecond = 0;  // host to device, source in main memory
    double stagingD2hBytesPerSecond = 0;
    std::int64_t inlineCopyBytes = 0;  // copies up to this size return before their transfer
    std::int64_t lastLevelCacheBytes = 0;

    // Host machine
    std::int64_t hostCores = 1;               // all nodes together
    std::int64_t numaNodes = 1;               // alike: each has its share of the cores and its own memory
    double hostMemoryBytesPerSecond = 1;      // of one node, reads and writes of all its cores together
    double remoteMemoryRatio = 1;             // rate of one core in another node's memory to that in its own
    double remoteDmaRatio = 1;                // rate of a copy from or to memory of a node the GPU is not attached to
    double hostMemcpyBytesPerSecond = 0;      // of one thread, from main memory
    double hostMemcpyWarmBytesPerSecond = 0;  // the same with the source in the last level cache, as a
                                              // pin thread copies what a worker has just written
    double hostWriteBytesPerSecond = 0;       // of one thread that fills memory which has its pages
    double freshPagesBytesPerSecond = 0;      // most that all threads together touch for the first time
    std::int64_t mallocKeepsBytes = 0;        // a freed block up to this size is reused with its pages
    std::int64_t hostAllocChunkBytes = 0;     // smaller page-locked blocks are cut out of one of this size
    std::int64_t stagingCallNs = 0;           // of a pageable copy, beyond the copying itself
    std::int64_t handOverNs = 0;              // from a put to the return of another thread that waited for 5 ms
    double threadSpread = 0;                  // deviation of the speeds of threads that should be alike, 0 = they are
    std::int64_t workerProcessBytes = 0;      // private memory of a worker before its first batch
    std::int64_t ramBytes = 0;
    std::int64_t usedRamBytes = 0;  // system and process before the loader starts
    std::int64_t datasetBytes = 0;  // files that were read before, as far as the page cache holds them
    std::int64_t swapBytes = 0;
    double storageBytesPerSecond = 0;
    double swapBytesPerSecond = 0;

    CostTable mallocCost;
    CostTable firstTouchCost;    // first write of private memory fresh from the system, by one thread
    CostTable pageableFreeCost;  // munmap of it once touched
    CostTable sharedTouchCost;   // both for shared memory, in which workers hand over batches
    CostTable sharedFreeCost;
    CostTable hostAllocCost;
    CostTable hostFreeCost;
    CostTable hostRegisterCost;
    CostTable hostUnregisterCost;

    std::map<std::string, std::string> sources;   // figure or table, by its key in the file
    std::map<std::string, FigureSpread> spreads;  // of what was measured more than once; rows of tables by rowKey()
};

// The embedded profiles in order of their keys, the default ("h200") first.
std::span<const DeviceProfile> allDeviceProfiles();
// One of them, or one of the person's own (user_profiles.h); nullptr where there is none.
const DeviceProfile* findDeviceProfile(std::string_view key);

// Every figure and table must be present, positive where 0 has no meaning, and have a source; but for a profile
// that names another with "based_on", which then gives what is missing.
Result<DeviceProfile> parseDeviceProfile(std::string_view json);
// The same as text: reading it again gives the same profile.
std::string deviceProfileText(const DeviceProfile& profile);

}  // namespace overlane
