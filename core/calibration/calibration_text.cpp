#include "core/calibration/calibration_text.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/devices/profile_figures.h"

namespace overlane
{

std::string figureValueText(std::string_view key, double value)
{
    if (key.ends_with("_flops_per_second"))
        return fmt::format("{:.0f} TFLOPS", value / 1e12);
    if (key.ends_with("_bytes_per_second"))
        return formatRate(std::llround(value), kNsPerS);
    if (key.ends_with("_bytes"))
        return formatBytes(std::llround(value));
    if (key.ends_with("_ns"))
        return formatDuration(std::llround(value));
    return value == std::round(value) ? formatCount(std::llround(value)) : fmt::format("{:.3f}", value);
}

std::string spreadText(std::string_view key, const FigureSpread& spread)
{
    if (spread.samples < 1)
        return {};
    return fmt::format("{} to {} of {}", figureValueText(key, spread.low), figureValueText(key, spread.high),
                       spread.samples);
}

std::vector<FigureRow> figureRows(const DeviceProfile& profile)
{
    std::vector<FigureRow> rows;
    for (const ProfileFigure& figure : profileFigures()) {
        FigureRow row{figure.key, figureValueText(figure.key, figure.valueIn(profile)), {}, {}, false};
        if (const auto spread = profile.spreads.find(figure.key); spread != profile.spreads.end())
            row.spread = spreadText(figure.key, spread->second);
        if (const auto source = profile.sources.find(figure.key); source != profile.sources.end())
            row.source = source->second;
        row.measured = row.source.starts_with("measured");
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace overlane
