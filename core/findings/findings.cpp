#include "core/findings/findings.h"

#include <algorithm>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/change_of.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

void addUnique(std::vector<EventIndex>& events, EventIndex event)
{
    if (event.valid() && std::find(events.begin(), events.end(), event) == events.end())
        events.push_back(event);
}

// Events that stand for the rule where there are any, else what shows its longest idle pieces.
void addEvidence(const RuleContext& context, Finding& finding)
{
    const std::vector<RuleEvidence>& all = context.facts.evidence(finding.rule);
    const auto before = [](const RuleEvidence& each, std::int64_t timeNs) { return each.startNs < timeNs; };
    const auto first = std::lower_bound(all.begin(), all.end(), context.range.startNs, before);
    const auto last = std::lower_bound(first, all.end(), context.range.endNs, before);
    if (first == last) {
        finding.evidenceCount = context.pieceCount(finding.rule);
        for (const OwnedPiece& piece : context.longestPieces(finding.rule, kMostEvidence))
            addUnique(finding.evidence, piece.evidence.late.valid() ? piece.evidence.late : piece.evidence.event);
        finding.evidenceCount = std::max(finding.evidenceCount, static_cast<std::int64_t>(finding.evidence.size()));
        return;
    }
    finding.evidenceCount = last - first;
    std::vector<EventIndex> events;
    events.reserve(static_cast<std::size_t>(last - first));
    for (auto each = first; each != last; ++each)
        events.push_back(each->event);
    const std::size_t kept = std::min(events.size(), kMostEvidence);
    const std::vector<std::int64_t>& durationNs = context.trace.columns().durationNs;
    std::partial_sort(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(kept), events.end(),
                      [&](EventIndex a, EventIndex b) {
                          return std::pair(-durationNs[a.index()], a) < std::pair(-durationNs[b.index()], b);
                      });
    events.resize(kept);
    finding.evidence = std::move(events);
}

bool isWarmUp(const RuleContext& context, const Finding& finding)
{
    if (context.steps < kManySteps || finding.cost.gpuIdleNs == 0)
        return false;
    RuleContext early = context;
    early.range = firstQuarter(context.range);
    return static_cast<double>(early.costOf(finding.rule).gpuIdleNs) >=
           kEarlyShare * static_cast<double>(finding.cost.gpuIdleNs);
}

Finding makeFinding(const Rule& rule, RuleAnswer answer, const RuleContext& context)
{
    Finding finding;
    finding.rule = rule.rule;
    finding.id = rule.id;
    finding.helpPage = rule.helpPage;
    const ProgramTraits& program = context.analysis.program();
    finding.carries = context.copiesOf(rule.rule).carries;
    finding.title = answer.title.empty() ? titleOf(rule, finding.carries, program) : answer.title;
    finding.severity = answer.severity;
    finding.sentence = std::move(answer.sentence);
    finding.places = std::move(answer.places);
    finding.cost = context.costOf(rule.rule);
    finding.device = context.deviceOf(rule.rule);
    const CopyCount& copies = context.copiesOf(rule.rule);
    ChangeTexts change =
        changeOf(rule, answer, context.roleOfAdvice(finding.carries), 2 * copies.pageable > copies.copies, program);
    finding.change = std::move(change.own);
    finding.changePyTorch = std::move(change.pyTorch);
    finding.changeCuda = std::move(change.cuda);
    if (program.framework != Framework::Unknown)
        finding.framework = frameworkName(program.framework);
    addEvidence(context, finding);
    if (finding.severity == FindingSeverity::Problem && isWarmUp(context, finding)) {
        finding.severity = FindingSeverity::Hint;
        finding.sentence += " Most of it lies in the first quarter of the range, so it may be warm-up.";
    }
    if (context.verdict.loaderSetsPace && finding.rule != RuleId::LoaderStarved &&
        finding.severity == FindingSeverity::Problem && finding.cost.gpuIdleNs > 0)
        finding.sentence += " The loader sets the pace: this wins nothing until it is faster.";
    // Where kernels fill the range, what is left is worth knowing and no more.
    const bool filled = context.verdict.computeBound || context.verdict.hardlyAnyWork;
    if (finding.severity == FindingSeverity::Problem && context.kernelsKnown && filled)
        finding.severity = FindingSeverity::Hint;
    return finding;
}

