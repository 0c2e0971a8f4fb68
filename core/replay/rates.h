// Rates: how fast copies of each kind go on the traced machine, with where each figure comes from.
//
// From the trace's own copies where it has them, else from a device profile, else from the link that
// the trace names. Plain data, pure functions. Bytes per second, nanoseconds.
#pragma once

#include <cstdint>
#include <string>

#include "core/devices/device_profile.h"
#include "core/replay/program.h"
#include "core/trace/trace.h"

namespace overlane
{

struct Rate {
    double bytesPerSecond = 0;  // 0 = not known
    double low = 0;
    double high = 0;
    std::string origin;  // "49 pinned copies of the trace"

    bool known() const { return bytesPerSecond > 0; }
};

struct Rates {
    Rate pinnedH2d;
    Rate pinnedD2h;
    Rate pinning;  // from a batch as the loader makes it into page-locked memory, by one thread
    // Writing a batch to page-locked memory to staging it, where `pinning` is the rate of staging.
    double pinCopyFactor = 1;
    std::int64_t pinBatchNs = 0;  // a pin thread's time for a batch of no bytes, beyond taking it
    std::int64_t copyLatencyNs = 0;
    std::int64_t copyCallNs = 0;
    std::int64_t eventCallNs = 0;
    std::int64_t dependencyNs = 0;  // from the end of a copy to the start of a kernel that waited for it
};

// What bytes take at a rate that is known.
std::int64_t nsAtRate(std::int64_t bytes, double bytesPerSecond);
// The profile whose name the trace's GPU has; nullptr where there is none.
const DeviceProfile* profileOf(const Trace& trace);
// One of a GPU of about the same age, where the name is known and has no profile of its own: "H100" -> h200; nullptr.
const DeviceProfile* nearestProfile(const Trace& trace);
// A sentence for who wants to know what page-locked copies would take: why that is not known, and what to name.
std::string missingRateText(const Trace& trace);
Rates ratesOf(const Trace& trace, const ReplayProgram& program, const DeviceProfile* profile);

}  // namespace overlane
