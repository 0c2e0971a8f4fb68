// TopologyGeometry: where the boxes of a machine's NUMA nodes, their memory and their GPUs lie.
//
// Pure; the picture paints it and asks it what is under the mouse. Pixels.
#pragma once

#include <vector>

#include <QRect>
#include <QSize>

#include "core/system/numa_topology.h"

namespace overlane
{

constexpr int kNodePadPx = 10;   // inside a box
constexpr int kNodeLinePx = 18;  // of text

struct TopologyGeometry {
    struct Node {
        QRect box;
        QRect memory;              // the bar of its memory
        std::vector<QRect> gpus;   // of `indices`, in the same order
        std::vector<int> indices;  // into NumaTopology::gpus
    };
    // Between two neighbors in a row: a line with the distance in its middle.
    struct Link {
        std::size_t from = 0;
        std::size_t to = 0;
        QRect line;
    };
    std::vector<Node> nodes;  // as in the topology
    std::vector<Link> links;
    Node unplaced;  // GPUs whose node the system does not say; its box is empty where there are none
    int heightPx = 0;

    int nodeAt(QPoint at) const;  // index into nodes; -1: none
};

TopologyGeometry layOutTopology(const NumaTopology& topology, int widthPx);

}  // namespace overlane
