// Stragglers: ranks that make the others wait in collectives, and why.
//
// A rank's own step is what its step takes without waiting for the others, at least: the longest of what its host takes
// (HostPace), what its GPU does (kernels that compute, exposed copies, its exposed share of the transfers), and the
// step less the exposed waiting in collectives. In a job whose ranks meet in every step the longest own step is the
// job's, and a host that runs ahead shows no lateness of its own however slow it is: the difference of own steps, and
// not that of arrivals, is what a cure wins. Ranks are named where own steps fall by kLeastGap or more behind the first
// few, where that holds over the steps (the signs of the differences of each step drawn at random would make such a
// mean less than once in 100 times), and where these ranks come last. (HTA picks the rank whose last long collective
// starts latest, hta/analyzers/straggler.py; TraceLens counts arrivals.)
//
// The reason is what a named rank's own step holds more of than the median of the others. Values, made by a pure
// function with a fixed seed; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/content/block.h"
#include "core/job/collective_match.h"
#include "core/job/job_communication.h"
#include "core/job/rank_digest.h"

namespace overlane
{

enum class StragglerReason : std::uint8_t {
    Loader,     // it waits for batches, or makes or pins them
    CopyCalls,  // calls that copy block its host: pageable memory, blocking copies
    Link,       // its copies take longer
    Compute,    // its kernels take longer: a slower GPU, or more work
    Host,       // its host takes longer for all else
    Unknown,    // its own records do not say
};
constexpr int kStragglerReasonCount = static_cast<int>(StragglerReason::Unknown) + 1;
// "loader"; stable, used in JSON.
std::string_view stragglerReasonId(StragglerReason reason);

struct Straggler {
    std::uint32_t rank = 0;  // into the digests
    std::int64_t ownNs = 0;  // its own step
    std::int64_t steps = 0;  // in which it came last to a collective, beyond what the clocks leave open
    StragglerReason reason = StragglerReason::Unknown;
    std::int64_t partNs = 0;  // what the reason takes of its step
    std::int64_t moreNs = 0;  // that beyond the median of the others
    bool pageable = false;    // a finding of its trace is on pageable memory
};

struct StragglerAnswer {
    std::int64_t steps = 0;             // that were compared
    std::int64_t stepNs = 0;            // of the job
    std::vector<std::int64_t> ownNs;    // by rank, of the average compared step; 0 where it is not known
    std::vector<Straggler> stragglers;  // longest own step first
    double chance = 1;                  // that steps like these make such a difference without a straggler
    std::int64_t withoutNs = 0;         // the job's step with these as quick as the next; 0 without any
    std::string whyNot;                 // a sentence where nothing could be compared
};

// The part of the job's step by which own steps have to differ.
constexpr double kLeastGap = 0.05;
// The same where only the host takes longer: equal hosts differ by as much (docs/validation/jobs.md).
constexpr double kLeastGapOfHosts = 0.08;

StragglerAnswer findStragglers(const std::vector<RankDigest>& digests, const CollectiveMatch& match,
                               const JobCommunication& communication);

Blocks stragglerBlocks(const StragglerAnswer& answer, const std::vector<RankDigest>& digests);

}  // namespace overlane
