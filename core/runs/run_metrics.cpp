#include "core/runs/run_metrics.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "core/analysis/cause_table.h"
#include "core/base/units.h"
#include "core/runs/run_metric_values.h"

namespace overlane
{
namespace
{

using Run = const JudgedRun&;
using Value = std::function<double(Run)>;

// Columns that were there before the rule that makes the others, or whose name that rule gives to another.
struct NamedColumn {
    std::string_view key;
    std::string_view column;
};
constexpr NamedColumn kColumns[] = {
    {"step", "step_settled_ns"},    {"kernel_share", "kernel_share"}, {"step_median", "step_ns"},
    {"exposed", "exposed_copy_ns"}, {"kernels", "kernel_ns"},         {"copy_rate", "h2d_rate"},
    {"result_rate", "d2h_rate"},
};

std::string columnOf(const RunMetric& metric)
{
    for (const NamedColumn& named : kColumns)
        if (named.key == metric.key)
            return std::string(named.column);
    if (metric.unit.sameAs(kTimeUnit))
        return metric.key + "_ns";
    if (metric.unit.sameAs(kSizeUnit))
        return metric.key + "_bytes";
    return metric.key + (metric.unit.share ? "_share" : "");
}

constexpr std::string_view kPinnedAllocation[] = {"cudaHostAlloc", "cudaMallocHost"};

template <typename Member>
Value ofDevice(Member member)
{
    return [member](Run run) { return static_cast<double>(run.gpu.*member); };
}
Value ofHost(HostDoing doing)
{
    return [doing](Run run) { return launchingNs(run, doing); };
}
Value timeInCalls(std::vector<std::string_view> names)
{
    return [names = std::move(names)](Run run) { return static_cast<double>(callsNamed(run, names).timeNs); };
}

class Metrics
{
public:
    std::vector<RunMetric> made()
    {
        pace();
        copies();
        kernels();
        host();
        memory();
        results();
        idleCauses();
        for (RunMetric& metric : m_metrics)
            metric.column = columnOf(metric);
        return std::move(m_metrics);
    }

private:
    void add(std::string key, std::string label, std::string description, std::string_view lesson,
             const FigureUnit& unit, Value value)
    {
        m_metrics.push_back(
            {std::move(key), std::move(label), std::move(description), lesson, unit, std::move(value), m_group});
    }
    // The last one is never below the metric of that key.
    void boundBy(std::string_view key) { m_metrics.back().bound = key; }

    void pace()
    {
        m_group = "Pace";
        add("batch", "time per batch",
            "What a batch takes in a long run: without those in flight at the start and at the end.", "three_stages",
            kTimeUnit, paceNs);
        boundBy("batch_ideal");
        add("batch_ideal", "ideal per batch",
            "The longest of copies, results, kernels and the busiest host actor, per batch and within the very time "
            "that the time per batch is taken from.",
            "three_stages", kTimeUnit, paceIdealNs);
        add("step", "time per step",
            "Mean time from the start of one batch to the start of the next, without the first quarter of the run.",
            "three_stages", kTimeUnit, settledStepNs);
        add("step_mean", "mean step", "The same with the first batches.", "three_stages", kTimeUnit,
            [](Run run) { return static_cast<double>(stepTimeNs(run.steps.steps)); });
        add("step_median", "median step", "The median of these times, without warm-up.", "three_stages", kTimeUnit,
            [](Run run) { return static_cast<double>(run.steps.statistics.medianNs); });
        add("step_longest", "longest step", "The longest of these times.", "three_stages", kTimeUnit,
            [](Run run) { return static_cast<double>(run.steps.statistics.maxNs); });
        add("wall", "wall time", "From the start of the run to its last synchronization.", "three_stages", kTimeUnit,
            [](Run run) { return static_cast<double>(run.result.wallNs); });
        boundBy("ideal");
        add("ideal", "ideal",
            "The longest of copies, results, kernels and the busiest host actor over the whole run: no order of the "
            "same work is faster.",
            "three_stages", kTimeUnit, ofDevice(&DeviceSummary::idealNs));
        add("distance", "wall / ideal", "How many times longer than the ideal the run is.", "three_stages", kNumberUnit,
            ofDevice(&DeviceSummary::distance));
    }

