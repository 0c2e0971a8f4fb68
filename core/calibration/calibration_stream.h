// The lines by which a process that calibrates tells another one how far it is and what it found.
//
// Pure functions, any thread. "step FRACTION WORDS" and "series JSON"; lines of another form are no news.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/calibration/calibration_record.h"

namespace overlane
{

struct CalibrationNews {
    double fraction = 0;  // of the whole, as of the newest step
    std::string doing;
    std::vector<MeasuredSeries> series;  // since the last time
};

std::string stepLine(double fraction, const std::string& doing);
std::string newsLine(const MeasuredSeries& series);

// Takes whole lines off the front of `text` and adds what they say.
void takeNews(std::string& text, CalibrationNews& news);

}  // namespace overlane
