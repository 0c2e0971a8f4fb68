#include "core/calibration/calibration_stream.h"

#include <string_view>
#include <utility>

#include "core/base/process_news.h"

namespace overlane
{

void takeNews(std::string& text, CalibrationNews& news)
{
    std::size_t at = 0;
    for (std::size_t end = text.find('\n', at); end != std::string::npos; end = text.find('\n', at)) {
        const std::string_view line = std::string_view(text).substr(at, end - at);
        if (auto step = parseProcessNews(line)) {
            news.fraction = step->fraction;
            news.doing = std::move(step->words);
        } else if (auto series = parseSeriesLine(line)) {
            news.series.push_back(std::move(*series));
        }
        at = end + 1;
    }
    text.erase(0, at);
}

}  // namespace overlane
