#include "core/names/call_tree_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "core/base/short_name.h"
#include "core/base/statistics.h"

namespace overlane
{
namespace
{

constexpr std::uint32_t kMostIndent = 16;  // levels; of deeper ones the names would have no room

bool onlyCallsAnother(const CallTree& tree, std::uint32_t node)
{
    const CallTree::Node& own = tree.nodes()[node];
    return own.selfNs == 0 && own.last > node + 1 && tree.nodes()[node + 1].totalNs == own.totalNs;
}

}  // namespace

Table callTable(const CallTree& tree, std::size_t mostRows)
{
    Table table{{}, {{"name", "name", Column::Kind::Name}, {"share", "share"}}, {}};
    // From calls up, each time is a part of the self time of the outermost name.
    if (!tree.fromCallsUp())
        table.columns.push_back({"total_ns", "total"});
    table.columns.push_back({"self_ns", "self"});
    table.columns.push_back({"count", "count"});
    std::vector<std::uint32_t> shown;
    for (std::uint32_t node = 1; node < tree.nodes().size(); ++node)
        if (tree.fromCallsUp() || !onlyCallsAnother(tree, node))
            shown.push_back(node);
    // Of a node on the list its callers are, too: they have at least its time and come before it.
    const auto heavier = [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(-tree.nodes()[a].totalNs, a) < std::tuple(-tree.nodes()[b].totalNs, b);
    };
    const std::size_t rows = std::min(mostRows, shown.size());
    std::partial_sort(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(rows), shown.end(), heavier);
    shown.resize(rows);
    std::sort(shown.begin(), shown.end());
    std::vector<std::uint32_t> within;  // the ends of the listed nodes around this one
    for (const std::uint32_t node : shown) {
        const CallTree::Node& own = tree.nodes()[node];
        while (!within.empty() && within.back() <= node)
            within.pop_back();
        const std::size_t indent = 2 * std::min<std::size_t>(within.size(), kMostIndent);
        std::vector<Cell> cells{Cell{std::string(indent, ' ') + shortName(tree.name(node))},
                                shareCell(shareOf(own.totalNs, tree.root().totalNs)), durationCell(own.totalNs)};
        if (!tree.fromCallsUp())
            cells.push_back(durationCell(own.selfNs));
        cells.push_back(countCell(own.count));
        table.rows.push_back({std::move(cells), {}});
        within.push_back(own.last);
    }
    return table;
}

std::string foldedStacks(const CallTree& tree)
{
    std::string text;
    std::string path;
    std::vector<std::size_t> ends{0};  // of the path at each depth
    for (std::uint32_t node = 1; node < tree.nodes().size(); ++node) {
        const CallTree::Node& own = tree.nodes()[node];
        ends.resize(own.depth);
        path.resize(ends.back());
        path += path.empty() ? "" : ";";
        const std::size_t start = path.size();
        path += tree.name(node);
        std::replace(path.begin() + static_cast<std::ptrdiff_t>(start), path.end(), ';', ',');
        ends.push_back(path.size());
        if (own.selfNs > 0)
            text += fmt::format("{} {}\n", path, own.selfNs);
    }
    return text;
}

}  // namespace overlane
