#include "core/calibration/calibration_stream.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/number_text.h"

namespace overlane
{
namespace
{

constexpr std::string_view kStep = "step ";
constexpr std::string_view kSeries = "series ";

void takeLine(const std::string& line, CalibrationNews& news)
{
    if (line.starts_with(kStep)) {
        std::string_view rest = std::string_view(line).substr(kStep.size());
        news.fraction = std::clamp(takeReal(rest).value_or(0), 0.0, 1.0);
        news.doing = rest.substr(rest.starts_with(' ') ? 1 : 0);
    } else if (line.starts_with(kSeries)) {
        if (auto series = parseSeriesLine(line.substr(kSeries.size())))
            news.series.push_back(std::move(*series));
    }
}

}  // namespace

std::string stepLine(double fraction, const std::string& doing)
{
    return fmt::format("{}{:.4f} {}\n", kStep, fraction, doing);
}

std::string newsLine(const MeasuredSeries& series)
{
    return std::string(kSeries) + seriesLine(series) + "\n";
}

void takeNews(std::string& text, CalibrationNews& news)
{
    std::size_t at = 0;
    for (std::size_t end = text.find('\n', at); end != std::string::npos; end = text.find('\n', at)) {
        takeLine(text.substr(at, end - at), news);
        at = end + 1;
    }
    text.erase(0, at);
}

}  // namespace overlane
