#include "core/engine/node_placement.h"

#include <algorithm>
#include <fmt/format.h>

namespace overlane
{

std::string placementText(const NodePlacement& placement)
{
    if (placement.nodes <= 1)
        return "one node: where memory lies makes no difference";
    std::string text = placement.gpuNode >= 0
                           ? fmt::format("GPU on node {}", placement.gpuNode)
                           : fmt::format("{} nodes; the system does not say which the GPU is on", placement.nodes);
    const std::vector<double>& rates = placement.copyBytesPerSecond;
    if (rates.empty())
        return text;
    const auto best = std::max_element(rates.begin(), rates.end());
    text += fmt::format("; copies to it {:.1f} GB/s from node {}", *best / 1e9, best - rates.begin());
    for (auto rate = rates.begin(); rate != rates.end(); ++rate)
        if (rate != best)
            text += fmt::format(", {:.1f} GB/s ({:.0f} % less) from node {}", *rate / 1e9, 100 * (1 - *rate / *best),
                                rate - rates.begin());
    return text;
}

}  // namespace overlane
