#include "core/cli/whatif_answer.h"

#include <fmt/format.h>

#include "core/devices/user_profiles.h"
#include "core/system/memory_status.h"

namespace overlane
{
namespace
{

Result<ReplayOptions> replayOptions(const WhatIfQuestion& question)
{
    ReplayOptions replay;
    replay.ramBytes = machineMemory().totalBytes;
    if (!question.steps.empty()) {
        const std::optional<StepNumbers> steps = parsedStepNumbers(question.steps);
        if (!steps)
            return Error{
                fmt::format("--steps {} is no range of steps; write --steps 10-40 or --steps 12.", question.steps)};
        replay.firstStep = steps->first;
        replay.lastStep = steps->last;
    }
    if (!question.device.empty()) {
        const Result<const DeviceProfile*> device = deviceProfileFrom(question.device);
        if (!device.ok())
            return device.failure();
        replay.device = device.value();
    }
    return replay;
}

Result<std::vector<Change>> parsedChanges(const WhatIfQuestion& question)
{
    std::vector<Change> changes;
    for (const std::string& text : question.changes) {
        const Result<Change> change = parseChange(text);
        if (!change.ok())
            return change.failure();
        for (const Change& other : changes)
            if (other.kind == change.value().kind)
                return Error{fmt::format("{} is given twice; give each change once.", changeText(other))};
        changes.push_back(change.value());
    }
    if (changes.empty() && !question.out.empty())
        return Error{"-o needs a change to predict; add one with --change, such as --change pin."};
    return changes;
}

}  // namespace

Result<WhatIfPlan> planned(const WhatIfQuestion& question)
{
    WhatIfPlan plan;
    ASSIGN_OR_RETURN(plan.changes, parsedChanges(question));
    ASSIGN_OR_RETURN(plan.replay, replayOptions(question));
    plan.request.iteration = question.iteration;
    plan.request.steps = parsedStepNumbers(question.steps);
    plan.request.depth = Depth::Verdict;
    plan.withTrace = !question.out.empty();
    return plan;
}

Result<WhatIfAnswer> whatIfAnswer(const std::shared_ptr<const JudgedTrace>& judged, const WhatIfPlan& plan,
                                  Progress* progress)
{
    ReplayOptions options = plan.replay;
    options.averageStepNs = judged->judgement.stepNs;
    if (!plan.request.steps)
        options.range = judged->judgement.range;
    ASSIGN_OR_RETURN(const Replay replay, Replay::build({judged, &judged->trace}, judged->analysis, options, progress));
    WhatIfAnswer answer;
    answer.isSuggestion = plan.changes.empty();
    if (answer.isSuggestion) {
        ASSIGN_OR_RETURN(answer.predictions, replay.suggestions(progress));
    } else {
        ASSIGN_OR_RETURN(Prediction predicted,
                         replay.predict(plan.changes, plan.withTrace ? WithTrace::Yes : WithTrace::No, progress));
        answer.predictions.push_back(std::move(predicted));
    }
    ASSIGN_OR_RETURN(answer.unchanged, replay.predict({}, WithTrace::No, progress));
    answer.report = replay.report();
    return answer;
}

OrderedJson whatIfJson(const WhatIfAnswer& answer)
{
    OrderedJson json = predictionJson(answer.isSuggestion ? answer.unchanged : answer.predictions.front());
    json["replay"] = replayJson(answer.report);
    if (answer.isSuggestion) {
        json["suggestions"] = OrderedJson::array();
        for (const Prediction& prediction : answer.predictions)
            json["suggestions"].push_back(predictionJson(prediction));
    }
    return json;
}

}  // namespace overlane
