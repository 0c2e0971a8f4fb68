// OverviewSpans: what the strip of the whole run shows in each band, looked up once, on the thread that asks first.
//
// A thread of Qt's pool asks when a trace comes (OverviewSpans::begun()), so that it is known when the strip is
// painted; where none is free, or it is not done, the GUI thread looks it up or waits for the rest. Owns a part of the
// pyramids.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/interval.h"
#include "core/lod/lane_spans.h"
#include "core/lod/trace_pyramids.h"
#include "core/trace/track_kinds.h"

namespace overlane
{

class OverviewSpans
{
public:
    using Bands = std::array<std::vector<LaneSpan>, kLaneBandCount>;

    // `widthPx` is in pixels of the device.
    OverviewSpans(std::shared_ptr<const TracePyramids> pyramids, Interval limits, int widthPx);
    // The same, and of a large trace a thread of the pool is asked. On the GUI thread.
    static std::shared_ptr<OverviewSpans> begun(std::shared_ptr<const TracePyramids> pyramids, Interval limits,
                                                int widthPx);

    bool isOf(Interval limits, int widthPx) const { return limits == m_limits && widthPx == m_widthPx; }
    // Any thread. Throws where there is no memory for it.
    const Bands& bands();

private:
    const std::shared_ptr<const TracePyramids> m_pyramids;
    const Interval m_limits;
    const int m_widthPx;
    std::mutex m_mutex;
    bool m_found = false;
    Bands m_bands;
};

}  // namespace overlane
