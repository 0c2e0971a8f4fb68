#include "core/replay/replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>

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

// Suggestions that save less than this are not worth a line.
constexpr double kWorthwhile = 0.01;
// A change of the GPU's clock of less than this is left out.
constexpr double kClockMatters = 0.005;
// What two processes of one setting differ by where the host's work on memory decides: a standard deviation
// over the settings of the matrix in resources/help/whatif.md.
constexpr double kProcessSpread = 0.11;
// The same where kernels decide, or the trace does not show its loader.
constexpr double kLeastProcessSpread = 0.03;
// No change is claimed where it is less than this, however sure it is.
constexpr double kLeastChange = 0.01;
constexpr std::string_view kSimulated = "simulated";

bool has(std::span<const Change> changes, ChangeKind kind)
{
    return std::any_of(changes.begin(), changes.end(), [kind](const Change& change) { return change.kind == kind; });
}

bool isPart(std::span<const Change> part, std::span<const Change> whole)
{
    return part.size() < whole.size() && std::all_of(part.begin(), part.end(), [&](const Change& change) {
               return std::find(whole.begin(), whole.end(), change) != whole.end();
           });
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
    return std::llround(2 * (at(3) - at(1)) / 1.349 / std::sqrt(static_cast<double>(stepsNs.size())));
}

// PyTorch's allocator of page-locked memory gives blocks of a power of two.
std::int64_t pinnedBytesOf(const ReplayProgram& program)
{
    std::vector<std::int64_t> stepBytes(program.steps.size() + 1, 0);
    for (const GpuTask& task : program.tasks) {
        const std::int32_t step = task.call == kNoIndex ? -1 : program.calls[task.call].step;
        if (step >= 0 && task.lane == Lane::H2D && task.hostMemory == MemoryKind::Pinned && task.bytes > 0)
            stepBytes[static_cast<std::size_t>(step)] +=
                static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(task.bytes)));
    }
    const std::int64_t batchBytes = *std::max_element(stepBytes.begin(), stepBytes.end());
    const std::int64_t ahead = std::max<std::int64_t>(1, batchesAhead(program));
    const std::int64_t inLoader = program.loader.pinThread ? std::max<std::int64_t>(2, program.loader.outstanding) : 0;
    return batchBytes * (ahead + 1 + inLoader);
}

