#include "core/trace/event.h"

#include <array>

namespace overlane
{

std::string_view kindName(EventKind kind)
{
    static constexpr std::array<std::string_view, kEventKindCount> kNames{
        "host work",  "host blocked", "runtime call", "copy H2D", "copy D2H",      "copy D2D",
        "copy other", "kernel",       "memset",       "sync",     "loader",        "loader wait",
        "annotation", "step",         "overhead",     "instant",  "program frame", "library frame"};
    const auto at = static_cast<std::size_t>(kind);
    return at < kNames.size() ? kNames[at] : "unknown";
}

std::string_view memoryKindName(MemoryKind kind)
{
    static constexpr std::array<std::string_view, 6> kNames{"unknown", "pageable", "pinned",
                                                            "device",  "array",    "managed"};
    const auto at = static_cast<std::size_t>(kind);
    return at < kNames.size() ? kNames[at] : "unknown";
}

}  // namespace overlane
