// The picture of `overlane picture`: which range is drawn, how large, and what stands around it.
//
// Pure functions, any thread. Times are nanoseconds since the start of the trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

struct PictureQuestion {
    std::string steps;    // "10-40"
    std::string from;     // "12.5ms"; empty: from the start
    std::string to;       // empty: to the end
    bool ranged = false;  // judged is a range of somebody's choice, which is drawn
    bool whole = false;
    std::string size;  // "1600x600", "1600"; empty: that of the report
    std::string theme = "light";
    bool gauges = false;
};

const std::vector<std::string>& pictureThemes();
// "12.5ms", "3s", "250us", "40ns".
std::optional<std::int64_t> parsedTraceTime(std::string_view text);
// Empty for a size that can be drawn, else what is wrong with it.
std::string checkPictureSize(const std::string& text);
// What is wrong with the question before a trace is read; empty where nothing is.
std::string checkPicture(const PictureQuestion& question);

// The range of --from and --to, within the trace; none where neither is given.
Result<std::optional<Interval>> chosenRange(const Trace& trace, const PictureQuestion& question);
// An SVG file of the judged range, with its verdict above; without a choice, of the three steps most like the others.
Result<std::string> pictureAnswer(const JudgedTrace& judged, const PictureQuestion& question,
                                  const WorkMeter& work = {});

}  // namespace overlane
