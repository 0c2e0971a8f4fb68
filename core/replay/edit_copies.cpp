// Changes to copies that leave their memory: calls that do not wait, fewer of them, another link.
#include <algorithm>

#include "core/base/saturated.h"
#include "core/replay/edit.h"

namespace overlane
{
namespace
{

// Copies up to this size count as small ones.
constexpr std::int64_t kSmallBytes = 1 << 20;
constexpr double kPackingBytesPerSecond = 10e9;

}  // namespace

Result<bool> editNonBlocking(ReplayProgram& program, const EditContext& context)
{
    bool changed = false;
    for (HostCall& call : program.calls) {
        if (call.kind == CallKind::Sync && call.ofCopy) {
            call.kind = CallKind::Merged;
            call.costNs = 0;
            changed = true;
        }
        if (call.kind != CallKind::Launch || !call.synchronous || program.tasks[call.lastTask - 1].lane != Lane::H2D)
            continue;
        call.synchronous = false;
        if (program.tasks[call.lastTask - 1].hostMemory != MemoryKind::Pinned)
            continue;  // staged all the same
        call.holds = false;
        call.costNs = std::min(call.costNs, context.rates.copyCallNs);
        changed = true;
    }
    return changed;
}

Result<bool> editMergeSmall(ReplayProgram& program, const EditContext&)
{
    bool changed = false;
    std::vector<std::uint32_t> open(program.threads, kNoIndex);
    for (std::uint32_t at = 0; at < program.calls.size(); ++at) {
        HostCall& call = program.calls[at];
        std::uint32_t& first = open[call.thread];
        if (call.kind == CallKind::Plain || call.kind == CallKind::Record || call.kind == CallKind::Merged)
            continue;
        if (call.kind == CallKind::Sync && call.ofCopy)
            continue;
        const bool small = call.kind == CallKind::Launch && call.lastTask == call.firstTask + 1 &&
                           program.tasks[call.firstTask].lane == Lane::H2D &&
                           program.tasks[call.firstTask].bytes <= kSmallBytes;
        if (!small) {
            first = kNoIndex;
            continue;
        }
        if (first == kNoIndex || program.calls[first].step != call.step ||
            program.tasks[program.calls[first].firstTask].stream != program.tasks[call.firstTask].stream) {
            first = at;
            continue;
        }
        GpuTask& kept = program.tasks[program.calls[first].firstTask];
        GpuTask& gone = program.tasks[call.firstTask];
        kept.lengthNs += std::max<std::int64_t>(0, gone.lengthNs - std::min(gone.lengthNs, kept.lengthNs));
        kept.bytes = saturatedSum(kept.bytes, gone.bytes);
        const std::int64_t packingNs = nsAtRate(gone.bytes, kPackingBytesPerSecond);
        gone.lengthNs = gone.afterWorkNs = gone.afterCallNs = 0;
        gone.bytes = 0;
        call.kind = CallKind::Merged;
        call.costNs = 0;
        call.gapNs = packingNs;
        changed = true;
    }
    return changed;
}

Result<bool> editLink(ReplayProgram& program, const EditContext& context, double bytesPerSecond)
{
    bool changed = false;
    for (GpuTask& task : program.tasks) {
        if ((task.lane != Lane::H2D && task.lane != Lane::D2H) || task.bytes == 0)
            continue;
        const std::int64_t ns = saturatedSum(nsAtRate(task.bytes, bytesPerSecond), context.rates.copyLatencyNs);
        // Staging is the host's work: a faster link does not make it faster.
        task.lengthNs = task.hostMemory == MemoryKind::Pinned ? ns : std::max(task.lengthNs, ns);
        changed = true;
    }
    return changed;
}

}  // namespace overlane
