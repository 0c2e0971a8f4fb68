// The gauges of a range as lanes of a still picture: those counters that move in it, each with its highest value.
//
// Pure functions, any thread; looks at every sample of the range. Colors are CSS classes (core/report/report_style.h).
#pragma once

#include <string>
#include <vector>

#include "core/base/interval.h"
#include "core/report/timeline_svg.h"
#include "core/trace/trace.h"

namespace overlane
{

constexpr int kGaugePx = 34;  // the height of each

struct PictureGauges {
    std::vector<const CounterSeries*> shown;
    std::size_t leftOut = 0;  // more that move
};

PictureGauges pictureGauges(const Trace& trace, Interval range);
// From `topPx` on, as wide as the shape.
std::string gaugesSvg(const Trace& trace, const PictureGauges& gauges, Interval range, int topPx,
                      const PictureShape& shape);

}  // namespace overlane
