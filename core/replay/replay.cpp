#include "core/replay/replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>

#include "core/analysis/copy_roles.h"
#include "core/analysis/summary.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/replay/edit.h"
#include "core/replay/predicted_trace.h"
#include "core/replay/prediction_range.h"
#include "core/replay/program_builder.h"
#include "core/replay/reorder.h"
#include "core/replay/schedule.h"
#include "core/replay/step_times.h"

namespace overlane
{
namespace
{

// A change of the GPU's clock of less than this is left out.
constexpr double kClockMatters = 0.005;
// What two processes of one setting differ by where the host's work on memory decides, or the thread that launches:
// a standard deviation over the settings of the matrix in resources/help/whatif.md. Its small batches and the ordinary
// programs there, where the launching thread decides, lie as far apart.
constexpr double kProcessSpread = 0.11;
// The same where kernels decide, or the trace does not show its loader.
constexpr double kLeastProcessSpread = 0.03;
// Ends of a range, in standard deviations: nine of ten processes differ from the recorded one by less, which differs
// from the usual one itself. So do two recordings of one setting there: 6 % where kernels decide, 25 % elsewhere.
constexpr double kNineOfTen = 2.33;
// No change is claimed where it is less than this, however sure it is.
constexpr double kLeastChange = 0.01;
constexpr std::string_view kSimulated = "simulated";
// Memory is given back up to so much faster or slower than usual.
constexpr double kGivingBackSpread = 2;
constexpr std::array kLoaderThreads{Bottleneck::Workers, Bottleneck::PinThread};
constexpr std::array kMachine{Bottleneck::Compute, Bottleneck::H2D, Bottleneck::D2H, Bottleneck::Host};
// No change but of the link's rate, which may be any, makes a step so many times as long.
constexpr std::int64_t kLargestFactor = 1000;

bool has(std::span<const Change> changes, ChangeKind kind)
{
    return std::any_of(changes.begin(), changes.end(), [kind](const Change& change) { return change.kind == kind; });
}

// It leaves every part of the work as it was.
bool onlyMovesWaits(const Change& change)
{
    return change.kind == ChangeKind::NonBlocking || change.kind == ChangeKind::DropSyncs ||
           change.kind == ChangeKind::SideStream;
}

// Spread of the mean that so many steps allow, from their quartiles: two standard errors.
std::int64_t spreadNs(std::vector<std::int64_t> stepsNs)
{
    if (stepsNs.size() < 4)
        return 0;
    std::sort(stepsNs.begin(), stepsNs.end());
    const auto at = [&](std::size_t quarter) { return static_cast<double>(stepsNs[stepsNs.size() * quarter / 4]); };
    return saturatedRound(2 * (at(3) - at(1)) / 1.349 / std::sqrt(static_cast<double>(stepsNs.size())));
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
    const std::int64_t inLoader = program.loader.pinThread ? std::max<std::int64_t>(2, program.loader.outstanding) : 0;
    return saturatedProduct(batchBytes, ahead + 1 + inLoader);
}

std::pair<std::int64_t, std::string> ramOf(const Trace& trace, std::int64_t otherwiseBytes)
{
    for (const CounterSeries& counter : trace.counters())
        if (trace.track(counter.track).name == "Available RAM" && !counter.values.empty())
            return {saturatedRound(*std::max_element(counter.values.begin(), counter.values.end())),
                    "available on the traced machine"};
    return {otherwiseBytes, otherwiseBytes > 0 ? "this machine; the trace does not tell its own" : ""};
}

double computeShare(const Schedule& schedule)
{
    return schedule.stepNs == 0 ? 0
                                : static_cast<double>(schedule.busyNs[static_cast<std::size_t>(Bottleneck::Compute)]) /
                                      static_cast<double>(schedule.stepNs);
}

// When host and GPU have done the last judged step.
std::int64_t doneNs(const Schedule& schedule, const ReplayProgram& program)
{
    return std::max(schedule.stepStartNs[program.lastStep], schedule.gpuDoneNs[program.lastStep]);
}

// The schedule of a changed program, with the clock that the GPU has at so much work; `share` is that of kernels
// without the change.
Schedule scheduleAtClock(ReplayProgram& program, double share, const Trace& trace, const WorkMeter& work)
{
    Schedule planned = schedule(program, work);
    if (trace.metadata().format == kSimulated)
        return planned;
    // The longer kernels are, the busier the GPU: two rounds settle it.
    for (int round = 0; round < 2; ++round) {
        const double planShare = computeShare(planned);
        if (std::abs(clockFactor(planShare) / clockFactor(share) - 1) < kClockMatters)
            break;
        editClock(program, trace, clockFactor(planShare) / clockFactor(share));
        share = planShare;
        planned = schedule(program, work);
    }
    return planned;
}

// What one process of such a program differs by from another: a standard deviation as a share of its step.
double processSpread(const Trace& trace, const ReplayProgram& program, Bottleneck bottleneck)
{
    if (trace.metadata().format == kSimulated)
        return 0;
    const bool deviceDecides =
        bottleneck == Bottleneck::Compute || bottleneck == Bottleneck::H2D || bottleneck == Bottleneck::D2H;
    const bool makesBatches = program.loader.kind == LoaderKind::Lanes || program.loader.inThread;
    const bool hostDecides = bottleneck == Bottleneck::Host || (makesBatches && !deviceDecides);
    return hostDecides ? kProcessSpread : kLeastProcessSpread;
}

// The ends of a rate's range lie about three of its standard deviations away: steps that a pin thread decides took
// 17 % more or less than predicted (resources/help/whatif.md), where its range reaches 50 % further.
constexpr double kRangeDeviations = 3;

// Of independent parts, each a standard deviation. What hits the step before and after alike is none: it moves the
// range, not the difference.
Noise noiseOf(std::int64_t stepNs, const std::array<double, 4>& partsNs)
{
    Noise noise;
    double squares = 0;
    for (const double partNs : partsNs)
        squares += partNs * partNs;
    const double least = kLeastChange * static_cast<double>(stepNs);
    noise.ns = saturatedRound(std::max(std::sqrt(squares), least));
    if (std::sqrt(squares) > least)
        noise.largest = static_cast<Noise::Origin>(std::max_element(partsNs.begin(), partsNs.end()) - partsNs.begin());
    return noise;
}

}  // namespace

struct Replay::Plan {
    const ReplayProgram& program;
    const Schedule& schedule;
    std::int64_t coolNs;    // the step with a clock that does not fall
    std::int64_t steadyNs;  // and when what the loader had made before is used up
};

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
    if (leftOut.empty())
        return text + ": the longer of the host's and the GPU's time from one to the next.";
    for (std::size_t at = 0; at < leftOut.size(); ++at)
        text += (at == 0 ? ": it leaves out " : " and ") + leftOut[at];
    return text + ".";
}

