#include "core/analysis/interval_set.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace overlane
{
namespace
{

bool startsBefore(Interval a, Interval b)
{
    return a.startNs < b.startNs;
}

using Place = std::vector<Interval>::const_iterator;

// The first interval from `from` on that ends after a time. Steps double, so that passing over many costs
// little, and passing over one costs no more than looking at it.
Place endingAfter(Place from, Place end, std::int64_t timeNs)
{
    const auto endsBy = [timeNs](Interval interval) { return interval.endNs <= timeNs; };
    std::ptrdiff_t step = 1;
    while (step < end - from && endsBy(*(from + step))) {
        from += step;
        step *= 2;
    }
    return std::partition_point(from, from + std::min(step + 1, end - from), endsBy);
}

}  // namespace

IntervalSet::IntervalSet(std::vector<Interval> intervals)
{
    if (!std::is_sorted(intervals.begin(), intervals.end(), startsBefore))
        std::sort(intervals.begin(), intervals.end(), startsBefore);
    reserve(intervals.size());
    for (const Interval interval : intervals)
        add(interval);
}

void IntervalSet::reserve(std::size_t intervals)
{
    m_intervals.reserve(intervals);
    m_coveredNs.reserve(intervals);
}

void IntervalSet::add(Interval interval)
{
    if (interval.empty())
        return;
    assert(m_intervals.empty() || interval.startNs >= m_intervals.back().startNs);
    if (!m_intervals.empty() && interval.startNs <= m_intervals.back().endNs) {
        m_intervals.back().endNs = std::max(m_intervals.back().endNs, interval.endNs);
        return;
    }
    m_coveredNs.push_back(measureNs());
    m_intervals.push_back(interval);
}

Interval IntervalSet::span() const
{
    return empty() ? Interval{} : Interval{m_intervals.front().startNs, m_intervals.back().endNs};
}

std::int64_t IntervalSet::measureNs() const
{
    return empty() ? 0 : m_coveredNs.back() + m_intervals.back().lengthNs();
}

std::int64_t IntervalSet::coveredBeforeNs(std::int64_t timeNs) const
{
    const auto after = std::upper_bound(m_intervals.begin(), m_intervals.end(), timeNs,
                                        [](std::int64_t time, Interval interval) { return time < interval.startNs; });
    if (after == m_intervals.begin())
        return 0;
    const auto at = static_cast<std::size_t>(after - m_intervals.begin()) - 1;
    return m_coveredNs[at] + std::min(timeNs, m_intervals[at].endNs) - m_intervals[at].startNs;
}

std::int64_t IntervalSet::measureNs(Interval range) const
{
    return range.empty() ? 0 : coveredBeforeNs(range.endNs) - coveredBeforeNs(range.startNs);
}

IntervalSet IntervalSet::gaps(Interval range) const
{
    return subtract(IntervalSet({range}), *this);
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b)
{
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    IntervalSet merged;
    merged.reserve(a.size() + b.size());
    auto left = a.intervals().begin();
    auto right = b.intervals().begin();
    while (left != a.intervals().end() && right != b.intervals().end())
        merged.add(startsBefore(*right, *left) ? *right++ : *left++);
    std::for_each(left, a.intervals().end(), [&](Interval rest) { merged.add(rest); });
    std::for_each(right, b.intervals().end(), [&](Interval rest) { merged.add(rest); });
    return merged;
}

IntervalSet unite(std::vector<IntervalSet> sets, const WorkMeter& work)
{
    if (sets.empty())
        return {};
    for (std::size_t stride = 1; stride < sets.size(); stride *= 2)
        for (std::size_t at = 0; at + stride < sets.size(); at += 2 * stride) {
            IntervalSet& left = sets[at];
            IntervalSet& right = sets[at + stride];
            work.count(1 + left.size() + right.size());
            if (left.empty())
                left = std::move(right);
            else if (!right.empty())
                left = unite(left, right);
            right = {};
        }
    return std::move(sets.front());
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b)
{
    IntervalSet common;
    auto left = a.intervals().begin();
    auto right = b.intervals().begin();
    while (left != a.intervals().end() && right != b.intervals().end()) {
        if (left->endNs <= right->startNs) {
            left = endingAfter(left, a.intervals().end(), right->startNs);
        } else if (right->endNs <= left->startNs) {
            right = endingAfter(right, b.intervals().end(), left->startNs);
        } else {
            common.add(left->intersected(*right));
            if (left->endNs < right->endNs)
                ++left;
            else
                ++right;
        }
    }
    return common;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b)
{
    if (a.empty() || b.empty())
        return a;
    IntervalSet rest;
    auto cut = b.intervals().begin();
    for (const Interval interval : a.intervals()) {
        std::int64_t fromNs = interval.startNs;
        if (cut != b.intervals().end() && cut->endNs <= fromNs)
            cut = endingAfter(cut, b.intervals().end(), fromNs);
        for (auto at = cut; at != b.intervals().end() && at->startNs < interval.endNs; ++at) {
            rest.add({fromNs, at->startNs});
            fromNs = std::max(fromNs, at->endNs);
            cut = at;
        }
        rest.add({fromNs, interval.endNs});
    }
    return rest;
}

}  // namespace overlane
