// Track layout: which lanes a trace has on the screen, and where each lies.
//
// Pure functions of a trace and of what is collapsed; logical pixels from the top of the whole,
// before scrolling. Counters are not lanes (see GaugePanel); tracks without events are left out,
// except engines and loader actors, whose idleness is worth seeing. Bookkeeping comes last among its
// siblings, and a collapsed parent leaves it out. A bundle (track_bundles.h) is laid out as a group would be.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/timeline/track_arrangement.h"
#include "app/timeline/track_bundles.h"
#include "core/trace/trace.h"

namespace overlane
{

// What the user opened or closed, and how the tracks are arranged, by path, so that it survives a re-run; other tracks
// take defaults.
class CollapseState
{
public:
    // Engines show their streams, threads more than kOpenRows rows, bookkeeping, stacks and bundles their rows only
    // when asked.
    static constexpr std::size_t kOpenRows = 3;

    // Of the trace that is laid out; there are none at first.
    void setBundles(std::shared_ptr<const TrackBundles> bundles) { m_bundles = std::move(bundles); }
    const std::shared_ptr<const TrackBundles>& bundles() const { return m_bundles; }
    // Null where the track stands alone.
    const TrackBundle* bundleOf(TrackId track) const { return m_bundles ? m_bundles->of(track) : nullptr; }
    bool collapsed(const TrackBundle& bundle) const;
    void set(const TrackBundle& bundle, bool collapsed);

    bool collapsed(const Trace& trace, TrackId track) const;
    void set(const Trace& trace, TrackId track, bool collapsed);
    void setAll(const Trace& trace, bool collapsed);
    // Opens what hides the track.
    void reveal(const Trace& trace, TrackId track);
    // What was opened (false) and closed (true), by trackPath() or TrackBundle::path.
    const std::map<std::string, bool>& byPath() const { return m_byPath; }
    void setByPath(std::map<std::string, bool> byPath) { m_byPath = std::move(byPath); }

    TrackArrangement& arrangement() { return m_arrangement; }
    const TrackArrangement& arrangement() const { return m_arrangement; }
    // Whether the engines of GPUs are kept in sight without a choice: all of the lanes are higher than the room.
    void setEnginesPinned(bool pinned) { m_enginesPinned = pinned; }
    bool enginesPinned() const { return m_enginesPinned; }
    bool pinned(const Trace& trace, TrackId track) const;

private:
    std::map<std::string, bool> m_byPath;
    TrackArrangement m_arrangement;
    bool m_enginesPinned = false;
    std::shared_ptr<const TrackBundles> m_bundles;
};

// Kinds, native ids and names from the root down: the same for the same track of a later run.
std::string trackPath(const Trace& trace, TrackId track);
// Kinds and places among siblings of the same kind from the root down: the same for the like track of
// another trace, whatever its processes and GPUs are called.
std::string trackPlace(const Trace& trace, TrackId track);
// What a lane is called, the same for every format: "H2D", "D2H", "compute", "stream 7"; other
// tracks by their own name.
std::string laneTitle(const Trace& trace, TrackId track);
// Of the track or of what lies below it.
bool hasEvents(const Trace& trace, TrackId track);
// The thread that a process began with has the process's number.
bool isMainThread(const Trace& trace, TrackId track);
// The profiler's own, by itself or by what it lies below.
bool isBookkeeping(const Trace& trace, TrackId track);
// Children that are lanes, or more than one row: something to collapse.
bool isCollapsible(const Trace& trace, TrackId track);

struct LaneRow {
    TrackId track;                              // of a bundle the first
    std::shared_ptr<const TrackBundle> bundle;  // set where the row is that of a bundle, not of a track
    int topPx = 0;
    int heightPx = 0;
    int depth = 0;       // in the tree, for indentation
    int rowInTrack = 0;  // 0 carries the label
    bool collapsible = false;
    bool collapsed = false;
    bool header = false;           // an open group: a name without a lane
    int stripe = 0;                // alternates from one track to the next
    std::uint32_t color = 0;       // as TrackLook::color
    std::vector<EventRange> rows;  // what the lane shows; several where collapsed

    int bottomPx() const { return topPx + heightPx; }
};

// What the row is called: by laneTitle(), or as its bundle.
std::string rowTitle(const Trace& trace, const LaneRow& row);
// By trackPlace(), a bundle by that of its first track.
std::string rowPlace(const Trace& trace, const LaneRow& row);

struct TrackLayout {
    std::vector<LaneRow> rows;  // top first
    int heightPx = 0;

    // From the top of the first device to the bottom of its last engine; empty where there is none.
    struct Stretch {
        int topPx = 0;
        int bottomPx = 0;
    };
    Stretch firstDevice(const Trace& trace) const;
    // Index of the row at a height, or -1 (gaps, outside).
    int rowAt(int yPx) const;
    // Index of the row that shows an event, or -1 where it is on no lane.
    int rowOf(const Trace& trace, EventIndex event) const;
};

// Lanes that scroll, and those kept in sight below them.
enum class LanePart : std::uint8_t { All, Scrolled, Pinned };
TrackLayout layoutTracks(const Trace& trace, const CollapseState& state, LanePart part = LanePart::All);
// The track's siblings that are lanes, itself too, in the order shown.
std::vector<TrackId> shownSiblings(const Trace& trace, const CollapseState& state, TrackId track);

}  // namespace overlane
