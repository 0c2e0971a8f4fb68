#include "core/judgement/judgement.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/analysis/kernel_record.h"
#include "core/analysis/settled_work.h"
#include "core/findings/findings.h"

namespace overlane
{
namespace
{

Verdict nothingSoFar(Interval range)
{
    Verdict none;
    none.range = range;
    none.sentence = "So far no GPU work is recorded.";
    return none;
}

}  // namespace

Judgement judge(const JudgedParts& of, const JudgeRequest& request, const WorkMeter& work)
{
    std::optional<SettledWork> settled;
    if (request.live && !request.range)
        settled = settledWork(of.analysis, of.steps);
    const std::vector<Step>& steps = settled ? settled->steps : of.steps;

    Judgement made;
    made.selected = request.range.has_value();
    if (request.range)
        made.range = *request.range;
    else
        made.range = settled ? settled->range : activeRange(of.analysis, steps).range;
    made.summary = of.analysis.summarize(made.range);
    made.kernelsKnown = kernelsKnown(kernelRecord(of.trace), made.summary);
    if (settled && made.range.empty()) {
        made.verdict = nothingSoFar(made.range);
        return made;
    }
    made.steps = wholeSteps(steps, made.range);
    made.stepNs = averageStepNs(steps, made.range);
    work.look();
    made.verdict =
        made.selected || settled ? verdict(of.analysis, steps, made.range) : verdictOfTrace(of.analysis, steps);
    made.verdict = withinRecord(std::move(made.verdict), of.trace, made.summary);
    if (settled)
        made.verdict.sentence = "So far: " + made.verdict.sentence;
    if (request.depth == Depth::Verdict)
        return made;
    made.findings = of.facts ? findings(*of.facts, of.trace, of.analysis, steps, made.range, work)
                             : findings(of.trace, of.analysis, steps, made.range, work);
    work.look();
    made.devices = judgeDevices(of.analysis, made.summary);
    return made;
}

std::string Judgement::headline() const
{
    const std::vector<std::string> all = sentencesOf(verdict.sentence);
    return all.empty() ? std::string() : all.front();
}

std::vector<std::string> Judgement::details() const
{
    std::vector<std::string> all = sentencesOf(verdict.sentence);
    if (!all.empty())
        all.erase(all.begin());
    return all;
}

std::vector<std::string> sentencesOf(std::string_view text)
{
    std::vector<std::string> sentences;
    const auto begins = [&](std::size_t at) {
        const auto letter = static_cast<unsigned char>(text[at]);
        return std::isupper(letter) != 0 || std::isdigit(letter) != 0;
    };
    for (std::size_t dot = text.find(". "); dot != std::string_view::npos; dot = text.find(". ", dot + 1)) {
        if (dot + 2 >= text.size() || !begins(dot + 2))
            continue;
        sentences.emplace_back(text.substr(0, dot + 1));
        text.remove_prefix(dot + 2);
        dot = 0;
    }
    if (!text.empty())
        sentences.emplace_back(text);
    return sentences;
}

}  // namespace overlane
