#include "core/findings/rule_sets.h"

#include <algorithm>
#include <utility>

namespace overlane
{

RuleSets RuleIntervals::take(const WorkMeter& work)
{
    RuleSets sets;
    for (std::size_t rule = 0; rule < sets.size(); ++rule) {
        std::vector<Interval>& intervals = m_intervals[rule];
        const auto byStart = work.counting([](const Interval& a, const Interval& b) { return a.startNs < b.startNs; });
        if (!std::is_sorted(intervals.begin(), intervals.end(), byStart))
            std::sort(intervals.begin(), intervals.end(), byStart);
        sets[rule] = IntervalSet(std::move(intervals));
    }
    return sets;
}

}  // namespace overlane
