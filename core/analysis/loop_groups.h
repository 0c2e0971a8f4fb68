// Loop groups: iterations of one loop that come in groups of the same number, behind each of which the program pauses
// or does other work: the turns of a loop around it, which itself may ask its GPU for nothing.
//
// Tiles of a picture that the host puts together, and steps of a rollout before the epochs that learn from it, are such
// groups. Regular groups alone are no proof: batches of a loader come in groups of as many as it has workers
// (loop_evidence.h). Work that is split over several streams in turn and gathered behind the last one is a group
// whatever the program does then. Pure; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/gpu_requests.h"
#include "core/analysis/loop_families.h"
#include "core/base/interval.h"
#include "core/base/work_meter.h"

namespace overlane
{

struct LoopGroups {
    std::unique_ptr<const GpuRequests>
        requests;  // the same; what is the first of its kind in a group is of another kind
    std::unique_ptr<const LoopFamilies> families;  // of those
    const LoopFamily* family = nullptr;            // whose iterations are the groups
    std::vector<Interval> groups;                  // from the start of the first iteration to that of the last
    std::vector<Interval> pauses;                  // one behind each group but the last
    std::size_t iterations = 0;                    // of a group
    bool areQuiet = false;                         // in the pauses nothing is asked for
    bool byStreams = false;                        // each iteration of a group is on a stream of its own
};

// The groups of the family that has most of its own, if they are regular.
std::optional<LoopGroups> findLoopGroups(const LoopFamilies& families, const WorkMeter& work);

}  // namespace overlane
