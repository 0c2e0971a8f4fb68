#include "core/sweep/sweep_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/atomic_file.h"
#include "core/base/text_file.h"

namespace overlane
{
namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* kFormatKey = "overlane_sweep";
constexpr int kFormatVersion = 1;

// Whole where it is: nanoseconds and bytes are counted.
Json number(double value)
{
    constexpr double kExactIntegers = 9e15;
    if (value == std::floor(value) && std::abs(value) < kExactIntegers)
        return static_cast<std::int64_t>(value);
    return value;
}

Json settingJson(const Setting& setting, double value)
{
    if (setting.kind == SettingKind::Switch)
        return value != 0;
    if (setting.kind == SettingKind::Choice)
        return std::string(setting.choices[static_cast<std::size_t>(value)]);
    return number(value);
}

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\n\r") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char letter : text)
        quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
}

Error noSweep(const std::string& what)
{
    return Error{fmt::format("This is no sweep: {}.", what)};
}

Result<SweepAxis> parseAxis(const nlohmann::json& json)
{
    if (!json.is_object() || !json.contains("key") || !json["key"].is_string() || !json.contains("values") ||
        !json["values"].is_array())
        return noSweep("an axis in its first line has no key or no values");
    SweepAxis axis{json["key"].get<std::string>(), {}, false};
    const Setting* setting = findSetting(axis.key);
    if (setting == nullptr)
        return noSweep(fmt::format("there is no setting '{}'", axis.key));
    for (const auto& value : json["values"]) {
        if (!value.is_number() || !(value.get<double>() >= setting->minimum && value.get<double>() <= setting->maximum))
            return noSweep(fmt::format("'{}' cannot be {}", axis.key, value.dump()));
        axis.values.push_back(value.get<double>());
    }
    if (axis.values.empty() || axis.values.size() > kMostAxisValues)
        return noSweep(fmt::format("'{}' has {} values", axis.key, axis.values.size()));
    if (json.contains("logarithmic") && json["logarithmic"].is_boolean())
        axis.logarithmic = json["logarithmic"].get<bool>();
    return axis;
}

template <typename T>
T valueOr(const nlohmann::json& json, const char* key, T otherwise)
{
    const auto found = json.find(key);
    if (found == json.end())
        return otherwise;
    if constexpr (std::is_same_v<T, std::string>)
        return found->is_string() ? found->get<std::string>() : otherwise;
    else
        return found->is_number() ? found->get<T>() : otherwise;
}

Result<SweepPlan> parseHead(std::string_view line)
{
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains(kFormatKey))
        return noSweep(fmt::format("its first line has no \"{}\"", kFormatKey));
    if (json[kFormatKey] != kFormatVersion)
        return noSweep("it was written by a newer version");
    SweepPlan plan;
    plan.title = valueOr(json, "title", std::string());
    plan.deviceKey = valueOr(json, "device", std::string());
    plan.engine = valueOr(json, "engine", std::string()) == sweepEngineName(SweepEngine::Gpu) ? SweepEngine::Gpu
                                                                                              : SweepEngine::Simulated;
    plan.gpu = valueOr(json, "gpu", 0);
    plan.repeats = valueOr(json, "repeats", 1);
    if (!json.contains("settings"))
        return noSweep("its first line has no settings");
    auto scenario = scenarioFromJson(json["settings"].dump());
    if (!scenario.ok())
        return noSweep(scenario.error());
    plan.base = std::move(scenario).value();
    plan.base.name = valueOr(json, "scenario", plan.base.name);
    if (!json.contains("axes") || !json["axes"].is_array())
        return noSweep("its first line has no axes");
    for (const auto& entry : json["axes"]) {
        ASSIGN_OR_RETURN(auto axis, parseAxis(entry));
        plan.axes.push_back(std::move(axis));
    }
    if (const auto checked = checkSweep(plan); !checked.ok())
        return noSweep(checked.error());
    return plan;
}

std::optional<SweepRun> parseRun(const SweepPlan& plan, std::string_view line)
{
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    const auto point = valueOr<std::int64_t>(json, "point", -1);
    SweepRun run;
    run.repeat = valueOr(json, "repeat", -1);
    if (point < 0 || static_cast<std::size_t>(point) >= plan.points() || run.repeat < 0 || run.repeat >= plan.repeats)
        return std::nullopt;
    run.point = static_cast<std::size_t>(point);
    run.error = valueOr(json, "error", std::string());
    run.device = valueOr(json, "gpu_name", std::string());
    if (!run.error.empty())
        return run;
    // What older versions did not keep stays unknown; no run is without a wall time.
    for (const RunMetric& metric : allRunMetrics()) {
        const auto found = json.find(metric.column);
        const bool known = found != json.end() && found->is_number();
        run.figures.push_back(known ? found->get<double>() / metric.columnFactor()
                                    : std::numeric_limits<double>::quiet_NaN());
    }
    if (std::isnan(figureOf(run.figures, runMetric(metric_key::kWall))))
        return std::nullopt;
    return run;
}

}  // namespace

