// DeviceJudgement: what a range cost one device: its copies by direction and cause, and the time without
// kernels by cause.
//
// Values, made by a pure function on any thread. Nanoseconds, bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_groups.h"
#include "core/analysis/lost_time.h"
#include "core/base/interval.h"

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
    std::int32_t device = -1;
    std::string name;
    Interval range;
    CopySums toDevice;
    CopySums toHost;
    std::int64_t kernelBusyNs = 0;
    // By cause; adds up to the range without kernelBusyNs.
    std::array<std::int64_t, kLostCauseCount> lostNs{};

    std::int64_t idleNs() const { return range.lengthNs() - kernelBusyNs; }
    // What most is lost to, as it is spoken of; start and end of the work only where nothing else is.
    LostCause mainCause() const;
};

// Of each device of the summary, in its range.
std::vector<DeviceJudgement> judgeDevices(const Analysis& analysis, const Summary& summary);

}  // namespace overlane
