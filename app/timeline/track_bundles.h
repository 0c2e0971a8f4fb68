// Track bundles: siblings that a long trace has many of and that are rarely looked at one by one, shown as a group
// of their own although the trace has none: loader workers, and threads that do nothing in the active range.
//
// Pure function of a trace; immutable. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/interval.h"
#include "core/trace/trace.h"

namespace overlane
{

struct TrackBundle {
    enum class Kind : std::uint8_t { Workers, QuietThreads };

    Kind kind = Kind::Workers;
    std::string path;             // as trackPath(), of a track that would hold them; the same in another trace
    std::string title;            // "workers 0–13"
    std::vector<TrackId> tracks;  // siblings, at least two, in their order
};

class TrackBundles
{
public:
    // So many workers keep lanes of their own.
    static constexpr std::size_t kMostWorkers = 4;

    TrackBundles() = default;
    // `active` is the range in which threads are expected to do something; empty: none are quiet.
    TrackBundles(const Trace& trace, Interval active);

    const std::vector<TrackBundle>& all() const { return m_bundles; }
    // The bundle that the track is in; nullptr where it stands alone.
    const TrackBundle* of(TrackId track) const;

private:
    void add(const Trace& trace, TrackBundle bundle);
    void addWorkers(const Trace& trace, TrackId parent, std::span<const TrackId> siblings);
    void addQuietThreads(const Trace& trace, TrackId parent, std::span<const TrackId> siblings, Interval active);

    std::vector<TrackBundle> m_bundles;
    std::vector<std::uint32_t> m_bundleOf;  // by track, from 1; 0: none. Empty where there are no bundles.
};

}  // namespace overlane
