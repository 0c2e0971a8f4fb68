#include "core/cli/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace overlane
{
namespace
{

// Levenshtein distance: insertions, deletions and replacements.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string_view nearestName(std::string_view given, const std::vector<std::string_view>& names)
{
    std::string_view nearest;
    std::size_t fewest = std::max<std::size_t>(2, given.size() / 2) + 1;
    for (const std::string_view name : names) {
        const std::size_t edits = editDistance(given.substr(0, 64), name);
        if (edits < fewest) {
            fewest = edits;
            nearest = name;
        }
    }
    return nearest;
}

std::string unknownName(std::string_view what, std::string_view given, const std::vector<std::string_view>& names)
{
    const std::string_view nearest = nearestName(given, names);
    return fmt::format("There is no {} '{}'{} The {}s are: {}.", what, given,
                       nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest), what,
                       fmt::join(names, ", "));
}

}  // namespace overlane
