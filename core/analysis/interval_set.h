// IntervalSet: a set of points in time, kept as sorted, disjoint, non-adjacent half-open intervals.
//
// Owns its intervals and the running sum of their lengths, so that measuring any range is a
// binary search. Times in nanoseconds. Set operations are linear in the number of intervals; what two
// sets have in common costs no more than the smaller one and a search in the other.
// A value: const use from any number of threads is safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/interval.h"
#include "core/base/work_meter.h"

namespace overlane
{

class IntervalSet
{
public:
    IntervalSet() = default;
    // The union of intervals in any order; empty ones add nothing. Linear when starts ascend.
    explicit IntervalSet(std::vector<Interval> intervals);

    // Adds one interval that starts no earlier than those already there; amortised constant. Intervals in
    // another order are gathered in a vector first.
    void add(Interval interval);
    void reserve(std::size_t intervals);

    const std::vector<Interval>& intervals() const { return m_intervals; }
    std::size_t size() const { return m_intervals.size(); }
    bool empty() const { return m_intervals.empty(); }
    // From the first start to the last end; {0, 0} for an empty set.
    Interval span() const;

    std::int64_t measureNs() const;
    // Length of the part within a range.
    std::int64_t measureNs(Interval range) const;
    // What the set leaves free of a range.
    IntervalSet gaps(Interval range) const;

    friend bool operator==(const IntervalSet& a, const IntervalSet& b) { return a.m_intervals == b.m_intervals; }

private:
    // Covered length before a time.
    std::int64_t coveredBeforeNs(std::int64_t timeNs) const;

    std::vector<Interval> m_intervals;
    std::vector<std::int64_t> m_coveredNs;  // length of all intervals before the one at the same place
};

IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
// Of any number of sets, pairwise, so that n intervals in k sets cost n log k.
IntervalSet unite(std::vector<IntervalSet> sets, const WorkMeter& work = {});
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);

}  // namespace overlane
