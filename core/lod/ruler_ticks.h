// Ruler ticks: round times (1, 2 or 5 times a power of ten nanoseconds) for a visible range.
//
// Pure. Labels are in one unit for the whole ruler, with as many decimals as the step needs. Where
// the times are long beside the step, they are written against a base: the ruler shows the base once
// ("12.3 s") and labels its ticks "+150 us", so that a label never takes more than a few digits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/interval.h"

namespace overlane
{

struct RulerTick {
    std::int64_t timeNs = 0;
    std::string label;  // empty for minor ticks
    bool major = false;
    friend bool operator==(const RulerTick&, const RulerTick&) = default;
};

struct Ruler {
    std::vector<RulerTick> ticks;  // ascending
    std::int64_t stepNs = 0;       // between major ticks; 0 where there are none
    std::int64_t baseNs = 0;       // what labels with "+" are counted from
    std::string baseLabel;         // empty where labels are absolute
};

// The smallest 1-2-5 step of at least `minimumNs`, at least 1.
std::int64_t niceStepNs(std::int64_t minimumNs);

// Major ticks lie at least `minimumSpacingPx` apart. Nothing where the range or the width is empty.
Ruler rulerTicks(Interval range, double widthPx, double minimumSpacingPx);

}  // namespace overlane
