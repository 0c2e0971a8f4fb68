#include "core/pressure/pressure_blocks.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/units.h"

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

Sentence planSentence(const PressurePlan& plan)
{
    return {fmt::format("A loader with a working set of {}, files of {} and batches of {}, in {} of RAM.",
                        formatBytes(plan.workingSetBytes), formatBytes(plan.dataBytes), formatBytes(plan.batchBytes),
                        formatBytes(plan.limitBytes))};
}

}  // namespace

Blocks planBlocks(const PressurePlan& plan, const PressureFacts& facts, const std::vector<std::string>& refusals)
{
    Table steps{
        "",
        {{"pinned_bytes", "pinned"}, {"cache_model_bytes", "page cache, model"}, {"swap_model_bytes", "swap, model"}},
        {}};
    for (const std::int64_t pinned : plan.pinnedBytes) {
        const PressureExpectation expected = expectedAt(plan, pinned);
        steps.rows.push_back(
            {{bytesCell(pinned), bytesCell(expected.pageCacheBytes), bytesCell(expected.swapBytes)}, ""});
    }
    return {planSentence(plan), std::move(steps), Sentence{refusals.empty() ? pressurePromise(plan, facts) : ""},
            List{"It will not run here:", refusals, Tone::Warning}};
}

Blocks reportBlocks(const PressurePlan& plan, const PressureReport& report)
{
    Blocks blocks = outcomeBlocks(report);
    blocks.insert(blocks.begin(), {planSentence(plan), pressureTable(report)});
    return blocks;
}

Table pressureTable(const PressureReport& report)
{
    Table table{"",
                {{"pinned_bytes", "pinned"},
                 {"batches", "batches"},
                 {"median_ns", "a batch"},
                 {"p90_ns", "90 %"},
                 {"cache_bytes", "page cache"},
                 {"cache_model_bytes", "(model)"},
                 {"swap_bytes", "swap"},
                 {"swap_model_bytes", "(model)"},
                 {"refaulted_bytes_per_second", "back per s"}},
                {}};
    const bool pressure = std::any_of(report.steps.begin(), report.steps.end(), [](const PressureStep& step) {
        return step.pressurePercent >= kShownPressurePercent;
    });
    if (pressure)
        table.columns.push_back({"pressure_percent", "pressure"});
    for (const PressureStep& step : report.steps) {
        Table::Row row{
            {bytesCell(step.pinnedBytes), countCell(step.batches), durationCell(step.medianBatchNs),
             durationCell(step.slowBatchNs), bytesCell(step.usage.pageCacheBytes),
             bytesCell(step.expected.pageCacheBytes), bytesCell(step.usage.swapBytes),
             bytesCell(step.expected.swapBytes), bytesCell(static_cast<std::int64_t>(step.refaultedBytesPerSecond))},
            ""};
        if (pressure)
            row.cells.push_back({fmt::format("{:.0f} %", step.pressurePercent), step.pressurePercent});
        table.rows.push_back(std::move(row));
    }
    return table;
}

Blocks outcomeBlocks(const PressureReport& report)
{
    return {Sentence{pressureConclusion(report)}, Sentence{report.ended, Tone::Warning},
            Sentence{"Cleaned up: the process, the control group and the swap file."}};
}

std::string pressureConclusion(const PressureReport& report)
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

}  // namespace overlane
