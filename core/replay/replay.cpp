#include "core/replay/replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <unordered_map>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_roles.h"
#include "core/analysis/paced_steps.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/replay/edit.h"
#include "core/replay/host_places.h"
#include "core/replay/predicted_trace.h"
#include "core/replay/program_builder.h"
#include "core/replay/reorder.h"
#include "core/replay/replay_plan.h"
#include "core/replay/schedule.h"
#include "core/replay/step_times.h"

namespace overlane
{
namespace
{

constexpr std::array kLoaderThreads{Bottleneck::Workers, Bottleneck::PinThread};
constexpr std::array kMachine{Bottleneck::Compute, Bottleneck::H2D, Bottleneck::D2H, Bottleneck::Host};
// No change but of the link's rate, which may be any, makes a step so many times as long.
constexpr std::int64_t kLargestFactor = 1000;

// JAX programs became faster by a fifth to a third where their results were read less often
// (docs/validation/whatif.md).
constexpr std::string_view kSilentWaits =
    "JAX waits for results without a call of the CUDA runtime, so the trace does not show what reading them less often "
    "would win.";

// Where dropping the waits that are seen wins more than this, a figure is given all the same.
constexpr double kSeenWaits = 0.02;

// It leaves every part of the work as it was.
bool onlyMovesWaits(const Change& change)
{
    return change.kind == ChangeKind::NonBlocking || change.kind == ChangeKind::DropSyncs ||
           change.kind == ChangeKind::SideStream;
}

// PyTorch's allocator of page-locked memory gives blocks of a power of two.
std::int64_t pinnedBytesOf(const ReplayProgram& program)
{
    // Memory that results come back to is often the source of a later copy to the device.
    std::array<std::vector<std::int64_t>, 2> bytesOf;
    bytesOf.fill(std::vector<std::int64_t>(program.steps.size() + 1, 0));
    for (const GpuTask& task : program.tasks) {
        const std::int32_t step = task.call == kNoIndex ? -1 : program.calls[task.call].step;
        if (step < 0 || (task.lane != Lane::H2D && task.lane != Lane::D2H) || task.hostMemory != MemoryKind::Pinned ||
            task.bytes <= 0)
            continue;
        constexpr std::int64_t kLargestBlock = std::int64_t{1} << 62;
        const std::int64_t blockBytes =
            task.bytes > kLargestBlock
                ? task.bytes
                : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(task.bytes)));
        std::int64_t& bytes = bytesOf[task.lane == Lane::D2H ? 1 : 0][static_cast<std::size_t>(step)];
        bytes = saturatedSum(bytes, blockBytes);
    }
    const auto most = [](const std::vector<std::int64_t>& bytes) {
        return *std::max_element(bytes.begin(), bytes.end());
    };
    const std::int64_t batchBytes = std::max(most(bytesOf[0]), most(bytesOf[1]));
    const std::int64_t ahead = std::max<std::int64_t>(1, batchesAhead(program));
    const std::int64_t inLoader =
        program.loader().pinThread ? std::max<std::int64_t>(2, program.loader().outstanding) : 0;
    return saturatedProduct(batchBytes, ahead + 1 + inLoader);
}

std::pair<std::int64_t, std::string> ramOf(const Trace& trace, std::int64_t otherwiseBytes)
{
    for (const CounterSeries& counter : trace.counters())
        if (trace.track(counter.track).name == "Available RAM" && !counter.values.empty())
            return {saturatedRound(*std::max_element(counter.values.begin(), counter.values.end())),
                    "available on the traced machine"};
    return {otherwiseBytes, otherwiseBytes > 0 ? "this machine; not recorded in the trace" : ""};
}

// When host and GPU have done the last judged step.
std::int64_t doneNs(const Schedule& schedule, const ReplayProgram& program)
{
    return std::max(schedule.stepStartNs[program.lastStep], schedule.gpuDoneNs[program.lastStep]);
}

