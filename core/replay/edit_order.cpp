// Changes to what waits for what: a stream of their own for copies, fewer waits, more workers, another
// device.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/analysis/copy_cause.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/replay/edit.h"
#include "core/replay/reorder.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kDefaultRunAhead = 1024;
// Between two calls that issue work a thread does nothing else for longer.
constexpr std::int64_t kIssuingNs = 1 * kNsPerMs;
// Results up to this size are read for their value: losses, metrics.
constexpr std::int64_t kValueBytes = 64 << 10;

bool isMatrixProduct(std::string_view name)
{
    for (const std::string_view part :
         {"gemm", "gemv", "xmma", "cutlass", "nvjet", "wgmma", "conv", "flash", "attention"})
        if (name.find(part) != std::string_view::npos)
            return true;
    return false;
}

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

void scaleNs(std::int64_t& ns, double factor)
{
    ns = std::max<std::int64_t>(ns > 0, saturatedRound(static_cast<double>(ns) * factor));
}

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

Result<bool> editDevice(ReplayProgram& program, const EditContext& context, const DeviceProfile& device,
                        const Trace& trace)
{
    const DeviceProfile* from = context.profile;
    if (!from) {
        const DeviceProfile* near = nearestProfile(trace);
        return Error{
            fmt::format("The GPU of this trace has no device profile, so nothing shows how another compares; name a "
                        "machine like it "
                        "with --device {}.",
                        near ? near->key : "PROFILE (listed by `overlane run --list`)")};
    }
    if (from->key == device.key)
        return false;
    const double products =
        from->peakFlopsPerSecond * from->sustainedFlopsShare / (device.peakFlopsPerSecond * device.sustainedFlopsShare);
    const double memory = from->deviceMemoryBytesPerSecond / device.deviceMemoryBytesPerSecond;
    for (GpuTask& task : program.tasks) {
        if (task.lane == Lane::Compute)
            scaleNs(task.lengthNs, isMatrixProduct(trace.name(task.event)) ? products : memory);
        else if (task.lane == Lane::OtherCopy)
            scaleNs(task.lengthNs, memory);
        else if (task.hostMemory == MemoryKind::Pinned)
            scaleNs(task.lengthNs, task.lane == Lane::H2D ? from->h2dBytesPerSecond / device.h2dBytesPerSecond
                                                          : from->d2hBytesPerSecond / device.d2hBytesPerSecond);
        else
            scaleNs(task.lengthNs, task.lane == Lane::H2D
                                       ? from->stagingColdBytesPerSecond / device.stagingColdBytesPerSecond
                                       : from->stagingD2hBytesPerSecond / device.stagingD2hBytesPerSecond);
    }
    context.notes.push_back(
        fmt::format("Matrix products take {:.2f} times as long on {}, other kernels {:.2f} times (rates of "
                    "the two profiles); the host's own work is as measured.",
                    products, device.name, memory));
    return true;
}

double clockFactor(double computeShare)
{
    constexpr double kRests = 0.68;
    constexpr double kPerShare = 0.5;
    return 1 + kPerShare * std::max(0.0, std::min(1.0, computeShare) - kRests);
}

void editClock(ReplayProgram& program, const Trace& trace, double factor)
{
    for (GpuTask& task : program.tasks)
        if (task.lane == Lane::Compute && isMatrixProduct(trace.name(task.event)))
            scaleNs(task.lengthNs, factor);
}

void editHostPace(ReplayProgram& program, double factor)
{
    std::vector<bool> begun(program.threads, false);
    for (HostCall& call : program.calls) {
        if (call.gapNs > 0 && begun[call.thread])  // the first pause is the time before a thread began
            scaleNs(call.gapNs, factor);
        begun[call.thread] = true;
        scaleNs(call.costNs, factor);
    }
    for (GpuTask& task : program.tasks)
        if ((task.lane == Lane::H2D || task.lane == Lane::D2H) && task.hostMemory == MemoryKind::Pageable)
            scaleNs(task.lengthNs, factor);
    for (LoaderProgram& loader : program.loaders)
        for (LoaderBatch& batch : loader.batches)
            for (std::int64_t* ns : {&batch.workNs, &batch.pinNs, &batch.takeNs, &batch.holdsNs})
                if (*ns > 0)
                    scaleNs(*ns, factor);
}

void editHostWarmth(ReplayProgram& program, double issuing, double computing)
{
    std::vector<bool> begun(program.threads, false);
    for (HostCall& call : program.calls) {
        if (call.gapNs > 0 && begun[call.thread])  // the first pause is the time before a thread began
            scaleNs(call.gapNs, call.gapNs <= kIssuingNs ? issuing : computing);
        begun[call.thread] = true;
        scaleNs(call.costNs, issuing);
    }
}

void editLaunchCost(ReplayProgram& program, std::int64_t lessNs)
{
    for (HostCall& call : program.calls)
        if (call.kind == CallKind::Launch)
            call.costNs -= std::min(lessNs, call.costNs / 2);
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
