#include "core/job/rank_parts.h"

#include "core/base/enum_rows.h"
#include "core/base/saturated.h"

namespace overlane
{
namespace
{

constexpr std::array<RankPartRow, kRankPartCount> kRankParts{{
    {RankPart::Compute, "compute_ns", "compute", "compute", {}},
    {RankPart::Communication, "exposed_communication_ns", "communication", "exposed communication",
     CauseGroup::Communication},
    {RankPart::Copies, "exposed_copies_ns", "copies", "exposed copies", CauseGroup::Copies},
    {RankPart::Loader, "loader_wait_ns", "loader", "waiting for batches", CauseGroup::Loader},
    {RankPart::Host, "host_bound_ns", "host", "waiting for the host", CauseGroup::Host},
    {RankPart::Idle, "idle_ns", "idle", "other idle time", CauseGroup::Idle},
}};
static_assert(standInOrder(kRankParts, &RankPartRow::part));

}  // namespace

std::span<const RankPartRow> rankParts()
{
    return kRankParts;
}

const RankPartRow& rowOf(RankPart part)
{
    return kRankParts[static_cast<std::size_t>(part)];
}

RankPartTimes partsOf(const DigestStep& step)
{
    RankPartTimes times{};
    times[static_cast<std::size_t>(RankPart::Compute)] = step.computeNs;
    for (const RankPartRow& row : kRankParts)
        for (const LostCauseRow& cause : lostCauses())
            if (row.causes == cause.group) {
                std::int64_t& sum = times[static_cast<std::size_t>(row.part)];
                sum = saturatedSum(sum, step.lostNs[static_cast<std::size_t>(cause.cause)]);
            }
    return times;
}

}  // namespace overlane
