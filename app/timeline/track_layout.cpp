#include "app/timeline/track_layout.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/timeline/timeline_metrics.h"
#include "core/trace/track_kinds.h"

namespace overlane
{

namespace
{

bool isLane(const Trace& trace, TrackId id)
{
    const Track& track = trace.track(id);
    const TrackKindRow& row = rowOf(track.kind);
    return row.isLane() && (row.shownEmpty || hasEvents(trace, id));
}

// Loader above host above device, the main thread above others; the builder's order within.
std::vector<TrackId> lanesOf(const Trace& trace, std::span<const TrackId> ids)
{
    std::vector<TrackId> lanes;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(lanes), [&](TrackId id) { return isLane(trace, id); });
    const auto place = [&](TrackId id) {
        const Track& track = trace.track(id);
        const TrackKindRow& row = rowOf(track.kind);
        return std::tuple(track.bookkeeping, row.group, row.isEngine() ? row.kind : TrackKind{},
                          !isMainThread(trace, id));
    };
    std::stable_sort(lanes.begin(), lanes.end(), [&](TrackId a, TrackId b) { return place(a) < place(b); });
    return lanes;
}

void collectRows(const Trace& trace, TrackId id, std::vector<EventRange>& rows)
{
    const Track& track = trace.track(id);
    rows.insert(rows.end(), track.rows.begin(), track.rows.end());
    for (const TrackId child : lanesOf(trace, track.children))
        if (!trace.track(child).bookkeeping)
            collectRows(trace, child, rows);
}

class Layouter
{
public:
    Layouter(const Trace& trace, const CollapseState& state) : m_trace(trace), m_state(state) {}

    void add(TrackId id, int depth)
    {
        const Track& track = m_trace.track(id);
        const std::vector<TrackId> children = lanesOf(m_trace, track.children);
        LaneRow row;
        row.track = id;
        row.depth = depth;
        row.collapsible = isCollapsible(m_trace, id);
        row.collapsed = row.collapsible && m_state.collapsed(m_trace, id);
        if (depth == 0 && m_layout.heightPx > 0)
            m_layout.heightPx += kGroupGapPx;
        if (row.collapsed) {
            collectRows(m_trace, id, row.rows);
            place(row, kRowPx);
        } else if (children.empty()) {
            addRows(row, track);
        } else {
            row.header = track.rows.empty();
            if (row.header)
                place(row, kHeaderRowPx);
            else
                addRows(row, track);
            addAll(children, depth + 1);
            return;
        }
        m_stripe ^= 1;
    }
    // Siblings, some of them bundled: workers where the first of them is, quiet threads below the other threads.
    void addAll(const std::vector<TrackId>& lanes, int depth)
    {
        const auto isThread = [this](TrackId id) { return m_trace.track(id).kind == TrackKind::Thread; };
        const auto lastThread = std::find_if(lanes.rbegin(), lanes.rend(), isThread);
        std::set<const TrackBundle*> added;
        for (const TrackId id : lanes) {
            const TrackBundle* bundle = m_state.bundleOf(id);
            if (bundle == nullptr)
                add(id, depth);
            else if (bundle->kind == TrackBundle::Kind::Workers && added.insert(bundle).second)
                add(*bundle, depth);
            if (lastThread == lanes.rend() || id != *lastThread)
                continue;
            for (const TrackId thread : lanes)
                if (const TrackBundle* quiet = m_state.bundleOf(thread);
                    quiet != nullptr && quiet->kind == TrackBundle::Kind::QuietThreads && added.insert(quiet).second)
                    add(*quiet, depth);
        }
    }
    TrackLayout take() { return std::move(m_layout); }

private:
    void add(const TrackBundle& bundle, int depth)
    {
        LaneRow row;
        row.track = bundle.tracks.front();
        row.bundle = std::shared_ptr<const TrackBundle>(m_state.bundles(), &bundle);
        row.depth = depth;
        row.collapsible = true;
        row.collapsed = m_state.collapsed(bundle);
        if (row.collapsed) {
            for (const TrackId id : bundle.tracks)
                collectRows(m_trace, id, row.rows);
            place(row, kRowPx);
            m_stripe ^= 1;
            return;
        }
        row.header = true;
        place(row, kHeaderRowPx);
        for (const TrackId id : bundle.tracks)
            add(id, depth + 1);
    }
    void addRows(LaneRow row, const Track& track)
    {
        for (std::size_t i = 0; i < std::max<std::size_t>(1, track.rows.size()); ++i) {
            row.rowInTrack = static_cast<int>(i);
            row.rows.clear();
            if (i < track.rows.size())
                row.rows.push_back(track.rows[i]);
            place(row, kRowPx);
        }
    }
    void place(LaneRow row, int heightPx)
    {
        row.topPx = m_layout.heightPx;
        row.heightPx = heightPx;
        row.stripe = m_stripe;
        m_layout.heightPx += heightPx;
        m_layout.rows.push_back(std::move(row));
    }

    const Trace& m_trace;
    const CollapseState& m_state;
    TrackLayout m_layout;
    int m_stripe = 0;
};

}  // namespace

bool hasEvents(const Trace& trace, TrackId id)
{
    const Track& track = trace.track(id);
    return !track.events.empty() || std::any_of(track.children.begin(), track.children.end(),
                                                [&](TrackId child) { return hasEvents(trace, child); });
}

bool isMainThread(const Trace& trace, TrackId id)
{
    const Track& track = trace.track(id);
    return track.kind == TrackKind::Thread && track.nativeId != 0 && track.parent.valid() &&
           trace.track(track.parent).nativeId == track.nativeId;
}

