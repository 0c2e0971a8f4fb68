#include "core/watch/window_text.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/analysis/cause_table.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

std::string signedShare(double share)
{
    return (share < 0 ? "-" : "+") + formatShare(share < 0 ? -share : share);
}

}  // namespace

std::string windowLine(const WindowFigures& window, const WindowChange& change)
{
    const std::time_t seconds = window.endUnixNs / kNsPerS;
    std::string line = fmt::format("{:%H:%M:%S} window {}: ", fmt::localtime(seconds), window.number);
    if (window.stepNs > 0)
        line += "step " + formatDuration(window.stepNs);
    else
        line += "no whole iteration in " + formatDuration(window.rangeNs);
    if (change.medianNs > 0)
        line += fmt::format(" ({} on the median before)", signedShare(change.share));
    const GpuFigures* gpu = window.worstGpu();
    if (gpu == nullptr)
        return line + ", no GPU work";
    if (window.gpus.size() > 1)
        line += fmt::format("; GPU {}", gpu->id);
    line += gpu->overlap ? ", overlap " + formatShare(*gpu->overlap) : ", no copy to the GPU";
    line += fmt::format(", exposed copies {}", formatShare(gpu->exposedCopies));
    if (gpu->exposedCommunication > 0)
        line += fmt::format(", exposed communication {}", formatShare(gpu->exposedCommunication));
    return line;
}

std::string worseText(const WindowFigures& window, const WindowChange& change)
{
    if (!change.isWorse())
        return {};
    return fmt::format("Window {} is slower than those before: a step takes {}, {} more than their median of {}. {}",
                       window.number, formatDuration(window.stepNs), formatShare(change.share),
                       formatDuration(change.medianNs), window.headline);
}

}  // namespace overlane
