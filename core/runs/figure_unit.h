// FigureUnit: what a number in a lesson stands for, as powers of time and bytes, so that a size is
// never compared with a time.
//
// Plain value, any thread. Times are nanoseconds, sizes bytes, rates bytes per nanosecond.
#pragma once

#include <string>

namespace overlane
{

struct FigureUnit {
    int time = 0;
    int bytes = 0;
    bool truth = false;  // the answer of a comparison
    bool share = false;  // shown in percent

    // Whether two figures may be added or compared; a share is a number like others.
    bool sameAs(const FigureUnit& other) const
    {
        return time == other.time && bytes == other.bytes && truth == other.truth;
    }
    bool isNumber() const { return time == 0 && bytes == 0 && !truth; }
    friend bool operator==(const FigureUnit&, const FigureUnit&) = default;
};

constexpr FigureUnit kNumberUnit{};
constexpr FigureUnit kTimeUnit{.time = 1};
constexpr FigureUnit kSizeUnit{.bytes = 1};
constexpr FigureUnit kRateUnit{.time = -1, .bytes = 1};
constexpr FigureUnit kShareUnit{.share = true};
constexpr FigureUnit kTruthUnit{.truth = true};

// "a time", "a size", "a rate", "a number", "true or false".
std::string unitName(const FigureUnit& unit);

// As people read it: "12.3 ms", "48.0 MiB", "55.5 GB/s", "93.1 %", "2.31", "yes". Never NaN: "unknown".
std::string figureText(double value, const FigureUnit& unit);

}  // namespace overlane
