#include "core/lab/run_metrics.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <vector>

#include "core/analysis/lost_time.h"

namespace overlane
{
namespace
{

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kUnknown;
}

// Events of host threads whose name begins with one of `names`: a recording puts versions behind them.
struct Tally {
    std::int64_t count = 0;
    std::int64_t timeNs = 0;
};
Tally callsNamed(const JudgedRun& run, std::initializer_list<std::string_view> names)
{
    const Trace& trace = run.result.trace;
    Tally tally;
    for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
        const EventIndex event(i);
        if (trace.kind(event) != EventKind::RuntimeCall)
            continue;
        const std::string_view name = trace.name(event);
        if (std::any_of(names.begin(), names.end(), [&](std::string_view one) {
                return name.starts_with(one) && (name.size() == one.size() || name[one.size()] == '_');
            })) {
            ++tally.count;
            tally.timeNs += trace.interval(event).lengthNs();
        }
    }
    return tally;
}

const DeviceActivity* activity(const JudgedRun& run)
{
    for (const DeviceActivity& device : run.analysis.devices())
        if (device.id == run.gpu.id)
            return &device;
    return nullptr;
}

double copyCallNs(const JudgedRun& run)
{
    const DeviceActivity* device = activity(run);
    Tally tally;
    for (const CopyRecord& copy : device ? device->h2dCopies : std::vector<CopyRecord>{}) {
        if (!copy.call.valid())
            continue;
        ++tally.count;
        tally.timeNs += run.result.trace.interval(copy.call).lengthNs();
    }
    return ratio(tally.timeNs, tally.count);
}

double hiddenCopies(const JudgedRun& run)
{
    const DeviceActivity* device = activity(run);
    std::int64_t hidden = 0;
    for (const CopyRecord& copy : device ? device->h2dCopies : std::vector<CopyRecord>{})
        hidden += copy.hiddenNs > 0 && 2 * copy.hiddenNs >= copy.durationNs ? 1 : 0;
    return static_cast<double>(hidden);
}

// What the thread that launches did, by the analysis' own words.
double launching(const JudgedRun& run, HostDoing doing)
{
    return static_cast<double>(
        run.analysis.host().launching(run.gpu.id)[static_cast<std::size_t>(doing)].measureNs(run.range()));
}

// The lowest or highest value of a gauge; unknown where the trace has none.
double gauge(const JudgedRun& run, std::string_view name, bool highest)
{
    const Trace& trace = run.result.trace;
    for (const CounterSeries& series : trace.counters()) {
        if (trace.track(series.track).name != name || series.values.empty())
            continue;
        const auto [low, high] = std::minmax_element(series.values.begin(), series.values.end());
        return highest ? *high : *low;
    }
    return kUnknown;
}

double workTimeNs(const JudgedRun& run, bool ofWorkers)
{
    std::int64_t work = 0;
    for (const HostActivity::Actor& actor : run.analysis.host().actors)
        if (actor.isWorker == ofWorkers && (ofWorkers || actor.name == "pin thread"))
            work += actor.work.measureNs(run.range());
    return static_cast<double>(work);
}

// Of the idle causes, in their order; stable, unlike the words that people read.
constexpr std::string_view kIdleKeys[] = {
    "idle_copies",       "idle_staging", "idle_read_back",      "idle_other_work", "idle_swap",
    "idle_dependency",   "idle_batches", "idle_making_batches", "idle_pinning",    "idle_sync",
    "idle_launch_bound", "idle_host",    "idle_host_between",   "idle_ends",       "idle_unknown"};
static_assert(std::size(kIdleKeys) == kLostCauseCount);

// Without the first quarter, in which buffers fill and memory is allocated. A mean, since steps may
// alternate: two workers deliver in pairs, and a median would tell half of it.
double settledStepNs(const JudgedRun& run)
{
    const std::vector<Step>& steps = run.steps.steps;
    const std::size_t first = steps.size() / 4;
    if (steps.size() < 2)
        return static_cast<double>(stepTimeNs(steps));
    return ratio(steps.back().interval.startNs - steps[first].interval.startNs,
                 static_cast<std::int64_t>(steps.size() - 1 - first));
}