    void copies()
    {
        m_group = "Copies";
        add("overlap", "overlap", "Share of the copy time to the device during which kernels run.", "three_stages",
            kShareUnit, ofDevice(&DeviceSummary::overlapShare));
        add("exposed", "exposed copy", "Copy time to the device without a kernel.", "three_stages", kTimeUnit,
            ofDevice(&DeviceSummary::exposedCopyNs));
        add("copies", "copies", "Copies to the device.", "three_stages", kNumberUnit, ofDevice(&DeviceSummary::h2d));
        add("hidden_copies", "hidden copies", "Copies to the device of which at least half lies under kernels.",
            "three_stages", kNumberUnit, hiddenCopies);
        add("h2d", "copies to the device", "Time during which the engine for copies to the device is busy.",
            "three_stages", kTimeUnit, ofDevice(&DeviceSummary::h2dBusyNs));
        add("d2h", "copies back", "Time during which the engine for copies to the host is busy.", "both_directions",
            kTimeUnit, ofDevice(&DeviceSummary::d2hBusyNs));
        add("copy_rate", "rate of copies", "Bytes to the device by the time its engine is busy.", "why_pinned",
            kRateUnit, [](Run run) { return ratio(run.gpu.h2dBytes, run.gpu.h2dBusyNs); });
        add("result_rate", "rate back", "Bytes to the host by the time its engine is busy.", "both_directions",
            kRateUnit, [](Run run) { return ratio(run.gpu.d2hBytes, run.gpu.d2hBusyNs); });
        add("link_rate", "rate of the link", "Bytes in both directions by the time either engine is busy.",
            "both_directions", kRateUnit, linkRate);
        add("copy_call", "copy call",
            "Time that the call for one copy to the device blocks the host, its own wait included: the mean of a "
            "batch's, and of the batches the median.",
            "why_pinned", kTimeUnit, copyCallNs);
    }

    void kernels()
    {
        m_group = "GPU";
        add("kernels", "kernels", "Time during which at least one kernel runs.", "three_stages", kTimeUnit,
            ofDevice(&DeviceSummary::kernelBusyNs));
        add("kernel_share", "kernels / wall", "Share of the run during which a kernel runs.", "compute_bound",
            kShareUnit, [](Run run) { return ratio(run.gpu.kernelBusyNs, run.gpu.wallNs); });
        add("no_kernel", "no kernel", "Time during which no kernel runs: the sum of the idle causes.", "three_stages",
            kTimeUnit, [](Run run) { return static_cast<double>(run.gpu.wallNs - run.gpu.kernelBusyNs); });
        add("idle", "GPU idle", "Time during which the device neither computes nor copies.", "compute_bound", kTimeUnit,
            ofDevice(&DeviceSummary::idleNs));
    }

    void host()
    {
        m_group = "Host";
        add("host_blocked", "host blocked", "Time during which the GPU runtime blocks at least one host thread.",
            "why_pinned", kTimeUnit, [](Run run) { return static_cast<double>(run.judgement.summary.hostBlockedNs); });
        add("host_critical", "busiest host actor", "Working time of the busiest worker or thread of the loader.",
            "three_stages", kTimeUnit,
            [](Run run) { return static_cast<double>(run.judgement.summary.hostCriticalNs); });
        add("batch_wait", "waits for batches", "Time the training thread waits for the loader.", "workers_and_prefetch",
            kTimeUnit, ofHost(HostDoing::BatchWait));
        add("pinning", "pins itself", "Time the training thread copies batches into pinned memory.", "pin_then_copy",
            kTimeUnit, ofHost(HostDoing::Pinning));
        add("sync_wait", "waits for the GPU", "Time the training thread waits in calls for the device.", "run_ahead",
            kTimeUnit, ofHost(HostDoing::Sync));
        add("workers_busy", "workers at work", "Working time of all workers together.", "workers_and_prefetch",
            kTimeUnit, workersBusyNs);
        add("pin_thread_busy", "pin thread at work", "Working time of the pin thread.", "pin_then_copy", kTimeUnit,
            pinThreadBusyNs);
    }

