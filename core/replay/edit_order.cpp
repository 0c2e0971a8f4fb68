// A stream of their own for copies, and all changes in the order in which they must be made.
#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/replay/edit.h"
#include "core/replay/reorder.h"

namespace overlane
{
namespace
{

// Copies to the device that share a stream with kernels go to a new stream, and the next kernel of
// their old stream waits for the last of them. False where there are none.
bool moveCopies(ReplayProgram& program, const EditContext& context)
{
    std::vector<bool> hasKernels(program.streams.size(), false);
    for (const GpuTask& task : program.tasks)
        hasKernels[task.stream] = hasKernels[task.stream] || task.lane == Lane::Compute;
    std::vector<std::uint32_t> sideOf(program.streams.size(), kNoIndex);
    std::vector<std::uint32_t> lastMoved(program.streams.size(), kNoIndex);
    std::vector<std::uint32_t> waits;
    bool moved = false;
    const std::size_t before = program.streams.size();
    for (std::size_t at = 0; at < program.tasks.size(); ++at) {
        GpuTask& task = program.tasks[at];
        const auto first = static_cast<std::uint32_t>(waits.size());
        waits.insert(waits.end(), program.waits.begin() + task.firstWait, program.waits.begin() + task.lastWait);
        const std::uint32_t stream = task.stream;
        const bool ownCall = task.call != kNoIndex;
        if (ownCall && stream < before && task.lane == Lane::H2D && hasKernels[stream] &&
            program.calls[task.call].step >= 0) {
            if (sideOf[stream] == kNoIndex) {
                sideOf[stream] = static_cast<std::uint32_t>(program.streams.size());
                program.streams.push_back({{},
                                           program.streams[stream].device,
                                           -2 - static_cast<std::int64_t>(stream),
                                           program.streams[stream].devicePlace});
                if (program.sideStream == kNoIndex)
                    program.sideStream = sideOf[stream];
            }
            task.stream = sideOf[stream];
            task.afterWorkNs = std::min(task.afterWorkNs, program.typicalGapNs);
            task.afterCallNs = std::min(task.afterCallNs, std::max(program.typicalLaunchNs, task.afterCallNs));
            lastMoved[stream] = static_cast<std::uint32_t>(at);
            moved = true;
        } else if (ownCall && stream < before && task.lane != Lane::H2D && lastMoved[stream] != kNoIndex) {
            waits.push_back(lastMoved[stream]);
            lastMoved[stream] = kNoIndex;
            task.afterWorkNs = std::max(task.afterWorkNs, std::min(context.rates.dependencyNs, 5 * kNsPerUs));
            program.calls[task.call].gapNs += 2 * context.rates.eventCallNs;  // record and wait
        }
        task.firstWait = first;
        task.lastWait = static_cast<std::uint32_t>(waits.size());
    }
    program.waits = std::move(waits);
    for (HostCall& call : program.calls)
        if (call.kind == CallKind::Sync && call.ofCopy && call.target == WaitTarget::Stream &&
            call.targetIndex < before && sideOf[call.targetIndex] != kNoIndex)
            call.targetIndex = sideOf[call.targetIndex];
    return moved;
}

}  // namespace

Result<bool> editSideStream(ReplayProgram& program, const EditContext& context, std::int64_t depth)
{
    const bool moved = moveCopies(program, context);
    if (depth == 0)
        return moved;
    const std::int64_t present = batchesAhead(program);
    if (present == 0)
        return Error{
            "The trace does not show where a batch is fetched and copied in each step, so copies cannot be moved "
            "ahead; request side_stream without a depth."};
    if (present == depth)
        return moved;
    shiftBatches(program, depth - present,
                 context.scales.behindKernels ? BatchPlace::BehindKernels : BatchPlace::BeforeKernels);
    return true;
}

Result<void> editAll(ReplayProgram& program, const EditContext& context, std::span<const Change> changes,
                     const Trace& trace)
{
    // What a copy is comes before where it goes and how fast everything is; who pins is a matter of whether there are
    // workers.
    constexpr ChangeKind kOrder[] = {ChangeKind::Workers,    ChangeKind::Pin,       ChangeKind::NonBlocking,
                                     ChangeKind::ReadLater,  ChangeKind::DropSyncs, ChangeKind::MergeSmall,
                                     ChangeKind::SideStream, ChangeKind::Device,    ChangeKind::Link};
    for (const ChangeKind kind : kOrder) {
        for (const Change& change : changes) {
            if (change.kind != kind)
                continue;
            const Result<bool> made = [&]() -> Result<bool> {
                switch (kind) {
                    case ChangeKind::Pin:
                        return editPin(program, context, trace);
                    case ChangeKind::NonBlocking:
                        return editNonBlocking(program, context);
                    case ChangeKind::ReadLater:
                        return editReadLater(program, context);
                    case ChangeKind::DropSyncs:
                        return editDropSyncs(program, context);
                    case ChangeKind::MergeSmall:
                        return editMergeSmall(program, context);
                    case ChangeKind::SideStream:
                        return editSideStream(program, context, change.value);
                    case ChangeKind::Workers:
                        return editWorkers(program, context, change.value);
                    case ChangeKind::Device:
                        return editDevice(program, context, *change.device, trace);
                    case ChangeKind::Link:
                        return editLink(program, context, change.bytesPerSecond);
                }
                return false;
            }();
            if (!made.ok())
                return made.failure();
            if (!made.value()) {
                context.notes.push_back(fmt::format("{}: nothing in this trace to change.", changeText(change)));
                if (context.needless != nullptr)
                    context.needless->push_back(change);
            }
        }
    }
    if (!timesAddUp(program))
        return Error{
            "With this change the times of the trace add up to many years, so sizes or times in it cannot be right and "
            "nothing is predicted from them."};
    return {};
}

}  // namespace overlane
