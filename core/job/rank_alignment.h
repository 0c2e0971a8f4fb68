// alignRank(): where the collectives of one rank begin among those of another, of the same group.
//
// A recording begins anywhere, so that the first collective of one rank need not be the first of the other. Tried in
// this order: the steps that asked for them, the clock of a host that both share, from the start where both have as
// many, a pattern that fits in one place only. Kinds and sizes have to agree in every place. A pure function of the
// digests; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/job/collective_match.h"
#include "core/job/rank_digests.h"

namespace overlane
{

// One rank's collectives of one group, in their order.
struct RankList {
    std::uint32_t rank = 0;
    bool isNumbered = false;
    std::vector<std::uint32_t> members;  // into its digest's collectives
};

// Added to a place in the moved list it gives that in the reference, and `how` it was found; none where several would
// do.
std::optional<std::int64_t> alignRank(const RankDigests& digests, const RankList& reference, const RankList& moved,
                                      GroupAlignment& how);

}  // namespace overlane
