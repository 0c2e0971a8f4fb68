// Explanations: one sentence for everything a person can point at - lanes, gauges, settings, figures of a
// run, idle causes, reasons of copies, findings - and the lesson that shows it.
//
// Lanes, settings, figures, causes, reasons of copies and rules bring their own in the row of their table;
// explanation_texts.cpp holds what has none. Keys are stable: "lane:h2d", "gauge:Pinned memory",
// "kind:kernel", "setting:pin", "metric:overlap", "cause:host", "copy:pageable_memory",
// "finding:same-stream". Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/lost_time.h"
#include "core/findings/finding.h"
#include "core/trace/event.h"
#include "core/trace/track.h"

namespace overlane
{

struct Explanation {
    std::string key;
    std::string sentence;
    std::string_view lesson;  // key of the lesson that shows it
};

// All of them; made once.
const std::vector<Explanation>& allExplanations();
const Explanation* findExplanation(std::string_view key);  // nullptr where there is none

// The key of a thing; allExplanations() holds it.
std::string explanationKey(const Track& track);  // gauges too
std::string explanationKey(EventKind kind);
std::string explanationKey(LostCause cause);
std::string explanationKey(CopyCause cause);
std::string explanationKey(RuleId rule);
std::string settingExplanationKey(std::string_view setting);
std::string metricExplanationKey(std::string_view metric);

}  // namespace overlane
