// EventOwners: whose each copy is, by its event, or each wait that belongs to a copy.
//
// A value; one thread at a time. of() is asked behind sort().
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/work_meter.h"
#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

class EventOwners
{
public:
    void add(EventIndex event, RuleId owner) { m_owners.emplace_back(event, owner); }
    void sort(const WorkMeter& work) { std::sort(m_owners.begin(), m_owners.end(), work.counting(std::less<>())); }
    // None where no rule has it.
    RuleId of(EventIndex event) const
    {
        const auto found = std::lower_bound(m_owners.begin(), m_owners.end(), std::pair(event, RuleId{}));
        return found == m_owners.end() || found->first != event ? RuleId::None : found->second;
    }

private:
    std::vector<std::pair<EventIndex, RuleId>> m_owners;
};

}  // namespace overlane
