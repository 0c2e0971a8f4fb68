// The lines by which a process that calibrates tells another one how far it is and what it found.
//
// Pure function, any thread. ProcessNews, and seriesLine() of each series; lines of another form are no news.
#pragma once

#include <string>
#include <vector>

#include "core/calibration/calibration_record.h"

namespace overlane
{

struct CalibrationNews {
    double fraction = 0;  // of the whole, as of the newest step
    std::string doing;
    std::vector<MeasuredSeries> series;  // since the last time
};

// Takes whole lines off the front of `text` and adds what they say.
void takeNews(std::string& text, CalibrationNews& news);

}  // namespace overlane
