#include "core/runs/judged_run.h"

#include "core/analysis/timed_steps.h"
#include "core/findings/finding_facts.h"

namespace overlane
{

JudgedRun::JudgedRun(Scenario runScenario, const DeviceProfile& profile, RunResult run,
                     std::optional<GpuRunReport> report)
    : scenario(std::move(runScenario)),
      device(&profile),
      result(std::move(run)),
      measured(std::move(report)),
      analysis(result.trace),
      steps(timedSteps(result.trace, analysis)),
      pace(runPace(scenario, steps, result.wallNs)),
      judgement(judge({result.trace, analysis, steps.steps}, {.range = range(), .depth = Depth::Verdict}))
{
    if (const DeviceSummary* worst = judgement.summary.worst())
        gpu = *worst;
    if (scenario.resultBytes > 0 && scenario.readResultEarly)
        earlyReads =
            static_cast<std::int64_t>(FindingFacts(result.trace, analysis).evidence(RuleId::ResultReadEarly).size());
}

}  // namespace overlane
