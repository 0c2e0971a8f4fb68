#include "core/spool/record_names.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <memory>

#include "core/trace/track_names.h"

namespace overlane
{

std::string_view apiCallName(std::string_view name)
{
    // Versions of the CUDA API have four digits or more (3020, 11060).
    constexpr std::size_t kShortestVersion = 4;
    const auto mark = name.rfind("_v");
    if (mark != std::string_view::npos) {
        const std::string_view digits = name.substr(mark + 2);
        if (digits.size() >= kShortestVersion &&
            std::all_of(digits.begin(), digits.end(), [](char digit) { return digit >= '0' && digit <= '9'; }))
            name = name.substr(0, mark);
    }
    for (const std::string_view perThread : {"_ptsz", "_ptds"})
        if (name.ends_with(perThread))
            name.remove_suffix(perThread.size());
    return name;
}

std::string kernelName(const std::string& name)
{
    if (!name.starts_with("_Z"))
        return name;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? std::string(text.get()) : name;
}

EventKind copyKind(spool::Direction direction)
{
    switch (direction) {
        case spool::Direction::HostToDevice:
            return EventKind::CopyH2D;
        case spool::Direction::DeviceToHost:
            return EventKind::CopyD2H;
        case spool::Direction::WithinDevice:
        case spool::Direction::BetweenDevices:
            return EventKind::CopyD2D;
        case spool::Direction::Other:
            break;
    }
    return EventKind::CopyOther;
}

MemoryKind memoryKindOf(std::uint32_t number)
{
    return number <= static_cast<std::uint32_t>(MemoryKind::Managed) ? static_cast<MemoryKind>(number)
                                                                     : MemoryKind::Unknown;
}

std::string copyName(const spool::Copy& copy)
{
    std::string name = "Memcpy";
    switch (copy.direction) {
        case spool::Direction::HostToDevice:
            name += " HtoD";
            break;
        case spool::Direction::DeviceToHost:
            name += " DtoH";
            break;
        case spool::Direction::WithinDevice:
            name += " DtoD";
            break;
        case spool::Direction::BetweenDevices:
            name += " PtoP";
            break;
        case spool::Direction::Other:
            break;
    }
    const MemoryKind source = memoryKindOf(copy.source);
    const MemoryKind destination = memoryKindOf(copy.destination);
    if (source != MemoryKind::Unknown || destination != MemoryKind::Unknown)
        name += fmt::format(" ({} -> {})", memoryKindName(source), memoryKindName(destination));
    if (copy.sourceDevice != spool::kNone && copy.destinationDevice != spool::kNone)
        name += fmt::format(", GPU {} -> GPU {}", copy.sourceDevice, copy.destinationDevice);
    return name;
}

std::string syncName(const spool::Sync& sync, std::uint32_t furtherContext)
{
    switch (sync.type) {
        case spool::SyncType::Event:
            return fmt::format("Host waits for event {}", sync.event);
        case spool::SyncType::StreamWaitsForEvent:
            return fmt::format("Stream {}{} waits for event {}", sync.stream, contextSuffix(furtherContext),
                               sync.event);
        case spool::SyncType::Stream:
            return fmt::format("Host waits for stream {}{}", sync.stream, contextSuffix(furtherContext));
        case spool::SyncType::Context:
            return "Host waits for the device";
        case spool::SyncType::Unknown:
            break;
    }
    return "Synchronization";
}

std::string_view overheadName(spool::OverheadType type)
{
    switch (type) {
        case spool::OverheadType::Compiler:
            return "driver compiler";
        case spool::OverheadType::Flush:
            return "CUPTI hands records over";
        case spool::OverheadType::Instrumentation:
            return "CUPTI instrumentation";
        case spool::OverheadType::Resource:
            return "CUPTI resources";
        case spool::OverheadType::ModuleLoading:
            return "module loading";
        case spool::OverheadType::FunctionLoading:
            return "lazy kernel loading";
        case spool::OverheadType::CommandBuffer:
            return "launch queue full";
        case spool::OverheadType::BufferRequest:
            return "CUPTI requests a buffer";
        case spool::OverheadType::UnifiedMemory:
            return "unified memory setup";
        case spool::OverheadType::Unknown:
            break;
    }
    return "profiler";
}

std::string markerName(std::string_view domain, std::string_view name, const spool::MarkerData* data)
{
    std::string result;
    if (!domain.empty())
        result = std::string(domain) + ": ";
    result += name.empty() ? std::string_view("(unnamed)") : name;
    if (data == nullptr)
        return result;
    switch (data->payloadType) {
        case spool::PayloadType::Integer:
            return result + fmt::format(" ({})", static_cast<std::int64_t>(data->payload));
        case spool::PayloadType::Unsigned:
            return result + fmt::format(" ({})", data->payload);
        case spool::PayloadType::Real:
            return result + fmt::format(" ({:g})", std::bit_cast<double>(data->payload));
        case spool::PayloadType::None:
            break;
    }
    return result;
}

}  // namespace overlane