using Run = const JudgedRun&;

std::vector<RunMetric> makeMetrics()
{
    const auto plain = [](auto member) { return [member](Run run) { return static_cast<double>(run.gpu.*member); }; };
    using D = DeviceSummary;
    std::vector<RunMetric> metrics{
        {"wall", "wall time", "From the start of the run to its last synchronisation.", kTimeUnit,
         [](Run run) { return static_cast<double>(run.result.wallNs); }},
        {"step", "time per step",
         "Mean time from the start of one batch to the start of the next, without the first quarter of the run.",
         kTimeUnit, settledStepNs},
        {"step_mean", "mean step", "The same with the first batches.", kTimeUnit,
         [](Run run) { return static_cast<double>(stepTimeNs(run.steps.steps)); }},
        {"step_longest", "longest step", "The longest of these times.", kTimeUnit,
         [](Run run) { return static_cast<double>(run.steps.statistics.maxNs); }},
        {"ideal", "ideal",
         "The longest of copies, results, kernels and the busiest host actor: no order of the "
         "same work is faster.",
         kTimeUnit, plain(&D::idealNs)},
        {"distance", "wall / ideal", "How many times longer than the ideal the run is.", kNumberUnit,
         plain(&D::distance)},
        {"overlap", "overlap", "Share of the copy time to the device during which kernels run.", kShareUnit,
         plain(&D::overlapShare)},
        {"exposed", "exposed copy", "Copy time to the device without kernels.", kTimeUnit, plain(&D::exposedCopyNs)},
        {"copies", "copies", "Copies to the device.", kNumberUnit, plain(&D::h2d)},
        {"hidden_copies", "hidden copies", "Copies to the device of which at least half lies under kernels.",
         kNumberUnit, hiddenCopies},
        {"h2d", "copies to the device", "Time during which the engine for copies to the device is busy.", kTimeUnit,
         plain(&D::h2dBusyNs)},
        {"d2h", "copies back", "Time during which the engine for copies to the host is busy.", kTimeUnit,
         plain(&D::d2hBusyNs)},
        {"kernels", "kernels", "Time during which at least one kernel runs.", kTimeUnit, plain(&D::kernelBusyNs)},
        {"kernel_share", "kernels / wall", "Share of the run during which a kernel runs.", kShareUnit,
         [](Run run) { return ratio(run.gpu.kernelBusyNs, run.gpu.wallNs); }},
        {"no_kernel", "no kernel", "Time during which no kernel runs: the sum of the idle causes.", kTimeUnit,
         [](Run run) { return static_cast<double>(run.gpu.wallNs - run.gpu.kernelBusyNs); }},
        {"copy_rate", "rate of copies", "Bytes to the device by the time its engine is busy.", kRateUnit,
         [](Run run) { return ratio(run.gpu.h2dBytes, run.gpu.h2dBusyNs); }},
        {"result_rate", "rate back", "Bytes to the host by the time its engine is busy.", kRateUnit,
         [](Run run) { return ratio(run.gpu.d2hBytes, run.gpu.d2hBusyNs); }},
        {"link_rate", "rate of the link", "Bytes in both directions by the time either engine is busy.", kRateUnit,
         [](Run run) {
             const DeviceActivity* device = activity(run);
             const std::int64_t busy = device ? unite(device->h2d, device->d2h).measureNs(run.range()) : 0;
             return ratio(run.gpu.h2dBytes + run.gpu.d2hBytes, busy);
         }},
        {"copy_call", "copy call", "Mean time that the call for one copy to the device holds the host.", kTimeUnit,
         copyCallNs},
        {"host_blocked", "host held", "Time during which the GPU runtime holds at least one host thread.", kTimeUnit,
         [](Run run) { return static_cast<double>(run.summary.hostBlockedNs); }},
        {"host_critical", "busiest host actor", "Working time of the busiest worker or thread of the loader.",
         kTimeUnit, [](Run run) { return static_cast<double>(run.summary.hostCriticalNs); }},
        {"batch_wait", "waits for batches", "Time the training thread waits for the loader.", kTimeUnit,
         [](Run run) { return launching(run, HostDoing::BatchWait); }},
        {"pinning", "pins itself", "Time the training thread copies batches into pinned memory.", kTimeUnit,
         [](Run run) { return launching(run, HostDoing::Pinning); }},
        {"sync_wait", "waits for the GPU", "Time the training thread waits in calls for the device.", kTimeUnit,
         [](Run run) { return launching(run, HostDoing::Sync); }},
        {"workers_busy", "workers at work", "Working time of all workers together.", kTimeUnit,
         [](Run run) { return workTimeNs(run, true); }},
        {"pin_thread_busy", "pin thread at work", "Working time of the pin thread.", kTimeUnit,
         [](Run run) { return workTimeNs(run, false); }},
        {"pinned_peak", "pinned memory, peak", "Page-locked memory at its highest.", kSizeUnit,
         [](Run run) { return static_cast<double>(run.result.pinnedPeakBytes); }},
        {"swap_peak", "swap used, peak", "Swap in use at its highest; not measured on a GPU.", kSizeUnit,
         [](Run run) { return run.measured ? kUnknown : static_cast<double>(run.result.swapPeakBytes); }},
        {"ram_left", "RAM left, lowest", "Available memory at its lowest.", kSizeUnit,
         [](Run run) { return gauge(run, "Available RAM", false); }},
        {"page_cache", "page cache, lowest", "Files held in memory at their lowest; not measured on a GPU.", kSizeUnit,
         [](Run run) { return gauge(run, "Page cache", false); }},
        {"pinned_allocs", "pinned allocations", "Calls that allocate page-locked memory during the run.", kNumberUnit,
         [](Run run) {
             return static_cast<double>(callsNamed(run, {"cudaHostAlloc", "cudaMallocHost"}).count);
         }},
        {"pinned_alloc_time", "allocating pinned", "Time in these calls.", kTimeUnit,
         [](Run run) {
             return static_cast<double>(callsNamed(run, {"cudaHostAlloc", "cudaMallocHost"}).timeNs);
         }},
        {"pinned_free_time", "freeing pinned", "Time in cudaFreeHost.", kTimeUnit,
         [](Run run) { return static_cast<double>(callsNamed(run, {"cudaFreeHost"}).timeNs); }},
        {"register_time", "registering", "Time in cudaHostRegister and cudaHostUnregister.", kTimeUnit,
         [](Run run) {
             return static_cast<double>(callsNamed(run, {"cudaHostRegister", "cudaHostUnregister"}).timeNs);
         }},
        {"wrong_results", "wrong results",
         "Results read before their copy had ended; on a GPU those whose bytes were "
         "found wrong.",
         kNumberUnit,
         [](Run run) { return static_cast<double>(run.measured ? run.measured->wrongResults : run.earlyReads); }},
        {"wrong_batches", "wrong batches", "Batches whose bytes on the device were not those meant; only a GPU tells.",
         kNumberUnit,
         [](Run run) { return run.measured ? static_cast<double>(run.measured->wrongBatches) : kUnknown; }},
    };
    for (int number = 0; number < kLostCauseCount; ++number) {
        const auto name = lostCauseName(static_cast<LostCause>(number));
        metrics.push_back({std::string(kIdleKeys[static_cast<std::size_t>(number)]), fmt::format("idle: {}", name),
                           fmt::format("Time without kernels whose cause is: {}.", name), kTimeUnit, [number](Run run) {
                               return static_cast<double>(run.gpu.lostNs[static_cast<std::size_t>(number)]);
                           }});
    }
    return metrics;
}

}  // namespace

std::span<const RunMetric> allRunMetrics()
{
    static const std::vector<RunMetric> metrics = makeMetrics();
    return metrics;
}

const RunMetric* findRunMetric(std::string_view key)
{
    for (const RunMetric& metric : allRunMetrics())
        if (metric.key == key)
            return &metric;
    return nullptr;
}

}  // namespace overlane
