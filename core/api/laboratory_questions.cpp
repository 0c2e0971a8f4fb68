#include <algorithm>

#include "core/api/question.h"
#include "core/cli/advice_limits.h"
#include "core/cli/advice_text.h"
#include "core/cli/run_answer.h"
#include "core/cli/run_help.h"
#include "core/cli/sweep_answer.h"
#include "core/cli/sweep_text.h"
#include "core/replay/change.h"
#include "core/report/trace_check.h"
#include "core/sweep/sweep_runner.h"
#include "core/tables/table_list.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kMostSweepThreads = 1024;
constexpr std::int64_t kMostCores = 1024;

Result<ScenarioOptions> scenarioOptions(Arguments& arguments)
{
    ScenarioOptions options;
    options.device = arguments.text("device");
    options.preset = arguments.text("preset");
    options.settings = arguments.pairs("settings");
    options.engine = arguments.text("engine", options.engine);
    RETURN_IF_ERROR(options.checkEngine());
    return options;
}

// measure() by a program of that path.
AdviceMeasure measuredBy(const std::string& program)
{
    return [program](const Scenario& scenario, MeasuredRunOptions options, Progress& progress) {
        options.program = program;
        return measure(scenario, options, progress);
    };
}

}  // namespace

Result<OrderedJson> answerRun(Asked& asked)
{
    ASSIGN_OR_RETURN(const ScenarioOptions options, scenarioOptions(asked.arguments));
    const bool force = asked.arguments.flag("force");
    const std::string program = asked.arguments.text("program");  // that runs on a GPU; empty: beside this process's
    ASSIGN_OR_RETURN(const ChosenScenario plan, chooseScenario(options));
    RETURN_IF_ERROR(asked.understood());
    MeasuredRunResult measured;
    if (options.onGpu()) {
        MeasuredRunOptions how;
        how.force = force;
        how.device = options.gpu();
        how.program = program;
        ASSIGN_OR_RETURN(measured, measure(plan.scenario, how, asked.progress));
    } else {
        ASSIGN_OR_RETURN(measured.run, simulate(plan.scenario, *plan.device, &asked.progress));
    }
    OrderedJson json = runJson(reportOf(plan, measured.run, options.onGpu() ? &measured : nullptr));
    asked.made = std::make_unique<OpenedTrace>(std::move(measured.run.trace), plan.scenario.name);
    return json;
}

Result<OrderedJson> answerSweep(Asked& asked)
{
    ASSIGN_OR_RETURN(const ScenarioOptions options, scenarioOptions(asked.arguments));
    const std::vector<std::string> over = asked.arguments.pairs("over");
    const std::string key = asked.arguments.text("ready");
    const std::int64_t repeats = std::min<std::int64_t>(asked.arguments.whole("repeats", 1, 1), kMostRepeats + 1);
    SweepOptions how;
    how.threads = static_cast<unsigned>(std::min(asked.arguments.whole("threads", 0, 0), kMostSweepThreads));
    how.force = asked.arguments.flag("force");
    how.measure = measuredBy(asked.arguments.text("program"));
    const ReadySweep* ready = nullptr;
    if (!key.empty()) {
        ASSIGN_OR_RETURN(ready, chooseReadySweep(key));
        if (!over.empty())
            return Error{"ready brings its own ranges; leave over out."};
    } else if (over.empty()) {
        return Error{"Nothing is swept; give ranges with over, or the key of a ready-made sweep with ready."};
    }
    if (ready != nullptr && ready->curves) {
        ASSIGN_OR_RETURN(const DeviceProfile* device, chooseDevice(options.device.empty() ? "h200" : options.device));
        RETURN_IF_ERROR(asked.understood());
        return curvesJson(ready->curves(*device));
    }
    ASSIGN_OR_RETURN(ChosenSweep chosen, chooseSweep(options, over, ready, static_cast<int>(repeats)));
    RETURN_IF_ERROR(checkSweep(chosen.plan));
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const SweepResult result, runSweep(chosen.plan, *chosen.device, asked.progress, how));
    return sweepJson(result);
}

Result<OrderedJson> answerAdvise(Asked& asked)
{
    ASSIGN_OR_RETURN(const ScenarioOptions options, scenarioOptions(asked.arguments));
    const std::string ram = asked.arguments.text("ram");
    const std::string pinned = asked.arguments.text("pinned_limit");
    const std::int64_t cores = std::min(asked.arguments.whole("cores", 0, 1), kMostCores);
    const bool force = asked.arguments.flag("force");
    const std::string program = asked.arguments.text("program");
    ASSIGN_OR_RETURN(const ChosenScenario chosen, chooseScenario(options));
    ASSIGN_OR_RETURN(const AdvisorLimits limits, advisorLimits(ram, pinned, cores));
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(Advice advice, advise(chosen.scenario, *chosen.device, limits, asked.progress));
    if (options.onGpu()) {
        MeasuredRunOptions how;
        how.device = options.gpu();
        how.force = force;
        ASSIGN_OR_RETURN(advice.measured, confirmAdvice(advice, how, asked.progress, measuredBy(program)));
    }
    return adviceJson(advice);
}

Result<OrderedJson> answerLists(Asked& asked)
{
    RETURN_IF_ERROR(asked.understood());
    OrderedJson json{{"run", runListJson()}, {"sweep", sweepListJson()}};
    for (const Question& question : allQuestions())
        json["questions"].push_back(question.name);
    for (const TableKind& table : allTables())
        json["tables"].push_back({{"name", table.name}, {"content", table.content}});
    for (const std::string_view name : limitNames())
        json["rules"].push_back(name);
    for (const ChangeForm& change : allChangeForms())
        json["changes"].push_back({{"form", change.form}, {"words", change.words}});
    return json;
}

}  // namespace overlane
