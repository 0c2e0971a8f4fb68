#include "core/calibration/calibration_record.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/number_text.h"
#include "core/base/process_news.h"

namespace overlane
{
namespace
{

using Json = nlohmann::ordered_json;

// Six digits are more than any of these measurements has.
double sixDigits(double value)
{
    return std::isfinite(value) ? roundedToDigits(value, 6) : 0;
}

// Whole numbers without a fraction.
Json number(double value)
{
    if (std::abs(value) < 9e15 && value == std::round(value))
        return static_cast<std::int64_t>(value);
    return value;
}

Json seriesJson(const MeasuredSeries& series)
{
    const SampleStatistics& s = series.statistics;
    return Json::array({series.probe, series.variant, series.bytes, series.threads, number(s.median), number(s.low),
                        number(s.high), s.samples});
}

MeasuredSeries seriesOf(const Json& row)
{
    MeasuredSeries series{
        row.at(0).get<std::string>(),
        row.at(1).get<std::string>(),
        row.at(2).get<std::int64_t>(),
        row.at(3).get<std::int64_t>(),
        {row.at(4).get<double>(), row.at(5).get<double>(), row.at(6).get<double>(), row.at(7).get<std::int64_t>()}};
    const SampleStatistics& s = series.statistics;
    if (series.bytes < 0 || series.threads < 1 || s.samples < 1 || !(s.low <= s.high) || !std::isfinite(s.median))
        throw std::runtime_error(fmt::format("a series of '{}' is out of range", series.probe));
    return series;
}

Json machineJson(const MachineFacts& machine)
{
    const PcieLink& link = machine.link;
    return {{"gpu", machine.gpu},
            {"processor", machine.processor},
            {"driver_version", machine.driverVersion},
            {"runtime_version", machine.runtimeVersion},
            {"link", {link.generation, link.width, link.largestGeneration, link.largestWidth}},
            {"device_memory_bytes", machine.deviceMemoryBytes},
            {"cores", machine.cores},
            {"nodes", machine.nodes},
            {"gpu_node", machine.gpuNode},
            {"ram_bytes", machine.ramBytes},
            {"used_ram_bytes", machine.usedRamBytes},
            {"swap_bytes", machine.swapBytes},
            {"last_level_cache_bytes", machine.lastLevelCacheBytes}};
}

MachineFacts machineOf(const Json& json)
{
    MachineFacts machine;
    machine.gpu = json.value("gpu", "");
    machine.processor = json.value("processor", "");
    machine.driverVersion = json.value("driver_version", 0);
    machine.runtimeVersion = json.value("runtime_version", 0);
    if (const auto link = json.find("link"); link != json.end())
        machine.link = {link->at(0).get<int>(), link->at(1).get<int>(), link->at(2).get<int>(), link->at(3).get<int>()};
    machine.deviceMemoryBytes = json.value("device_memory_bytes", std::int64_t{0});
    machine.cores = json.value("cores", std::int64_t{1});
    machine.nodes = json.value("nodes", std::int64_t{1});
    machine.gpuNode = json.value("gpu_node", -1);
    machine.ramBytes = json.value("ram_bytes", std::int64_t{0});
    machine.usedRamBytes = json.value("used_ram_bytes", std::int64_t{0});
    machine.swapBytes = json.value("swap_bytes", std::int64_t{0});
    machine.lastLevelCacheBytes = json.value("last_level_cache_bytes", std::int64_t{0});
    return machine;
}

CalibrationRecord recordOfJson(const Json& json)
{
    CalibrationRecord record;
    record.date = json.at("date").get<std::string>();
    record.quick = json.value("quick", false);
    record.tookNs = json.value("took_ns", std::int64_t{0});
    record.machine = machineOf(json.at("machine"));
    for (const Json& row : json.at("series"))
        record.series.push_back(seriesOf(row));
    for (const Json& row : json.value("not_measured", Json::array()))
        record.misses.push_back({row.at(0).get<std::string>(), row.at(1).get<std::string>()});
    return record;
}

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

const MeasuredSeries* CalibrationRecord::find(std::string_view probe, std::string_view variant,
                                              std::int64_t bytes) const
{
    const auto found = std::find_if(series.begin(), series.end(), [&](const MeasuredSeries& each) {
        return each.probe == probe && each.variant == variant && each.bytes == bytes;
    });
    return found != series.end() ? &*found : nullptr;
}

std::vector<const MeasuredSeries*> CalibrationRecord::all(std::string_view probe, std::string_view variant) const
{
    std::vector<const MeasuredSeries*> found;
    for (const MeasuredSeries& each : series)
        if (each.probe == probe && each.variant == variant)
            found.push_back(&each);
    std::stable_sort(found.begin(), found.end(), [](const MeasuredSeries* left, const MeasuredSeries* right) {
        return std::pair(left->threads, left->bytes) < std::pair(right->threads, right->bytes);
    });
    return found;
}

const MeasuredSeries* CalibrationRecord::largest(std::string_view probe, std::string_view variant,
                                                 std::int64_t atMost) const
{
    const MeasuredSeries* best = nullptr;
    for (const MeasuredSeries& each : series)
        if (each.probe == probe && each.variant == variant && each.bytes <= atMost &&
            (best == nullptr || each.bytes > best->bytes))
            best = &each;
    return best;
}

MeasuredSeries measured(const ProbeSeries& series)
{
    // As in the file, so that a profile made again from its record is the same.
    SampleStatistics s = statisticsOf(series.samples);
    s.median = sixDigits(s.median);
    s.low = sixDigits(s.low);
    s.high = sixDigits(s.high);
    return {series.probe, series.variant, series.bytes, series.threads, s};
}

CalibrationRecord recordOf(const CalibrationSamples& samples, std::string date, bool quick)
{
    CalibrationRecord record;
    record.date = std::move(date);
    record.quick = quick;
    record.tookNs = samples.tookNs;
    record.machine = samples.machine;
    record.misses = samples.misses;
    for (const ProbeSeries& series : samples.series)
        if (!series.samples.empty())
            record.series.push_back(measured(series));
    return record;
}

std::string recordText(const CalibrationRecord& record)
{
    std::string text = fmt::format(
        "{{\n    \"date\": {},\n    \"quick\": {},\n    \"took_ns\": {},\n    \"machine\": {},\n    \"columns\": "
        "[\"probe\", \"variant\", \"bytes\", \"threads\", \"median\", \"low\", \"high\", \"samples\"],\n    "
        "\"series\": [",
        dumped(record.date), record.quick, record.tookNs, dumped(machineJson(record.machine)));
    for (std::size_t at = 0; at < record.series.size(); ++at)
        text += (at > 0 ? ",\n      " : "\n      ") + dumped(seriesJson(record.series[at]));
    text += "\n    ],\n    \"not_measured\": [";
    for (std::size_t at = 0; at < record.misses.size(); ++at)
        text += (at > 0 ? ", " : "") + dumped(Json::array({record.misses[at].probe, record.misses[at].reason}));
    return text + "]\n  }";
}

Result<std::optional<CalibrationRecord>> recordIn(std::string_view profileText)
{
    if (profileText.empty())
        return std::optional<CalibrationRecord>();
    try {
        const Json root = Json::parse(profileText);
        const auto found = root.find("calibration");
        if (found == root.end())
            return std::optional<CalibrationRecord>();
        return std::optional(recordOfJson(*found));
    } catch (const std::exception& error) {
        return Error{fmt::format("The calibration in the profile cannot be read: {}.", error.what())};
    }
}

std::string seriesLine(const MeasuredSeries& series)
{
    return jsonLine({{"series", seriesJson(series)}});
}

std::optional<MeasuredSeries> parseSeriesLine(std::string_view line)
{
    try {
        return readJsonLine(line, [](const nlohmann::json& json) { return seriesOf(Json(json.at("series"))); });
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace overlane
