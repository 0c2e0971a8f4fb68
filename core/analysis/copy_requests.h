// Copy requests: the copies between host and device in the order in which the host asks for them, with the
// iteration that asks, the launches before each, and whether a loader had just handed a batch over.
//
// Made from one device's records while an Analysis is built; points into them. Costs a sort of the copies and
// a pass over the launches. Nanoseconds. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/steps.h"
#include "core/base/work_meter.h"

namespace overlane
{

struct CopyRequest {
    CopyRecord* copy = nullptr;
    bool toDevice = true;
    bool afterWait = false;       // no more than a few launches behind a wait for the loader
    bool isBefore = false;        // the first iteration
    std::int32_t iteration = -1;  // place among the steps; -1 outside all of them
    std::uint32_t size = 0;       // same number, same bytes; dense
    std::int64_t askedNs = 0;
    std::int64_t launchesBefore = 0;  // in the whole trace

    // So small that it goes with the command, or a size that the trace does not tell.
    bool isSmall() const { return copy->bytes <= kInlineCopyBytes; }
};

struct CopyRequests {
    std::vector<CopyRequest> all;          // in order of asking
    std::vector<std::int64_t> launchesNs;  // when the device's launches were asked for
    std::uint32_t sizes = 0;
    std::int32_t iterations = 0;
    std::int64_t launchesEach = 0;   // of an iteration
    std::int64_t launchesApart = 1;  // requests with so many launches between them are no longer one burst
    bool hasWaits = false;           // the launching threads wait for a loader, or make batches themselves

    std::int64_t launchesBefore(std::int64_t timeNs) const;
};

CopyRequests copyRequests(const Trace& trace, const HostActivity& host, const StepSequence& steps,
                          DeviceActivity& device, const WorkMeter& work = {});

}  // namespace overlane
