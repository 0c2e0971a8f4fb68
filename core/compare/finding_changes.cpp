#include "core/compare/finding_changes.h"

#include <algorithm>
#include <cstdlib>

namespace overlane
{
namespace
{

std::int64_t costOf(const Finding& finding, bool perStep)
{
    const FindingCost& cost = finding.cost;
    if (perStep)
        return cost.gpuIdlePerStepNs > 0 ? cost.gpuIdlePerStepNs : cost.hostBlockedPerStepNs;
    return cost.gpuIdleNs > 0 ? cost.gpuIdleNs : cost.hostBlockedNs;
}

FindingFate fateOf(const FindingChange& change)
{
    if (!change.a || !change.b)
        return change.a ? FindingFate::Gone : FindingFate::New;
    const auto larger = static_cast<double>(std::max(change.aNs, change.bNs));
    const auto moved = static_cast<double>(std::abs(change.bNs - change.aNs));
    const bool same = moved <= kSameCostShare * larger && change.a->severity == change.b->severity;
    return same ? FindingFate::Same : FindingFate::Changed;
}

}  // namespace

std::string_view fateName(FindingFate fate)
{
    switch (fate) {
        case FindingFate::Gone:
            return "gone";
        case FindingFate::New:
            return "new";
        case FindingFate::Changed:
            return "changed";
        case FindingFate::Same:
            break;
    }
    return "same";
}

std::vector<FindingChange> findingChanges(const FindingList& a, const FindingList& b)
{
    const bool perStep = a.steps > 0 && b.steps > 0;
    std::vector<FindingChange> changes;
    const auto add = [&](const Finding* onA, const Finding* onB) {
        FindingChange change;
        change.a = onA;
        change.b = onB;
        change.aNs = onA ? costOf(*onA, perStep) : 0;
        change.bNs = onB ? costOf(*onB, perStep) : 0;
        change.fate = fateOf(change);
        changes.push_back(change);
    };
    for (const Finding& finding : a.findings)
        add(&finding, b.find(finding.rule));
    for (const Finding& finding : b.findings)
        if (!a.find(finding.rule))
            add(nullptr, &finding);
    std::stable_sort(changes.begin(), changes.end(), [](const FindingChange& x, const FindingChange& y) {
        const bool sameX = x.fate == FindingFate::Same;
        const bool sameY = y.fate == FindingFate::Same;
        return std::pair(sameX, -std::abs(x.bNs - x.aNs)) < std::pair(sameY, -std::abs(y.bNs - y.aNs));
    });
    return changes;
}

}  // namespace overlane
