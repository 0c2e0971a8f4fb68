// A trace as text for golden tests: tracks in order of display, events with times in us.
#pragma once

#include <fmt/format.h>
#include <string>

#include "core/trace/trace.h"

namespace overlane
{

inline void appendTrack(std::string& text, const Trace& trace, TrackId id, int depth)
{
    const Track& track = trace.track(id);
    text += fmt::format("{:{}}{}\n", "", depth * 2, track.name);
    for (const EventRange row : track.rows) {
        for (std::uint32_t at = row.first; at < row.last; ++at) {
            const Event event = trace.event(EventIndex(at));
            text += fmt::format("{:{}}[{:.2f} {:.2f}] {}: {}\n", "", depth * 2 + 2, event.startNs / 1000.0,
                                event.endNs() / 1000.0, kindName(event.kind), trace.name(EventIndex(at)));
        }
    }
    for (const CounterSeries& series : trace.counters()) {
        if (series.track != id)
            continue;
        for (std::size_t at = 0; at < series.timesNs.size(); ++at)
            text += fmt::format("{:{}}{:.2f}: {}\n", "", depth * 2 + 2, series.timesNs[at] / 1000.0, series.values[at]);
    }
    for (const TrackId child : track.children)
        appendTrack(text, trace, child, depth + 1);
}

inline std::string traceText(const Trace& trace)
{
    std::string text;
    for (const TrackId root : trace.roots())
        appendTrack(text, trace, root, 0);
    return text;
}

}  // namespace overlane
