// Another number of worker processes in the loader, or any where the training thread makes the batches itself.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/replay/edit.h"
#include "core/simulation/coldness.h"

namespace overlane
{
namespace
{

// PyTorch's default for each worker (torch.utils.data.DataLoader, prefetch_factor).
constexpr std::int64_t kPrefetchFactor = 2;
// From a loader's beginning of an epoch until its first worker is at work; it forks one after the other.
constexpr std::int64_t kWorkerStartNs = 20 * kNsPerMs;

std::uint32_t allWorkers(const ReplayProgram& program)
{
    std::uint32_t workers = 0;
    for (const LoaderProgram& loader : program.loaders)
        workers += loader.workers;
    return workers;
}

void shareCores(ReplayProgram& program, const EditContext& context, std::uint32_t before)
{
    const auto cores = static_cast<double>(context.profile ? context.profile->hostCores : 0);
    const std::uint32_t workers = allWorkers(program);
    if (cores == 0 || static_cast<double>(workers) <= cores)
        return;
    for (LoaderProgram& loader : program.loaders)
        for (LoaderBatch& batch : loader.batches)
            scaleNs(batch.workNs, static_cast<double>(workers) / std::max(cores, static_cast<double>(before)));
    context.notes.push_back(fmt::format("{} workers share {:g} cores.", workers, cores));
}

// Workers that are added begin with the epoch too, after those that there were. Their first batches are some that the
// others came to later.
void startAdded(LoaderProgram& loader, std::int64_t before)
{
    std::int64_t lastNs = 0;
    std::size_t epochFirst = 0;
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        LoaderBatch& batch = loader.batches[at];
        if (batch.firstOfEpoch) {
            epochFirst = at;
            lastNs = INT64_MIN;
        }
        const auto place = static_cast<std::int64_t>(at - epochFirst);
        if (place < before)
            lastNs = std::max(lastNs, batch.epochOffsetNs);
        else if (place < static_cast<std::int64_t>(loader.workers))
            batch.epochOffsetNs = std::min(batch.epochOffsetNs, lastNs + kWorkerStartNs * (place - before + 1));
    }
}

// Bytes that go to the device for each batch.
std::int64_t bytesOfBatch(const ReplayProgram& program)
{
    std::int64_t bytes = 0;
    for (const GpuTask& task : program.tasks)
        if (task.lane == Lane::H2D && task.call != kNoIndex && program.calls[task.call].step >= 0)
            bytes = saturatedSum(bytes, task.bytes);
    std::size_t batches = 0;
    for (const LoaderProgram& loader : program.loaders)
        batches += loader.made.size();
    return bytes / static_cast<std::int64_t>(batches);
}

// What memory that processes share costs beyond a thread's own.
struct SharedMemory {
    std::int64_t touchNs = 0;  // the worker, to write a batch
    std::int64_t freeNs = 0;   // the consumer, once it is copied
    double copyFactor = 1;     // of a pageable copy, whose source another core has written
};

SharedMemory sharedMemory(const DeviceProfile& machine, std::int64_t bytes)
{
    SharedMemory shared;
    if (bytes == 0)
        return shared;
    const bool kept = bytes <= machine.mallocKeepsBytes;  // private memory of this size has its pages
    shared.touchNs = machine.sharedTouchCost.costNs(bytes) - (kept ? 0 : machine.firstTouchCost.costNs(bytes));
    shared.freeNs = machine.sharedFreeCost.costNs(bytes) - (kept ? 0 : machine.pageableFreeCost.costNs(bytes));
    const double warmth =
        coldness(bytes, machine.lastLevelCacheBytes, true) - coldness(bytes, machine.lastLevelCacheBytes, false);
    if (machine.stagingColdBytesPerSecond > 0)
        shared.copyFactor = std::pow(machine.stagingWarmBytesPerSecond / machine.stagingColdBytesPerSecond, warmth);
    return shared;
}

// The thread frees a batch's memory once it is copied: before the next call.
void addFree(ReplayProgram& program, std::uint32_t fetch, std::int64_t ns)
{
    bool copied = false;
    for (std::uint32_t at = fetch + 1; at < program.calls.size(); ++at) {
        HostCall& call = program.calls[at];
        if (call.thread != program.calls[fetch].thread)
            continue;
        const bool copies = call.kind == CallKind::Launch && program.tasks[call.firstTask].lane == Lane::H2D;
        if ((copied && !copies && !call.ofCopy) || call.kind == CallKind::Make || call.kind == CallKind::Fetch) {
            call.gapNs = saturatedSum(call.gapNs, ns);
            return;
        }
        copied = copied || copies;
    }
}

// What the thread did itself, done ahead by processes of their own; a pin thread pins what it pinned.
LoaderProgram withWorkers(ReplayProgram& program, const LoaderProgram& before, std::int64_t workers,
                          const SharedMemory& shared, const EditContext& context)
{
    LoaderProgram loader;
    loader.thread = before.thread;
    loader.process = before.process;
    loader.kind = LoaderKind::Lanes;
    loader.workersAssumed = true;
    loader.workers = static_cast<std::uint32_t>(workers);
    loader.outstanding = kPrefetchFactor * workers;
    for (const MadeBatch& made : before.made) {
        HostCall& fetch = program.calls[made.call];
        LoaderBatch batch;
        batch.fetch = made.call;
        batch.place = made.place;
        batch.firstOfEpoch = made.firstOfEpoch;
        batch.workNs = fetch.costNs;
        scaleNs(batch.workNs, context.scales.newWorker);
        batch.workNs = std::max<std::int64_t>(saturatedSum(batch.workNs, shared.touchNs), 1);
        batch.epochOffsetNs = kWorkerStartNs * (1 + made.place % workers);
        if (made.pinCall != kNoIndex) {
            HostCall& pin = program.calls[made.pinCall];
            batch.pinNs = pin.costNs;
            pin.kind = CallKind::Merged;
            pin.costNs = 0;
            loader.pinThread = true;
        }
        fetch.kind = CallKind::Fetch;
        fetch.batch = static_cast<std::int32_t>(loader.batches.size());
        fetch.costNs = std::min(fetch.costNs, kFetchNs);
        if (shared.freeNs > 0)
            addFree(program, made.call, shared.freeNs);
        loader.batches.push_back(batch);
    }
    return loader;
}

void startWorkers(ReplayProgram& program, const EditContext& context, std::int64_t workers)
{
    const SharedMemory shared =
        context.profile ? sharedMemory(*context.profile, bytesOfBatch(program)) : SharedMemory();
    for (LoaderProgram& loader : program.loaders)
        if (!loader.made.empty())
            loader = withWorkers(program, loader, workers, shared, context);
    std::int64_t workSumNs = 0;
    for (const LoaderBatch& batch : program.loader().batches)
        workSumNs = saturatedSum(workSumNs, batch.workNs);
    const auto batches = static_cast<std::int64_t>(program.loader().batches.size());
    context.notes.push_back(fmt::format("{} workers are added that take {} for a batch, as the training thread did{}.",
                                        workers, formatDuration(workSumNs / batches),
                                        program.loader().pinThread ? ", and a pin thread that pins them" : ""));
    for (GpuTask& task : program.tasks)
        if (task.lane == Lane::H2D && task.hostMemory == MemoryKind::Pageable)
            scaleNs(task.lengthNs, shared.copyFactor);
    shareCores(program, context, 0);
}

void changeWorkers(LoaderProgram& loader, std::int64_t workers)
{
    const auto before = static_cast<std::int64_t>(loader.workers);
    loader.outstanding =
        std::max<std::int64_t>(1, saturatedRound(static_cast<double>(loader.outstanding) *
                                                 static_cast<double>(workers) / static_cast<double>(before)));
    loader.workers = static_cast<std::uint32_t>(workers);
    startAdded(loader, before);
}

}  // namespace

Result<bool> editWorkers(ReplayProgram& program, const EditContext& context, std::int64_t workers)
{
    const LoaderProgram& main = program.loader();
    if (main.kind == LoaderKind::None && !main.made.empty()) {
        if (workers > 0)
            startWorkers(program, context, workers);
        return workers > 0;
    }
    if (main.kind != LoaderKind::Lanes)
        return Error{
            "The trace does not show the loader's workers, so another number of them cannot be tried; record with "
            "`overlane record --pytorch`."};
    if (main.workers == workers)
        return false;
    const std::uint32_t before = allWorkers(program);
    for (LoaderProgram& loader : program.loaders)
        if (loader.kind == LoaderKind::Lanes)
            changeWorkers(loader, workers);
    shareCores(program, context, before);
    if (main.holdsAssumed)
        context.notes.emplace_back(
            "No thread asked a worker for a batch while it was at work; it is taken to keep one back while it makes "
            "the samples of the next, as Python code does.");
    context.notes.emplace_back(
        "A worker's time for a batch is taken as measured: more of them may slow each other down in "
        "memory or on the disk.");
    return true;
}

}  // namespace overlane
