// CounterPyramid: the lowest and the highest value of any stretch of a counter, without a scan.
//
// A tree of branching 16 over the samples; each node holds the lowest and the highest value of its own, and
// beside it lies the time of each sixteenth sample: what a query reads lies side by side in memory, and no
// branch depends on a value. Built once in O(samples); a query looks at about 32 places a level, of which
// there are log16(samples). Adds about 1.6 bytes per sample. Immutable, so any thread may ask. The series
// must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/trace/track.h"

namespace overlane
{

class CounterPyramid
{
public:
    static constexpr std::uint32_t kBranching = 16;

    struct Extremes {
        double lowest = std::numeric_limits<double>::infinity();
        double highest = -std::numeric_limits<double>::infinity();
        bool none() const { return lowest > highest; }
    };

    explicit CounterPyramid(const CounterSeries& series);

    const CounterSeries& series() const { return *m_series; }
    // Of the samples [first, last); none where no sample of these is a number. Adds to `looked` the samples
    // and nodes that it looked at.
    Extremes extremes(std::uint32_t first, std::uint32_t last, std::size_t* looked = nullptr) const;
    // The first sample of [first, last) at `timeNs` or later, up to `slackNs` later where that is cheaper
    // (firstInGroups()); `last` where there is none. Adds to `looked` as extremes() does.
    std::uint32_t firstFrom(std::uint32_t first, std::uint32_t last, std::int64_t timeNs, std::int64_t slackNs = 0,
                            std::size_t* looked = nullptr) const;
    // As the series says, from what lies side by side where the sample begins a group.
    std::int64_t timeNs(std::uint32_t sample) const
    {
        return sample % kBranching == 0 ? m_timesNs[sample / kBranching] : m_series->timesNs[sample];
    }
    // Of all samples; 0 where none is a number.
    double lowestValue() const { return m_all.none() ? 0 : m_all.lowest; }
    double highestValue() const { return m_all.none() ? 0 : m_all.highest; }
    // Has what a search or extremes that end about here read fetched into the cache.
    void hintCache(std::uint32_t index) const;
    std::size_t bytes() const;

private:
    const CounterSeries* m_series;
    Extremes m_all;
    std::vector<std::vector<Extremes>> m_levels;  // m_levels[0]: one node per 16 samples
    std::vector<std::int64_t> m_timesNs;          // of the first sample of each of these
};

}  // namespace overlane
