// Which rank of a job a trace is of, as its properties keep it: written by recordings and importers, read by core/job.
//
// Pure functions, any thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace overlane
{

// Properties of a trace (TraceMetadata::properties); numbers as text.
inline constexpr const char* kRankProperty = "rank";
inline constexpr const char* kWorldSizeProperty = "world size";
inline constexpr const char* kLocalRankProperty = "local rank";
inline constexpr const char* kHostProperty = "host name";

// A process's place in its job, as its launcher told it.
struct LaunchedRank {
    int rank = 0;
    std::optional<int> worldSize;  // none where the launcher did not tell
    std::optional<int> localRank;

    bool isAlone() const { return worldSize.value_or(2) <= 1; }
};

// `variable` answers with an empty text for what is not set.
using EnvironmentVariable = std::function<std::string(const char*)>;

// Read from the variables of torchrun (RANK, WORLD_SIZE, LOCAL_RANK), Open MPI, MPICH and Slurm, the first that names
// a rank.
std::optional<LaunchedRank> launchedRank(const EnvironmentVariable& variable);

// The same as properties; nothing of a job of one process.
void addRankProperties(std::map<std::string, std::string>& properties, const EnvironmentVariable& variable);

// A number that the whole text is, at least 0 and no more than any job has ranks.
std::optional<int> rankNumber(const std::string& text);

}  // namespace overlane
