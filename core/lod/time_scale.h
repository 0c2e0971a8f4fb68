// TimeScale: nanoseconds to pixels and back, for one visible range and one width.
//
// A value; pure. Pixel 0 is the left edge of the range; a range that is empty or a width that is not
// positive maps every time to 0 and every pixel to the range's start.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/interval.h"

namespace overlane
{

class TimeScale
{
public:
    constexpr TimeScale() = default;
    constexpr TimeScale(Interval range, double widthPx)
        : m_range(range),
          m_widthPx(widthPx),
          m_pxPerNs(range.empty() || widthPx <= 0 ? 0 : widthPx / static_cast<double>(range.lengthNs()))
    {
    }

    constexpr Interval range() const { return m_range; }
    constexpr double widthPx() const { return m_widthPx; }
    constexpr bool degenerate() const { return m_pxPerNs == 0; }

    constexpr double toPx(std::int64_t timeNs) const
    {
        return static_cast<double>(timeNs - m_range.startNs) * m_pxPerNs;
    }
    std::int64_t toNs(double px) const
    {
        return degenerate() ? m_range.startNs : m_range.startNs + std::llround(px / m_pxPerNs);
    }
    constexpr double lengthPx(std::int64_t durationNs) const { return static_cast<double>(durationNs) * m_pxPerNs; }
    std::int64_t lengthNs(double px) const { return degenerate() ? 0 : std::llround(px / m_pxPerNs); }

    // The first nanosecond of pixel column `column`: columns tile the range without gap or overlap.
    constexpr std::int64_t columnStartNs(int column, int columns) const
    {
        const std::int64_t length = m_range.lengthNs();
        return m_range.startNs + length / columns * column + length % columns * column / columns;
    }

private:
    Interval m_range;
    double m_widthPx = 0;
    double m_pxPerNs = 0;
};

}  // namespace overlane
