#include "core/report/timeline_legend.h"

#include <array>
#include <fmt/format.h>

#include "core/analysis/pageable_memory.h"
#include "core/report/bar_paths.h"

namespace overlane
{

std::vector<PictureLegendEntry> legendEntries(const std::vector<const Trace*>& traces, std::optional<Interval> range)
{
    std::array<bool, kEventKindCount> kinds{};
    MemorySet memory = 0;
    bool stages = false;
    for (const Trace* trace : traces) {
        for (std::uint32_t i = 0; i < trace->eventCount(); ++i) {
            if (range && !range->overlaps(trace->interval(EventIndex(i))))
                continue;
            const EventKind kind = trace->columns().kind[i];
            kinds[static_cast<std::size_t>(kind)] = true;
            if (isCopy(kind))
                memory |= memorySet(*trace, EventIndex(i));
        }
        stages = stages || !readsPageableMemory(*trace);
    }
    const auto has = [&](EventKind kind) { return kinds[static_cast<std::size_t>(kind)]; };
    const auto look = [](EventKind kind, MemorySet set = 0) { return barClass(kind, set, kFullLevel); };
    std::vector<PictureLegendEntry> entries;
    const auto add = [&](std::string cssClass, std::string_view label, bool shown) {
        if (shown)
            entries.push_back({std::move(cssClass), label});
    };
    add(look(EventKind::Kernel), "kernel", has(EventKind::Kernel));
    add(look(EventKind::CopyH2D), "copy to the device, pinned",
        has(EventKind::CopyH2D) && (memory & kLockedMemory) != 0);
    add(look(EventKind::CopyH2D, kPageableMemory), "pageable", (memory & kPageableMemory) != 0);
    add(fmt::format("s{}", static_cast<int>(EventKind::CopyH2D)), "host staging it",
        stages && (memory & kPageableMemory) != 0);
    add(look(EventKind::CopyH2D, kManagedMemory), "managed", (memory & kManagedMemory) != 0);
    add(look(EventKind::CopyH2D, kUnknownMemory), "memory unknown", (memory & kUnknownMemory) != 0);
    add(look(EventKind::CopyD2H), "copy back", has(EventKind::CopyD2H));
    add(look(EventKind::CopyD2D), "between or within devices", has(EventKind::CopyD2D));
    add(look(EventKind::Memset), "memset", has(EventKind::Memset));
    add(look(EventKind::HostWork), "host work", has(EventKind::HostWork));
    add(look(EventKind::RuntimeCall), "GPU runtime call", has(EventKind::RuntimeCall));
    add(look(EventKind::HostBlocked), "host blocked", has(EventKind::HostBlocked));
    add(look(EventKind::Sync), "waiting for the GPU", has(EventKind::Sync));
    add(look(EventKind::Loader), "loader at work", has(EventKind::Loader));
    add(look(EventKind::LoaderWait), "loader waits", has(EventKind::LoaderWait));
    return entries;
}

}  // namespace overlane
