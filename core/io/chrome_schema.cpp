#include "core/io/chrome_schema.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

// In the order of EventKind.
constexpr std::array<std::string_view, kEventKindCount> kCategories{
    "cpu_op",          "host_blocked",    "cuda_runtime", "gpu_memcpy", "gpu_memcpy",    "gpu_memcpy",
    "gpu_memcpy",      "kernel",          "gpu_memset",   "cuda_sync",  "loader",        "loader_wait",
    "user_annotation", "user_annotation", "overhead",     "instant",    "program_frame", "library_frame"};
constexpr std::array<std::string_view, 4> kDirections{"h2d", "d2h", "d2d", "other"};
constexpr std::array<std::string_view, 5> kUnits{"count", "bytes", "ns", "percent", "bytes_per_second"};

std::string_view memoryWord(MemoryKind kind)
{
    static constexpr std::array<std::string_view, 6> kWords{"Unknown", "Pageable", "Pinned",
                                                            "Device",  "Array",    "Managed"};
    return kWords[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view chromeCategory(EventKind kind)
{
    return kCategories[static_cast<std::size_t>(kind)];
}

std::string_view copyDirectionId(EventKind copy)
{
    return kDirections[static_cast<std::size_t>(copy) - static_cast<std::size_t>(EventKind::CopyH2D)];
}

EventKind chromeKind(std::string_view category, std::string_view kind, std::string_view direction)
{
    if (!kind.empty())
        for (int number = 0; number < kEventKindCount; ++number)
            if (kindName(static_cast<EventKind>(number)) == kind)
                return static_cast<EventKind>(number);
    if (category == chromeCategory(EventKind::CopyH2D)) {
        for (int copy = static_cast<int>(EventKind::CopyH2D); copy <= static_cast<int>(EventKind::CopyOther); ++copy)
            if (copyDirectionId(static_cast<EventKind>(copy)) == direction)
                return static_cast<EventKind>(copy);
        return EventKind::CopyOther;
    }
    if (category == kChromeDeviceAnnotation)
        return EventKind::Annotation;
    const auto* const found = std::find(kCategories.begin(), kCategories.end(), category);
    return found == kCategories.end() ? EventKind::HostWork : static_cast<EventKind>(found - kCategories.begin());
}

std::string chromeCopyName(EventKind kind, const CopyInfo& copy, bool betweenDevices)
{
    constexpr std::array<std::string_view, 4> kWays{"HtoD", "DtoH", "DtoD", "HtoH"};
    const auto way = static_cast<std::size_t>(kind) - static_cast<std::size_t>(EventKind::CopyH2D);
    return fmt::format("Memcpy {} ({} -> {})", betweenDevices ? "PtoP" : kWays[way], memoryWord(copy.source),
                       memoryWord(copy.destination));
}

std::string_view chromeCollectiveName(CollectiveKind kind)
{
    static constexpr std::array<std::string_view, kCollectiveKindCount> kNames{
        "unknown",    "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce",
        "all_to_all", "sendrecv",   "barrier",    "gather",         "scatter"};
    return kNames[static_cast<std::size_t>(kind)];
}

MemoryKind memoryKindOf(std::string_view name)
{
    for (int kind = 0; kind <= static_cast<int>(MemoryKind::Managed); ++kind)
        if (memoryKindName(static_cast<MemoryKind>(kind)) == name)
            return static_cast<MemoryKind>(kind);
    return MemoryKind::Unknown;
}

std::optional<TrackKind> trackKindOf(std::string_view id)
{
    for (const TrackKindRow& row : trackKinds())
        if (row.id == id)
            return row.kind;
    return std::nullopt;
}

std::string_view counterUnitId(CounterUnit unit)
{
    return kUnits[static_cast<std::size_t>(unit)];
}

CounterUnit counterUnitOf(std::string_view id)
{
    const auto* const found = std::find(kUnits.begin(), kUnits.end(), id);
    return found == kUnits.end() ? CounterUnit::Count : static_cast<CounterUnit>(found - kUnits.begin());
}

}  // namespace overlane
