#include "core/cli/easiest_change.h"

#include "core/cli/whatif_answer.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{

Result<std::string> easiestChange(const std::shared_ptr<const JudgedTrace>& judged, const std::string& iteration,
                                  Progress& progress)
{
    constexpr std::size_t kMostEvents = 300'000;
    const Verdict& verdict = judged->judgement.verdict;
    if (verdict.tone != VerdictTone::Problem || !verdict.mainLoss || *verdict.mainLoss == LostCause::Copies ||
        judged->trace.eventCount() > kMostEvents)
        return std::string();
    WhatIfQuestion question;
    question.iteration = iteration;
    const Result<WhatIfPlan> plan = planned(question);
    if (!plan.ok())
        return std::string();
    const Result<WhatIfAnswer> answer = whatIfAnswer(judged, plan.value(), &progress);
    if (answer.isCancelled())
        return answer.failure();
    return answer.ok() ? easiestChangeText(answer.value().predictions) : std::string();
}

}  // namespace overlane
