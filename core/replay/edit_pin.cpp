// Page-locked memory instead of pageable: rates of copies, the pin thread, results and round trips, a warmer host.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

#include "core/analysis/copy_cause.h"
#include "core/analysis/pageable_memory.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/replay/cold_calls.h"
#include "core/replay/edit.h"

namespace overlane
{
namespace
{

// What handing over a batch costs its consumer when a pin thread has unpacked it already.
constexpr std::int64_t kHandOverNs = 60 * kNsPerUs;
// Memory is freed no faster than this; a shorter pause is something else.
constexpr double kReleaseBytesPerSecond = 40e9;
constexpr double kSlowestFreeing = 5e9;
constexpr std::uint32_t kReleaseCalls = 24;
// Less is not worth a note.
constexpr std::int64_t kToldNs = 10 * kNsPerUs;

bool isPageableH2d(const GpuTask& task)
{
    return task.lane == Lane::H2D && task.hostMemory == MemoryKind::Pageable && task.bytes > 0;
}

// A small result, a loss for one, is no matter of its memory.
bool isPageableD2h(const GpuTask& task)
{
    return task.lane == Lane::D2H && task.hostMemory == MemoryKind::Pageable && task.bytes > kInlineCopyBytes;
}

// The call before which the consumer frees the memory of the batch before: the one after the
// longest pause between a fetch and the first kernel of its step, where that is long enough.
HostCall* releaseAfter(ReplayProgram& program, std::uint32_t fetch, std::int64_t leastNs)
{
    HostCall* longest = nullptr;
    for (std::uint32_t next = fetch + 1; next < program.calls.size() && next - fetch < kReleaseCalls; ++next) {
        HostCall& call = program.calls[next];
        if (call.thread != program.calls[fetch].thread)
            continue;
        if (!longest || call.gapNs > longest->gapNs)
            longest = &call;
        const bool computes = call.kind == CallKind::Launch && program.tasks[call.firstTask].lane == Lane::Compute;
        if (computes || call.kind == CallKind::Fetch)
            break;
    }
    return longest && longest->gapNs >= leastNs ? longest : nullptr;
}

// Bytes that go to the device from pageable memory, per fetched batch.
std::int64_t batchBytes(const ReplayProgram& program)
{
    std::int64_t bytes = 0;
    for (const GpuTask& task : program.tasks)
        if (isPageableH2d(task) && task.call != kNoIndex && program.calls[task.call].step >= 0)
            bytes = saturatedSum(bytes, task.bytes);
    std::int64_t batches = 0;
    for (const LoaderProgram& loader : program.loaders)
        batches += static_cast<std::int64_t>(loader.batches.size());
    return batches > 0 ? bytes / batches : 0;
}

bool isJudged(const ReplayProgram& program, const GpuTask& task)
{
    return task.call != kNoIndex && program.isJudged(program.calls[task.call]);
}

bool pinsToDevice(const ReplayProgram& program)
{
    return std::any_of(program.tasks.begin(), program.tasks.end(), isPageableH2d);
}

bool pinsBack(const ReplayProgram& program)
{
    return std::any_of(program.tasks.begin(), program.tasks.end(),
                       [&](const GpuTask& task) { return isPageableD2h(task) && isJudged(program, task); });
}

// Sizes that go to the device from pageable memory about as often as they come back to it, each time to other memory.
std::unordered_set<std::int64_t> sizesOfRoundTrips(const ReplayProgram& program)
{
    struct Times {
        std::int64_t back = 0;
        std::int64_t toDevice = 0;
    };
    std::unordered_map<std::int64_t, Times> bySize;
    for (const GpuTask& task : program.tasks) {
        if (!isJudged(program, task))
            continue;
        if (isPageableD2h(task))
            ++bySize[task.bytes].back;
        else if (isPageableH2d(task))
            ++bySize[task.bytes].toDevice;
    }
    const std::unordered_set<std::int64_t> fresh = freshSizes(program);
    std::unordered_set<std::int64_t> sizes;
    for (const auto& [bytes, times] : bySize)
        if (fresh.contains(bytes) && times.back > 0 && times.toDevice > 0 && 2 * times.back >= times.toDevice)
            sizes.insert(bytes);
    return sizes;
}

// Memory that is filled from the device, copied back to it and freed, activations for one: an owner that keeps
// it page-locked reuses it. What freeing took lies in the longest pause of the host between such a copy and the
// next, where that is long enough.
std::int64_t keepRoundTrips(ReplayProgram& program)
{
    const std::unordered_set<std::int64_t> roundTrips = sizesOfRoundTrips(program);
    if (roundTrips.empty())
        return 0;
    struct Pause {
        HostCall* after = nullptr;
        std::int64_t leastNs = 0;
        std::int64_t usualNs = 0;  // what is longer is, beyond that, something else
    };
    std::vector<Pause> open(program.threads);
    std::int64_t keptNs = 0;
    const auto close = [&](Pause& pause) {
        if (pause.after && pause.after->gapNs >= std::max(pause.leastNs, kHandOverNs)) {
            const std::int64_t ns = std::min(pause.after->gapNs - kHandOverNs, pause.usualNs);
            keptNs = saturatedSum(keptNs, ns);
            pause.after->gapNs -= ns;
        }
        pause = {};
    };
    for (HostCall& call : program.calls) {
        Pause& pause = open[call.thread];
        if (pause.leastNs > 0 && (!pause.after || call.gapNs > pause.after->gapNs))
            pause.after = &call;
        const bool returns = call.kind == CallKind::Launch && call.lastTask > call.firstTask &&
                             isPageableH2d(program.tasks[call.firstTask]) &&
                             roundTrips.contains(program.tasks[call.firstTask].bytes);
        if (!returns)
            continue;
        close(pause);
        const std::int64_t bytes = program.tasks[call.firstTask].bytes;
        pause.leastNs = nsAtRate(bytes, kReleaseBytesPerSecond);
        pause.usualNs = nsAtRate(bytes, kSlowestFreeing);
    }
    for (Pause& pause : open)
        close(pause);
    return keptNs;
}

// A pin thread between workers and consumer: it unpacks and copies each batch, and frees the
// memory it came in, which the consumer did so far between the fetch and its next call.
void addPinThread(ReplayProgram& program, LoaderProgram& loader, const EditContext& context)
{
    if (loader.pinThread || loader.kind == LoaderKind::None || !context.rates.pinning.known())
        return;
    const std::int64_t readNs =
        nsAtRate(batchBytes(program), context.rates.pinning.bytesPerSecond * context.scales.pinning);
    const std::int64_t leastReleaseNs = nsAtRate(batchBytes(program), kReleaseBytesPerSecond);
    std::int64_t pinSumNs = 0;
    for (LoaderBatch& batch : loader.batches) {
        HostCall& fetch = program.calls[batch.fetch];
        batch.pinNs = readNs;
        const std::int64_t unpackNs = std::max<std::int64_t>(0, fetch.costNs - kFetchNs);
        if (!context.scales.lockHeld)
            fetch.costNs -= unpackNs;
        fetch.tailNs = std::min(fetch.tailNs, kFetchNs);
        std::int64_t freeNs = 0;
        if (HostCall* next = releaseAfter(program, batch.fetch, leastReleaseNs); next && next->gapNs > kHandOverNs) {
            freeNs = next->gapNs - kHandOverNs;
            if (!context.scales.lockHeld)
                next->gapNs = kHandOverNs;
        }
        // Only where the trace shows the workers is it known that what came was shared memory of theirs.
        if (loader.kind == LoaderKind::Lanes)
            batch.pinNs = saturatedSum(context.rates.pinBatchNs,
                                       saturatedRound(static_cast<double>(readNs) * context.rates.pinCopyFactor +
                                                      static_cast<double>(unpackNs + freeNs) / context.scales.pinning));
        pinSumNs = saturatedSum(pinSumNs, batch.pinNs);
    }
    loader.pinThread = true;
    if (&loader != &program.loader())
        return;
    context.notes.push_back(fmt::format(
        "A pin thread is added that takes {} for a batch, by {}; the consumer no longer "
        "unpacks batches and frees their memory.",
        formatDuration(pinSumNs / static_cast<std::int64_t>(loader.batches.size())), context.rates.pinning.origin));
}

// A loader without workers pins in the training thread itself.
void pinInThread(ReplayProgram& program, const EditContext& context)
{
    std::int64_t pinnedNs = 0, copies = 0;
    for (HostCall& call : program.calls) {
        if (call.kind != CallKind::Launch || call.step < 0)
            continue;
        for (std::uint32_t task = call.firstTask; task < call.lastTask; ++task)
            if (isPageableH2d(program.tasks[task])) {
                const std::int64_t ns =
                    nsAtRate(program.tasks[task].bytes, context.rates.pinning.bytesPerSecond * context.scales.pinning);
                call.gapNs = saturatedSum(call.gapNs, ns);
                pinnedNs = saturatedSum(pinnedNs, ns);
                ++copies;
            }
    }
    if (copies > 0)
        context.notes.push_back(
            fmt::format("Without workers the training thread pins each batch itself: {} for a copy, "
                        "by {}.",
                        formatDuration(pinnedNs / copies), context.rates.pinning.origin));
}

void shorten(ReplayProgram& program, const HostPauses& pauses)
{
    for (const HostPause& pause : pauses.pauses)
        program.calls[pause.call].gapNs -= pause.ns;
}

// Page-locked sources of the program's own need no copy in a library's blocks.
bool endStaging(ReplayProgram& program, const EditContext& context)
{
    if (!context.scales.staging)
        return false;
    const HostPauses staging = stagingPauses(program, context.library);
    if (staging.copies == 0)
        return false;
    shorten(program, staging);
    context.notes.push_back(
        fmt::format("Before {} pinned copies the host copies their bytes, {} each on average: pageable memory in "
                    "pinned blocks of {}. With pinned sources that time goes, and with it what else lies "
                    "in these pauses, as freeing memory.",
                    formatCount(staging.copies), formatDuration(staging.sumNs() / staging.copies),
                    context.library == LibraryStaging::Known ? "the library's own" : "presumably a library's"));
    return true;
}

double freeingRate(const EditContext& context, std::int64_t bytes)
{
    const std::int64_t profileNs = context.profile ? context.profile->pageableFreeCost.costNs(bytes) : 0;
    const double rate =
        profileNs > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(profileNs) : kFreeingBytesPerSecond;
    return rate * context.scales.freeing;
}

// Where results come back to memory that is kept, none has to be touched for the first time and freed.
void keepResults(ReplayProgram& program, const EditContext& context)
{
    const HostPauses sized = freeingPauses(program);
    if (sized.copies == 0)
        return;
    const HostPauses pauses = freeingPauses(program, freeingRate(context, sized.bytes / sized.copies));
    shorten(program, pauses);
    context.notes.push_back(fmt::format(
        "Results come back to pinned memory that is kept; so far their memory is new each time, and freeing it "
        "takes up to {} of the host's time after each.",
        formatDuration(pauses.sumNs() / pauses.copies)));
}

// A stream that goes from kernels to a page-locked copy, or back, changes engines, and that takes its time. Where the
// copy was staged the host's part hid it.
void changeEngines(ReplayProgram& program, const std::vector<bool>& pinned, std::int64_t dependencyNs)
{
    std::vector<std::uint32_t> last(program.streams.size(), kNoIndex);
    for (std::uint32_t at = 0; at < program.tasks.size(); ++at) {
        GpuTask& task = program.tasks[at];
        const std::uint32_t before = last[task.stream];
        last[task.stream] = at;
        if (before == kNoIndex || task.call == kNoIndex || task.lane == program.tasks[before].lane)
            continue;
        if (pinned[at] || pinned[before])
            task.afterWorkNs = std::max(task.afterWorkNs, dependencyNs);
    }
}

void warmHost(ReplayProgram& program, const ColdCalls& cold, const EditContext& context)
{
    const std::int64_t goneNs = warmCalls(program, cold, context.scales.warmth);
    if (context.scales.computing != 1)
        editComputing(program, context.scales.computing);
    const std::int64_t steps =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(program.lastStep - program.firstStep));
    if (goneNs / steps >= kToldNs)
        context.notes.push_back(
            fmt::format("The host is faster right behind copies that it no longer stages, by {} a step: they no longer "
                        "empty its caches.",
                        formatDuration(goneNs / steps)));
}

}  // namespace