std::string trackPath(const Trace& trace, TrackId id)
{
    std::string path;
    for (; id.valid(); id = trace.track(id).parent) {
        const Track& track = trace.track(id);
        std::string own = std::to_string(static_cast<int>(track.kind));
        own.append(":").append(std::to_string(track.nativeId)).append(":").append(track.name).append("\n");
        path.insert(0, own);
    }
    return path;
}

std::string trackPlace(const Trace& trace, TrackId id)
{
    std::string path;
    for (; id.valid(); id = trace.track(id).parent) {
        const Track& track = trace.track(id);
        // Workers and the pin thread are like by their names, engines and streams by their order.
        std::string own = track.name;
        if (track.kind != TrackKind::LoaderActor)
            own = std::to_string(std::count_if(
                trace.tracks().begin(), trace.tracks().begin() + static_cast<std::ptrdiff_t>(id.index()),
                [&](const Track& other) { return other.kind == track.kind && other.parent == track.parent; }));
        path.insert(0, std::to_string(static_cast<int>(track.kind)).append(":").append(own).append("\n"));
    }
    return path;
}

std::string laneTitle(const Trace& trace, TrackId id)
{
    const Track& track = trace.track(id);
    const TrackKindRow& row = rowOf(track.kind);
    if (row.isEngine() && (!row.bearsOwnName || track.name.empty()))
        return std::string(row.name);
    if (track.kind != TrackKind::Stream)
        return track.name;
    if (track.name.empty())
        return "stream " + std::to_string(track.nativeId);
    return track.name.starts_with("Stream ") ? "s" + track.name.substr(1) : track.name;
}

std::string rowTitle(const Trace& trace, const LaneRow& row)
{
    return row.bundle ? row.bundle->title : laneTitle(trace, row.track);
}

std::string rowPlace(const Trace& trace, const LaneRow& row)
{
    return trackPlace(trace, row.track).append(row.bundle ? "bundle" : "");
}

bool isBookkeeping(const Trace& trace, TrackId id)
{
    for (; id.valid(); id = trace.track(id).parent)
        if (trace.track(id).bookkeeping)
            return true;
    return false;
}

bool isCollapsible(const Trace& trace, TrackId id)
{
    const Track& track = trace.track(id);
    return track.rows.size() > 1 || !lanesOf(trace, track.children).empty();
}

bool CollapseState::collapsed(const TrackBundle& bundle) const
{
    const auto found = m_byPath.find(bundle.path);
    return found == m_byPath.end() || found->second;
}

void CollapseState::set(const TrackBundle& bundle, bool collapsed)
{
    m_byPath[bundle.path] = collapsed;
}

bool CollapseState::collapsed(const Trace& trace, TrackId id) const
{
    if (!isCollapsible(trace, id))
        return false;
    if (const auto found = m_byPath.find(trackPath(trace, id)); found != m_byPath.end())
        return found->second;
    const Track& track = trace.track(id);
    return track.bookkeeping || rowOf(track.kind).startsClosed ||
           (track.children.empty() && track.rows.size() > kOpenRows);
}

void CollapseState::set(const Trace& trace, TrackId track, bool collapsed)
{
    m_byPath[trackPath(trace, track)] = collapsed;
}

void CollapseState::setAll(const Trace& trace, bool collapsed)
{
    for (std::size_t i = 0; i < trace.tracks().size(); ++i)
        if (isCollapsible(trace, TrackId(i)))
            set(trace, TrackId(i), collapsed);
    if (m_bundles)
        for (const TrackBundle& bundle : m_bundles->all())
            set(bundle, collapsed);
}

void CollapseState::reveal(const Trace& trace, TrackId track)
{
    for (TrackId id = track; id.valid(); id = trace.track(id).parent) {
        // An engine shows all its streams in one lane already.
        if (id != track && collapsed(trace, id) && !rowOf(trace.track(id).kind).isEngine())
            set(trace, id, false);
        if (const TrackBundle* bundle = bundleOf(id); bundle != nullptr && collapsed(*bundle))
            set(*bundle, false);
    }
}

TrackLayout::Stretch TrackLayout::firstDevice(const Trace& trace) const
{
    Stretch device;
    for (const LaneRow& row : rows) {
        if (row.depth == 0 && device.bottomPx > 0)
            break;
        if (device.bottomPx == 0 && trace.track(row.track).kind != TrackKind::Device)
            continue;
        if (device.bottomPx == 0)
            device.topPx = row.topPx;
        device.bottomPx = row.bottomPx();
    }
    return device;
}

int TrackLayout::rowAt(int yPx) const
{
    const auto next =
        std::upper_bound(rows.begin(), rows.end(), yPx, [](int y, const LaneRow& row) { return y < row.topPx; });
    if (next == rows.begin() || yPx >= std::prev(next)->bottomPx())
        return -1;
    return static_cast<int>(next - rows.begin()) - 1;
}

int TrackLayout::rowOf(const Trace& trace, EventIndex event) const
{
    if (!event.valid() || event.index() >= trace.eventCount())
        return -1;
    const std::uint32_t index = event.value();
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const EventRange range : rows[i].rows)
            if (index >= range.first && index < range.last)
                return static_cast<int>(i);
    return -1;
}

TrackLayout layoutTracks(const Trace& trace, const CollapseState& state)
{
    Layouter layouter(trace, state);
    layouter.addAll(lanesOf(trace, trace.roots()), 0);
    return layouter.take();
}

}  // namespace overlane
