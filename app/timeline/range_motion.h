// RangeMotion: the visible range on its way from one place to another.
//
// A value; pure. The length changes by equal factors in equal times and the place with it, so that a
// zoom keeps its anchor still on the screen; the way slows down towards its end. Nanoseconds,
// half-open; time passes in milliseconds since the start.
#pragma once

#include <cstdint>

#include "core/base/interval.h"

namespace overlane
{

class RangeMotion
{
public:
    RangeMotion() = default;
    RangeMotion(Interval from, Interval to, std::int64_t durationMs) : m_from(from), m_to(to), m_durationMs(durationMs)
    {
    }

    Interval to() const { return m_to; }
    // Never outside what `from` and `to` span together.
    Interval at(std::int64_t elapsedMs) const;
    bool doneAt(std::int64_t elapsedMs) const { return elapsedMs >= m_durationMs; }

private:
    Interval m_from;
    Interval m_to;
    std::int64_t m_durationMs = 0;
};

}  // namespace overlane
