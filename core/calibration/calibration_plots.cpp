#include "core/calibration/calibration_plots.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/devices/probes.h"
#include "core/devices/profile_figures.h"

namespace overlane
{
namespace
{

struct Wanted {
    const char* probe;
    const char* variant;
    const char* name;  // empty: the probe's own
};

constexpr Wanted kMemoryCosts[] = {
    {"host_alloc", "", ""},   {"host_free", "", ""},        {"host_register", "", ""}, {"host_unregister", "", ""},
    {"pool", "", ""},         {"malloc", "", ""},           {"first_touch", "", ""},   {"give_back", "", ""},
    {"shared_touch", "", ""}, {"shared_give_back", "", ""},
};
constexpr Wanted kCopies[] = {
    {"", "h2d pinned warm", "to device, pinned"},
    {"", "h2d pinned cold", "to device, pinned, source in no cache"},
    {"", "h2d registered", "to device, registered"},
    {"", "d2h pinned", "to host, pinned"},
    {"", "h2d pageable warm", "to device, pageable, source in the cache"},
    {"", "h2d pageable cold", "to device, pageable, source in no cache"},
    {"", "d2h pageable", "to host, pageable"},
};
constexpr Wanted kThreads[] = {{"memcpy", "", ""}, {"fresh_pages", "", ""}};

PlotPoint pointOf(const MeasuredSeries& series, PlotUnit x, PlotUnit y)
{
    const SampleStatistics& s = series.statistics;
    const auto place = static_cast<double>(x == PlotUnit::Threads ? series.threads : series.bytes);
    if (y == PlotUnit::Time)
        return {place, s.median, s.low, s.high, s.samples};
    const double bytes = static_cast<double>(series.bytes) * 1e9;
    return {place, bytes / s.median, bytes / s.high, bytes / s.low, s.samples};
}

PlotCurve curveOf(const CalibrationRecord& record, const std::string& probe, const Wanted& wanted,
                  const CalibrationPlot& plot)
{
    const ProbeInfo* info = findProbe(probe);
    PlotCurve curve;
    curve.name = *wanted.name != '\0' || info == nullptr ? wanted.name : std::string(info->label);
    curve.how = info != nullptr ? std::string(info->how) : std::string();
    for (const MeasuredSeries* series : record.all(probe, wanted.variant))
        if (series->statistics.low > 0)  // nothing that a logarithm could not show
            curve.points.push_back(pointOf(*series, plot.x, plot.y));
    return curve;
}

void addCurves(const CalibrationRecord& record, std::span<const Wanted> wanted, const char* probe,
               CalibrationPlot& plot)
{
    for (const Wanted& each : wanted) {
        PlotCurve curve = curveOf(record, *each.probe != '\0' ? each.probe : probe, each, plot);
        if (!curve.points.empty())
            plot.curves.push_back(std::move(curve));
    }
}

CalibrationPlot memoryCosts()
{
    return {"memory_cost",   "What memory costs", "size", "time of one operation",
            PlotUnit::Bytes, PlotUnit::Time,      {},     {}};
}

void addTables(const DeviceProfile& profile, CalibrationPlot& plot)
{
    for (const ProfileTable& table : profileTables()) {
        const auto source = profile.sources.find(table.key);
        PlotCurve curve{std::string(findProbe(table.probe)->label),
                        source != profile.sources.end() ? source->second : std::string(),
                        {}};
        for (const auto& [bytes, costNs] : (profile.*table.member).rows()) {
            PlotPoint point{static_cast<double>(bytes), costNs, costNs, costNs, 0};
            if (const auto spread = profile.spreads.find(rowKey(table.key, bytes)); spread != profile.spreads.end()) {
                point.low = std::max(1.0, spread->second.low * 1000);
                point.high = std::max(1.0, spread->second.high * 1000);
                point.samples = spread->second.samples;
            }
            curve.points.push_back(point);
        }
        if (!curve.points.empty())
            plot.curves.push_back(std::move(curve));
    }
}

const char* unitName(PlotUnit unit)
{
    constexpr const char* kNames[] = {"bytes", "ns", "bytes_per_second", "threads"};
    return kNames[static_cast<std::size_t>(unit)];
}

std::string quotedCsv(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char letter : text)
        quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
}

}  // namespace

std::vector<CalibrationPlot> calibrationPlots(const DeviceProfile& profile, const CalibrationRecord* record)
{
    std::vector<CalibrationPlot> plots;
    plots.push_back(memoryCosts());
    if (record == nullptr) {
        addTables(profile, plots.back());
    } else {
        addCurves(*record, kMemoryCosts, "", plots.back());
        CalibrationPlot rate{"copy_rate",     "How fast copies run", "size", "bytes per second",
                             PlotUnit::Bytes, PlotUnit::Rate,        {},     {}};
        addCurves(*record, kCopies, "copy_event", rate);
        const PcieLink& link = record->machine.link;
        if (const double most = pcieBytesPerSecond(link.generation, link.width); most > 0)
            rate.bound = PlotBound{linkText(link) + ", lanes alone", most};
        plots.push_back(std::move(rate));
        CalibrationPlot call{"copy_call",
                             "How long the call of a copy blocks the host",
                             "size",
                             "time of the call",
                             PlotUnit::Bytes,
                             PlotUnit::Time,
                             {},
                             {}};
        addCurves(*record, kCopies, "copy_call", call);
        plots.push_back(std::move(call));
        CalibrationPlot threads{"threads",
                                "What threads reach together",
                                "threads",
                                "bytes per second",
                                PlotUnit::Threads,
                                PlotUnit::Rate,
                                {},
                                {}};
        addCurves(*record, kThreads, "", threads);
        plots.push_back(std::move(threads));
    }
    std::erase_if(plots, [](const CalibrationPlot& plot) { return plot.curves.empty(); });
    return plots;
}

std::string plotCsv(const CalibrationPlot& plot)
{
    const char* unit = unitName(plot.y);
    std::string text = fmt::format("curve,{},median_{},low_{},high_{},samples\n", unitName(plot.x), unit, unit, unit);
    for (const PlotCurve& curve : plot.curves)
        for (const PlotPoint& point : curve.points)
            text += fmt::format("{},{:.0f},{:.6g},{:.6g},{:.6g},{}\n", quotedCsv(curve.name), point.x, point.median,
                                point.low, point.high, point.samples);
    return text;
}

std::string plotValueText(double value, PlotUnit unit)
{
    switch (unit) {
        case PlotUnit::Bytes:
            return formatBytes(std::llround(value));
        case PlotUnit::Time:
            return formatDuration(std::llround(value));
        case PlotUnit::Rate:
            return formatRate(std::llround(value), kNsPerS);
        case PlotUnit::Threads:
            break;
    }
    return formatCount(std::llround(value));
}

}  // namespace overlane
