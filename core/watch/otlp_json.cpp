#include "core/watch/otlp_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace overlane
{
namespace
{

using Json = nlohmann::ordered_json;

std::string_view ucumOf(MetricUnit unit)
{
    switch (unit) {
        case MetricUnit::Seconds:
            return "s";
        case MetricUnit::Bytes:
            return "By";
        case MetricUnit::Ratio:
        case MetricUnit::None:
            break;
    }
    return "1";
}

// "overlane_step_seconds" becomes "overlane.step": the unit stands beside it.
std::string dottedName(const Metric& metric)
{
    std::string name(metric.name);
    const std::string_view unit = metric.unit == MetricUnit::Seconds ? "_seconds"
                                  : metric.unit == MetricUnit::Bytes ? "_bytes"
                                  : metric.unit == MetricUnit::Ratio ? "_ratio"
                                                                     : "";
    if (!unit.empty() && name.ends_with(unit))
        name.resize(name.size() - unit.size());
    std::replace(name.begin(), name.end(), '_', '.');
    return name;
}

Json attributesOf(const MetricLabels& labels)
{
    Json attributes = Json::array();
    for (const auto& [key, value] : labels)
        attributes.push_back({{"key", key}, {"value", {{"stringValue", value}}}});
    return attributes;
}

}  // namespace

std::string otlpLine(std::span<const Metric> metrics, const WatchedProgram& program, std::int64_t unixNs)
{
    Json all = Json::array();
    for (const Metric& metric : metrics) {
        Json points = Json::array();
        for (const MetricSample& sample : metric.samples)
            points.push_back({{"attributes", attributesOf(sample.labels)},
                              {"timeUnixNano", std::to_string(unixNs)},
                              {"asDouble", std::isfinite(sample.value) ? sample.value : 0.0}});
        all.push_back({{"name", dottedName(metric)},
                       {"description", metric.help},
                       {"unit", ucumOf(metric.unit)},
                       {"gauge", {{"dataPoints", std::move(points)}}}});
    }
    MetricLabels resource{{"service.name", program.job}, {"host.name", program.host}};
    if (!program.rank.empty())
        resource.emplace_back("overlane.rank", program.rank);
    Json scope = Json::object();
    scope["scope"] = {{"name", "overlane"}, {"version", program.version}};
    scope["metrics"] = std::move(all);
    Json of = Json::object();
    of["resource"]["attributes"] = attributesOf(resource);
    of["scopeMetrics"] = Json::array({std::move(scope)});
    Json line = Json::object();
    line["resourceMetrics"] = Json::array({std::move(of)});
    // Bytes that are no UTF-8 are replaced.
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace overlane
