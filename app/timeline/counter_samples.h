// Counter samples: what each column of pixels shows of a counter.
//
// Pure. A counter holds each value until its next time. Where several samples fall into one column, their
// lowest and highest value stay, so that no spike is lost, and the last. In a crowd, samples less than an
// eighth of a column behind a border may belong to the column in front of it. The cost follows the width and not
// the number of samples: the counter's pyramid finds the borders of columns and the extremes between them.
// Pixels from the left edge of the range, times in nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/lod/counter_pyramid.h"

namespace overlane
{

// The value that holds at a time: that of the last sample until then; none before the first one.
std::optional<double> valueAt(const CounterSeries& series, std::int64_t timeNs);

struct CounterColumn {
    int px = 0;
    CounterPyramid::Extremes values;
    double last = 0;
};

struct CounterSamples {
    std::vector<CounterColumn> columns;  // those where a sample lies, and the first one that holds a value
    int endPx = 0;                       // the last column holds its last value up to here
    std::size_t looked = 0;              // samples and nodes of the pyramid that were looked at
};

// Of a range in `widthPx` columns, up to the end of what was measured. Nothing where the width is not
// positive, the range is empty, or all of it lies before the first sample or behind the end.
CounterSamples counterSamples(const CounterPyramid& pyramid, Interval range, std::int64_t endNs, int widthPx);

}  // namespace overlane
