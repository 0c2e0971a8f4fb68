// Fidelity: what the simulation says of a scenario against what a real GPU took for it.
//
// Rows are measured once and kept in a file, one JSON object a line; the simulation beside them is always
// made anew. Error of the wall = simulated / measured - 1; a percentile is that of its absolute value. A
// pair, rows 2k and 2k + 1 of a seed, differs in one knob; it is told apart where the measured walls differ
// by more than a tenth, and inverted where the simulation then has the other one faster. The standard error of a
// row's median is that of the bootstrap (B. Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of
// Statistics 7, 1979), times sqrt(n / (n - 1)) for n runs: half of what lies between them, where they are two.
// Nanoseconds; pure functions, any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device_profile.h"
#include "core/loader/scenario.h"

namespace overlane
{

struct FidelityFigures {
    std::int64_t wallNs = 0;
    std::int64_t h2dNs = 0;
    std::int64_t d2hNs = 0;
    std::int64_t kernelNs = 0;
    double overlapShare = 0;  // of the time of copies to the device
};

struct FidelityRow {
    std::uint64_t seed = 0;
    std::int64_t index = 0;
    Scenario scenario;
    std::string device;                 // that measured it
    std::vector<std::int64_t> wallsNs;  // of each repeat, not recorded
    FidelityFigures recorded;           // of one more run, recorded; wallNs 0 where there is none

    std::int64_t wallNs() const;   // the median
    double noise() const;          // (largest - smallest) / median of the walls
    double standardError() const;  // of the median, as a share of it; 0 of a single run
    bool pinned() const { return scenario.pin != PinStrategy::None; }
};

Result<std::vector<FidelityRow>> readFidelityRows(std::string_view jsonLines);
std::string writeFidelityRows(const std::vector<FidelityRow>& rows);
// Rounds of the same rows, measured apart, as one: rows of a seed and an index bring their walls together, in the
// order of the rounds; the recorded run is the first there is. The Error names a row that two rounds measured with
// different settings.
Result<std::vector<FidelityRow>> mergeFidelityRows(const std::vector<std::vector<FidelityRow>>& rounds);

struct FidelityCase {
    FidelityRow row;
    FidelityFigures simulated;

    double wallError() const;
    // Simulated less recorded; 0 where either has no copies to hide.
    double overlapError() const;
};

Result<FidelityFigures> simulateFigures(const Scenario& scenario, const DeviceProfile& device);
// On several threads; the Error is the first scenario's that cannot be simulated.
Result<std::vector<FidelityCase>> compareFidelity(const std::vector<FidelityRow>& rows, const DeviceProfile& device,
                                                  Progress* progress = nullptr);

struct FidelityStatistics {
    std::size_t rows = 0;
    double median = 0;  // of the walls' errors
    double worstDecile = 0;
    double bias = 0;              // median with its sign
    double noise = 0;             // median of the rows' own
    double floorMedian = 0;       // of the errors that would be left if the simulation knew each row's true wall:
    double floorWorstDecile = 0;  // the standard errors of the rows
    std::size_t recorded = 0;     // rows with a recorded run that copied; the overlap is theirs
    double overlapWithin = 0;     // share of rows whose overlap is within 0.05
};
using FidelityFilter = std::function<bool(const FidelityRow&)>;
FidelityStatistics fidelityStatistics(const std::vector<FidelityCase>& cases, const FidelityFilter& filter);

struct FidelityRanking {
    std::size_t pairs = 0;  // told apart
    std::size_t inverted = 0;
};
FidelityRanking rankPartners(const std::vector<FidelityCase>& cases);
FidelityRanking rankAll(const std::vector<FidelityCase>& cases);  // any two rows
// The rows as their first runs have it against the same rows as their last runs have it: what two looks at one
// GPU would call an error, in the place of the simulation.
std::vector<FidelityCase> repeatsCompared(const std::vector<FidelityCase>& cases);

// Groups of rows that share the value of a knob, in the order of the table.
struct FidelityGroup {
    std::string name;
    FidelityFilter filter;
};
std::vector<FidelityGroup> fidelityGroups();

}  // namespace overlane
