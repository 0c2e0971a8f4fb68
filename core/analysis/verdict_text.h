// The wording of a verdict: what each loss of time is called in a sentence, and what to do about it.
//
// Pure functions of figures already known; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/lost_time.h"
#include "core/analysis/verdict.h"

namespace overlane
{

// What the sentences need beside the verdict itself. Times and bytes of the whole range.
struct VerdictFacts {
    const DeviceSummary* device = nullptr;
    std::int64_t steps = 0;  // whole steps in the range
    Interval range;

    std::int64_t meanKernelNs = 0;
    std::int64_t exposedPageableNs = 0;
    std::int64_t batchBytes = 0;    // copied per step, or per copy where there are no steps
    std::int64_t workers = 0;       // worker actors that the trace names; 0 = unknown
    std::int64_t workerBusyNs = 0;  // of all workers together
    std::string busiestHelper;      // of the loader's actors beside workers and training thread; may be empty
    std::int64_t busiestHelperNs = 0;
    std::int64_t pageLockingNs = 0;    // of threads that launch, in calls that page-lock memory
    std::int64_t hostBetweenNs = 0;    // part of the loss `Host` between recorded events
    std::int64_t swapBeforeBytes = 0;  // in use when the range begins
    std::int64_t swapPeakBytes = 0;
    std::int64_t pinnedPeakBytes = 0;  // 0 = unknown
};

// "0 of 16 copies hidden (0 %), 7.30 ms exposed; main cause: pageable memory."
std::string copiesSentence(const Verdict& verdict, const VerdictFacts& facts);
std::string computeBoundSentence(const Verdict& verdict, const VerdictFacts& facts);
// The finding where a loss is the main one, and the advice for it.
std::string lossSentence(LostCause cause, std::int64_t lostNs, const Verdict& verdict, const VerdictFacts& facts);
std::string lossAdvice(LostCause cause, const Verdict& verdict, const VerdictFacts& facts);
// "Left out: 8.20 s before the first step and 1.10 s after the last." Empty where it is next to nothing.
std::string leftOutSentence(const JudgedRange& judged, Interval span);
// "GPU 1: <sentence> GPU 0 hides 92 %.": which of several devices is meant, and what the others do.
std::string worstDeviceSentence(const Summary& summary, std::size_t worst, const std::string& sentence);
// "Next: host late, 3.10 ms of each step (22 %)."
std::string nextLossSentence(Verdict::Loss loss, const VerdictFacts& facts);

}  // namespace overlane
