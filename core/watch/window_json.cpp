#include "core/watch/window_json.h"

#include "core/watch/window_text.h"

namespace overlane
{

nlohmann::ordered_json windowJson(const WindowFigures& window, const WindowChange& change, const WatchCounts& counts,
                                  const std::string& cut)
{
    const auto textOrNull = [](const std::string& text) {
        return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
    };
    nlohmann::ordered_json json{{"window", window.number},
                                {"end_unix_ns", window.endUnixNs},
                                {"steps", window.steps},
                                {"step_ns", window.stepNs},
                                {"median_before_ns", change.medianNs},
                                {"slower", change.isWorse()},
                                {"headline", window.headline},
                                {"worse", textOrNull(worseText(window, change))},
                                {"cut", textOrNull(cut)}};
    json["metrics"] = nlohmann::ordered_json::array();
    for (const Metric& metric : watchMetrics(window, change, counts))
        for (const MetricSample& sample : metric.samples) {
            nlohmann::ordered_json one{{"name", metric.name}, {"value", sample.value}};
            for (const auto& [label, value] : sample.labels)
                one["labels"][label] = value;
            json["metrics"].push_back(std::move(one));
        }
    return json;
}

}  // namespace overlane
