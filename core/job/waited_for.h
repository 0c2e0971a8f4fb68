// WaitedFor: what the ranks of a job wait for each of them in collectives.
//
// Of collectives that the clocks can tell the last rank of: what each of the others waited for it in all, as far as
// nothing hid it, and of these sums the median, since ranks of several groups wait at the same time. A value, made by a
// pure function; any thread; nanoseconds. Lists are by rank, as the digests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/job/collective_match.h"
#include "core/job/job_communication.h"
#include "core/job/own_steps.h"
#include "core/job/rank_digests.h"

namespace overlane
{

struct WaitedFor {
    std::vector<std::int64_t> steps;
    std::vector<std::int64_t> collectives;
    std::vector<std::int64_t> waitedNs;    // in all
    std::vector<std::int64_t> transferNs;  // of each rank itself: moving data that no kernel hides, in all
    std::int64_t sure = 0;                 // collectives of which the clocks can tell who came last
    std::int64_t covered = 0;              // steps with collectives: those of a long recording end before its steps

    // Of a covered step.
    std::int64_t perStepNs(std::int64_t ns) const { return ns / std::max<std::int64_t>(covered, 1); }
    // The rank that the others waited for most; there has to be one.
    std::uint32_t most() const;
};

// `compared`: of these steps only; nullptr: of all.
WaitedFor waitedFor(const RankDigests& digests, const CollectiveMatch& match, const JobCommunication& communication,
                    const OwnSteps* compared);

}  // namespace overlane
