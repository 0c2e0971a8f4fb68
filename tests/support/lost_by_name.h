// Time lost to one cause by the name of its evidence, most first: which operator was late, which copy was waited for,
// which worker was slow. The sum is the time lost to that cause.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/idle_attribution.h"

namespace overlane::test
{

using NamedLoss = std::pair<std::string, std::int64_t>;  // the name, empty where no event stands for it, and ns

inline std::vector<NamedLoss> lostByName(const Trace& trace, const Analysis& analysis, std::int32_t device,
                                         LostCause cause, Interval range)
{
    std::map<std::string, std::int64_t> byName;
    for (const IdlePiece& piece : idlePieces(analysis, device, range))
        if (piece.cause == cause)
            byName[evidenceName(trace, piece, idleEvidence(trace, analysis, device, piece))] +=
                piece.interval.lengthNs();
    std::vector<NamedLoss> names(byName.begin(), byName.end());
    std::stable_sort(names.begin(), names.end(),
                     [](const NamedLoss& a, const NamedLoss& b) { return a.second > b.second; });
    return names;
}

}  // namespace overlane::test
