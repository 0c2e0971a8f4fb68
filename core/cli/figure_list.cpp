#include "core/cli/figure_list.h"

#include <fmt/format.h>

#include "core/content/terminal.h"
#include "core/runs/run_metrics.h"

namespace overlane
{
namespace
{

constexpr std::size_t kNameColumns = 20;
constexpr std::size_t kUnitColumns = 8;

}  // namespace

std::string figureLine(std::string_view name, const FigureUnit& unit, std::string_view sentence)
{
    return markedText(fmt::format("{:<{}} {:<{}} ", name, kNameColumns, unitName(unit), kUnitColumns), sentence,
                      "    ");
}

std::string metricLines()
{
    std::string text;
    std::string_view group;
    for (const RunMetric& metric : allRunMetrics()) {
        if (group != metric.group)
            text += fmt::format("  {}\n", metric.group);
        group = metric.group;
        text += figureLine(metric.key, metric.unit, metric.description);
    }
    return text;
}

}  // namespace overlane
