#include "core/cli/info_answer.h"

#include "core/cli/findings_json.h"
#include "core/cli/info_text.h"
#include "core/cli/roles_text.h"

namespace overlane
{

InfoAnswer infoAnswer(const JudgedTrace& judged, const std::string& iteration, const WorkMeter& work)
{
    InfoAnswer answer;
    answer.levels = iterationLevels(judged.trace, work);
    for (IterationLevel& level : answer.levels) {
        level.isTaken = level.isTaken && iteration.empty();
        if (level.isTaken)  // one time for one loop: as it is judged, on the device where the host runs ahead
            level.medianNs = judged.steps.statistics.medianNs;
    }
    answer.roles = roleShares(judged.trace, judged.analysis, judged.judgement.verdict.range);
    answer.iterations = wholeSteps(judged.steps.steps, judged.judgement.verdict.range);
    return answer;
}

OrderedJson infoJson(const JudgedTrace& judged, const InfoAnswer& answer)
{
    OrderedJson all = traceJson(judged);
    all["steps"]["levels"] = levelsJson(answer.levels);
    all["roles"] = rolesJson(answer.roles, answer.iterations);
    all["program"] = programJson(judged.analysis.program());
    all["findings"] = findingsJson(judged.judgement.findings);
    return all;
}

}  // namespace overlane
