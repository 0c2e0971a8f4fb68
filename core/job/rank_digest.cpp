#include "core/job/rank_digest.h"

#include <fmt/format.h>

namespace overlane
{

bool areOnOneHost(const RankIdentity& a, const RankIdentity& b)
{
    return (a.gpu && b.gpu) || (!a.host.empty() && a.host == b.host);
}

std::string rankLabel(const RankIdentity& identity)
{
    const std::string rank = identity.gpu    ? fmt::format("GPU {}", *identity.gpu)
                             : identity.rank ? fmt::format("rank {}", *identity.rank)
                                             : "unknown rank";
    return identity.host.empty() ? rank : rank + " on " + identity.host;
}

}  // namespace overlane