void takeRoles(ReplayProgram& program, const Analysis& analysis)
{
    std::unordered_map<std::uint32_t, CopyRole> roles;
    for (const DeviceActivity& device : analysis.devices())
        for (const std::vector<CopyRecord>* copies : {&device.h2dCopies, &device.d2hCopies})
            for (const CopyRecord& copy : *copies)
                roles.emplace(copy.event.index(), copy.role);
    for (GpuTask& task : program.tasks)
        if (const auto role = roles.find(task.event.index()); role != roles.end())
            task.role = role->second;
}

// Copies from and to pageable memory that take less of a range are not worth a word on pinning.
constexpr double kWorthPinning = 0.01;

bool isWorthPinning(const Analysis& analysis, Interval range, const WorkMeter& work)
{
    std::int64_t sumNs = 0;
    for (const DeviceActivity& device : analysis.devices())
        for (const std::vector<CopyRecord>* copies : {&device.h2dCopies, &device.d2hCopies})
            for (const CopyRecord& copy : *copies) {
                work.count();
                if (copy.hostMemory == MemoryKind::Pageable && range.contains(copy.startNs))
                    sumNs = saturatedSum(sumNs, copy.durationNs);
            }
    return static_cast<double>(sumNs) >= kWorthPinning * static_cast<double>(range.lengthNs());
}

// By the time that pageable copies of each direction take, where they carry what is sent for a step or read behind it.
ChangedData pinnedData(const Analysis& analysis, CopyRole carries, const WorkMeter& work)
{
    constexpr std::int64_t kMuchMore = 4;
    ChangedData data = carries;
    std::int64_t toDeviceNs = 0, resultsNs = 0;
    for (const DeviceActivity& device : analysis.devices()) {
        for (const CopyRecord& copy : device.h2dCopies) {
            work.count();
            if (copy.hostMemory == MemoryKind::Pageable)
                toDeviceNs = saturatedSum(toDeviceNs, copy.durationNs);
        }
        for (const CopyRecord& copy : device.d2hCopies) {
            work.count();
            if (copy.hostMemory == MemoryKind::Pageable && copy.role == CopyRole::Result &&
                copy.bytes > kInlineCopyBytes)
                resultsNs = saturatedSum(resultsNs, copy.durationNs);
        }
    }
    if (isOffloaded(carries))
        return data;
    data.isResults = resultsNs > 0 && resultsNs >= toDeviceNs / kMuchMore;
    data.isToDevice = !data.isResults || toDeviceNs >= resultsNs / kMuchMore;
    return data;
}

}  // namespace

std::string ReplayReport::judgedSteps() const
{
    if (firstNumber == firstStep && lastNumber == lastStep)
        return fmt::format("steps {} to {}", firstStep, lastStep);
    return fmt::format("steps #{} to #{} (places {} to {})", firstNumber, lastNumber, firstStep, lastStep);
}

std::string ReplayReport::differenceSentence() const
{
    if (stepNsAverage <= 0 || formatDuration(stepNsAverage) == formatDuration(stepNsMeasured))
        return {};
    std::string text = fmt::format("The replay is of {}, which take {}", judgedSteps(), formatDuration(stepNsMeasured));
    if (static_cast<double>(pausesNs) >=
        kMuchPause * static_cast<double>(stepNsMeasured) * static_cast<double>(std::max<std::int64_t>(1, steps)))
        text += " with the pauses between them";
    else if (leftOut.empty())
        return text + ": the longer of the host's and the GPU's time from one to the next.";
    for (std::size_t at = 0; at < leftOut.size(); ++at)
        text += (at == 0 ? ": it leaves out " : " and ") + leftOut[at];
    return text + ".";
}

Result<Replay> Replay::build(std::shared_ptr<const Trace> trace, const Analysis& analysis, const ReplayOptions& options,
                             Progress* progress)
{
    return attempt("rebuild the program behind the trace", progress,
                   [&](const WorkMeter& work) { return rebuilt(std::move(trace), analysis, options, progress, work); });
}

