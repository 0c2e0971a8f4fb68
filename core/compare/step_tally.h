// WorkGroup: kernels of one name, or copies of one kind, of a device, with the time of each step they took; what
// two traces are compared by. KernelTally and copyGroups() make them.
//
// Pure functions, any thread; nanoseconds and bytes. An event belongs to the step in which it starts:
// GPU work runs after the host asked for it, so single steps may borrow from their neighbors, the
// distribution over steps does not.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/analysis/device_activity.h"
#include "core/compare/alignment.h"
#include "core/trace/trace.h"

namespace overlane
{

struct WorkGroup {
    std::int64_t count = 0;
    std::int64_t totalNs = 0;
    std::int64_t hiddenNs = 0;  // of copies: under kernels
    std::int64_t bytes = 0;     // of copies
    std::int64_t leastBytes = 0;
    std::int64_t mostBytes = 0;
    std::vector<double> durationsNs;                            // one per event
    std::vector<std::pair<std::uint32_t, std::int64_t>> steps;  // (step, its time), steps ascending, none twice

    // One value per step, 0 where the group did not run.
    std::vector<double> perStep(std::size_t stepCount) const;
};

// Copies are alike where direction, host memory and the power of two of their size agree.
struct CopyKey {
    EventKind direction = EventKind::CopyH2D;
    MemoryKind memory = MemoryKind::Unknown;
    int sizeClass = 0;  // floor of log2 of the bytes; -1 where the size is unknown
    friend auto operator<=>(const CopyKey&, const CopyKey&) = default;  // NOLINT(modernize-use-nullptr)
};

// Kernels by name, of one device after another: the tracks of the trace, which must outlive this, are sorted
// by device once.
class KernelTally
{
public:
    explicit KernelTally(const Trace& trace);
    // Of those that start in the side's range.
    std::map<std::string, WorkGroup> groups(std::int32_t device, const AlignedSide& side) const;

private:
    const Trace* m_trace;
    std::unordered_map<std::int32_t, std::vector<const Track*>> m_tracks;
};
// Of host-to-device and device-to-host copies.
std::map<CopyKey, WorkGroup> copyGroups(const DeviceActivity& device, const AlignedSide& side);

}  // namespace overlane
