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
#include "core/replay/program_builder.h"
#include "core/replay/reorder.h"
#include "core/replay/schedule.h"

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
// No change is claimed where it is less than this, however sure it is.
constexpr double kLeastChange = 0.01;
constexpr std::string_view kSimulated = "simulated";
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
        editClock(program, trace, share, planShare);
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
    replay.m_spread = processSpread(*replay.m_trace, program, replayed.bottleneck);
    replay.m_doneNs = doneNs(replayed, program);
    replay.m_busyNs = replayed.busyNs;
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

// A loader is no faster than the slowest of its threads, however many batches it had made before. Where the recording
// lived on such batches already, the changed program may as much.
Schedule Replay::sustained(Schedule planned) const
{
    for (const Bottleneck what : {Bottleneck::Workers, Bottleneck::PinThread}) {
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
    if (!editAll(program, EditContext{rates, m_options.device, ignored}, others, *m_trace).ok())
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
    const Rates rates = ratesOf(*m_trace, *m_program, m_options.device);
    Prediction prediction;
    prediction.changes.assign(changes.begin(), changes.end());
    prediction.stepNsMeasured = m_report.stepNsMeasured;
    prediction.stepNsReplayed = m_report.stepNsReplayed;

    ReplayProgram program = *m_program;
    const Result<void> edited = editAll(
        program, EditContext{rates, m_options.device, prediction.notes, 1, 1, &prediction.needless}, changes, *m_trace);
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
    const bool asksForRate = has(changes, ChangeKind::Link);
    if (!asksForRate && planned.stepNs / kLargestFactor > std::max(m_report.stepNsReplayed, m_report.stepNsMeasured))
        return Error{fmt::format(
            "The replay with this change takes {} for a step of {}: sizes or times in the trace cannot be right, so "
            "nothing is predicted from them.",
            formatDuration(planned.stepNs), formatDuration(m_report.stepNsMeasured))};
    prediction.stepNsPredicted = planned.stepNs;
    prediction.bottleneck = planned.bottleneck;
    prediction.busyNs = planned.busyNs;

    // The range: what each thing that is not sure would make of the step.
    prediction.lowNs = prediction.highNs = planned.stepNs;
    const auto widen = [&](std::int64_t lowNs, std::int64_t highNs, const std::string& origin) {
        prediction.lowNs -= std::max<std::int64_t>(0, planned.stepNs - lowNs);
        prediction.highNs = saturatedSum(prediction.highNs, std::max<std::int64_t>(0, highNs - planned.stepNs));
        if (lowNs != highNs)
            prediction.rangeOrigins.push_back(
                fmt::format("{}: {} to {}", origin, formatDuration(lowNs), formatDuration(highNs)));
    };
    // The fast end of a rate goes with a clock that does not fall.
    const auto withScales = [&](double pinned, double pinning) {
        std::vector<std::string> ignored;
        ReplayProgram other = *m_program;
        const EditContext context{rates, m_options.device, ignored, pinned, pinning};
        if (!editAll(other, context, changes, *m_trace).ok())
            return planned.stepNs;
        const bool faster = pinned > 1 || pinning > 1;
        return sustained(faster ? schedule(other, work) : scheduleAtClock(other, m_computeShare, *m_trace, work))
            .stepNs;
    };
    // What speaks against the predicted direction, as far as it is not known.
    double doubtNs = 0;
    const auto doubt = [&](std::int64_t lowNs, std::int64_t highNs, double deviations) {
        const bool faster = planned.stepNs < m_report.stepNsReplayed;
        const std::int64_t againstNs = faster ? highNs - planned.stepNs : planned.stepNs - lowNs;
        doubtNs = std::hypot(doubtNs, static_cast<double>(std::max<std::int64_t>(0, againstNs)) / deviations);
    };
    // Each of these alone: the clock is in all of them.
    const auto reach = [&](std::int64_t lowNs, std::int64_t highNs, const std::string& origin) {
        prediction.lowNs = std::min(prediction.lowNs, lowNs);
        prediction.highNs = std::max(prediction.highNs, highNs);
        if (lowNs != highNs)
            prediction.rangeOrigins.push_back(
                fmt::format("{}: {} to {}", origin, formatDuration(lowNs), formatDuration(highNs)));
    };
    const auto reachByRate = [&](std::int64_t lowNs, std::int64_t highNs, const std::string& origin) {
        reach(lowNs, highNs, origin);
        doubt(lowNs, highNs, kRangeDeviations);
    };
    if (has(changes, ChangeKind::Pin)) {
        const Rate& copies = rates.pinnedH2d;
        reachByRate(withScales(copies.high / copies.bytesPerSecond, 1),
                    withScales(copies.low / copies.bytesPerSecond, 1), "the rate of page-locked copies");
        if (const Rate& pinning = rates.pinning; pinning.known())
            reachByRate(withScales(1, pinning.high / pinning.bytesPerSecond),
                        withScales(1, pinning.low / pinning.bytesPerSecond), "the time to pin a batch");
    }
    const double spread = changes.empty() ? 0 : processSpread(*m_trace, program, planned.bottleneck);
    if (spread > 0) {
        const auto otherNs = saturatedRound(spread * static_cast<double>(planned.stepNs));
        reach(planned.stepNs - otherNs, planned.stepNs + otherNs, "what two processes of such a program differ by");
    }
    if (!changes.empty() && program.loader.holdsAssumed) {
        ReplayProgram other = program;
        for (LoaderBatch& batch : other.loader.batches)
            batch.holdsNs = 0;
        const std::int64_t otherNs = sustained(schedule(other, work)).stepNs;
        reach(otherNs, otherNs, "whether workers keep a batch back while they make samples");
        doubt(otherNs, otherNs, 1);
    }
    if (steadyNs != planned.stepNs) {
        reach(planned.stepNs, steadyNs, "when the batches that the loader had made before are used up");
        doubt(planned.stepNs, steadyNs, 1);
    }
    if (coolNs != steadyNs) {
        reach(std::min(coolNs, planned.stepNs), std::max(coolNs, planned.stepNs),
              "whether the GPU's clock falls as it gets busier");
        doubt(std::min(coolNs, planned.stepNs), std::max(coolNs, planned.stepNs), 1);
    }
    const double error = m_report.error();
    const auto errorNs = saturatedRound(std::abs(error) * static_cast<double>(planned.stepNs));
    widen(planned.stepNs - errorNs, planned.stepNs + errorNs, "the error of the replay without change");
    const double share = static_cast<double>(planned.stepNs) / static_cast<double>(m_report.stepNsMeasured);
    const auto stepsNs =
        saturatedRound(static_cast<double>(spreadNs(measuredSchedule(*m_program, work).stepTimesNs)) * share);
    widen(planned.stepNs - stepsNs, planned.stepNs + stepsNs, "the spread of the measured steps");
    prediction.lowNs = std::max<std::int64_t>(0, prediction.lowNs);
    const double processesNs = std::hypot(m_spread * static_cast<double>(m_report.stepNsReplayed),
                                          spread * static_cast<double>(planned.stepNs));
    prediction.noise = noiseOf(m_report.stepNsReplayed,
                               {processesNs, static_cast<double>(stepsNs) / 2, static_cast<double>(errorNs), doubtNs});

    work.look();
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
                        100 * error));
    if (withTrace == WithTrace::Yes) {
        prediction.trace =
            std::make_shared<const Trace>(predictedTrace(*m_trace, program, planned, changes, progress, work));
        prediction.stepStartsNs = planned.stepStartNs;
        prediction.stepStartsNs.resize(program.steps.size() - 1);  // the last mark is an end
    }
    return prediction;
}

}  // namespace overlane
