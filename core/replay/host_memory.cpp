#include "core/replay/host_memory.h"

#include <algorithm>
#include <map>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/replay/rates.h"

namespace overlane
{
namespace
{

// Smaller copies say nothing of rates.
constexpr std::int64_t kLargeBytes = 1 << 20;
constexpr std::size_t kFewCopies = 3;
// One thread copies memory no faster and no slower.
constexpr double kFastestHostCopy = 25e9;
constexpr double kSlowestHostCopy = 4e9;
// Where a pause holds other work, too: machines of today do about this, or a little more.
constexpr double kTypicalHostCopy = 8e9;
// Beyond so many times what most of them take, the rest of a pause is something else.
constexpr double kLongPause = 1.5;
// Memory that has its pages is filled faster than this, also by one thread.
constexpr double kFirstTouch = 5e9;
// Memory is freed no faster.
constexpr double kFastestFreeing = 80e9;
// What is left of a pause for the program itself.
constexpr std::int64_t kLeftNs = 60 * kNsPerUs;

double rateOf(std::int64_t bytes, std::int64_t ns)
{
    return static_cast<double>(bytes) * 1e9 / static_cast<double>(std::max<std::int64_t>(1, ns));
}

// The one copy that a call asks for; nullptr where it asks for anything else.
const GpuTask* copyOf(const ReplayProgram& program, const HostCall& call, Lane lane, MemoryKind memory)
{
    if (call.kind != CallKind::Launch || call.lastTask != call.firstTask + 1)
        return nullptr;
    const GpuTask& task = program.tasks[call.firstTask];
    return task.lane == lane && task.hostMemory == memory && task.bytes >= kLargeBytes ? &task : nullptr;
}

// Calls of page-locked copies behind which an event is recorded at once, by size.
std::map<std::int64_t, std::vector<std::uint32_t>> watchedCopies(const ReplayProgram& program)
{
    std::map<std::int64_t, std::vector<std::uint32_t>> bySize;
    std::vector<std::uint32_t> last(program.threads, kNoIndex);
    for (std::uint32_t at = 0; at < program.calls.size(); ++at) {
        const HostCall& call = program.calls[at];
        std::uint32_t& before = last[call.thread];
        if (call.kind == CallKind::Record && before != kNoIndex && program.calls[before].step >= 0)
            if (const GpuTask* task = copyOf(program, program.calls[before], Lane::H2D, MemoryKind::Pinned))
                bySize[task->bytes].push_back(before);
        before = at;
    }
    return bySize;
}

// The first quarter of the pauses before copies of one size, which hold the least beside the staging.
std::int64_t quarterNs(const ReplayProgram& program, const std::vector<std::uint32_t>& calls)
{
    std::vector<std::int64_t> pausesNs;
    for (const std::uint32_t at : calls)
        if (program.isJudged(program.calls[at]))
            pausesNs.push_back(program.calls[at].gapNs);
    if (pausesNs.size() < kFewCopies)
        return 0;
    return quantile(std::move(pausesNs), 0.25);
}

// The most of a pause that is staging; 0 where it is none.
std::int64_t mostStagingNs(std::int64_t bytes, std::int64_t usualNs, LibraryStaging library)
{
    const double rate = rateOf(bytes, usualNs);
    if (usualNs <= 0 || rate > kFastestHostCopy)
        return 0;
    if (rate >= kSlowestHostCopy)
        return saturatedRound(kLongPause * static_cast<double>(usualNs));
    return library == LibraryStaging::Known ? nsAtRate(bytes, kTypicalHostCopy) : 0;
}

}  // namespace

std::int64_t HostPauses::sumNs() const
{
    std::int64_t sum = 0;
    for (const HostPause& pause : pauses)
        sum = saturatedSum(sum, pause.ns);
    return sum;
}

LibraryStaging libraryStaging(Framework framework)
{
    switch (framework) {
        case Framework::CuPy:
            return LibraryStaging::Known;
        case Framework::Unknown:
        case Framework::Cuda:
            return LibraryStaging::Perhaps;
        default:
            return LibraryStaging::Never;
    }
}

HostPauses stagingPauses(const ReplayProgram& program, LibraryStaging library)
{
    HostPauses found;
    if (library == LibraryStaging::Never)
        return found;
    for (const auto& [bytes, calls] : watchedCopies(program)) {
        const std::int64_t mostNs = mostStagingNs(bytes, quarterNs(program, calls), library);
        if (mostNs == 0)
            continue;
        for (const std::uint32_t at : calls) {
            const std::int64_t ns = std::min(program.calls[at].gapNs - kLeftNs, mostNs);
            if (ns <= 0)
                continue;
            found.pauses.push_back({at, ns});
            ++found.copies;
            found.bytes = saturatedSum(found.bytes, bytes);
        }
    }
    return found;
}

std::unordered_set<std::int64_t> freshSizes(const ReplayProgram& program)
{
    std::map<std::int64_t, std::vector<std::int64_t>> lengthsNs;
    for (const HostCall& call : program.calls)
        if (const GpuTask* task = copyOf(program, call, Lane::D2H, MemoryKind::Pageable);
            task && program.isJudged(call))
            lengthsNs[task->bytes].push_back(task->lengthNs);
    std::unordered_set<std::int64_t> fresh;
    for (const auto& [bytes, all] : lengthsNs)
        if (all.size() >= kFewCopies && rateOf(bytes, median(all)) < kFirstTouch)
            fresh.insert(bytes);
    return fresh;
}

// The longest pause between two copies back, where it is long enough; else what came back waits for the next. A few
// such pauses are something else.
HostPauses freeingPauses(const ReplayProgram& program, double bytesPerSecond)
{
    const std::unordered_set<std::int64_t> fresh = freshSizes(program);
    HostPauses found;
    struct Held {
        std::int64_t bytes = 0;
        std::int64_t copies = 0;
        std::int32_t step = -1;  // of the first of them
        std::uint32_t longest = kNoIndex;
    };
    std::vector<Held> heldBy(program.threads);
    std::int64_t copies = 0;
    const auto close = [&](Held& held) {
        if (held.bytes == 0 || held.longest == kNoIndex)
            return;
        const std::int64_t pauseNs = program.calls[held.longest].gapNs - kLeftNs;
        if (pauseNs > std::max<std::int64_t>(0, nsAtRate(held.bytes, kFastestFreeing) - kLeftNs)) {
            found.pauses.push_back({held.longest, std::min(pauseNs, nsAtRate(held.bytes, bytesPerSecond))});
            found.copies += held.copies;
            found.bytes = saturatedSum(found.bytes, held.bytes);
            held = {};
        }
        held.longest = kNoIndex;
    };
    for (std::uint32_t at = 0; at < program.calls.size(); ++at) {
        const HostCall& call = program.calls[at];
        Held& held = heldBy[call.thread];
        if (held.bytes > 0 && (held.longest == kNoIndex || call.gapNs > program.calls[held.longest].gapNs))
            held.longest = at;
        const GpuTask* task = call.step < 0 ? nullptr : copyOf(program, call, Lane::D2H, MemoryKind::Pageable);
        if (!task)
            continue;
        if (!fresh.contains(task->bytes))
            continue;
        close(held);
        if (held.bytes > 0 && call.step > held.step + 1)  // kept, or freed beside something else
            held = {};
        if (held.bytes == 0)
            held.step = call.step;
        held.bytes = saturatedSum(held.bytes, task->bytes);
        ++held.copies;
        ++copies;
    }
    for (Held& held : heldBy)
        close(held);
    return 2 * found.copies >= copies ? found : HostPauses();
}

HeldCopies heldCopies(const ReplayProgram& program, Lane lane)
{
    HeldCopies held;
    for (const HostCall& call : program.calls) {
        if (call.kind != CallKind::Launch || !call.holds || !program.isJudged(call))
            continue;
        const GpuTask& task = program.tasks[call.firstTask];
        if (task.lane != lane || task.hostMemory != MemoryKind::Pageable)
            continue;
        held.ns = saturatedSum(held.ns, task.lengthNs);
        held.bytes = saturatedSum(held.bytes, task.bytes);
    }
    return held;
}

}  // namespace overlane
