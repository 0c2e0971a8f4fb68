#include "cupti/collector/recorded_calls.h"

#include <algorithm>
#include <initializer_list>

namespace overlane
{
namespace
{

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> starts)
{
    return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return name.starts_with(start); });
}

bool contains(std::string_view name, std::string_view part)
{
    return name.find(part) != std::string_view::npos;
}

}  // namespace

bool isRecordedCall(CallDomain domain, std::string_view name, RecordKinds kinds)
{
    if (kinds.has(RecordKind::AllCalls))
        return true;
    const std::string_view prefix = domain == CallDomain::Runtime ? "cuda" : "cu";
    if (!name.starts_with(prefix))
        return false;
    name.remove_prefix(prefix.size());
    // What describes a graph does nothing yet; only its launch does.
    if (name.starts_with("Graph"))
        return kinds.has(RecordKind::Launches) && name.starts_with("GraphLaunch");
    if (kinds.has(RecordKind::Copies) && startsWithAny(name, {"Memcpy", "Memset", "MemPrefetch", "64Memcpy"}))
        return true;
    if (kinds.has(RecordKind::Sync) && (contains(name, "Synchronize") || name.starts_with("StreamWait")))
        return true;
    if (kinds.has(RecordKind::Memory)) {
        if (domain == CallDomain::Runtime &&
            startsWithAny(name, {"Malloc", "Free", "HostAlloc", "HostRegister", "HostUnregister"}))
            return true;
        if (domain == CallDomain::Driver &&
            startsWithAny(name, {"MemAlloc", "MemFree", "MemHostAlloc", "MemHostRegister", "MemHostUnregister",
                                 "MemCreate", "MemRelease"}))
            return true;
    }
    if (kinds.has(RecordKind::Launches) && name.starts_with("Launch"))
        return true;
    return (kinds.has(RecordKind::Launches) || kinds.has(RecordKind::Events)) && name.starts_with("EventRecord");
}

}  // namespace overlane
