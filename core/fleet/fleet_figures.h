// FleetFigures: what a fleet lost, to what, and how well its copies hide.
//
// Pure functions, any thread. GPU time is nanoseconds of one GPU: a run's times its GPUs. It is that of the recorded
// ranges, since how long the programs ran besides is not known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/fleet.h"

namespace overlane
{

struct FleetCauseFigures {
    FleetPlace cause = 0;
    double lostGpuNs = 0;
    std::int64_t runs = 0;  // that lost at least kNotableLoss of their time to it
};
// Of a run's recorded time.
constexpr double kNotableLoss = 0.05;

// Of the hidden share of copies: 0 to 10 %, ... 90 to 100 %; 100 % is in the last.
constexpr std::size_t kOverlapBins = 10;
std::size_t overlapBin(double overlap);

struct FleetFigures {
    std::int64_t read = 0;
    std::int64_t broken = 0;
    double gpuNs = 0;
    double lostGpuNs = 0;
    std::vector<FleetCauseFigures> causes;  // the largest first
    std::array<std::int64_t, kOverlapBins> overlap{};
    std::int64_t withoutCopies = 0;
    std::optional<double> medianOverlap;  // of the runs that copy
};
FleetFigures fleetFigures(const Fleet& fleet);

// "312 GPU hours", "4.2 GPU minutes", "12 GPU seconds", "3.1 GPU milliseconds".
std::string gpuTimeText(double gpuNs);

}  // namespace overlane
