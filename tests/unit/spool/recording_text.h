// A recording as text: tracks in order of display with their events, copies with what they moved,
// counters, properties and what was counted. For golden tests; times in us.
#pragma once

#include <fmt/format.h>
#include <string>

#include "core/trace/trace.h"

namespace overlane::test
{

inline void appendTrack(std::string& text, const Trace& trace, TrackId id, int depth)
{
    const Track& track = trace.track(id);
    text += fmt::format("{:{}}{}{}\n", "", depth * 2, track.name, track.bookkeeping ? " [bookkeeping]" : "");
    for (const EventRange row : track.rows) {
        for (std::uint32_t at = row.first; at < row.last; ++at) {
            const EventIndex index(at);
            const Event event = trace.event(index);
            text += fmt::format("{:{}}[{:.2f} {:.2f}] {}: {}", "", depth * 2 + 2, event.startNs / 1000.0,
                                event.endNs() / 1000.0, kindName(event.kind), trace.name(index));
            if (const CopyInfo* copy = trace.copy(index))
                text += fmt::format(", {} bytes, {}", copy->bytes, copy->async == AsyncFlag::Async ? "async" : "sync");
            if (trace.color(index) != 0)
                text += fmt::format(", #{:08x}", trace.color(index));
            if (trace.link(index).valid())
                text += fmt::format(" <-> {}", trace.name(trace.link(index)));
            text += '\n';
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

inline std::string recordingText(const Trace& trace)
{
    std::string text = fmt::format("{} \"{}\", epoch {}, {} events of {} in the source\n", trace.metadata().format,
                                   trace.metadata().title, trace.metadata().startEpochNs, trace.eventCount(),
                                   trace.metadata().sourceEvents);
    for (const TrackId root : trace.roots())
        appendTrack(text, trace, root, 0);
    for (const auto& [name, value] : trace.metadata().properties)
        text += fmt::format("property {}: {}\n", name, value);
    for (const ImportStat& stat : trace.stats().all())
        text += fmt::format("stat {}: {}\n", stat.reason, stat.count);
    return text;
}

}  // namespace overlane::test
