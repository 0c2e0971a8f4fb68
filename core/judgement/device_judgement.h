// DeviceJudgement: what a range cost one device: its figures, and its copies by direction and cause. Where its time
// goes is in time_parts.h.
//
// Values, made by a pure function on any thread. Nanoseconds, bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_groups.h"

namespace overlane
{

// Copies of one direction that start in a range. Exposed: less than half of its time lies under kernels.
struct CopySums {
    std::int64_t copies = 0;
    std::int64_t exposedCopies = 0;
    std::int64_t exposedNs = 0;      // of all copies
    CopyGroups groups{};             // by cause, hidden ones too
    std::vector<CopyGroup> reasons;  // of the exposed copies, most time first
};

struct DeviceJudgement {
    DeviceSummary figures;  // of the same range
    CopySums toDevice;
    CopySums toHost;

    std::int64_t idleNs() const { return figures.wallNs - figures.kernelBusyNs; }
};

// Of each device of the summary, in its range.
std::vector<DeviceJudgement> judgeDevices(const Analysis& analysis, const Summary& summary);

}  // namespace overlane