// Hazards, problems, what is good, hints; each by its cost.
bool comesBefore(const Finding& a, const Finding& b)
{
    constexpr auto place = [](FindingSeverity severity) {
        return severity == FindingSeverity::Hazard    ? 0
               : severity == FindingSeverity::Problem ? 1
               : severity == FindingSeverity::Good    ? 2
                                                      : 3;
    };
    return std::tuple(place(a.severity), -a.cost.gpuIdleNs, -a.cost.hostBlockedNs, a.rule) <
           std::tuple(place(b.severity), -b.cost.gpuIdleNs, -b.cost.hostBlockedNs, b.rule);
}

// What the headline speaks of is the first of the problems, also where two cost the same.
void leadWithHeadline(std::vector<Finding>& findings, const RuleContext& context)
{
    const auto isProblem = [](const Finding& finding) { return finding.severity == FindingSeverity::Problem; };
    const auto first = std::find_if(findings.begin(), findings.end(), isProblem);
    const auto headline = std::find_if(first, findings.end(), [&](const Finding& finding) {
        return isProblem(finding) && context.isHeadline(finding.rule);
    });
    if (headline != findings.end())
        std::rotate(first, headline, headline + 1);
}

}  // namespace

std::string_view severityName(FindingSeverity severity)
{
    switch (severity) {
        case FindingSeverity::Hazard:
            return "hazard";
        case FindingSeverity::Problem:
            return "problem";
        case FindingSeverity::Hint:
            return "hint";
        case FindingSeverity::Good:
            break;
    }
    return "good";
}

const Finding* FindingList::find(RuleId rule) const
{
    const auto found =
        std::find_if(findings.begin(), findings.end(), [rule](const Finding& finding) { return finding.rule == rule; });
    return found == findings.end() ? nullptr : &*found;
}

FindingList findings(const FindingFacts& facts, const Trace& trace, const Analysis& analysis,
                     const std::vector<Step>& steps, Interval range, const WorkMeter& work)
{
    const Summary summary = analysis.summarize(range);
    FindingList list;
    list.range = range;
    list.steps = wholeSteps(steps, range);
    work.look();
    const CopyCounts toDevice = countCopies(analysis, facts, range, true);
    const CopyCounts toHost = countCopies(analysis, facts, range, false);
    const Verdict judged = verdict(analysis, steps, range);
    RuleContext context{trace,    analysis, facts, summary,    judged,
                        toDevice, toHost,   range, list.steps, kernelsKnown(facts.kernelRecord(), summary)};
    list.devices = static_cast<std::int64_t>(summary.devices.size());
    for (const DeviceSummary& device : summary.devices)
        list.idleNs = saturatedSum(list.idleNs, context.kernelsKnown ? device.wallNs - device.kernelBusyNs : 0);
    for (const Rule& rule : allRules()) {
        work.look();
        RuleAnswer answer;
        if (analysis.devices().empty())
            answer = cannotTell("The trace holds no GPU work.");
        else if (rule.needsKernels && !context.kernelsKnown)
            answer = cannotTell(facts.kernelRecord() == KernelRecord::None
                                    ? "Kernels were not recorded."
                                    : "Only a sample of the kernels was recorded in this range.");
        else
            answer = rule.ask(context);
        if (answer.holds) {
            list.findings.push_back(makeFinding(rule, std::move(answer), context));
            list.explainedNs = saturatedSum(list.explainedNs, list.findings.back().cost.gpuIdleNs);
        } else if (!answer.notChecked.empty()) {
            list.notChecked.push_back({rule.rule, rule.id, rule.title, std::move(answer.notChecked)});
        }
    }
    std::sort(list.findings.begin(), list.findings.end(), comesBefore);
    leadWithHeadline(list.findings, context);
    // Once, where it costs most.
    const auto ofOffload = std::find_if(list.findings.begin(), list.findings.end(),
                                        [](const Finding& finding) { return isOffloaded(finding.carries); });
    if (ofOffload != list.findings.end() && !judged.offload.empty())
        ofOffload->sentence += " " + judged.offload;
    return list;
}

FindingList findings(const Trace& trace, const Analysis& analysis, const std::vector<Step>& steps, Interval range,
                     const WorkMeter& work)
{
    return findings(FindingFacts(trace, analysis, work), trace, analysis, steps, range, work);
}

}  // namespace overlane
