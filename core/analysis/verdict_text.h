// The wording of a verdict, but for what each loss of time is called (core/analysis/loss_text.h).
//
// Pure functions of figures already known; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/active_range.h"
#include "core/analysis/host_stacks.h"
#include "core/analysis/implicit_wait.h"
#include "core/analysis/lost_time.h"
#include "core/analysis/verdict.h"

namespace overlane
{

// From this share of a worker's time on, it has no time to spare: its lane leaves out what handing a batch over takes.
constexpr double kBusyWorkerShare = 0.85;

// What the sentences need beside the verdict itself. Times and bytes of the whole range.
struct VerdictFacts {
    const DeviceSummary* device = nullptr;
    const ProgramTraits* program = nullptr;
    CopyRole toDevice = CopyRole::Unknown;  // what the exposed copies carry
    CopyRole toHost = CopyRole::Unknown;
    CopyRole adviseOn = CopyRole::Unknown;      // roleOfAdvice() of them
    CopyRole adviseOnBack = CopyRole::Unknown;  // likewise
    bool pageableToHost = false;                // most copies to the host go to pageable memory
    bool readsPageable = false;  // the device reads pageable memory itself, and copies of it are not judged
    std::int64_t steps = 0;      // whole steps in the range
    std::int64_t stepNs = 0;     // averageStepNs() of it
    StepPauses pauses;           // pausesBetween() them
    bool perStep = false;        // what is lost may be told per step
    bool paced = false;          // arePaced()
    Interval range;
    std::int64_t workNs = 0;  // of the device in the whole trace, which is spanNs long
    std::int64_t spanNs = 0;
    bool hasKernels = false;    // likewise
    bool hasFewPieces = false;  // it has next to no kernels and copies there

    std::int64_t meanKernelNs = 0;
    std::int64_t exposedPageableNs = 0;
    std::int64_t batchBytes = 0;    // copied per step, or per copy where there are no steps
    std::int64_t workers = 0;       // worker actors that the trace names; 0 = unknown
    std::int64_t workerBusyNs = 0;  // of all workers together
    std::string busiestHelper;      // of the loader's actors beside workers and training thread; may be empty
    std::int64_t busiestHelperNs = 0;
    std::int64_t pageLockingNs = 0;  // of threads that launch, in calls that page-lock memory
    std::int64_t graphKernelNs = 0;  // kernels that CUDA graphs launched
    std::int64_t latencyNs = 0;      // of the GPU between kernels that waited for nothing else
    std::int64_t hostBetweenNs = 0;  // part of the loss `Host` between recorded events
    // In which code the launching thread was while the main loss passed; where it waited there, another thread.
    std::vector<CodeShare> places;
    std::vector<CodeShare> launching;  // where it was in the launch-bound time
    std::optional<OtherThread> other;
    bool hasStacks = false;
    // Calls that explain most of the main loss, synchronization or late host.
    ImplicitWait implicit = ImplicitWait::None;
    std::int64_t swapBeforeBytes = 0;  // in use when the range begins
    std::int64_t swapPeakBytes = 0;
    std::int64_t pinnedPeakBytes = 0;  // 0 = unknown
};

// "8.30 ms of each 13.9 ms step (61 %)", or of the whole range where it holds no whole step.
std::string lostText(std::int64_t lostNs, const VerdictFacts& facts);
// "3 pauses between steps take 1.98 s of the range (71 %)...": where they keep it from being told per step, else empty.
std::string pausesSentence(const VerdictFacts& facts);
// "Every step takes 16.7 ms, whatever its work: ..."; empty where nothing paces them.
std::string pacedSentence(const VerdictFacts& facts);
// "Next to no GPU work: it takes 1.80 µs of the 13.0 s in this trace (0 %). ..."
std::string hardlyAnyWorkSentence(const Verdict& verdict, const VerdictFacts& facts);
std::string computeBoundSentence(const Verdict& verdict, const VerdictFacts& facts);
// What `couldBeNs` leaves out: "with these copies hidden" or "without that"; where the link is too slow, that no order
// of the copies takes less. No prediction of a change, which may win less than the whole loss, or more than one.
std::string_view withoutLossText(const Verdict& verdict);
// Whether the two times differ by more than their texts round away, or the link says why they do not.
bool saysWhatIsWon(const Verdict& verdict);
// "The average step takes 13.9 ms now, 8.12 ms with these copies hidden."; empty where nothing is lost that has a name,
// or nothing would be won.
std::string nowAndWithoutSentence(const Verdict& verdict);
// "Left out: 8.20 s before the first step and 1.10 s after the last." Empty where it is next to nothing.
std::string leftOutSentence(const ActiveRange& active, Interval span);
// "GPU 1: <sentence> GPU 0 hides 92 % of its copy time.": which of several devices is meant, and what the others do.
std::string worstDeviceSentence(const Summary& summary, std::size_t worst, const std::string& sentence);
// What else is to be known of a device: "Kernels of 2 processes run at once on this GPU: ..."; may be empty.
std::string sharedDeviceSentence(const DeviceActivity& device);
// "Of 2,000 GPUs the 1,024 with the most work are judged."
std::string devicesLeftOutSentence(std::size_t judged, std::size_t leftOut);
// "Next: host late, 3.10 ms of each step (22 %)."
std::string nextLossSentence(const Verdict::Loss& loss, const Verdict& verdict, const VerdictFacts& facts);

}  // namespace overlane
