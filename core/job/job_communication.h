// JobCommunication: what the collectives of a job take, and how much of it is waiting for the last rank to come.
//
// Transfer: from the last member's start to the end where all members are on one host and end together, else the
// shortest of the members' times, which no clock can spoil (pytorch/pytorch#194908; the latter is "latency" in
// TraceLens, TraceLens/NcclAnalyzer). Waiting: what a member takes beyond the transfer. Bandwidths are those of
// NVIDIA's nccl-tests (doc/PERFORMANCE.md): the algorithm's is size over time, with the size that one rank holds after
// an all-gather or before a reduce-scatter; the bus' is that times 2(n-1)/n for an all-reduce, (n-1)/n for an
// all-gather, reduce-scatter, all-to-all, gather or scatter, 1 for a broadcast or reduce. Exposed: outside of kernels
// that compute, as HTA's "communication - overlap".
//
// Values, made by a pure function; any thread; nanoseconds, bytes, bytes per second.
#pragma once

#include <cstdint>
#include <vector>

#include "core/content/block.h"
#include "core/job/clock_fit.h"
#include "core/job/collective_match.h"
#include "core/job/rank_digests.h"

namespace overlane
{

struct CollectiveTiming {
    std::uint32_t collective = 0;  // into CollectiveMatch::collectives
    std::int64_t step = -1;        // the number of the step; -1 where it is of none
    std::int64_t transferNs = 0;
    std::int64_t waitingNs = 0;     // all members together
    std::uint32_t last = 0;         // the rank that came last, into the digests
    std::int64_t lastNs = 0;        // then, on the job's clock
    std::int64_t lateNs = 0;        // it came this much after the last but one
    bool lastIsSure = false;        // that is beyond what the clocks leave open
    std::int64_t costNs = 0;        // of lateNs: what the median of the others did not hide behind compute
    double algorithmBytesPerS = 0;  // 0 where the size is not known
    double busBytesPerS = 0;
};

struct RankCommunication {
    std::int64_t collectives = 0;
    std::int64_t durationNs = 0;
    std::int64_t exposedNs = 0;
    std::int64_t transferNs = 0;  // of the matched ones
    std::int64_t waitingNs = 0;
    std::int64_t cameLast = 0;  // where that is sure
    std::int64_t lateNs = 0;    // then
};

// Of one group, kind and size.
struct CollectiveFamily {
    std::uint32_t group = 0;  // into CollectiveMatch::groups
    CollectiveKind kind = CollectiveKind::Unknown;
    std::int64_t bytes = 0;
    std::int64_t count = 0;
    std::int64_t transferNs = 0;  // median
    std::int64_t waitingNs = 0;   // of a member, on average
    double busBytesPerS = 0;      // median; 0 where unknown
    bool isSlow = false;          // less than kSlowShare of the median of three or more groups alike
};
constexpr double kSlowShare = 0.7;

struct JobCommunication {
    std::vector<CollectiveTiming> collectives;  // in the order of the match
    std::vector<RankCommunication> ranks;       // as the digests
    std::vector<CollectiveFamily> families;     // the most time first
};

JobCommunication jobCommunication(const RankDigests& digests, const CollectiveMatch& match, const ClockFit& clocks);

// What one rank's share of `bytes` puts on the links, as a multiple.
double busFactor(CollectiveKind kind, int ranks);

// The families, and the ranks with what a step of each has.
Blocks communicationBlocks(const JobCommunication& communication, const CollectiveMatch& match,
                           const RankDigests& digests);

}  // namespace overlane
