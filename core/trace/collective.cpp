#include "core/trace/collective.h"

#include <array>
#include <cstddef>

namespace overlane
{

std::string_view collectiveKindName(CollectiveKind kind)
{
    static constexpr std::array<std::string_view, kCollectiveKindCount> kNames{
        "unknown",    "all-reduce",   "all-gather", "reduce-scatter", "broadcast", "reduce",
        "all-to-all", "send/receive", "barrier",    "gather",         "scatter"};
    return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace overlane
