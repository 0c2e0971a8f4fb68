// The legend of a timeline: the looks of bars that its traces have, with their names.
//
// Pure, any thread; looks at every event once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/interval.h"
#include "core/trace/trace.h"

namespace overlane
{

struct PictureLegendEntry {
    std::string cssClass;  // as barClass() has it
    std::string_view label;
};

// `range`: of what lies in it alone.
std::vector<PictureLegendEntry> legendEntries(const std::vector<const Trace*>& traces,
                                              std::optional<Interval> range = {});

}  // namespace overlane
