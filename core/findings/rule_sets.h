// RuleSets: the time of each rule, made from intervals in any order, and idle time given to rules by the sets that it
// lies in.
//
// Values and pure functions; one thread at a time. Nanoseconds.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/analysis/interval_set.h"
#include "core/base/work_meter.h"
#include "core/findings/finding.h"

namespace overlane
{

using RuleSets = std::array<IntervalSet, kRuleCount + 1>;  // by placeOf(rule); the last, of RuleId::None: no rule's

constexpr std::size_t placeOf(RuleId rule)
{
    return static_cast<std::size_t>(rule);
}

// Intervals by rule, in any order, until all are there.
class RuleIntervals
{
public:
    void add(RuleId rule, Interval interval) { m_intervals[placeOf(rule)].push_back(interval); }
    // Leaves none behind.
    RuleSets take(const WorkMeter& work);

private:
    std::array<std::vector<Interval>, kRuleCount + 1> m_intervals;
};

// Gives every idle moment of a cause to the owner of the set that it lies in; where several hold it,
// to the first rule. `within` says which part of some idle time lies in the set of a rule's place.
template <typename Within, typename OwnerOf>
void giveBySet(IntervalSet rest, Within within, OwnerOf ownerOf, std::array<IntervalSet, kRuleCount>& idle)
{
    for (std::size_t at = 0; at <= static_cast<std::size_t>(kRuleCount) && !rest.empty(); ++at) {
        const IntervalSet taken = within(rest, at);
        if (taken.empty())
            continue;
        rest = subtract(rest, taken);
        if (const RuleId owner = ownerOf(static_cast<RuleId>(at)); owner != RuleId::None)
            idle[placeOf(owner)] = unite(idle[placeOf(owner)], taken);
    }
    if (const RuleId owner = ownerOf(RuleId::None); owner != RuleId::None && !rest.empty())
        idle[placeOf(owner)] = unite(idle[placeOf(owner)], rest);
}

template <typename OwnerOf>
void giveBySet(const IntervalSet& rest, const RuleSets& sets, OwnerOf ownerOf,
               std::array<IntervalSet, kRuleCount>& idle)
{
    giveBySet(
        rest, [&](const IntervalSet& left, std::size_t at) { return intersect(left, sets[at]); }, ownerOf, idle);
}

}  // namespace overlane
