#include "core/runs/run_metric_values.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

const DeviceActivity* activityOf(const JudgedRun& run)
{
    for (const DeviceActivity& device : run.analysis.devices())
        if (device.id == run.gpu.id)
            return &device;
    return nullptr;
}

const std::vector<CopyRecord>& copiesUp(const JudgedRun& run)
{
    static const std::vector<CopyRecord> kNone;
    const DeviceActivity* device = activityOf(run);
    return device != nullptr ? device->h2dCopies : kNone;
}

bool isCall(std::string_view name, std::string_view wanted)
{
    return name.starts_with(wanted) && (name.size() == wanted.size() || name[wanted.size()] == '_');
}

template <typename Chosen>
double workNs(const JudgedRun& run, Chosen chosen)
{
    std::int64_t work = 0;
    for (const HostActivity::Actor& actor : run.analysis.host().actors)
        if (chosen(actor))
            work += actor.work.measureNs(run.range());
    return static_cast<double>(work);
}

}  // namespace

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kUnknownFigure;
}

CallTally callsNamed(const JudgedRun& run, std::span<const std::string_view> names)
{
    const Trace& trace = run.result.trace;
    // By id: names are few, events many.
    std::vector<bool> wanted(trace.strings().size());
    for (std::size_t id = 0; id < wanted.size(); ++id)
        wanted[id] = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
            return isCall(trace.strings().view(StringId(static_cast<std::uint32_t>(id))), name);
        });
    const EventColumns& columns = trace.columns();
    CallTally tally;
    for (std::uint32_t at = 0; at < trace.eventCount(); ++at) {
        const StringId name = columns.name[at];
        if (columns.kind[at] != EventKind::RuntimeCall || !name.valid() || !wanted[name.index()])
            continue;
        ++tally.count;
        tally.timeNs += trace.interval(EventIndex(at)).lengthNs();
    }
    return tally;
}

double copyCallNs(const JudgedRun& run)
{
    const Trace& trace = run.result.trace;
    std::vector<std::int64_t> heldNs;
    for (const HostActivity::LaunchingThread& thread : run.analysis.host().launchingThreads)
        for (std::size_t at = 0; at < thread.calls.size(); ++at) {
            const EventIndex work = trace.link(thread.calls[at].event);
            if (thread.calls[at].kind != GpuCallKind::Copy || trace.kind(work) != EventKind::CopyH2D ||
                trace.track(trace.trackOf(work)).device != run.gpu.id)
                continue;
            const bool waits = at + 1 < thread.calls.size() && isWaitOfCopy(thread.calls[at + 1], thread.calls[at]);
            heldNs.push_back(thread.calls[at + (waits ? 1 : 0)].endNs - thread.calls[at].startNs);
        }
    if (heldNs.empty())
        return kUnknownFigure;
    // The first copy of a batch waits for the kernels, the others for themselves: together they tell what one costs.
    const auto tensors = static_cast<std::size_t>(std::max<std::int64_t>(1, run.scenario.tensors));
    std::vector<double> ofBatches;
    for (std::size_t at = 0; at < heldNs.size(); at += tensors) {
        const auto first = heldNs.begin() + static_cast<std::ptrdiff_t>(at);
        const auto count = static_cast<std::ptrdiff_t>(std::min(tensors, heldNs.size() - at));
        ofBatches.push_back(static_cast<double>(std::accumulate(first, first + count, std::int64_t{0})) /
                            static_cast<double>(count));
    }
    return median(std::move(ofBatches));
}

double hiddenCopies(const JudgedRun& run)
{
    const std::vector<CopyRecord>& copies = copiesUp(run);
    return static_cast<double>(std::count_if(copies.begin(), copies.end(), [](const CopyRecord& copy) {
        return copy.hiddenNs > 0 && 2 * copy.hiddenNs >= copy.durationNs;
    }));
}

double linkRate(const JudgedRun& run)
{
    const DeviceActivity* device = activityOf(run);
    const std::int64_t busyNs = device != nullptr ? unite(device->h2d, device->d2h).measureNs(run.range()) : 0;
    return ratio(run.gpu.h2dBytes + run.gpu.d2hBytes, busyNs);
}

double launchingNs(const JudgedRun& run, HostDoing doing)
{
    return static_cast<double>(
        run.analysis.host().launching(run.gpu.id)[static_cast<std::size_t>(doing)].measureNs(run.range()));
}

double gaugeLimit(const JudgedRun& run, std::string_view name, bool highest)
{
    const Trace& trace = run.result.trace;
    for (const CounterSeries& series : trace.counters()) {
        if (trace.track(series.track).name != name || series.values.empty())
            continue;
        const auto [low, high] = std::minmax_element(series.values.begin(), series.values.end());
        return highest ? *high : *low;
    }
    return kUnknownFigure;
}

double workersBusyNs(const JudgedRun& run)
{
    return workNs(run, [](const HostActivity::Actor& actor) { return actor.role == LoaderRole::Worker; });
}

double pinThreadBusyNs(const JudgedRun& run)
{
    return workNs(run, [](const HostActivity::Actor& actor) { return actor.role == LoaderRole::PinThread; });
}

double settledStepNs(const JudgedRun& run)
{
    const std::vector<Step>& steps = run.steps.steps;
    const std::size_t first = steps.size() / 4;
    if (steps.size() < 2)
        return static_cast<double>(stepTimeNs(steps));
    return ratio(steps.back().interval.startNs - steps[first].interval.startNs,
                 static_cast<std::int64_t>(steps.size() - 1 - first));
}

double paceNs(const JudgedRun& run)
{
    return run.pace.batchNs();
}

double paceIdealNs(const JudgedRun& run)
{
    const Summary summary = run.analysis.summarize(run.pace.range);
    const auto device = std::find_if(summary.devices.begin(), summary.devices.end(),
                                     [&](const DeviceSummary& one) { return one.id == run.gpu.id; });
    return device != summary.devices.end() ? run.pace.perBatch(device->idealNs) : kUnknownFigure;
}

}  // namespace overlane
