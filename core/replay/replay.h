// Replay: the program behind a trace, rebuilt from its records and run again with changes.
//
// Host threads are the calls in their order and the time between them as measured; the GPU is streams
// and engines; between them stand the links from a call to its work, waits for events, streams and the
// device, copies that hold the host, and the loader's batches. Where a wait is not recorded but the
// times prove one, it is inferred and counted. See resources/help/whatif.md.
//
// Built once per trace (on a worker), immutable afterwards; holds on to the trace. predict() may be
// called from any thread and at the same time. Nanoseconds, bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/devices/device_profile.h"
#include "core/replay/change.h"
#include "core/replay/host_memory.h"
#include "core/replay/prediction.h"
#include "core/trace/trace.h"

namespace overlane
{

struct ReplayOptions {
    // Places of the first and the last step to judge, from 0; where not given, all but the warm-up and
    // those that live on batches which the loader had made before.
    std::optional<std::size_t> firstStep;
    std::optional<std::size_t> lastStep;
    std::optional<Interval> range;          // replayed as a whole where the trace shows no iterations; else an Error
    const DeviceProfile* device = nullptr;  // the machine of the trace; nullptr: by the name of its GPU
    std::int64_t ramBytes = 0;              // of the machine that asks, for traces that do not tell; 0 = unknown
    std::int64_t averageStepNs = 0;         // as the judgement of the trace has it, to be told beside; 0 = unknown
};

// What was understood of a trace.
struct ReplayReport {
    std::int64_t steps = 0;        // judged
    std::int64_t firstStep = 0;    // place from 0
    std::int64_t lastStep = 0;     // included
    std::int64_t firstNumber = 0;  // as the trace numbers them
    std::int64_t lastNumber = 0;
    bool wholeRange = false;  // no iterations are seen: the only step is the range that was asked for
    std::int64_t hostCalls = 0;
    std::int64_t gpuWork = 0;
    std::int64_t hostThreads = 0;     // that launch work, with those that take turns counted once
    std::int64_t recordedWaits = 0;   // waits whose target the trace names
    std::int64_t inferredWaits = 0;   // waits whose target follows from the times
    std::int64_t unknownWaits = 0;    // calls that wait, for nothing that is known
    std::int64_t unexplainedNs = 0;   // per step: late starts of GPU work without a known reason, kept as they are
    std::int64_t stepNsAverage = 0;   // of the judgement: all steps but warm-up; 0 = unknown
    std::int64_t stepNsMeasured = 0;  // of the steps that the replay judges
    std::int64_t stepNsReplayed = 0;
    bool paced = false;                    // something outside sets their time (core/analysis/paced_steps.h)
    std::int64_t pausesNs = 0;             // between them, in all: what belongs to no step
    std::vector<std::string> leftOut;      // clauses: which other steps the replay leaves out, and why
    std::vector<std::string> limits;       // sentences: what was not looked at, because there is too much of it
    std::vector<std::string> missing;      // sentences: what cannot be predicted until somebody names a figure
    CopyRole carries = CopyRole::Unknown;  // what most of the exposed copies to the device carry
    ChangedData pins = CopyRole::Unknown;  // whose memory pinning is about
    ProgramTraits program;
    std::vector<CodeShare> hostPlaces;  // where the launching threads were between their calls (host_places.h)
    std::string device;                 // key of the profile whose figures are used; empty: the trace's own only

    double error() const  // of the replay without change
    {
        return stepNsMeasured > 0 ? static_cast<double>(stepNsReplayed) / static_cast<double>(stepNsMeasured) - 1 : 0;
    }
    // "steps 0 to 6", or where the trace numbers them otherwise "steps #6 to #12 (places 0 to 6)".
    std::string judgedSteps() const;
    // Where the steps of the replay take another time than the average step, why; else empty.
    std::string differenceSentence() const;
    static constexpr double kTrusted = 0.02;
    bool trusted() const { return error() <= kTrusted && error() >= -kTrusted; }
};

enum class WithTrace : bool { No, Yes };

// One change of one line of a program, which wins more than a tenth and more than two runs differ by.
bool isEasyAndClear(const Prediction& prediction);

struct EditContext;
struct EditScales;
struct Rates;
struct Schedule;

class Replay
{
public:
    // By the iterations of the trace's analysis, which is not kept. An Error where there is nothing to replay: no
    // steps, no calls, no GPU work; or when cancelled.
    static Result<Replay> build(std::shared_ptr<const Trace> trace, const Analysis& analysis,
                                const ReplayOptions& options = {}, Progress* progress = nullptr);

    const ReplayReport& report() const { return m_report; }
    // An Error where a change cannot be made to this trace, and why.
    // ... or where it was cancelled.
    Result<Prediction> predict(std::span<const Change> changes, WithTrace withTrace = WithTrace::No,
                               const Progress* progress = nullptr) const;
    // Single changes that this trace allows, and the usual three together, that save something: those whose gain
    // is beyond the noise first, the shortest step of each first.
    Result<std::vector<Prediction>> suggestions(Progress* progress = nullptr) const;
    // The best change of one line of a program, where it is worth a word: isEasyAndClear().
    Result<std::optional<Prediction>> easiest(Progress* progress = nullptr) const;

private:
    Replay() = default;
    static Result<Replay> rebuilt(std::shared_ptr<const Trace> trace, const Analysis& analysis,
                                  const ReplayOptions& options, Progress* progress, const WorkMeter& work);
    Result<Prediction> predicted(std::span<const Change> changes, WithTrace withTrace, const Progress* progress,
                                 const WorkMeter& work) const;
    std::vector<Prediction> suggested(Progress* progress, const WorkMeter& work) const;
    std::vector<Change> moreWorkers() const;
    // Those that save something, as suggestions() orders them.
    std::vector<Prediction> worthwhile(std::span<const std::vector<Change>> tried, Progress* progress,
                                       const WorkMeter& work) const;
    void findStaging(const ReplayProgram& program, std::int64_t stepNs, LibraryStaging library);
    EditContext editing(const Rates& rates, std::vector<std::string>& notes, const EditScales& scales) const;
    Schedule sustained(Schedule planned) const;
    void keepAbove(Schedule& planned, std::span<const Bottleneck> resources) const;
    struct Plan;  // a changed program and when it does what
    void findRange(const Plan& plan, const Rates& rates, Prediction& prediction, const WorkMeter& work) const;
    std::pair<std::int64_t, std::int64_t> otherProcesses(const ReplayProgram& program, std::int64_t stepNs,
                                                         const WorkMeter& work) const;
    std::int64_t busyClockNs(const ReplayProgram& program, const Schedule& planned, const WorkMeter& work) const;
    std::int64_t slowestNs(std::span<const Change> changes, const Rates& rates, std::int64_t planDoneNs,
                           const WorkMeter& work) const;

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const ReplayProgram> m_program;
    ReplayOptions m_options;
    ReplayReport m_report;
    double m_computeShare = 0;  // of the replayed step in which kernels run
    double m_busyShare = 0;     // and in which they do, or copies that the host does not stage
    bool m_stages = false;      // the host stages copies for much of the step
    double m_spread = 0;        // what processes of the measured program differ by: a share of its step
    std::int64_t m_doneNs = 0;  // when the replay has done the last judged step
    std::array<std::int64_t, kBottleneckCount> m_busyNs{};  // of the replayed step
};

}  // namespace overlane
