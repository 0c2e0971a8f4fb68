// ClockFit: one clock for the ranks of a job, fitted to the ends of its collectives.
//
// Clocks of hosts differ by microseconds to hours, those of GPUs drift against each other. All members of an
// all-reduce, all-gather, reduce-scatter, all-to-all or barrier end together, but for the latency of a link, so their
// ends are times that several clocks have read at once. Ranks of one named host share a clock, others have one of their
// own. Each is fitted to a neighbor with which it shares the most collectives, by an offset and a drift: the slope is
// that of Theil and Sen (Sen 1968, "Estimates of the regression coefficient based on Kendall's tau"), the offset a
// median, so that a quarter of wrong pairs changes little. A drift that the spread of the ends would also make is 0.
//
// What the fit does not explain is its error: 90 % of the ends lie within it. No statement on who came first may be
// made of less (tellsApart()). A value, made by a pure function; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/job/collective_match.h"
#include "core/job/rank_digest.h"

namespace overlane
{

// The part of the ends that lies within an error.
constexpr double kClockQuantile = 0.9;

struct HostClock {
    std::string host;                  // empty where the rank's host is unknown
    std::vector<std::uint32_t> ranks;  // into the digests
    bool fitted = false;               // to the others; the first clock is by itself
    std::int64_t collectives = 0;      // that it was fitted to
    std::int64_t aheadNs = 0;          // of the first clock, at the middle of what they share
    double driftPpm = 0;               // what it gains against the first clock
    std::int64_t errorNs = 0;          // kClockQuantile of its ends lie as near to those of the others
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
    const HostClock& clockOf(std::uint32_t rank) const { return clocks[clockOfRank[rank]]; }
    bool isFitted(std::uint32_t rank) const { return clockOf(rank).fitted; }
    bool sharesClock(std::uint32_t a, std::uint32_t b) const { return clockOfRank[a] == clockOfRank[b]; }
    // Whether a difference between times of two ranks is beyond what their clocks leave open.
    bool tellsApart(std::uint32_t a, std::uint32_t b, std::int64_t differenceNs) const;

    std::vector<HostClock> clocks;           // the first is what the others are fitted to
    std::vector<std::uint32_t> clockOfRank;  // into `clocks`
    std::int64_t errorNs = 0;                // as HostClock::errorNs, over all ends
    std::int64_t ends = 0;                   // members that it was measured on

private:
    friend class ClockFitter;
    // first = (local - base) * (1 + slope) + offset, with `first` since the base of the first clock.
    struct Line {
        std::int64_t baseNs = 0;
        double offsetNs = 0;
        double slope = 0;
    };
    std::vector<Line> m_lines;             // beside `clocks`
    std::vector<std::int64_t> m_epochsNs;  // of the ranks
    std::int64_t m_zeroNs = 0;             // since the base of the first clock
};

ClockFit fitClocks(const std::vector<RankDigest>& digests, const CollectiveMatch& match);

// A sentence on the clocks and their error, and a table of them where there are several.
Blocks clockBlocks(const ClockFit& fit, const std::vector<RankDigest>& digests);

}  // namespace overlane