std::pair<std::int64_t, std::string> ramOf(const Trace& trace, std::int64_t otherwiseBytes)
{
    for (const CounterSeries& counter : trace.counters())
        if (trace.track(counter.track).name == "Available RAM" && !counter.values.empty())
            return {static_cast<std::int64_t>(*std::max_element(counter.values.begin(), counter.values.end())),
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
Schedule scheduleAtClock(ReplayProgram& program, double share, const Trace& trace)
{
    Schedule planned = schedule(program);
    if (trace.metadata().format == kSimulated)
        return planned;
    // The longer kernels are, the busier the GPU: two rounds settle it.
    for (int round = 0; round < 2; ++round) {
        const double planShare = computeShare(planned);
        if (std::abs(clockFactor(planShare) / clockFactor(share) - 1) < kClockMatters)
            break;
        editClock(program, trace, share, planShare);
        share = planShare;
        planned = schedule(program);
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
    return makesBatches && !deviceDecides ? kProcessSpread : kLeastProcessSpread;
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
    noise.ns = std::llround(std::max(std::sqrt(squares), least));
    if (std::sqrt(squares) > least)
        noise.largest = static_cast<Noise::Origin>(std::max_element(partsNs.begin(), partsNs.end()) - partsNs.begin());
    return noise;
}

}  // namespace

Result<Replay> Replay::build(std::shared_ptr<const Trace> trace, const ReplayOptions& options, Progress* progress)
{
    Result<ReplayProgram> built = ProgramBuilder(*trace, options).build(progress);
    if (!built.ok())
        return Error{built.error()};
    ReplayProgram& program = built.value();
    Replay replay;
    replay.m_trace = std::move(trace);
    replay.m_options = options;
    if (!replay.m_options.device)
        replay.m_options.device = profileOf(*replay.m_trace);
    program.loader.paceNs = measuredSchedule(program).stepNs;
    ReplayReport& report = replay.m_report;
    report.stepNsMeasured = program.loader.paceNs;
    const Schedule replayed = schedule(program);
    report.stepNsReplayed = replayed.stepNs;
    replay.m_computeShare = computeShare(replayed);
    replay.m_spread = processSpread(*replay.m_trace, program, replayed.bottleneck);
    replay.m_doneNs = doneNs(replayed, program);
    report.steps = static_cast<std::int64_t>(program.lastStep - program.firstStep);
    report.firstStep = static_cast<std::int64_t>(program.firstStep);
    report.lastStep = static_cast<std::int64_t>(program.lastStep) - 1;
    report.hostCalls = static_cast<std::int64_t>(program.calls.size());
    report.gpuWork = static_cast<std::int64_t>(program.tasks.size());
    report.hostThreads = program.threads;
    report.recordedWaits = program.recordedWaits;
    report.inferredWaits = program.inferredWaits;
    report.unknownWaits = program.unknownWaits;
    report.unexplainedNs = program.unexplainedNs / report.steps;
    report.device = replay.m_options.device ? replay.m_options.device->key : "";
    if (report.stepNsMeasured <= 0)
        return Error{
            "The steps of this trace take no time on the host or the GPU; choose others with --steps FIRST-LAST."};
    replay.m_program = std::make_shared<const ReplayProgram>(std::move(program));
    return replay;
}

// Steps that all end no later than without the changes that only move waits are no slower: they only use up
// sooner what the loader had made before. INT64_MAX where that is not so.
std::int64_t Replay::slowestNs(std::span<const Change> changes, const Rates& rates, std::int64_t planDoneNs) const
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
    const Schedule without = scheduleAtClock(program, m_computeShare, *m_trace);
    return planDoneNs <= doneNs(without, program) ? without.stepNs : INT64_MAX;
}

Result<Prediction> Replay::predict(std::span<const Change> changes, WithTrace withTrace) const
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
    const std::int64_t coolNs = schedule(program).stepNs;
    Schedule planned = changes.empty() ? schedule(program) : scheduleAtClock(program, m_computeShare, *m_trace);
    const std::int64_t steadyNs = planned.stepNs;
    planned.stepNs = std::min(planned.stepNs, slowestNs(changes, rates, doneNs(planned, program)));
    prediction.stepNsPredicted = planned.stepNs;
    prediction.bottleneck = planned.bottleneck;
    prediction.busyNs = planned.busyNs;

    // The range: what each thing that is not sure would make of the step.
    prediction.lowNs = prediction.highNs = planned.stepNs;
    const auto widen = [&](std::int64_t lowNs, std::int64_t highNs, const std::string& origin) {
        prediction.lowNs -= std::max<std::int64_t>(0, planned.stepNs - lowNs);
        prediction.highNs += std::max<std::int64_t>(0, highNs - planned.stepNs);
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
        return faster ? schedule(other).stepNs : scheduleAtClock(other, m_computeShare, *m_trace).stepNs;
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
        const auto otherNs = std::llround(spread * static_cast<double>(planned.stepNs));
        reach(planned.stepNs - otherNs, planned.stepNs + otherNs, "what two processes of such a program differ by");
    }
    if (!changes.empty() && program.loader.holdsAssumed) {
        ReplayProgram other = program;
        for (LoaderBatch& batch : other.loader.batches)
            batch.holdsNs = 0;
        const std::int64_t otherNs = schedule(other).stepNs;
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
    const auto errorNs = std::llround(std::abs(error) * static_cast<double>(planned.stepNs));
    widen(planned.stepNs - errorNs, planned.stepNs + errorNs, "the error of the replay without change");
    const double share = static_cast<double>(planned.stepNs) / static_cast<double>(m_report.stepNsMeasured);
    const auto stepsNs = std::llround(static_cast<double>(spreadNs(measuredSchedule(*m_program).stepTimesNs)) * share);
    widen(planned.stepNs - stepsNs, planned.stepNs + stepsNs, "the spread of the measured steps");
    prediction.lowNs = std::max<std::int64_t>(0, prediction.lowNs);
    const double processesNs = std::hypot(m_spread * static_cast<double>(m_report.stepNsReplayed),
                                          spread * static_cast<double>(planned.stepNs));
    prediction.noise = noiseOf(m_report.stepNsReplayed,
                               {processesNs, static_cast<double>(stepsNs) / 2, static_cast<double>(errorNs), doubtNs});

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
    if (withTrace == WithTrace::Yes)
        prediction.trace = std::make_shared<const Trace>(predictedTrace(*m_trace, program, planned, changes));
    return prediction;
}

std::vector<Prediction> Replay::suggestions(Progress* progress) const
{
    std::vector<std::vector<Change>> tried;
    for (const ChangeKind kind :
         {ChangeKind::Pin, ChangeKind::NonBlocking, ChangeKind::DropSyncs, ChangeKind::MergeSmall})
        tried.push_back({Change{kind}});
    tried.push_back({Change{ChangeKind::SideStream}});
    tried.push_back({Change{ChangeKind::SideStream, 2}});
    if (m_program->loader.kind == LoaderKind::Lanes)
        tried.push_back({Change{ChangeKind::Workers, 2 * static_cast<std::int64_t>(m_program->loader.workers)}});
    tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}});
    tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}, Change{ChangeKind::SideStream}});
    tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}, Change{ChangeKind::SideStream, 2}});
    std::vector<Prediction> helpful;
    for (std::size_t at = 0; at < tried.size(); ++at) {
        if (progress) {
            progress->report(static_cast<double>(at) / static_cast<double>(tried.size()));
            if (progress->cancelled())
                return {};
        }
        Result<Prediction> predicted = predict(tried[at]);
        if (!predicted.ok())
            continue;
        const auto savedNs = static_cast<double>(m_report.stepNsReplayed - predicted.value().stepNsPredicted);
        if (savedNs > kWorthwhile * static_cast<double>(m_report.stepNsReplayed))
            helpful.push_back(std::move(predicted.value()));
    }
    // Of equal ones the one with fewer changes first.
    std::stable_sort(helpful.begin(), helpful.end(), [](const Prediction& a, const Prediction& b) {
        if ((a.direction() == Direction::Faster) != (b.direction() == Direction::Faster))
            return a.direction() == Direction::Faster;
        const auto closeNs = std::max(a.stepNsPredicted, b.stepNsPredicted) / 200;
        if (std::abs(a.stepNsPredicted - b.stepNsPredicted) > closeNs)
            return a.stepNsPredicted < b.stepNsPredicted;
        return false;
    });
    // What a shorter list of changes does as well says nothing more.
    std::vector<Prediction> kept;
    for (Prediction& prediction : helpful) {
        const bool known = std::any_of(kept.begin(), kept.end(), [&](const Prediction& other) {
            return isPart(other.changes, prediction.changes) &&
                   other.stepNsPredicted - prediction.stepNsPredicted <= other.stepNsPredicted / 200;
        });
        if (!known)
            kept.push_back(std::move(prediction));
    }
    return kept;
}

}  // namespace overlane
