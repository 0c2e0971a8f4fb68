#include "core/system/numa_tables.h"

#include <cstddef>
#include <string>

namespace overlane
{
namespace
{

Cell numberCell(int number)
{
    return number < 0 ? missingCell() : Cell{std::to_string(number), std::int64_t{number}};
}

Cell wordsCell(std::string words)
{
    return words.empty() ? missingCell() : Cell{std::move(words)};
}

}  // namespace

Table nodeTable(const NumaTopology& topology)
{
    Table table{"NUMA nodes (distance 10: a node's own memory)",
                {{"node", "node"},
                 {"socket", "socket"},
                 {"cores", "cores"},
                 {"processors", "processors", Column::Kind::Words},
                 {"memory_bytes", "memory"},
                 {"free_bytes", "free"}},
                {}};
    for (std::size_t at = 0; at < topology.nodes.size(); ++at) {
        const NumaNode& node = topology.nodes[at];
        table.columns.push_back({"distance_to_" + std::to_string(node.id), "to " + std::to_string(node.id)});
        Table::Row& row = table.rows.emplace_back();
        row.cells = {
            numberCell(node.id),        numberCell(node.socket),
            numberCell(node.cores),     Cell{node.processors.empty() ? "none" : numberListText(node.processors)},
            bytesCell(node.totalBytes), bytesCell(node.freeBytes)};
        for (std::size_t to = 0; to < topology.nodes.size(); ++to)
            row.cells.push_back(numberCell(topology.distance(at, to)));
    }
    return table;
}

Table gpuTable(const NumaTopology& topology)
{
    Table table{{},
                {{"index", "GPU"},
                 {"name", "name", Column::Kind::Words},
                 {"address", "address", Column::Kind::Words},
                 {"node", "node"},
                 {"link", "link now", Column::Kind::Words}},
                {}};
    for (const NumaGpu& gpu : topology.gpus)
        table.rows.push_back({{numberCell(gpu.index), wordsCell(gpu.name), wordsCell(gpu.address), numberCell(gpu.node),
                               wordsCell(gpu.linkText())},
                              {}});
    return table;
}

}  // namespace overlane
