// Fleet: many runs as one table, as `overlane fleet scan` has written it: a row for each trace, what it lost and why.
//
// Plain data, any thread. Nanoseconds. Figures are those that core found in each trace when it was scanned, over the
// trace's judged range; none is worked out anew here. Texts may come from strangers' files and are printable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace overlane
{

// Places in Fleet::causes, Fleet::groups, Fleet::versions.
using FleetPlace = std::uint32_t;
constexpr FleetPlace kNoPlace = UINT32_MAX;

struct FleetLoss {
    FleetPlace cause = 0;
    std::int64_t ns = 0;  // summed over the run's GPUs
};

struct FleetRun {
    std::string url;  // a path or an address, as it was scanned
    std::string name;
    FleetPlace group = kNoPlace;
    FleetPlace version = kNoPlace;
    std::optional<std::int64_t> recordedS;  // since 1970, UTC
    std::string gpu;
    std::int64_t gpus = 1;  // at least one
    std::int64_t steps = 0;
    std::int64_t stepNs = 0;  // 0: no steps were found
    std::int64_t spanNs = 0;
    std::int64_t exposedNs = 0;               // of copies, summed over GPUs
    std::optional<double> overlap;            // 0 to 1, the hidden part of the copies' time; none without copies
    std::int64_t exposedCommunicationNs = 0;  // summed over GPUs
    std::string verdict;
    std::string easiest;  // change, with its prediction
    std::string error;    // why it was not read; then no figure holds
    std::vector<FleetLoss> losses;

    bool isRead() const { return error.empty(); }
    double gpuNs() const { return static_cast<double>(spanNs) * static_cast<double>(gpus); }
    // What its GPUs lost to one cause, or to all.
    double lostNs(std::optional<FleetPlace> cause = {}) const;
};

struct FleetCause {
    std::string id;     // stable, as in core/analysis/cause_table.h
    std::string label;  // for people
};

struct Fleet {
    std::string path;  // of its file
    std::vector<FleetRun> runs;
    std::vector<FleetCause> causes;
    std::vector<std::string> groups;
    std::vector<std::string> versions;

    const std::string& groupOf(const FleetRun& run) const;    // empty: none
    const std::string& versionOf(const FleetRun& run) const;  // empty: none
};

}  // namespace overlane