Result<Replay> Replay::rebuilt(std::shared_ptr<const Trace> trace, const Analysis& analysis,
                               const ReplayOptions& options, Progress* progress, const WorkMeter& work)
{
    ASSIGN_OR_RETURN(ReplayProgram built, ProgramBuilder(*trace, analysis.steps(), options, work).build(progress));
    ReplayProgram& program = built;
    takeRoles(program, analysis);
    Replay replay;
    replay.m_trace = std::move(trace);
    replay.m_options = options;
    if (!replay.m_options.device)
        replay.m_options.device = profileOf(*replay.m_trace);
    program.loader().paceNs = measuredSchedule(program, work).stepNs;
    ReplayReport& report = replay.m_report;
    report.stepNsMeasured = program.loader().paceNs;
    const Schedule replayed = schedule(program, work);
    report.stepNsReplayed = replayed.stepNs;
    replay.m_computeShare = computeShare(replayed);
    replay.m_busyShare = deviceBusyShare(program, replayed, work);
    replay.m_spread = processSpread(*replay.m_trace, program, replayed.bottleneck);
    if (!replay.m_trace->origin().isSimulated)
        replay.findStaging(program, replayed.stepNs, libraryStaging(analysis.program().framework));
    replay.m_doneNs = doneNs(replayed, program);
    replay.m_busyNs = replayed.busyNs;
    report.wholeRange = program.wholeRange;
    report.steps = static_cast<std::int64_t>(program.lastStep - program.firstStep);
    report.firstStep = static_cast<std::int64_t>(program.firstStep);
    report.lastStep = static_cast<std::int64_t>(program.lastStep) - 1;
    report.firstNumber = program.steps[program.firstStep].number;
    report.lastNumber = program.steps[program.lastStep - 1].number;
    report.hostCalls = static_cast<std::int64_t>(program.calls.size());
    report.gpuWork = static_cast<std::int64_t>(program.tasks.size());
    report.hostThreads = program.threads;
    report.recordedWaits = program.recordedWaits;
    report.inferredWaits = program.inferredWaits;
    report.unknownWaits = program.unknownWaits;
    report.unexplainedNs = program.unexplainedNs / report.steps;
    report.stepNsAverage = options.averageStepNs;
    const Interval judged{program.steps[program.firstStep].startNs, program.steps[program.lastStep].startNs};
    const std::vector<Step>& all = analysis.steps().steps;
    if (!program.wholeRange && program.lastStep < all.size())
        report.pausesNs =
            pausesBetween(all, {all[program.firstStep].interval.startNs, all[program.lastStep].interval.endNs}).ns;
    const auto busiest = std::max_element(
        analysis.devices().begin(), analysis.devices().end(),
        [](const DeviceActivity& a, const DeviceActivity& b) { return a.busy.measureNs() < b.busy.measureNs(); });
    report.paced = !program.wholeRange && busiest != analysis.devices().end() && arePaced(all, *busiest, judged);
    report.leftOut = program.leftOut;
    report.limits = program.limits;
    if (isWorthPinning(analysis, judged, work) &&
        missesPinnedRate(program, ratesOf(*replay.m_trace, program, replay.m_options.device)))
        report.missing.push_back(missingRateText(*replay.m_trace));
    report.program = analysis.program();
    std::int64_t mostNs = 0;
    for (const DeviceActivity& device : analysis.devices())
        if (const std::int64_t exposedNs = device.h2d.measureNs() - device.h2dHidden.measureNs(); exposedNs > mostNs) {
            mostNs = exposedNs;
            report.carries = mainRole(device.h2dCopies);
        }
    report.pins = pinnedData(analysis, report.carries, work);
    report.hostPlaces = hostPlaces(analysis, judged);
    report.device = replay.m_options.device ? replay.m_options.device->key : "";
    if (report.stepNsMeasured <= 0)
        return Error{
            "The steps of this trace take no time on the host or the GPU; choose others with --steps FIRST-LAST."};
    replay.m_program = std::make_shared<const ReplayProgram>(std::move(program));
    return replay;
}