std::string sweepHeadJson(const SweepPlan& plan)
{
    Json axes = Json::array();
    for (const SweepAxis& axis : plan.axes) {
        Json values = Json::array();
        for (const double value : axis.values)
            values.push_back(number(value));
        axes.push_back({{"key", axis.key}, {"values", values}, {"logarithmic", axis.logarithmic}});
    }
    return Json{{kFormatKey, kFormatVersion},
                {"title", plan.title},
                {"engine", sweepEngineName(plan.engine)},
                {"gpu", plan.gpu},
                {"device", plan.deviceKey},
                {"repeats", plan.repeats},
                {"axes", axes},
                {"scenario", plan.base.name},
                {"settings", Json::parse(scenarioToJson(plan.base))}}
        .dump();
}

std::string sweepRunJson(const SweepPlan& plan, const SweepRun& run)
{
    Json json{{"point", run.point}, {"repeat", run.repeat}};
    Json at;
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis)
        at[plan.axes[axis].key] = settingJson(plan.axes[axis].setting(), plan.value(run.point, axis));
    json["at"] = at;
    if (!run.device.empty())
        json["gpu_name"] = run.device;
    if (!run.error.empty()) {
        json["error"] = run.error;
        return json.dump();
    }
    for (const RunMetric& metric : allRunMetrics())
        if (const double figure = figureOf(run.figures, metric); !std::isnan(figure))
            json[metric.column] = number(figure * metric.columnFactor());
    return json.dump();
}

Result<SweepText> parseSweep(std::string_view text)
{
    const std::size_t first = text.find('\n');
    auto plan = parseHead(text.substr(0, first));
    if (!plan.ok())
        return plan.failure();
    SweepText parsed{{std::move(plan).value(), {}}, 0};
    std::map<std::pair<std::size_t, int>, std::size_t> places;
    std::size_t at = first == std::string_view::npos ? text.size() : first + 1;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (line.empty())
            continue;
        auto run = parseRun(parsed.result.plan, line);
        if (!run) {
            ++parsed.damagedLines;
            continue;
        }
        const auto [place, fresh] = places.try_emplace({run->point, run->repeat}, parsed.result.runs.size());
        if (fresh)
            parsed.result.runs.push_back(std::move(*run));
        else
            parsed.result.runs[place->second] = std::move(*run);
    }
    return parsed;
}

Result<SweepText> readSweep(const std::string& path)
{
    ASSIGN_OR_RETURN(const std::string text, readTextFile(path));
    auto parsed = parseSweep(text);
    if (!parsed.ok())
        return parsed.failure().in(path);
    return parsed;
}

Result<SweepWriter> SweepWriter::create(const std::string& path, const SweepResult& result)
{
    std::string text = sweepHeadJson(result.plan) + "\n";
    for (const SweepRun& run : result.runs)
        text += sweepRunJson(result.plan, run) + "\n";
    if (const Result<void> written = writeWhole(path, text); !written.ok())
        return written.failure().in(path + " cannot be written");
    std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "ab"));
    if (!file)
        return Error{fmt::format("{} cannot be written: {}.", path, std::strerror(errno))};
    return SweepWriter(path, file.release());
}

Result<void> SweepWriter::append(const SweepPlan& plan, const SweepRun& run)
{
    const std::string line = sweepRunJson(plan, run) + "\n";
    if (std::fwrite(line.data(), 1, line.size(), m_file.get()) != line.size() || std::fflush(m_file.get()) != 0)
        return Error{fmt::format("{} cannot be written: {}.", m_path, std::strerror(errno))};
    return {};
}

std::string sweepCsv(const SweepResult& result)
{
    std::string text = "point";
    for (const SweepAxis& axis : result.plan.axes)
        text += "," + axis.key;
    text += ",runs";
    for (const RunMetric& metric : allRunMetrics())
        text += fmt::format(",{0},{0}_low,{0}_high", metric.column);
    text += ",error\r\n";
    for (std::size_t point = 0; point < result.plan.points(); ++point) {
        text += fmt::format("{}", point);
        for (std::size_t axis = 0; axis < result.plan.axes.size(); ++axis) {
            const Json value = settingJson(result.plan.axes[axis].setting(), result.plan.value(point, axis));
            text += "," + csvField(value.is_string() ? value.get<std::string>() : value.dump());
        }
        const auto any = result.spread(point, runMetric(metric_key::kWall));
        text += fmt::format(",{}", any ? any->runs : 0);
        for (const RunMetric& metric : allRunMetrics()) {
            const double factor = metric.columnFactor();
            const auto spread = result.spread(point, metric);
            if (spread)
                text += fmt::format(",{},{},{}", number(spread->median * factor).dump(),
                                    number(spread->low * factor).dump(), number(spread->high * factor).dump());
            else
                text += ",,,";
        }
        text += "," + csvField(result.error(point)) + "\r\n";
    }
    return text;
}

}  // namespace overlane
