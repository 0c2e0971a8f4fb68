// ClockFit: one clock for the ranks of a job, fitted to the ends of its collectives.
//
// Clocks of hosts differ by microseconds to hours, and drift. Those of two ranks of one host do too, by tens of
// microseconds: each process converts the times of its GPU itself (docs/validation/jobs.md). All members of an
// all-reduce, all-gather, reduce-scatter, all-to-all or barrier end together, but for the latency of a link, so their
// ends are times that several clocks have read at once. Each rank's is fitted to that of a neighbor with which it
// shares the most collectives, by an offset and a drift, of which a quarter of wrong pairs changes little
// (theil_sen.h).
//
// GPUs of one process have the clock of its trace: nothing is fitted, nothing is off, and the error is 0.
//
// What the fit does not explain is its error: 90 % of the ends lie within it. No statement on who came first may be
// made of less (tellsApart()). A value, made by a pure function; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/job/collective_match.h"
#include "core/job/rank_digests.h"

namespace overlane
{

// The part of the ends that lies within an error.
constexpr double kClockQuantile = 0.9;

struct RankClock {
    bool fitted = false;           // to the others, or the one they are fitted to
    std::int64_t collectives = 0;  // that it was fitted to
    std::int64_t aheadNs = 0;      // of the reference, at the middle of what they share
    double driftPpm = 0;           // what it gains against the reference
    std::int64_t errorNs = 0;      // kClockQuantile of its ends lie as near to those of the others
};

class ClockFit
{
public:
    // A time of a rank as time of the job, whose 0 is the first begin of a fitted rank.
    std::int64_t jobNs(std::uint32_t rank, std::int64_t ns) const;
    Interval jobInterval(std::uint32_t rank, Interval interval) const
    {
        return {jobNs(rank, interval.startNs), jobNs(rank, interval.endNs)};
    }
    // Whether a difference between times of two ranks is beyond what their clocks leave open.
    bool tellsApart(std::uint32_t a, std::uint32_t b, std::int64_t differenceNs) const;

    std::vector<RankClock> clocks;  // by rank, as the digests
    bool isOneClock = false;        // of GPUs of one process; no end was measured
    std::uint32_t reference = 0;    // the rank that the others are fitted to
    // Ranks whose collectives have the numbers or places of the others', and whose ends no clock brings together: they
    // are of another run. Ascending.
    std::vector<std::uint32_t> strangers;
    std::int64_t errorNs = 0;  // as RankClock::errorNs, over all ends
    std::int64_t ends = 0;     // members that it was measured on

private:
    friend class ClockFitter;
    // reference = (local - base) * (1 + slope) + offset, since the base of the reference.
    struct Line {
        std::int64_t baseNs = 0;
        double offsetNs = 0;
        double slope = 0;
    };
    std::vector<Line> m_lines;             // by rank
    std::vector<std::int64_t> m_epochsNs;  // by rank
    std::int64_t m_zeroNs = 0;             // since the base of the reference
};

ClockFit fitClocks(const RankDigests& digests, const CollectiveMatch& match);

// That there are strangers, and what to do; empty where there are none.
std::string strangersText(const ClockFit& fit, const RankDigests& digests);

// A sentence on the clocks and their error, and a table of them by host.
Blocks clockBlocks(const ClockFit& fit, const RankDigests& digests);

}  // namespace overlane
