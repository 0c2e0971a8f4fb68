#include "core/trace/rank_properties.h"

#include <charconv>

namespace overlane
{
namespace
{

constexpr int kMostRankNumber = 1 << 24;

struct LauncherVariables {
    const char* rank;
    const char* worldSize;
    const char* localRank;
};
// torchrun's come first: it may run below Slurm, which then counts its agents.
constexpr LauncherVariables kLaunchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
};

}  // namespace

std::optional<int> rankNumber(const std::string& text)
{
    int number = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || number < 0 || number > kMostRankNumber)
        return {};
    return number;
}

std::optional<LaunchedRank> launchedRank(const EnvironmentVariable& variable)
{
    for (const LauncherVariables& launcher : kLaunchers)
        if (const std::optional<int> rank = rankNumber(variable(launcher.rank)))
            return LaunchedRank{*rank, rankNumber(variable(launcher.worldSize)),
                                rankNumber(variable(launcher.localRank))};
    return {};
}

void addRankProperties(std::map<std::string, std::string>& properties, const EnvironmentVariable& variable)
{
    const std::optional<LaunchedRank> launched = launchedRank(variable);
    if (!launched || launched->isAlone())
        return;
    properties[kRankProperty] = std::to_string(launched->rank);
    if (launched->worldSize)
        properties[kWorldSizeProperty] = std::to_string(*launched->worldSize);
    if (launched->localRank)
        properties[kLocalRankProperty] = std::to_string(*launched->localRank);
}

}  // namespace overlane
