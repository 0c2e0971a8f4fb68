#include "core/cli/pressure_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/cli/info_text.h"
#include "core/content/column_table.h"
#include "core/content/terminal.h"

namespace overlane
{
namespace
{

// One that is felt, and not the scatter of a shared machine.
constexpr double kFelt = 2;
constexpr double kShownPressurePercent = 0.05;

// The first step that is felt; the number of steps where none is.
std::size_t firstSlowStep(const PressureReport& report)
{
    const auto& steps = report.steps;
    for (std::size_t at = 1; at < steps.size(); ++at)
        if (static_cast<double>(steps[at].medianBatchNs) >= kFelt * static_cast<double>(steps[0].medianBatchNs))
            return at;
    return steps.size();
}

std::string conclusion(const PressureReport& report)
{
    const auto& steps = report.steps;
    if (steps.size() < 2 || steps.front().batches == 0)
        return "Too little ran to compare.";
    const std::size_t slow = firstSlowStep(report);
    const auto swapped =
        std::find_if(steps.begin(), steps.end(), [](const PressureStep& step) { return step.usage.swapBytes > 0; });
    std::string text;
    if (swapped != steps.end())
        text += fmt::format("Swap was in use from {} pinned on. ", formatBytes(swapped->pinnedBytes));
    if (slow == steps.size())
        return text + "No step was felt: the drive keeps up with what comes back.";
    const auto slowest = std::max_element(steps.begin(), steps.end(), [](const PressureStep& a, const PressureStep& b) {
        return a.medianBatchNs < b.medianBatchNs;
    });
    return text + fmt::format(
                      "A batch took {:.1f} times as long as at the start from {} pinned on, and up to {:.1f} "
                      "times at {}: pinned pages stay, so files and ordinary memory have to leave.",
                      static_cast<double>(steps[slow].medianBatchNs) / static_cast<double>(steps.front().medianBatchNs),
                      formatBytes(steps[slow].pinnedBytes),
                      static_cast<double>(slowest->medianBatchNs) / static_cast<double>(steps.front().medianBatchNs),
                      formatBytes(slowest->pinnedBytes));
}

}  // namespace

std::string pressurePlanText(const PressurePlan& plan, const PressureFacts& facts,
                             const std::vector<std::string>& refusals)
{
    std::string text = fmt::format("A loader with a working set of {}, files of {} and batches of {}, in {} of RAM\n",
                                   formatBytes(plan.workingSetBytes), formatBytes(plan.dataBytes),
                                   formatBytes(plan.batchBytes), formatBytes(plan.limitBytes));
    ColumnTable table({"#pinned", "#page cache, model", "#swap, model"});
    for (const std::int64_t pinned : plan.pinnedBytes) {
        const PressureExpectation expected = expectedAt(plan, pinned);
        table.row({formatBytes(pinned), formatBytes(expected.pageCacheBytes), formatBytes(expected.swapBytes)});
    }
    text += table.text();
    if (refusals.empty())
        return text + '\n' + wrapText(pressurePromise(plan, facts), "");
    text += "\nIt will not run here:\n";
    for (const std::string& refusal : refusals)
        text += wrapText(refusal, "  ");
    return text;
}

std::string pressureLine(const PressureNow& now, const PressurePlan& plan)
{
    return fmt::format("step {} of {}, {} pinned: batch {}, page cache {}, swap {}, pressure {:.0f} %, machine {} left",
                       now.step + 1, plan.pinnedBytes.size(), formatBytes(plan.pinnedBytes[now.step]),
                       formatDuration(now.lastBatchNs), formatBytes(now.usage.pageCacheBytes),
                       formatBytes(now.usage.swapBytes), std::max(0.0, now.pressurePercent),
                       formatBytes(now.availableBytes));
}

PressureNews pressureNews(const PressureNow& now, const PressurePlan& plan)
{
    const auto steps = static_cast<double>(plan.pinnedBytes.size());
    return {(static_cast<double>(now.step) + 0.5) / steps, pressureLine(now, plan)};
}

std::string pressureReportText(const PressurePlan& plan, const PressureReport& report)
{
    const bool pressure = std::any_of(report.steps.begin(), report.steps.end(), [](const PressureStep& step) {
        return step.pressurePercent >= kShownPressurePercent;
    });
    std::vector<std::string> heads = {"#pinned",  "#batches", "#median",  "#90 %",      "#cache",
                                      "#(model)", "#swap",    "#(model)", "#back per s"};
    if (pressure)
        heads.emplace_back("#pressure");
    ColumnTable table(heads);
    for (const PressureStep& step : report.steps) {
        std::vector<std::string> cells = {formatBytes(step.pinnedBytes),
                                          std::to_string(step.batches),
                                          formatDuration(step.medianBatchNs),
                                          formatDuration(step.slowBatchNs),
                                          formatBytes(step.usage.pageCacheBytes),
                                          formatBytes(step.expected.pageCacheBytes),
                                          formatBytes(step.usage.swapBytes),
                                          formatBytes(step.expected.swapBytes),
                                          formatBytes(static_cast<std::int64_t>(step.refaultedBytesPerSecond))};
        if (pressure)
            cells.push_back(fmt::format("{:.0f} %", step.pressurePercent));
        table.row(std::move(cells));
    }
    std::string text =
        fmt::format("{} of RAM, working set {}, files {}, batches of {}\n", formatBytes(plan.limitBytes),
                    formatBytes(plan.workingSetBytes), formatBytes(plan.dataBytes), formatBytes(plan.batchBytes));
    text += table.text() + '\n' + wrapText(conclusion(report), "");
    if (!report.ended.empty())
        text += wrapText(report.ended, "");
    return text + "Cleaned up: the process, the control group and the swap file.\n";
}

OrderedJson pressurePlanJson(const PressurePlan& plan, const PressureFacts& facts,
                             const std::vector<std::string>& refusals)
{
    OrderedJson json{
        {"limit_bytes", plan.limitBytes}, {"swap_bytes", plan.swapBytes},   {"working_set_bytes", plan.workingSetBytes},
        {"data_bytes", plan.dataBytes},   {"batch_bytes", plan.batchBytes}, {"folder", plan.folder}};
    json["may_run"] = refusals.empty();
    json["refusals"] = refusals;
    json["available_bytes"] = facts.availableBytes;
    json["disk_free_bytes"] = facts.diskFreeBytes;
    json["steps"] = OrderedJson::array();
    for (const std::int64_t pinned : plan.pinnedBytes) {
        const PressureExpectation expected = expectedAt(plan, pinned);
        json["steps"].push_back({{"pinned_bytes", pinned},
                                 {"page_cache_bytes_model", expected.pageCacheBytes},
                                 {"swap_bytes_model", expected.swapBytes}});
    }
    return json;
}

OrderedJson pressureReportJson(const PressurePlan& plan, const PressureReport& report)
{
    OrderedJson json{{"limit_bytes", plan.limitBytes},
                     {"ended", report.ended},
                     {"slowdown", report.slowdown()},
                     {"conclusion", conclusion(report)}};
    json["steps"] = OrderedJson::array();
    for (const PressureStep& step : report.steps)
        json["steps"].push_back({{"pinned_bytes", step.pinnedBytes},
                                 {"batches", step.batches},
                                 {"batch_ns_median", step.medianBatchNs},
                                 {"batch_ns_p90", step.slowBatchNs},
                                 {"page_cache_bytes", step.usage.pageCacheBytes},
                                 {"page_cache_bytes_model", step.expected.pageCacheBytes},
                                 {"swap_bytes", step.usage.swapBytes},
                                 {"swap_bytes_model", step.expected.swapBytes},
                                 {"locked_bytes", step.usage.lockedBytes},
                                 {"major_faults_per_second", step.majorFaultsPerSecond},
                                 {"refaulted_bytes_per_second", step.refaultedBytesPerSecond},
                                 {"pressure_percent", step.pressurePercent}});
    return json;
}

}  // namespace overlane
