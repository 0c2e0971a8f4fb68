// RuleContext: what a rule is asked about, and the figures and words that rules share.
//
// Lives for one question; keeps references. One thread. Nanoseconds and bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/idle_attribution.h"
#include "core/analysis/implicit_wait.h"
#include "core/analysis/verdict.h"
#include "core/findings/finding_facts.h"
#include "core/findings/rule.h"
#include "core/trace/trace.h"

namespace overlane
{

// Below this part of the range a cost is not worth a line; from the second on it is a problem.
constexpr double kWorthNaming = 0.005;
constexpr double kProblemShare = 0.02;

// Copies of one direction that start in the range, those of one owner and all.
struct CopyCount {
    std::int64_t copies = 0;
    std::int64_t bytes = 0;
    std::int64_t durationNs = 0;
    std::int64_t pageable = 0;
    std::int64_t pinned = 0;
    CopyRole carries = CopyRole::Unknown;  // most of them, by their time
    std::int64_t all = 0;
    std::int64_t allBytes = 0;
    std::int64_t unknownMemory = 0;  // of all: the trace does not name their memory
};
// By owner, and what no rule owns.
using CopyCounts = std::array<CopyCount, kRuleCount + 1>;
CopyCounts countCopies(const Analysis& analysis, const FindingFacts& facts, Interval range, bool toDevice);

// An idle piece that belongs to a rule, and what shows it.
struct OwnedPiece {
    std::int32_t device = -1;
    IdlePiece piece;
    IdleEvidence evidence;
};

struct RuleContext {
    const Trace& trace;
    const Analysis& analysis;
    const FindingFacts& facts;
    const Summary& summary;
    const Verdict& verdict;  // of the range
    const CopyCounts& copiesToDevice;
    const CopyCounts& copiesToHost;
    Interval range;
    std::int64_t steps = 0;
    bool kernelsKnown = true;

    FindingCost costOf(RuleId rule) const;
    // The part of a sum over the range that the average step has, or each step where there are pauses between them; 0
    // without steps.
    std::int64_t inEachStepNs(std::int64_t sumNs) const;
    // What a rule costs a device, by its place among the analysis' devices.
    std::int64_t idleOf(RuleId rule, std::size_t device) const;
    // The device on which a rule costs most; -1 where it costs none.
    std::int32_t deviceOf(RuleId rule) const;
    const CopyCount& toDevice(RuleId owner) const { return copiesToDevice[static_cast<std::size_t>(owner)]; }
    const CopyCount& toHost(RuleId owner) const { return copiesToHost[static_cast<std::size_t>(owner)]; }
    std::int64_t evidenceCount(RuleId rule) const;
    // The longest idle pieces of a rule, longest first, and how many it has.
    std::vector<OwnedPiece> longestPieces(RuleId rule, std::size_t most) const;
    std::int64_t pieceCount(RuleId rule) const;
    // The copies that a rule owns, of the direction that it speaks of.
    const CopyCount& copiesOf(RuleId rule) const;
    bool hasHostCalls() const { return !analysis.host().launchingThreads.empty(); }

    // "the GPU idles 8.30 ms of each 14.3 ms step (58 %)", "it costs the GPU nothing here"; where the
    // host is held for long, that too.
    std::string costText(RuleId rule) const;
    // "; all copies together: 85.8 %" where a rule owns nearly all that copies cost, and shows as another figure.
    std::string allCopiesText(RuleId rule, std::int64_t idleNs) const;
    // In which code the threads that launch are while a rule's time passes, on the device that it costs most: most
    // first. Empty where no stacks say.
    std::vector<CodeShare> placesOf(RuleId rule) const;
    // What advice is to speak of where copies carry that: roleOfAdvice() of the device of the verdict.
    CopyRole roleOfAdvice(CopyRole role) const;
    // Likewise, which other thread works most.
    std::optional<OtherThread> busiestOther(RuleId rule) const;
    // The calls that explain most of the time of a rule though they are not called waits; kind None where others do.
    struct HeldBy {
        ImplicitWait kind = ImplicitWait::None;
        std::string name;  // as the trace has it
    };
    HeldBy heldBy(RuleId rule) const;
    // It holds, as a problem or a hint by what it costs: the GPU, or the host where kernels are not known.
    RuleAnswer rated(RuleId rule, std::string sentence) const;
    bool isWorthNaming(RuleId rule) const;
    // The answer of a rule about copies from pageable memory where it has none or few, or cannot tell.
    std::optional<RuleAnswer> answerWithoutPageable(RuleId rule) const;
    // Whether the verdict's headline is about this rule: of the rules that speak of what it names, the one
    // that costs its device most. Such a rule is worth a line whatever the other devices do.
    bool isHeadline(RuleId rule) const;
};

RuleAnswer cannotTell(std::string reason);
// "1 copy", "14 of 16 copies", "576 copies of activations": the input of an iteration is not named.
std::string copiesText(const CopyCount& count);

}  // namespace overlane