// Whether copies that the host stages leave nothing in its caches.
void Replay::findStaging(const ReplayProgram& program, std::int64_t stepNs, LibraryStaging library)
{
    const auto steps = static_cast<std::int64_t>(program.lastStep - program.firstStep);
    const HeldCopies in = heldCopies(program, Lane::H2D), back = heldCopies(program, Lane::D2H);
    const HostPauses byLibrary = stagingPauses(program, library);
    const std::int64_t ns = saturatedSum(saturatedSum(in.ns, byLibrary.sumNs()), back.ns);
    const std::int64_t bytes = saturatedSum(saturatedSum(in.bytes, byLibrary.bytes), back.bytes);
    m_stages = static_cast<double>(ns) >= kStagesMuch * static_cast<double>(stepNs) * static_cast<double>(steps) &&
               bytes / steps >= kCacheBytes;
}

EditContext Replay::editing(const Rates& rates, std::vector<std::string>& notes, const EditScales& scales) const
{
    return {rates, m_options.device, notes, libraryStaging(m_report.program.framework), scales, m_stages};
}

// A step is no shorter than what keeps any of these busy in it. Where the recording's steps were, because they lived on
// batches that the loader had made before or are cut at their ends, the changed program's may be as much shorter.
void Replay::keepAbove(Schedule& planned, std::span<const Bottleneck> resources) const
{
    for (const Bottleneck what : resources) {
        const auto at = static_cast<std::size_t>(what);
        const double lived = m_busyNs[at] > m_report.stepNsReplayed
                                 ? static_cast<double>(m_report.stepNsReplayed) / static_cast<double>(m_busyNs[at])
                                 : 1;
        const std::int64_t paceNs = saturatedRound(static_cast<double>(planned.busyNs[at]) * lived);
        if (paceNs > planned.stepNs) {
            planned.stepNs = paceNs;
            planned.bottleneck = what;
        }
    }
}

// A loader is no faster than the slowest of its threads, however many batches it had made before.
Schedule Replay::sustained(Schedule planned) const
{
    keepAbove(planned, kLoaderThreads);
    keepAbove(planned, kMachine);
    return planned;
}

// Steps that all end no later than without the changes that only move waits are no slower: they only use up
// sooner what the loader had made before. INT64_MAX where that is not so.
std::int64_t Replay::slowestNs(std::span<const Change> changes, const Rates& rates, std::int64_t planDoneNs,
                               const WorkMeter& work) const
{
    std::vector<Change> others;
    std::copy_if(changes.begin(), changes.end(), std::back_inserter(others), std::not_fn(onlyMovesWaits));
    if (others.size() == changes.size())
        return INT64_MAX;
    if (others.empty())
        return planDoneNs <= m_doneNs ? m_report.stepNsReplayed : INT64_MAX;
    std::vector<std::string> ignored;
    ReplayProgram program = *m_program;
    if (!editAll(program, editing(rates, ignored, {}), others, *m_trace).ok())
        return INT64_MAX;
    const Schedule without = sustained(scheduleAtClock(program, m_computeShare, *m_trace, work));
    return planDoneNs <= doneNs(without, program) ? without.stepNs : INT64_MAX;
}

Result<Prediction> Replay::predict(std::span<const Change> changes, WithTrace withTrace, const Progress* progress) const
{
    return attempt("predict what a change does", progress,
                   [&](const WorkMeter& work) { return predicted(changes, withTrace, progress, work); });
}

