#include "app/machine/topology_geometry.h"

#include <algorithm>

namespace overlane
{

namespace
{

constexpr int kMostColumns = 4;
constexpr int kNodeGapPx = 56;  // room for the distance between two neighbors
constexpr int kRowGapPx = 16;
constexpr int kTextLines = 3;  // name, processors, memory
constexpr int kMemoryBarPx = 10;
constexpr int kGpuPx = 42;
constexpr int kNarrowestPx = 150;
constexpr int kWidestPx = 420;

int columnsFor(std::size_t nodes, int widthPx)
{
    const int fitting = std::max(1, (widthPx + kNodeGapPx) / (kNarrowestPx + kNodeGapPx));
    return std::clamp(static_cast<int>(nodes), 1, std::min(kMostColumns, fitting));
}

std::vector<int> gpusOf(const NumaTopology& topology, int node)
{
    std::vector<int> indices;
    for (std::size_t at = 0; at < topology.gpus.size(); ++at) {
        const bool placed = topology.find(topology.gpus[at].node) != nullptr;
        // With one node there is no question where a GPU is.
        const int on = placed ? topology.gpus[at].node : topology.nodes.size() == 1 ? topology.nodes.front().id : -1;
        if (on == node)
            indices.push_back(static_cast<int>(at));
    }
    return indices;
}

}  // namespace

int TopologyGeometry::nodeAt(QPoint at) const
{
    for (std::size_t node = 0; node < nodes.size(); ++node)
        if (nodes[node].box.contains(at))
            return static_cast<int>(node);
    return -1;
}

TopologyGeometry layOutTopology(const NumaTopology& topology, int widthPx)
{
    TopologyGeometry geometry;
    const int columns = columnsFor(topology.nodes.size(), widthPx);
    const int boxPx = std::clamp((widthPx - (columns - 1) * kNodeGapPx) / columns, 1, kWidestPx);
    const int left = std::max(0, (widthPx - columns * boxPx - (columns - 1) * kNodeGapPx) / 2);
    const int headPx = kNodePadPx + kTextLines * kNodeLinePx + kMemoryBarPx + kNodePadPx;
    int top = 0;
    for (std::size_t first = 0; first < topology.nodes.size(); first += static_cast<std::size_t>(columns)) {
        const std::size_t last = std::min(topology.nodes.size(), first + static_cast<std::size_t>(columns));
        int mostGpus = 0;
        for (std::size_t at = first; at < last; ++at) {
            TopologyGeometry::Node node;
            node.indices = gpusOf(topology, topology.nodes[at].id);
            mostGpus = std::max(mostGpus, static_cast<int>(node.indices.size()));
            geometry.nodes.push_back(node);
        }
        const int boxHeightPx = headPx + mostGpus * (kGpuPx + kNodePadPx);
        for (std::size_t at = first; at < last; ++at) {
            TopologyGeometry::Node& node = geometry.nodes[at];
            const int x = left + static_cast<int>(at - first) * (boxPx + kNodeGapPx);
            node.box = {x, top, boxPx, boxHeightPx};
            node.memory = {x + kNodePadPx, top + kNodePadPx + kTextLines * kNodeLinePx, boxPx - 2 * kNodePadPx,
                           kMemoryBarPx};
            for (int gpu = 0; gpu < static_cast<int>(node.indices.size()); ++gpu)
                node.gpus.emplace_back(x + kNodePadPx, top + headPx + gpu * (kGpuPx + kNodePadPx),
                                       boxPx - 2 * kNodePadPx, kGpuPx);
            if (at > first)
                geometry.links.push_back({at - 1, at, {x - kNodeGapPx, top, kNodeGapPx, headPx}});
        }
        top += boxHeightPx + kRowGapPx;
    }
    geometry.unplaced.indices = gpusOf(topology, -1);
    if (!geometry.unplaced.indices.empty()) {
        const int lines = static_cast<int>(geometry.unplaced.indices.size());
        geometry.unplaced.box = {0, top, widthPx, kNodePadPx + kNodeLinePx + lines * (kGpuPx + kNodePadPx)};
        for (int gpu = 0; gpu < lines; ++gpu)
            geometry.unplaced.gpus.emplace_back(kNodePadPx,
                                                top + kNodePadPx + kNodeLinePx + gpu * (kGpuPx + kNodePadPx),
                                                std::min(kWidestPx, widthPx - 2 * kNodePadPx), kGpuPx);
        top += geometry.unplaced.box.height() + kRowGapPx;
    }
    geometry.heightPx = std::max(0, top - kRowGapPx);
    return geometry;
}

}  // namespace overlane
