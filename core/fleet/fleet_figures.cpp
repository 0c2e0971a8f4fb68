#include "core/fleet/fleet_figures.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

constexpr double kNsPerMinute = 60e9;
constexpr double kNsPerHour = 3600e9;
constexpr double kDigitsBelow = 10;  // a figure below has one decimal

std::string figureText(double value)
{
    return value < kDigitsBelow ? fmt::format("{:.1f}", value) : formatCount(saturatedRound(value));
}

}  // namespace

std::size_t overlapBin(double overlap)
{
    return std::min(kOverlapBins - 1, static_cast<std::size_t>(std::max(0.0, overlap) * double(kOverlapBins)));
}

FleetFigures fleetFigures(const Fleet& fleet)
{
    FleetFigures made;
    made.causes.resize(fleet.causes.size());
    for (FleetPlace cause = 0; cause < made.causes.size(); ++cause)
        made.causes[cause].cause = cause;
    std::vector<double> overlaps;
    for (const FleetRun& run : fleet.runs) {
        if (!run.isRead()) {
            ++made.broken;
            continue;
        }
        ++made.read;
        made.gpuNs += run.gpuNs();
        for (const FleetLoss& loss : run.losses) {
            FleetCauseFigures& cause = made.causes[loss.cause];
            const auto ns = double(loss.ns);
            cause.lostGpuNs += ns;
            made.lostGpuNs += ns;
            cause.runs += ns >= kNotableLoss * run.gpuNs() ? 1 : 0;
        }
        if (!run.overlap) {
            ++made.withoutCopies;
            continue;
        }
        overlaps.push_back(*run.overlap);
        ++made.overlap[overlapBin(*run.overlap)];
    }
    std::stable_sort(made.causes.begin(), made.causes.end(),
                     [](const auto& a, const auto& b) { return a.lostGpuNs > b.lostGpuNs; });
    if (!overlaps.empty())
        made.medianOverlap = median(std::move(overlaps));
    return made;
}

std::string gpuTimeText(double gpuNs)
{
    if (gpuNs >= kNsPerHour)
        return figureText(gpuNs / kNsPerHour) + " GPU hours";
    if (gpuNs >= kNsPerMinute)
        return figureText(gpuNs / kNsPerMinute) + " GPU minutes";
    if (gpuNs >= double(kNsPerS))
        return figureText(gpuNs / double(kNsPerS)) + " GPU seconds";
    return figureText(gpuNs / double(kNsPerMs)) + " GPU milliseconds";
}

}  // namespace overlane
