// RankPart: where the time of a rank's step goes, coarse enough to compare hundreds of ranks: compute, then the causes
// of time without it, grouped by their rows. The parts of a step add up to it.
//
// Constants and pure functions, any thread. Nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/analysis/cause_table.h"
#include "core/job/rank_digest.h"

namespace overlane
{

enum class RankPart : std::uint8_t { Compute, Communication, Copies, Loader, Host, Idle };
constexpr int kRankPartCount = 6;

struct RankPartRow {
    RankPart part;
    std::string_view key;              // of JSON and exports, with the unit; never changes
    std::string_view title;            // of a column
    std::string_view words;            // in a sentence: "1.2 ms more exposed communication"
    std::optional<CauseGroup> causes;  // none: time with compute
};
// In the order of RankPart.
std::span<const RankPartRow> rankParts();
const RankPartRow& rowOf(RankPart part);

using RankPartTimes = std::array<std::int64_t, kRankPartCount>;
RankPartTimes partsOf(const DigestStep& step);

}  // namespace overlane
