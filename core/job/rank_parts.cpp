#include "core/job/rank_parts.h"

#include "core/base/enum_rows.h"
#include "core/base/saturated.h"

namespace overlane
{
namespace
{

constexpr std::array<RankPartRow, kRankPartCount> kRankParts{{
    {RankPart::Compute, "compute_ns", "compute", "compute", {}},
    {RankPart::Communication,
     "exposed_communication_ns",
     "communication",
     "exposed communication",
     {LostCause::Communication}},
    {RankPart::Copies,
     "exposed_copies_ns",
     "copies",
     "exposed copies",
     {LostCause::Copies, LostCause::Staging, LostCause::ReadBack, LostCause::Migration, LostCause::OtherWork}},
    {RankPart::Loader,
     "loader_wait_ns",
     "loader",
     "waiting for batches",
     {LostCause::Batches, LostCause::MakingBatches, LostCause::Pinning, LostCause::Swap}},
    {RankPart::Host,
     "host_bound_ns",
     "host",
     "waiting for the host",
     {LostCause::Sync, LostCause::LaunchBound, LostCause::Host, LostCause::HostBetween}},
    {RankPart::Idle,
     "idle_ns",
     "idle",
     "other idle time",
     {LostCause::InGraph, LostCause::Dependency, LostCause::Ends, LostCause::Unknown}},
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
        for (std::size_t cause = 0; cause < step.lostNs.size(); ++cause)
            if (row.causes.has(static_cast<LostCause>(cause))) {
                std::int64_t& sum = times[static_cast<std::size_t>(row.part)];
                sum = saturatedSum(sum, step.lostNs[cause]);
            }
    return times;
}

}  // namespace overlane