Result<Prediction> Replay::predicted(std::span<const Change> changes, WithTrace withTrace, const Progress* progress,
                                     const WorkMeter& work) const
{
    Rates rates = ratesOf(*m_trace, *m_program, m_options.device);
    for (const Change& change : changes)
        if (change.kind == ChangeKind::Link)
            rates.pinnedH2d = rates.pinnedD2h = {change.bytesPerSecond, change.bytesPerSecond, change.bytesPerSecond,
                                                 "the link that is requested"};
    Prediction prediction;
    prediction.changes.assign(changes.begin(), changes.end());
    if (!changes.empty())
        prediction.action = changeAction(changes.front(), m_report.pins, m_report.program);
    prediction.ofRange = m_report.wholeRange;
    prediction.stepNsMeasured = m_report.stepNsMeasured;
    prediction.stepNsReplayed = m_report.stepNsReplayed;

    ReplayProgram program = *m_program;
    EditContext context = editing(rates, prediction.notes, {});
    context.needless = &prediction.needless;
    RETURN_IF_ERROR(editAll(program, context, changes, *m_trace));
    for (const Change& change : changes) {
        std::string advice = changeAdvice(change, m_report.pins, m_report.program);
        const bool isKnown =
            std::find(prediction.advice.begin(), prediction.advice.end(), advice) != prediction.advice.end();
        if (!isKnown &&
            std::find(prediction.needless.begin(), prediction.needless.end(), change) == prediction.needless.end())
            prediction.advice.push_back(std::move(advice));
    }
    work.look();
    const std::int64_t coolNs = changes.empty() ? m_report.stepNsReplayed : sustained(schedule(program, work)).stepNs;
    Schedule planned =
        changes.empty() ? schedule(program, work) : sustained(scheduleAtClock(program, m_computeShare, *m_trace, work));
    const std::int64_t steadyNs = planned.stepNs;
    planned.stepNs = std::min(planned.stepNs, slowestNs(changes, rates, doneNs(planned, program), work));
    if (!changes.empty())
        keepAbove(planned, kMachine);
    const bool asksForRate = has(changes, ChangeKind::Link);
    if (!asksForRate && planned.stepNs / kLargestFactor > std::max(m_report.stepNsReplayed, m_report.stepNsMeasured))
        return Error{fmt::format(
            "The replay with this change takes {} for a step of {}: sizes or times in the trace cannot be right, so "
            "nothing is predicted from them.",
            formatDuration(planned.stepNs), formatDuration(m_report.stepNsMeasured))};
    prediction.stepNsPredicted = planned.stepNs;
    prediction.bottleneck = planned.bottleneck;
    prediction.busyNs = planned.busyNs;

    if (m_report.program.framework == Framework::Jax && has(changes, ChangeKind::DropSyncs)) {
        if (changes.size() == 1 && prediction.gain() < kSeenWaits)
            return Error{std::string(kSilentWaits)};
        prediction.notes.emplace_back(kSilentWaits);
    }

    findRange({program, planned, coolNs, steadyNs}, rates, prediction, work);
    if (prediction.stepNsPredicted == prediction.stepNsReplayed)
        prediction.advice.clear();  // nothing to do for what changes nothing
    work.look();
    if (!program.wholeRange)  // of a range it is not known what is used again
        prediction.pinnedBytes = pinnedBytesOf(program);
    std::tie(prediction.ramBytes, prediction.ramOrigin) = ramOf(*m_trace, m_options.ramBytes);
    if (prediction.ramBytes > 0 && prediction.pinnedBytes > prediction.ramBytes / 2)
        prediction.notes.push_back(fmt::format("Pinning {} of {} leaves too little for everything else.",
                                               formatBytes(prediction.pinnedBytes), formatBytes(prediction.ramBytes)));
    if (program.loader().kind == LoaderKind::Waits && !program.loader().bound)
        prediction.notes.emplace_back(
            "The trace does not show the loader's workers, and no thread waited for them: they are "
            "taken to keep up.");
    const std::int64_t hostNs = planned.busyNs[static_cast<std::size_t>(Bottleneck::Host)];
    if (std::string note = hostPlacesNote(m_report.hostPlaces, hostNs, program.wholeRange);
        !note.empty() && hostNs > planned.stepNs / 2)
        prediction.notes.push_back(std::move(note));
    if (!m_report.trusted())
        prediction.notes.push_back(
            fmt::format("The replay without change is off by {:+.1f} %: the trace does not hold "
                        "everything that its steps wait for, so trust the prediction no further.",
                        100 * m_report.error()));
    if (withTrace == WithTrace::Yes) {
        prediction.trace =
            std::make_shared<const Trace>(predictedTrace(*m_trace, program, planned, changes, progress, work));
        prediction.stepStartsNs = planned.stepStartNs;
        prediction.stepStartsNs.resize(program.steps.size() - 1);  // the last mark is an end
    }
    return prediction;
}

}  // namespace overlane
