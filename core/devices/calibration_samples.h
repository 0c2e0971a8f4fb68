// CalibrationSamples: what a calibration measured on this machine and its GPU, before any statistics.
//
// Plain data. Every sample is one time in nanoseconds of one operation, except where the probe counts
// something (probes.h says which). The order of the samples is that of the measurement.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/system/pcie_link.h"

namespace overlane
{

struct ProbeSeries {
    std::string probe;         // a key of allProbes()
    std::string variant;       // "h2d pinned warm"; empty where the probe has one form
    std::int64_t bytes = 0;    // that one operation is about; 0: none
    std::int64_t threads = 1;  // that work at the same time
    std::vector<double> samples;
};

// A probe that gave nothing, and why, as a sentence.
struct ProbeMiss {
    std::string probe;
    std::string reason;
};

// What is known without measuring.
struct MachineFacts {
    std::string gpu;
    std::string pciAddress;
    std::string processor;
    int driverVersion = 0;   // 13000 for CUDA 13.0
    int runtimeVersion = 0;  // of the CUDA runtime that measured
    PcieLink link;           // while copies ran
    std::int64_t deviceMemoryBytes = 0;
    std::int64_t cores = 1;  // that this process may use
    std::int64_t nodes = 1;
    int gpuNode = -1;
    std::int64_t ramBytes = 0;
    std::int64_t usedRamBytes = 0;
    std::int64_t swapBytes = 0;
    std::int64_t lastLevelCacheBytes = 0;  // 0: the system does not say
};

struct CalibrationSamples {
    MachineFacts machine;
    std::vector<ProbeSeries> series;
    std::vector<ProbeMiss> misses;
    std::int64_t tookNs = 0;
};

// What of memory a calibration may take at most at any time.
struct CalibrationLimits {
    std::int64_t largestBlockBytes = 0;  // whose allocation, or copy, is timed
    std::int64_t walkBytes = 0;          // read in turn so that nothing of it is in a cache
};

struct CalibrationOptions {
    int device = 0;
    bool quick = false;  // fewer samples and no block above 64 MiB
    CalibrationLimits limits;
    // Called on the measuring thread, between measurements; either may be empty.
    std::function<void(const std::string& doing)> onStep;
    std::function<void(const ProbeSeries&)> onSeries;
    Progress* progress = nullptr;  // may cancel; outlives the call
};

}  // namespace overlane
