#include "core/io/kineto_names.h"

#include <array>
#include <string>
#include <utility>

#include "core/base/contains.h"

namespace overlane
{
namespace
{

MemoryKind memoryKind(std::string_view text)
{
    static constexpr std::array<std::pair<std::string_view, MemoryKind>, 7> kKinds{{
        {"Pageable", MemoryKind::Pageable},
        {"Pinned", MemoryKind::Pinned},
        {"Device", MemoryKind::Device},
        {"Device Static", MemoryKind::Device},
        {"Array", MemoryKind::Array},
        {"Managed", MemoryKind::Managed},
        {"Managed Static", MemoryKind::Managed},
    }};
    for (const auto& [name, kind] : kKinds)
        if (text == name)
            return kind;
    return MemoryKind::Unknown;
}

}  // namespace

CopyName parseCopyName(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, EventKind>, 15> kDirections{{
        {"HtoD", EventKind::CopyH2D},
        {"HtoA", EventKind::CopyH2D},
        {"HostToDevice", EventKind::CopyH2D},
        {"Host -> Device", EventKind::CopyH2D},
        {"DtoH", EventKind::CopyD2H},
        {"AtoH", EventKind::CopyD2H},
        {"DeviceToHost", EventKind::CopyD2H},
        {"Device -> Host", EventKind::CopyD2H},
        {"DtoD", EventKind::CopyD2D},
        {"PtoP", EventKind::CopyD2D},
        {"AtoA", EventKind::CopyD2D},
        {"AtoD", EventKind::CopyD2D},
        {"DtoA", EventKind::CopyD2D},
        {"DeviceToDevice", EventKind::CopyD2D},
        {"Device -> Device", EventKind::CopyD2D},
    }};
    CopyName result;
    for (const auto& [text, kind] : kDirections) {
        if (contains(name, text)) {
            result.kind = kind;
            break;
        }
    }
    result.betweenDevices = contains(name, "PtoP");
    const std::size_t open = name.find('(');
    const std::size_t arrow = name.find(" -> ", open == std::string_view::npos ? name.size() : open);
    const std::size_t close = name.find(')', arrow == std::string_view::npos ? name.size() : arrow);
    if (close != std::string_view::npos) {
        result.source = memoryKind(name.substr(open + 1, arrow - open - 1));
        result.destination = memoryKind(name.substr(arrow + 4, close - arrow - 4));
    }
    // The direction alone tells the device's side.
    if (result.kind == EventKind::CopyH2D && result.destination == MemoryKind::Unknown)
        result.destination = MemoryKind::Device;
    if (result.kind == EventKind::CopyD2H && result.source == MemoryKind::Unknown)
        result.source = MemoryKind::Device;
    return result;
}

std::optional<AsyncFlag> copyCallFlag(std::string_view callName)
{
    if (!contains(callName, "Memcpy") && !contains(callName, "memcpy"))
        return std::nullopt;
    // hipMemcpyWithStream returns only when the copy is done.
    return contains(callName, "Async") ? AsyncFlag::Async : AsyncFlag::Sync;
}

}  // namespace overlane
