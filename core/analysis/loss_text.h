// A loss in words: what a verdict says where a cause loses the most time, and what to do about it. The row of the cause
// (core/analysis/cause_table.h) holds both, as text or as a function; here are the functions that do not fit a row.
//
// Pure functions of figures already known; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/advice.h"
#include "core/analysis/lost_time.h"
#include "core/analysis/verdict.h"
#include "core/analysis/verdict_text.h"

namespace overlane
{

// What the text of a row may speak of. Refers to the verdict and its facts.
struct LossFacts {
    std::int64_t lostNs = 0;
    std::string lost;  // lostText() of it
    const Verdict& verdict;
    const VerdictFacts& facts;

    // In the words of the framework that ran.
    std::string advised(Remedy remedy, CopyRole role = CopyRole::Unknown) const;
};

// The verdict where a cause is the main one, and the advice for it.
std::string lossSentence(LostCause cause, std::int64_t lostNs, const Verdict& verdict, const VerdictFacts& facts);
std::string lossAdvice(LostCause cause, std::int64_t lostNs, const Verdict& verdict, const VerdictFacts& facts);

// "0 of 16 copies hidden (0 % of their time); exposed: 456 µs of each 13.9 ms step (3.3 %); main cause: pageable
// memory." Counts are of copies, the first share of their time, the second of the range: each says what of. With
// `lostNs`, all that the GPU loses by them, "the GPU waits 460 µs of each 13.9 ms step (3.3 %) for them" instead.
std::string copiesSentence(const Verdict& verdict, const VerdictFacts& facts, std::int64_t lostNs = 0);
// Where no kernel runs, there is nothing to hide a copy behind.
std::string noKernelAdvice(const VerdictFacts& facts);
std::string copiesAdvice(const LossFacts& loss);
std::string readBackSentence(const LossFacts& loss);
std::string swapSentence(const LossFacts& loss);
std::string swapAdvice(const LossFacts& loss);
std::string batchesAdvice(const LossFacts& loss);
std::string hostSentence(const LossFacts& loss);

// Most of the kernels come from CUDA graphs: advice to use them says nothing new.
bool runsGraphs(const VerdictFacts& facts);

}  // namespace overlane
