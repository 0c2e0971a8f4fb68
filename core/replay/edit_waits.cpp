// Fewer waits of the host: for the device, for values, and for results that it needs later only.
#include <algorithm>

#include "core/analysis/copy_cause.h"
#include "core/replay/edit.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kDefaultRunAhead = 1024;
// Results up to this size are read for their value: losses, metrics.
constexpr std::int64_t kValueBytes = 64 << 10;

void limitRunAhead(ReplayProgram& program, const DeviceProfile* profile)
{
    if (program.runAhead == 0)
        program.runAhead = profile ? profile->runAheadLaunches : kDefaultRunAhead;
}

bool readsValue(const GpuTask& task)
{
    return task.lane == Lane::D2H && task.bytes <= kValueBytes;
}

}  // namespace

Result<bool> editDropSyncs(ReplayProgram& program, const EditContext& context)
{
    bool changed = false, kept = false;
    const auto steps = static_cast<std::int32_t>(program.steps.size()) - 1;
    for (HostCall& call : program.calls) {
        if (call.step < 0 || call.step >= steps)
            continue;
        if (call.kind == CallKind::Launch && call.holds && readsValue(program.tasks[call.lastTask - 1])) {
            call.holds = false;
            changed = true;
        }
        if (call.kind != CallKind::Sync || call.ofCopy)
            continue;
        if (call.target == WaitTarget::Task) {
            kept = true;
            continue;
        }
        call.kind = CallKind::Merged;
        call.costNs = 0;
        changed = true;
    }
    if (kept)
        context.notes.emplace_back("Waits for a CUDA event are kept: they usually guard a buffer that is used again.");
    if (changed)
        limitRunAhead(program, context.profile);
    return changed;
}

// The wait for a result is the next of its thread, before it launches anything else.
Result<bool> editReadLater(ReplayProgram& program, const EditContext& context)
{
    bool changed = false;
    std::vector<bool> awaits(program.threads, false);
    for (HostCall& call : program.calls) {
        if (call.kind == CallKind::Launch) {
            const GpuTask& task = program.tasks[call.lastTask - 1];
            const bool isResult = task.lane == Lane::D2H && task.bytes > kInlineCopyBytes &&
                                  task.hostMemory == MemoryKind::Pinned && task.role != CopyRole::Gradient;
            awaits[call.thread] = isResult;
            if (!isResult || !call.holds)
                continue;
            changed = true;
            call.holds = call.synchronous = false;
            call.costNs = std::min(call.costNs, context.rates.copyCallNs);
        } else if (call.kind == CallKind::Sync && awaits[call.thread]) {
            awaits[call.thread] = false;
            changed = true;
            call.kind = CallKind::Merged;
            call.costNs = 0;
        }
    }
    if (!changed)
        return false;
    limitRunAhead(program, context.profile);
    context.notes.emplace_back(
        "The host needs what comes back no earlier than an iteration later: it reads one buffer while another is "
        "filled.");
    return true;
}

}  // namespace overlane
