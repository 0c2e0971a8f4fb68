// Stragglers: ranks that make the others wait in collectives, and why.
//
// A rank is named by what it does itself (own_steps.h), never by the time that it waits. It is a straggler where
// 1. its own step, on average or in the median, falls by kLeastGap of the job's step or more behind the next rank: that
//    is what a cure wins, since in a job whose ranks meet in every step the longest own step is the job's;
// 2. ranks that are all alike would fall apart so less than once in 100 times (gap_chance.h), of its whole step, or of
//    the part of it that is the reason and is itself worth kLeastGap;
// 3. it comes last to collectives, and the others wait for it for kLeastGap of the step or more.
// Coming last alone shows no slow rank. Hosts that run ahead of their GPUs come early by all that they are ahead, a sum
// over steps: of equally fast ones one is behind for long (the arcsine law of random walks, Feller 1968, III.4), and
// the others wait for it though its cure wins nothing. (HTA picks the rank whose last long collective starts latest,
// hta/analyzers/straggler.py; TraceLens counts arrivals.)
//
// The reason is what a named rank's own step holds more of than the median of the others. Values, made by a pure
// function with a fixed seed; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/content/block.h"
#include "core/job/collective_match.h"
#include "core/job/job_communication.h"
#include "core/job/own_steps.h"
#include "core/job/rank_digests.h"

namespace overlane
{

// As OwnPart, and Unknown.
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
    std::uint32_t rank = 0;     // into the digests
    std::int64_t ownNs = 0;     // its own step
    std::int64_t steps = 0;     // in which it came last to a collective, beyond what the clocks leave open
    std::int64_t waitedNs = 0;  // what the median of the others waited for it in an average step, not hidden
    StragglerReason reason = StragglerReason::Unknown;
    std::int64_t partNs = 0;  // what the reason takes of its step
    std::int64_t moreNs = 0;  // that beyond the median of the others
    bool pageable = false;    // a finding of its trace is on pageable memory
};

// Why the rank that comes last is not named.
enum class NotNamed : std::uint8_t {
    FewSteps,      // too few to compare
    HostsUnknown,  // calls of hosts were not recorded, so that only GPUs are compared
    NoLonger,      // its own step is about as long as the others'
    Chance,        // it is longer, and its steps vary so much that chance does the same
};
// "few_steps"; stable, used in JSON.
std::string_view notNamedId(NotNamed why);

// The rank that the others waited for most, where that is a share of the step worth a word.
struct LastRank {
    std::uint32_t rank = 0;
    std::int64_t steps = 0;        // in which it came last
    std::int64_t collectives = 0;  // that it came last to
    std::int64_t waitedNs = 0;     // as of a straggler; in all where there are too few steps
    std::int64_t moreNs = 0;       // of its own step beyond the next rank's
    NotNamed why = NotNamed::NoLonger;
};

struct StragglerAnswer {
    std::int64_t steps = 0;             // that were compared
    std::int64_t stepNs = 0;            // of the job
    std::vector<std::int64_t> ownNs;    // by rank, of the average compared step; empty where none is
    std::vector<Straggler> stragglers;  // longest own step first
    std::optional<LastRank> last;       // where none is named
    double chance = 1;                  // that ranks which are alike fall apart so
    std::int64_t withoutNs = 0;         // the job's step with these as quick as the next; 0 without any
    std::string whyNot;                 // a sentence where nothing could be compared
};

// The part of the job's step by which own steps have to differ, and for which the others have to wait.
constexpr double kLeastGap = 0.05;
// Fewer steps are not compared.
constexpr std::size_t kLeastSteps = 4;

StragglerAnswer findStragglers(const RankDigests& digests, const CollectiveMatch& match,
                               const JobCommunication& communication);

Blocks stragglerBlocks(const StragglerAnswer& answer, const RankDigests& digests);

}  // namespace overlane
