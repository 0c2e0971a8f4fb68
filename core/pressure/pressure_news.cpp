#include "core/pressure/pressure_news.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/units.h"
#include "core/pressure/pressure_blocks.h"

namespace overlane
{

ProcessNews pressureNews(const PressureNow& now, const PressurePlan& plan)
{
    const auto steps = static_cast<double>(plan.pinnedBytes.size());
    return {(static_cast<double>(now.step) + 0.5) / steps,
            fmt::format(
                "step {} of {}, {} pinned: batch {}, page cache {}, swap {}, pressure {:.0f} %, machine {} left",
                now.step + 1, plan.pinnedBytes.size(), formatBytes(plan.pinnedBytes[now.step]),
                formatDuration(now.lastBatchNs), formatBytes(now.usage.pageCacheBytes),
                formatBytes(now.usage.swapBytes), std::max(0.0, now.pressurePercent), formatBytes(now.availableBytes))};
}

std::string jsonOf(const PressurePlan& plan, const PressureReport& report)
{
    nlohmann::ordered_json json{{"limit_bytes", plan.limitBytes},
                                {"ended", report.ended},
                                {"slowdown", report.slowdown()},
                                {"conclusion", pressureConclusion(report)}};
    json["steps"] = nlohmann::ordered_json::array();
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
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::optional<PressureReport> parsePressureReport(std::string_view text)
{
    try {
        const auto json = nlohmann::json::parse(text);
        PressureReport report;
        report.ended = json.at("ended");
        for (const auto& from : json.at("steps")) {
            PressureStep& step = report.steps.emplace_back();
            step.pinnedBytes = from.at("pinned_bytes");
            step.batches = from.at("batches");
            step.medianBatchNs = from.at("batch_ns_median");
            step.slowBatchNs = from.at("batch_ns_p90");
            step.usage.pageCacheBytes = from.at("page_cache_bytes");
            step.usage.swapBytes = from.at("swap_bytes");
            step.usage.lockedBytes = from.at("locked_bytes");
            step.expected = {from.at("page_cache_bytes_model"), from.at("swap_bytes_model")};
            step.majorFaultsPerSecond = from.at("major_faults_per_second");
            step.refaultedBytesPerSecond = from.at("refaulted_bytes_per_second");
            step.pressurePercent = from.at("pressure_percent");
        }
        return report;
    } catch (const nlohmann::json::exception&) {
        return {};
    }
}

}  // namespace overlane
