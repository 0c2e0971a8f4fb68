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

void addRankProperties(std::map<std::string, std::string>& properties,
                       const std::function<std::string(const char*)>& variable)
{
    for (const LauncherVariables& launcher : kLaunchers) {
        const std::string rank = variable(launcher.rank);
        const std::string worldSize = variable(launcher.worldSize);
        if (!rankNumber(rank))
            continue;
        if (rankNumber(worldSize).value_or(2) <= 1)
            return;
        properties[kRankProperty] = rank;
        if (rankNumber(worldSize))
            properties[kWorldSizeProperty] = worldSize;
        if (const std::string local = variable(launcher.localRank); rankNumber(local))
            properties[kLocalRankProperty] = local;
        return;
    }
}

}  // namespace overlane