Result<Replay> Replay::build(std::shared_ptr<const Trace> trace, const ReplayOptions& options, Progress* progress)
{
    return attempt("rebuild the program behind the trace", progress,
                   [&](const WorkMeter& work) { return rebuilt(std::move(trace), options, progress, work); });
}

Result<Replay> Replay::rebuilt(std::shared_ptr<const Trace> trace, const ReplayOptions& options, Progress* progress,
                               const WorkMeter& work)
{
    Result<ReplayProgram> built = ProgramBuilder(*trace, options, work).build(progress);
    if (!built.ok())
        return Error{built.error()};
    ReplayProgram& program = built.value();
    Replay replay;
    replay.m_trace = std::move(trace);
    replay.m_options = options;
    replay.m_options.steps.reset();  // the program has them
    if (!replay.m_options.device)
        replay.m_options.device = profileOf(*replay.m_trace);
    program.loader.paceNs = measuredSchedule(program, work).stepNs;
    ReplayReport& report = replay.m_report;
    report.stepNsMeasured = program.loader.paceNs;
    const Schedule replayed = schedule(program, work);
    report.stepNsReplayed = replayed.stepNs;
    replay.m_computeShare = computeShare(replayed);
    replay.m_busyShare = deviceBusyShare(program, replayed, work);
    replay.m_spread = processSpread(*replay.m_trace, program, replayed.bottleneck);
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
    report.leftOut = program.leftOut;
    report.limits = program.limits;
    if (missesPinnedRate(program, ratesOf(*replay.m_trace, program, replay.m_options.device)))
        report.missing.push_back(missingRateText(*replay.m_trace));
    const Analysis analysis(*replay.m_trace, work);
    report.program = analysis.program();
    std::int64_t mostNs = 0;
    for (const DeviceActivity& device : analysis.devices())
        if (const std::int64_t exposedNs = device.h2d.measureNs() - device.h2dHidden.measureNs(); exposedNs > mostNs) {
            mostNs = exposedNs;
            report.carries = mainRole(device.h2dCopies);
        }
    report.device = replay.m_options.device ? replay.m_options.device->key : "";
    if (report.stepNsMeasured <= 0)
        return Error{
            "The steps of this trace take no time on the host or the GPU; choose others with --steps FIRST-LAST."};
    replay.m_program = std::make_shared<const ReplayProgram>(std::move(program));
    return replay;
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

// Between these ends are nine of ten other processes of a program that takes this long here: all of the host's own
// work is faster or slower together, and the step by the least that processes differ by.
std::pair<std::int64_t, std::int64_t> Replay::otherProcesses(const ReplayProgram& program, std::int64_t stepNs,
                                                             const WorkMeter& work) const
{
    const double pace = 1 + kNineOfTen * kProcessSpread;
    const auto at = [&](double factor) {
        ReplayProgram other = program;
        editHostPace(other, factor);
        return static_cast<double>(sustained(schedule(other, work)).stepNs);
    };
    const auto usualNs = static_cast<double>(sustained(schedule(program, work)).stepNs);
    const double leastNs = kNineOfTen * kLeastProcessSpread * static_cast<double>(stepNs);
    return {saturatedDifference(stepNs, saturatedRound(std::hypot(std::max(0.0, usualNs - at(1 / pace)), leastNs))),
            saturatedSum(stepNs, saturatedRound(std::hypot(std::max(0.0, at(pace) - usualNs), leastNs)))};
}

// The step with the clock of a GPU that rests only where it neither computes nor copies: whether it may rest while it
// copies is not known.
std::int64_t Replay::busyClockNs(const ReplayProgram& program, const Schedule& planned, const WorkMeter& work) const
{
    if (m_trace->metadata().format == kSimulated)
        return planned.stepNs;
    const double madeFactor = clockFactor(computeShare(planned)) / clockFactor(m_computeShare);
    const double busyFactor = clockFactor(deviceBusyShare(program, planned, work)) / clockFactor(m_busyShare);
    if (busyFactor / madeFactor - 1 < kClockMatters)
        return planned.stepNs;
    ReplayProgram other = program;
    editClock(other, *m_trace, busyFactor / madeFactor);
    return sustained(schedule(other, work)).stepNs;
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
    const LibraryStaging library = libraryStaging(m_report.program.framework);
    if (!editAll(program, EditContext{rates, m_options.device, ignored, library}, others, *m_trace).ok())
        return INT64_MAX;
    const Schedule without = sustained(scheduleAtClock(program, m_computeShare, *m_trace, work));
    return planDoneNs <= doneNs(without, program) ? without.stepNs : INT64_MAX;
}

Result<Prediction> Replay::predict(std::span<const Change> changes, WithTrace withTrace, const Progress* progress) const
{
    return attempt("predict what a change does", progress,
                   [&](const WorkMeter& work) { return predicted(changes, withTrace, progress, work); });
}

// The range of a prediction, and the noise of its difference.
void Replay::findRange(const Plan& plan, const Rates& rates, Prediction& prediction, const WorkMeter& work) const
{
    const ReplayProgram& program = plan.program;
    const Schedule& planned = plan.schedule;
    const std::int64_t coolNs = plan.coolNs, steadyNs = plan.steadyNs;
    const std::span<const Change> changes = prediction.changes;
    const LibraryStaging library = libraryStaging(m_report.program.framework);
    PredictionRange range(planned.stepNs);
    double doubtNs = 0;  // what speaks against the predicted direction, as far as it is not known
    const auto doubt = [&](std::int64_t lowNs, std::int64_t highNs, double deviations) {
        const bool faster = planned.stepNs < m_report.stepNsReplayed;
        const std::int64_t againstNs = faster ? highNs - planned.stepNs : planned.stepNs - lowNs;
        doubtNs = std::hypot(doubtNs, static_cast<double>(std::max<std::int64_t>(0, againstNs)) / deviations);
    };
    // The step with other rates.
    const auto with = [&](const EditScales& scales) {
        std::vector<std::string> ignored;
        ReplayProgram other = *m_program;
        if (!editAll(other, EditContext{rates, m_options.device, ignored, library, scales}, changes, *m_trace).ok())
            return planned.stepNs;
        return sustained(scheduleAtClock(other, m_computeShare, *m_trace, work)).stepNs;
    };
    const auto reachByRate = [&](const EditScales& fast, const EditScales& slow, std::string_view origin) {
        const std::int64_t lowNs = with(fast), highNs = with(slow);
        range.reach(lowNs, highNs, origin);
        doubt(lowNs, highNs, kRangeDeviations);
    };
    if (has(changes, ChangeKind::Pin)) {
        const Rate& copies = rates.pinnedH2d;
        if (copies.known())
            reachByRate({.pinned = copies.high / copies.bytesPerSecond}, {.pinned = copies.low / copies.bytesPerSecond},
                        "the rate of page-locked copies");
        if (const Rate& pinning = rates.pinning; pinning.known())
            reachByRate({.pinning = pinning.high / pinning.bytesPerSecond},
                        {.pinning = pinning.low / pinning.bytesPerSecond}, "the time to pin a batch");
        if (givingBackPauses(*m_program).copies > 0)
            reachByRate({.givingBack = 1 / kGivingBackSpread}, {.givingBack = kGivingBackSpread},
                        "how much of the host's time after results is giving their memory back");
    }
    const bool addsPinThread = program.loader.pinThread && !m_program->loader.pinThread;
    if (addsPinThread && m_trace->metadata().format != kSimulated)
        reachByRate({}, {.lockHeld = true},
                    "whether the pin thread holds up the training thread (the interpreter's lock)");
    const bool mayStage = has(changes, ChangeKind::Pin) && library == LibraryStaging::Perhaps;
    if (const std::int64_t unstagedNs = mayStage ? with({.staging = false}) : 0; unstagedNs > planned.stepNs) {
        range.reach(planned.stepNs, unstagedNs, "whether the host's time before page-locked copies is copying to them");
        doubt(planned.stepNs, unstagedNs, 1);
    }
    const double spread = changes.empty() ? 0 : processSpread(*m_trace, program, planned.bottleneck);
    if (spread > 0) {
        const auto [lowNs, highNs] = otherProcesses(program, planned.stepNs, work);
        range.reach(lowNs, highNs, "what two processes of such a program differ by");
    }
    if (!changes.empty() && program.loader.holdsAssumed) {
        ReplayProgram other = program;
        for (LoaderBatch& batch : other.loader.batches)
            batch.holdsNs = 0;
        const std::int64_t otherNs = sustained(schedule(other, work)).stepNs;
        range.reach(otherNs, otherNs, "whether workers keep a batch back while they make samples");
        doubt(otherNs, otherNs, 1);
    }
    if (steadyNs != planned.stepNs) {
        range.reach(planned.stepNs, steadyNs, "when the batches that the loader had made before are used up");
        doubt(planned.stepNs, steadyNs, 1);
    }
    if (!changes.empty()) {
        const std::int64_t lowNs = coolNs == steadyNs ? planned.stepNs : coolNs;
        range.reach(lowNs, std::max(planned.stepNs, busyClockNs(program, planned, work)),
                    "how far the GPU's clock falls as it gets busier");
        doubt(lowNs, lowNs, 1);
    }
    const double error = m_report.error();
    const auto errorNs = saturatedRound(std::abs(error) * static_cast<double>(planned.stepNs));
    range.reach(planned.stepNs - errorNs, planned.stepNs + errorNs, "the error of the replay without change");
    const double share = static_cast<double>(planned.stepNs) / static_cast<double>(m_report.stepNsMeasured);
    const auto stepsNs =
        saturatedRound(static_cast<double>(spreadNs(measuredSchedule(*m_program, work).stepTimesNs)) * share);
    range.reach(planned.stepNs - stepsNs, saturatedSum(planned.stepNs, stepsNs), "the spread of the measured steps");
    range.store(prediction);
    const double processesNs = std::hypot(m_spread * static_cast<double>(m_report.stepNsReplayed),
                                          spread * static_cast<double>(planned.stepNs));
    prediction.noise = noiseOf(m_report.stepNsReplayed,
                               {processesNs, static_cast<double>(stepsNs) / 2, static_cast<double>(errorNs), doubtNs});
}

Result<Prediction> Replay::predicted(std::span<const Change> changes, WithTrace withTrace, const Progress* progress,
                                     const WorkMeter& work) const
{
    Rates rates = ratesOf(*m_trace, *m_program, m_options.device);
    for (const Change& change : changes)
        if (change.kind == ChangeKind::Link)
            rates.pinnedH2d = rates.pinnedD2h = {change.bytesPerSecond, change.bytesPerSecond, change.bytesPerSecond,
                                                 "the link that is asked for"};
    Prediction prediction;
    prediction.changes.assign(changes.begin(), changes.end());
    prediction.ofRange = m_report.wholeRange;
    prediction.stepNsMeasured = m_report.stepNsMeasured;
    prediction.stepNsReplayed = m_report.stepNsReplayed;

    const LibraryStaging library = libraryStaging(m_report.program.framework);
    ReplayProgram program = *m_program;
    const Result<void> edited =
        editAll(program, EditContext{rates, m_options.device, prediction.notes, library, {}, &prediction.needless},
                changes, *m_trace);
    if (!edited.ok())
        return Error{edited.error()};
    for (const Change& change : changes) {
        std::string advice = changeAdvice(change, m_report.carries, m_report.program);
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

    findRange({program, planned, coolNs, steadyNs}, rates, prediction, work);
    work.look();
    if (!program.wholeRange)  // of a range it is not known what is used again
        prediction.pinnedBytes = pinnedBytesOf(program);
    std::tie(prediction.ramBytes, prediction.ramOrigin) = ramOf(*m_trace, m_options.ramBytes);
    if (prediction.ramBytes > 0 && prediction.pinnedBytes > prediction.ramBytes / 2)
        prediction.notes.push_back(fmt::format("Page-locking {} of {} leaves too little for everything else.",
                                               formatBytes(prediction.pinnedBytes), formatBytes(prediction.ramBytes)));
    if (program.loader.kind == LoaderKind::Waits && !program.loader.bound)
        prediction.notes.emplace_back(
            "The trace does not show the loader's workers, and nobody waited for them: they are "
            "taken to keep up.");
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