    void memory()
    {
        m_group = "Memory";
        add("pinned_peak", "pinned memory, peak", "Peak pinned memory.", "workers_and_prefetch", kSizeUnit,
            [](Run run) { return static_cast<double>(run.result.pinnedPeakBytes); });
        add("swap_peak", "swap used, peak", "Peak swap in use; not measured on a GPU.", "memory_pressure", kSizeUnit,
            [](Run run) { return run.measured ? kUnknownFigure : static_cast<double>(run.result.swapPeakBytes); });
        add("ram_left", "RAM left, lowest", "Available memory at its lowest.", "memory_pressure", kSizeUnit,
            [](Run run) { return gaugeLimit(run, "Available RAM", false); });
        add("page_cache", "page cache, lowest", "Files held in memory at their lowest; not measured on a GPU.",
            "memory_pressure", kSizeUnit, [](Run run) { return gaugeLimit(run, "Page cache", false); });
        add("numa_nodes", "NUMA nodes", "Nodes that the machine's memory is divided into.", "numa", kNumberUnit,
            [](Run run) {
                return static_cast<double>(run.measured ? run.measured->placement.nodes : run.device->numaNodes);
            });
        add("pinned_allocs", "pinned allocations", "Calls that allocate pinned memory during the run.",
            "pool_and_rounding", kNumberUnit,
            [](Run run) { return static_cast<double>(callsNamed(run, kPinnedAllocation).count); });
        add("pinned_alloc_time", "allocating pinned", "Time in these calls.", "what_pinning_costs", kTimeUnit,
            timeInCalls({std::begin(kPinnedAllocation), std::end(kPinnedAllocation)}));
        add("pinned_free_time", "freeing pinned", "Time in cudaFreeHost.", "what_pinning_costs", kTimeUnit,
            timeInCalls({"cudaFreeHost"}));
        add("register_time", "registering", "Time in cudaHostRegister and cudaHostUnregister.", "what_pinning_costs",
            kTimeUnit, timeInCalls({"cudaHostRegister", "cudaHostUnregister"}));
    }

    void results()
    {
        m_group = "Results";
        add("wrong_results", "wrong results",
            "Results read before their copy had ended; on a GPU those whose bytes were found wrong.",
            "reading_too_early", kNumberUnit,
            [](Run run) { return static_cast<double>(run.measured ? run.measured->wrongResults : run.earlyReads); });
        add("wrong_batches", "wrong batches",
            "Batches whose bytes on the device were not those meant; only a GPU shows it.", "pool_and_rounding",
            kNumberUnit,
            [](Run run) { return run.measured ? static_cast<double>(run.measured->wrongBatches) : kUnknownFigure; });
    }

    void idleCauses()
    {
        m_group = "Why no kernel runs";
        for (const LostCauseRow& row : lostCauses()) {
            const auto number = static_cast<std::size_t>(row.cause);
            add(fmt::format("idle_{}", row.id), fmt::format("idle: {}", row.name),
                fmt::format("GPU idle time whose cause is: {}.", row.name), "three_stages", kTimeUnit,
                [number](Run run) { return static_cast<double>(run.gpu.lostNs[number]); });
        }
    }

    std::vector<RunMetric> m_metrics;
    std::string_view m_group;
};

}  // namespace

std::string RunMetric::title() const
{
    std::string title = label;
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
}

std::string RunMetric::text(double figure) const
{
    return std::isnan(figure) ? "-" : figureText(figure, unit);
}

double RunMetric::columnFactor() const
{
    return unit.sameAs(kRateUnit) ? static_cast<double>(kNsPerS) : 1;
}

std::span<const RunMetric> allRunMetrics()
{
    static const std::vector<RunMetric> metrics = Metrics().made();
    return metrics;
}

const RunMetric* findRunMetric(std::string_view key)
{
    const auto metrics = allRunMetrics();
    const auto found =
        std::find_if(metrics.begin(), metrics.end(), [key](const RunMetric& metric) { return metric.key == key; });
    return found == metrics.end() ? nullptr : &*found;
}

const RunMetric& runMetric(std::string_view key)
{
    return *findRunMetric(key);
}

RunFigures runFigures(const JudgedRun& run)
{
    RunFigures figures;
    figures.reserve(allRunMetrics().size());
    for (const RunMetric& metric : allRunMetrics())
        figures.push_back(metric.value(run));
    return figures;
}

double figureOf(const RunFigures& figures, const RunMetric& metric)
{
    const auto place = static_cast<std::size_t>(&metric - allRunMetrics().data());
    return place < figures.size() ? figures[place] : kUnknownFigure;
}

}  // namespace overlane
