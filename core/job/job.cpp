#include "core/job/job.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace overlane
{

std::string JobRank::label() const
{
    return identity.rank || identity.gpu ? rankLabel(identity) : std::filesystem::path(file.path()).filename().string();
}

std::size_t Job::readRanks() const
{
    return static_cast<std::size_t>(
        std::count_if(ranks.begin(), ranks.end(), [](const JobRank& r) { return r.isRead(); }));
}

int Job::worldSize() const
{
    std::map<int, int> votes;
    for (const JobRank& rank : ranks)
        if (rank.identity.worldSize)
            ++votes[*rank.identity.worldSize];
    // Of sizes that as many say, the larger one.
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second <= b.second; });
    return most == votes.end() ? 0 : most->first;
}

std::vector<int> Job::missing() const
{
    // A size that one stranger's file makes up lists no millions.
    constexpr int kMostListed = 1 << 16;
    std::vector<int> there;
    for (const JobRank& rank : ranks)
        if (rank.identity.rank)
            there.push_back(*rank.identity.rank);
    std::sort(there.begin(), there.end());
    const int size = std::min(kMostListed, std::max(worldSize(), there.empty() ? 0 : there.back() + 1));
    std::vector<int> made;
    if (there.empty())
        return made;
    for (int rank = 0; rank < size; ++rank)
        if (!std::binary_search(there.begin(), there.end(), rank))
            made.push_back(rank);
    return made;
}

std::vector<int> Job::doubled() const
{
    std::map<int, int> files;
    for (const JobRank& rank : ranks)
        if (rank.identity.rank)
            ++files[*rank.identity.rank];
    std::vector<int> made;
    for (const auto& [rank, count] : files)
        if (count > 1)
            made.push_back(rank);
    return made;
}

}  // namespace overlane