bool missesPinnedRate(const ReplayProgram& program, const Rates& rates)
{
    return (!rates.pinnedH2d.known() && pinsToDevice(program)) || (!rates.pinnedD2h.known() && pinsBack(program));
}

Result<bool> editPin(ReplayProgram& program, const EditContext& context, const Trace& trace)
{
    const bool toDevice = pinsToDevice(program), back = pinsBack(program);
    if ((toDevice || back) && readsPageableMemory(trace))
        return Error{std::string(kPageableNotJudged) + " What pinning would win there is not known."};
    if (missesPinnedRate(program, context.rates))
        return Error{missingRateText(trace)};
    const ColdCalls cold = trace.origin().isSimulated ? ColdCalls(program.calls.size(), 0)
                                                      : coldCalls(program, context.library, context.stagesMuch);
    const bool staged = endStaging(program, context);
    if (!toDevice && !back)
        return staged;
    if (toDevice && program.loader().inThread && context.rates.pinning.known())
        pinInThread(program, context);
    else if (toDevice)
        for (LoaderProgram& loader : program.loaders)
            addPinThread(program, loader, context);
    if (keepRoundTrips(program) > 0)
        context.notes.emplace_back(
            "Memory that results come back to and are copied to the device from again is kept and reused: nothing is "
            "allocated, touched for the first time or freed in a step.");
    else if (back)
        keepResults(program, context);
    std::vector<bool> pinned(program.tasks.size(), false);
    for (std::size_t at = 0; at < program.tasks.size(); ++at) {
        GpuTask& task = program.tasks[at];
        if (!isPageableH2d(task) && !isPageableD2h(task))
            continue;
        pinned[at] = true;
        const Rate& rate = task.lane == Lane::H2D ? context.rates.pinnedH2d : context.rates.pinnedD2h;
        task.lengthNs = saturatedSum(nsAtRate(task.bytes, rate.bytesPerSecond * context.scales.pinned),
                                     context.rates.copyLatencyNs);
        task.hostMemory = MemoryKind::Pinned;
        task.afterCallNs = std::min(task.afterCallNs, program.typicalLaunchNs);
        task.afterWorkNs = std::min(task.afterWorkNs, program.typicalGapNs);
        if (task.call == kNoIndex)
            continue;
        HostCall& call = program.calls[task.call];
        call.costNs = std::min(call.costNs, context.rates.copyCallNs);
        call.holds = call.holds && call.synchronous;
        call.tailNs = program.typicalReturnNs;
    }
    changeEngines(program, pinned, context.rates.dependencyNs);
    warmHost(program, cold, context);
    const auto note = [&](const char* direction, const Rate& rate) {
        context.notes.push_back(fmt::format("Pinned copies{} go at {}, by {}.", direction,
                                            formatRate(saturatedRound(rate.bytesPerSecond), kNsPerS), rate.origin));
    };
    if (toDevice)
        note("", context.rates.pinnedH2d);
    if (back)
        note(" from the device", context.rates.pinnedD2h);
    return true;
}

}  // namespace overlane
