#include "core/job/rank_digests.h"

#include <algorithm>
#include <fmt/format.h>

namespace overlane
{

std::string rankLabels(const std::vector<std::uint32_t>& ranks, const RankDigests& digests, std::size_t mostNamed)
{
    std::string text;
    for (std::size_t at = 0; at < std::min(ranks.size(), mostNamed); ++at)
        text += (at == 0 ? "" : ", ") + rankLabel(digests[ranks[at]].identity);
    return ranks.size() > mostNamed ? fmt::format("{} and {} more", text, ranks.size() - mostNamed) : text;
}

}  // namespace overlane
