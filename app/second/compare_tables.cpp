#include "app/second/compare_tables.h"

#include <algorithm>

#include "app/widgets/text.h"
#include "core/compare/comparison_tables.h"

namespace overlane
{

const WorkChange& workOf(const Comparison& comparison, WorkKind kind, int row, WorkPlace& place)
{
    auto left = static_cast<std::size_t>(row);
    for (place.device = 0;; ++place.device) {
        const DeviceComparison& device = comparison.devices[place.device];
        const auto& list = kind == WorkKind::Kernels ? device.kernels : device.copies;
        if (left < list.size()) {
            place.row = left;
            return list[left];
        }
        left -= list.size();
    }
}

EventIndex firstOf(const AnalyzedTrace& trace, const AlignedSide& side, WorkKind kind, const WorkChange& work,
                   std::int32_t device, MemoryKind memory)
{
    const Trace& events = *trace.trace;
    const std::int64_t least = std::min(work.a.count > 0 ? work.a.leastBytes : work.b.leastBytes,
                                        work.b.count > 0 ? work.b.leastBytes : work.a.leastBytes);
    const std::int64_t most = std::max(work.a.mostBytes, work.b.mostBytes);
    const auto alike = [&](EventIndex event) {
        if (kind == WorkKind::Kernels)
            return events.kind(event) == EventKind::Kernel && events.name(event) == work.name;
        if (events.kind(event) != work.direction)
            return false;
        const CopyInfo copy = events.copy(event) != nullptr ? *events.copy(event) : CopyInfo{};
        return copy.bytes >= least && copy.bytes <= most && copy.hostSide(work.direction) == memory;
    };
    EventIndex first;
    for (std::uint32_t at = 0; at < events.eventCount(); ++at) {
        const EventIndex event(at);
        const std::int64_t startNs = events.columns().startNs[at];
        if (startNs < side.range.startNs || startNs >= side.range.endNs ||
            (first.valid() && events.columns().startNs[first.index()] <= startNs) || !alike(event))
            continue;
        if (events.track(events.trackOf(event)).device == device)
            first = event;
    }
    return first;
}

ComparedTables shownTables(const ComparedTraces& compared)
{
    const Comparison& comparison = compared.comparison;
    return {
        allFigures(comparison),
        findingTable(compared.findings, comparison.perStep).picked({"finding", "fate", "a_ns", "b_ns", "change_ns"}),
        allCopies(comparison)
            .picked({"name", "a_ns", "b_ns", "change_ns", "a_median_ns", "b_median_ns", "a_count", "b_count",
                     "a_bytes_per_second", "b_bytes_per_second", "a_hidden", "b_hidden", "claim"}),
        allKernels(comparison)
            .picked(
                {"name", "a_ns", "b_ns", "change_ns", "a_median_ns", "b_median_ns", "a_count", "b_count", "claim"})};
}

QString comparisonPlain(const ComparedTraces& compared)
{
    const Comparison& comparison = compared.comparison;
    std::string words = "A: " + compared.a.title.toStdString() + "\nB: " + compared.b.title.toStdString() + '\n' +
                        comparison.sentence + "\n\n";
    const ComparedTables tables = shownTables(compared);
    for (const Table* table : {&tables.figures, &tables.findings, &tables.copies, &tables.kernels})
        words += tabSeparated(*table) + '\n';
    return text(words);
}

}  // namespace overlane
