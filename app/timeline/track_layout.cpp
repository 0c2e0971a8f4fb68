#include "app/timeline/track_layout.h"

#include <algorithm>
#include <optional>
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

// Those that were moved by hand, where they were moved to.
std::vector<TrackId> arranged(const Trace& trace, const CollapseState& state, std::vector<TrackId> lanes)
{
    const TrackArrangement& arrangement = state.arrangement();
    if (arrangement.empty())
        return lanes;
    std::vector<std::pair<int, TrackId>> placed;
    for (std::size_t i = 0; i < lanes.size(); ++i)
        placed.emplace_back(arrangement.of(trackPath(trace, lanes[i])).place.value_or(static_cast<int>(i)), lanes[i]);
    std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(placed.begin(), placed.end(), lanes.begin(), [](const auto& each) { return each.second; });
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
    Layouter(const Trace& trace, const CollapseState& state, LanePart part)
        : m_trace(trace), m_state(state), m_part(part)
    {
    }

    // Those kept in sight, each as if it stood alone.
    void addPinned(const std::vector<TrackId>& lanes)
    {
        for (const TrackId id : lanes) {
            if (look(id).hidden)
                continue;
            if (m_state.pinned(m_trace, id)) {
                addParentOfPinned(m_trace.track(id).parent);
                add(id, m_pinnedBelow.valid() ? 1 : 0);
            } else
                addPinned(arranged(m_trace, m_state, lanesOf(m_trace, m_trace.track(id).children)));
        }
    }

    void add(TrackId id, int depth)
    {
        if (look(id).hidden || (m_part == LanePart::Scrolled && m_state.pinned(m_trace, id)))
            return;
        const Track& track = m_trace.track(id);
        const std::vector<TrackId> children = arranged(m_trace, m_state, lanesOf(m_trace, track.children));
        LaneRow row;
        row.track = id;
        row.color = look(id).color;
        row.depth = depth;
        row.collapsible = isCollapsible(m_trace, id);
        if (m_part == LanePart::Scrolled && track.rows.empty() && !children.empty() &&
            std::all_of(children.begin(), children.end(),
                        [this](TrackId child) { return look(child).hidden || m_state.pinned(m_trace, child); }))
            return;  // nothing of it is left here
        row.collapsed = row.collapsible && m_state.collapsed(m_trace, id);
        if (depth == 0 && m_layout.heightPx > 0 && m_part != LanePart::Pinned)
            m_layout.heightPx += kGroupGapPx;
        if (row.collapsed) {
            collectRows(m_trace, id, row.rows);
            place(row, kRowPx * look(id).height);
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
    // Whose lanes follow.
    void addParentOfPinned(TrackId parent)
    {
        if (parent == m_pinnedBelow)
            return;
        m_pinnedBelow = parent;
        if (!parent.valid())
            return;
        LaneRow row;
        row.track = parent;
        row.header = true;
        place(row, kHeaderRowPx);
    }
    void addRows(LaneRow row, const Track& track)
    {
        for (std::size_t i = 0; i < std::max<std::size_t>(1, track.rows.size()); ++i) {
            row.rowInTrack = static_cast<int>(i);
            row.rows.clear();
            if (i < track.rows.size())
                row.rows.push_back(track.rows[i]);
            place(row, kRowPx * look(row.track).height);
        }
    }
    const TrackLook& look(TrackId id) const
    {
        // A path takes longer to make than a layout has for each of many thousand tracks.
        static const TrackLook kUsual;
        const TrackArrangement& arrangement = m_state.arrangement();
        return arrangement.empty() ? kUsual : arrangement.of(trackPath(m_trace, id));
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
    LanePart m_part;
    TrackLayout m_layout;
    TrackId m_pinnedBelow;
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
        if (m_arrangement.hidesAny()) {
            TrackLook look = m_arrangement.of(trackPath(trace, id));
            look.hidden = false;
            m_arrangement.set(trackPath(trace, id), look);
        }
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

bool CollapseState::pinned(const Trace& trace, TrackId track) const
{
    if (!m_arrangement.empty())
        if (const std::optional<bool> chosen = m_arrangement.of(trackPath(trace, track)).pinned)
            return *chosen;
    return m_enginesPinned && rowOf(trace.track(track).kind).isEngine();
}

TrackLayout layoutTracks(const Trace& trace, const CollapseState& state, LanePart part)
{
    Layouter layouter(trace, state, part);
    const std::vector<TrackId> roots = arranged(trace, state, lanesOf(trace, trace.roots()));
    if (part == LanePart::Pinned)
        layouter.addPinned(roots);
    else
        layouter.addAll(roots, 0);
    return layouter.take();
}

std::vector<TrackId> shownSiblings(const Trace& trace, const CollapseState& state, TrackId track)
{
    const TrackId parent = trace.track(track).parent;
    return arranged(
        trace, state,
        lanesOf(trace, parent.valid() ? std::span<const TrackId>(trace.track(parent).children) : trace.roots()));
}

}  // namespace overlane
