// Area statistics: what lies within a range of time, for each kind of lane.
//
// Pure. Counts events that touch the range; `busyNs` is their time within it, added up over lanes,
// `meanNs` the mean of that. Of a thread only the outermost calls count, as what they call
// lies within them. The cost follows the number of rows and not of events.
#pragma once

#include <vector>

#include <QString>

#include "core/base/interval.h"
#include "core/lod/pyramid.h"

namespace overlane
{

struct AreaStatistic {
    TrackKind lane = TrackKind::Thread;  // one with a band in an overview
    std::uint64_t count = 0;
    std::int64_t busyNs = 0;
    std::int64_t meanNs = 0;
    friend bool operator==(const AreaStatistic&, const AreaStatistic&) = default;
};

// In the order of the lanes; kinds of lanes without an event are left out.
std::vector<AreaStatistic> areaStatistics(const Pyramid& pyramid, Interval range);
// The same as rich text with the range's length, for a tool tip.
QString areaTip(const Pyramid& pyramid, Interval range);

}  // namespace overlane
