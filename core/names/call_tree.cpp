#include "core/names/call_tree.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include <queue>

#include "core/base/saturated.h"
#include "core/base/work_meter.h"
#include "core/names/call_tree_builder.h"
#include "core/names/named_work.h"

namespace overlane
{
namespace
{

constexpr std::uint32_t kNoName = 0xFFFFFFFF;

bool isCall(EventKind kind)
{
    return groupOf(kind).has_value() && !isDeviceWork(kind) && kind != EventKind::Instant;
}

// "collate batch" of "collate batch 9": a loader's work is alike whatever the batch.
std::string_view withoutLastWordOfDigits(std::string_view name)
{
    const std::size_t number = name.find_last_not_of("0123456789");
    return number == std::string_view::npos || number == 0 || number + 1 == name.size() || name[number] != ' '
               ? name
               : name.substr(0, number);
}

bool isBookkeeping(const Trace& trace, TrackId track)
{
    while (track.valid() && !trace.track(track).bookkeeping)
        track = trace.track(track).parent;
    return track.valid();
}

std::vector<TrackId> tracksOf(const Trace& trace, const CallQuery& query)
{
    return query.tracks.empty() ? callTracks(trace, query.source) : query.tracks;
}

// The events of a track that reach into a range, in order of start, outer ones first.
class CallsInOrder
{
public:
    CallsInOrder(const Trace& trace, const Track& track, Interval range) : m_trace(trace)
    {
        const auto before = [&](std::uint32_t at) { return endNs(at) <= range.startNs; };
        for (const EventRange row : track.rows) {
            std::uint32_t first = row.first;
            for (std::uint32_t left = row.size(); left > 0;) {
                const std::uint32_t half = left / 2;
                if (before(first + half)) {
                    first += half + 1;
                    left -= half + 1;
                } else {
                    left = half;
                }
            }
            const auto starts = trace.columns().startNs.begin();
            const auto last =
                static_cast<std::uint32_t>(std::lower_bound(starts + first, starts + row.last, range.endNs) - starts);
            m_left.push_back({first, last});
            push(m_left.size() - 1);
        }
    }

    std::optional<EventIndex> next()
    {
        if (m_heads.empty())
            return {};
        const std::size_t row = std::get<2>(m_heads.top());
        m_heads.pop();
        const EventIndex event(m_left[row].first++);
        push(row);
        return event;
    }

    std::int64_t endNs(std::uint32_t at) const
    {
        return saturatedSum(m_trace.columns().startNs[at], m_trace.columns().durationNs[at]);
    }

private:
    using Head = std::tuple<std::int64_t, std::int64_t, std::size_t>;  // start, end from the last, row

    void push(std::size_t row)
    {
        if (const EventRange left = m_left[row]; !left.empty())
            m_heads.emplace(m_trace.columns().startNs[left.first], -endNs(left.first), row);
    }

    const Trace& m_trace;
    std::vector<EventRange> m_left;  // of each row
    std::priority_queue<Head, std::vector<Head>, std::greater<>> m_heads;
};

// The stack of one thread, as time goes on.
class CallStack
{
public:
    CallStack(CallTreeBuilder& tree, std::uint32_t bottom, std::int64_t startNs)
        : m_tree(tree), m_bottom(bottom), m_nowNs(startNs)
    {
    }

    // At times that do not descend.
    void enter(std::uint32_t name, Interval call)
    {
        goTo(call.startNs);
        if (m_open.size() >= CallTree::kMostDepth)
            return m_tree.leaveOut(1);
        m_crossed = m_crossed || (!m_open.empty() && call.endNs > m_open.back().endNs);
        m_open.push_back({call.endNs, name, kNoName, false});
        place(m_open.size() - 1);
        if (m_open.back().kept)
            m_tree.count(m_open.back().node);
        else
            m_tree.leaveOut(1);
    }

    void goTo(std::int64_t timeNs)
    {
        while (!m_open.empty()) {
            const std::size_t soonest = soonestEnd();
            const std::int64_t untilNs = std::min(m_open[soonest].endNs, timeNs);
            m_tree.give(m_open.back().node, untilNs - m_nowNs);
            m_nowNs = untilNs;
            if (m_open[soonest].endNs > timeNs)
                return;
            m_open.erase(m_open.begin() + static_cast<std::ptrdiff_t>(soonest));
            for (std::size_t at = soonest; at < m_open.size(); ++at)
                place(at);
        }
        m_crossed = false;
        m_nowNs = timeNs;
    }

private:
    struct Open {
        std::int64_t endNs;
        std::uint32_t name;
        std::uint32_t node;  // its own, or that of the caller that has its time
        bool kept;
    };

    std::size_t soonestEnd() const
    {
        std::size_t soonest = m_open.size() - 1;
        for (std::size_t at = soonest; m_crossed && at-- > 0;)
            if (m_open[at].endNs < m_open[soonest].endNs)
                soonest = at;
        return soonest;
    }

    void place(std::size_t at)
    {
        const std::uint32_t caller = at > 0 ? m_open[at - 1].node : m_bottom;
        const auto node = at == 0 || m_open[at - 1].kept ? m_tree.child(caller, m_open[at].name) : std::nullopt;
        m_open[at].node = node.value_or(caller);
        m_open[at].kept = node.has_value();
    }

    CallTreeBuilder& m_tree;
    std::uint32_t m_bottom;
    std::int64_t m_nowNs;
    std::vector<Open> m_open;  // in order of start
    bool m_crossed = false;    // ends may not be in order
};

// Names of a trace by number, each asked for once.
class CallNames
{
public:
    CallNames(const Trace& trace, CallTreeBuilder& tree)
        : m_trace(trace), m_tree(tree), m_ofRanges(trace.strings().size(), kNoName), m_ofOthers(m_ofRanges)
    {
    }

    std::uint32_t of(EventIndex event)
    {
        const StringId name = m_trace.columns().name[event.index()];
        if (!name.valid())
            return numbered(callName(m_trace, event));
        const bool isRange = groupOf(m_trace.kind(event)) == WorkGroupKind::Ranges;
        std::uint32_t& known = (isRange ? m_ofRanges : m_ofOthers)[name.index()];
        if (known == kNoName)
            known = numbered(callName(m_trace, event));
        return known;
    }

private:
    std::uint32_t numbered(std::string_view name)
    {
        const auto [known, isNew] = m_known.try_emplace(name, 0);
        if (isNew)
            known->second = m_tree.addName(std::string(name));
        return known->second;
    }

    const Trace& m_trace;
    CallTreeBuilder& m_tree;
    std::vector<std::uint32_t> m_ofRanges;
    std::vector<std::uint32_t> m_ofOthers;
    std::unordered_map<std::string_view, std::uint32_t> m_known;
};

// Reports how far it is, in events.
class CallCount
{
public:
    CallCount(const Trace& trace, const std::vector<TrackId>& tracks, Progress& progress) : m_progress(progress)
    {
        for (const TrackId track : tracks)
            m_all += trace.track(track).events.size();
    }
    void one()
    {
        constexpr std::size_t kBetweenReports = 16'384;
        if (++m_done % kBetweenReports == 0)
            m_progress.report(static_cast<double>(m_done) / static_cast<double>(std::max(m_all, m_done)));
    }

private:
    Progress& m_progress;
    std::size_t m_all = 0;
    std::size_t m_done = 0;
};

CallTree built(const Trace& trace, const CallQuery& query, Progress& progress, const WorkMeter& work)
{
    CallTreeBuilder tree(work);
    CallNames names(trace, tree);
    const Interval range = query.range.value_or(trace.span());
    const std::vector<TrackId> tracks = tracksOf(trace, query);
    const bool several = ofSeveralProcesses(trace, tracks);
    CallCount counted(trace, tracks, progress);
    for (const TrackId track : tracks) {
        std::uint32_t bottom = CallTreeBuilder::kRoot;
        if (query.byThread) {
            const auto own = tree.child(bottom, tree.addName(callTrackName(trace, track, several)));
            if (!own) {
                tree.leaveOut(trace.track(track).events.size());
                continue;
            }
            bottom = *own;
        }
        CallsInOrder calls(trace, trace.track(track), range);
        CallStack stack(tree, bottom, range.startNs);
        while (const auto event = calls.next()) {
            work.count();
            counted.one();
            const Interval call = trace.interval(*event).intersected(range);
            if (call.lengthNs() > 0 && isCall(trace.kind(*event)))
                stack.enter(names.of(*event), call);
        }
        stack.goTo(range.endNs);
    }
    return tree.take();
}

CallTree inverted(const CallTree& tree, const WorkMeter& work)
{
    CallTreeBuilder upside(work);
    upside.turnAround(tree);
    // Every name first, then the callers of the most time: what the limit leaves out is light, and has its name.
    std::vector<std::uint32_t> heaviest;
    for (std::uint32_t from = 1; from < tree.nodes().size(); ++from)
        if (tree.nodes()[from].selfNs > 0)
            heaviest.push_back(from);
    for (const std::uint32_t from : heaviest)
        upside.child(CallTreeBuilder::kRoot, tree.nodes()[from].name);
    std::stable_sort(heaviest.begin(), heaviest.end(), work.counting([&](std::uint32_t first, std::uint32_t second) {
        return tree.nodes()[first].selfNs > tree.nodes()[second].selfNs;
    }));
    for (const std::uint32_t from : heaviest) {
        const CallTree::Node& innermost = tree.nodes()[from];
        std::uint32_t at = CallTreeBuilder::kRoot;
        for (std::uint32_t caller = from; caller != 0; caller = tree.nodes()[caller].parent) {
            work.count();
            const auto next = upside.child(at, tree.nodes()[caller].name);
            if (!next) {
                upside.leaveOut(innermost.count);
                break;
            }
            at = *next;
        }
        upside.count(at, innermost.count);
        upside.give(at, innermost.selfNs);
    }
    return upside.take();
}

}  // namespace

std::vector<TrackId> callTracks(const Trace& trace, CallSource source)
{
    std::vector<TrackId> tracks;
    for (std::size_t at = 0; at < trace.tracks().size(); ++at) {
        const Track& track = trace.tracks()[at];
        const bool isHost = source == CallSource::Samples
                                ? track.kind == TrackKind::Stacks
                                : track.kind == TrackKind::Thread || track.kind == TrackKind::LoaderActor;
        if (isHost && !isBookkeeping(trace, TrackId(at)) && !track.events.empty())
            tracks.emplace_back(at);
    }
    return tracks;
}

CallSource bestCallSource(const Trace& trace)
{
    const bool sampledOnly =
        callTracks(trace, CallSource::Events).empty() && !callTracks(trace, CallSource::Samples).empty();
    return sampledOnly ? CallSource::Samples : CallSource::Events;
}

std::string callTrackName(const Trace& trace, TrackId track, bool withProcess)
{
    const Track& own = trace.track(track);
    const std::string name = own.name.empty() ? "thread" : own.name;
    return withProcess && own.parent.valid() ? trace.track(own.parent).name + ": " + name : name;
}

bool ofSeveralProcesses(const Trace& trace, const std::vector<TrackId>& tracks)
{
    return std::any_of(tracks.begin(), tracks.end(),
                       [&](TrackId track) { return trace.track(track).parent != trace.track(tracks.front()).parent; });
}

std::string_view callName(const Trace& trace, EventIndex event)
{
    const WorkKey key = keyOf(trace, event);
    if (!key.stem.empty())
        return key.stem;
    return key.name.valid() ? withoutLastWordOfDigits(trace.strings().view(key.name)) : kindName(key.kind);
}

std::int64_t CallTree::matchedNs(const std::vector<bool>& names, std::uint32_t node) const
{
    std::int64_t sumNs = 0;
    for (std::uint32_t at = node; at < m_nodes[node].last;) {
        const bool matches = at != 0 && names[m_nodes[at].name];
        if (matches)
            sumNs = saturatedSum(sumNs, m_nodes[at].totalNs);
        at = matches ? m_nodes[at].last : at + 1;
    }
    return sumNs;
}

Result<CallTree> callTree(const Trace& trace, const CallQuery& query, Progress& progress)
{
    return attempt("build the call tree", &progress,
                   [&](const WorkMeter& work) { return built(trace, query, progress, work); });
}

Result<CallTree> invertedTree(const CallTree& tree, Progress& progress)
{
    return attempt("turn the call tree around", &progress, [&](const WorkMeter& work) { return inverted(tree, work); });
}

Result<std::vector<EventIndex>> eventsOfCall(const Trace& trace, const std::string& name, const CallQuery& query,
                                             Progress& progress)
{
    return attempt("list the events of a call", &progress, [&](const WorkMeter& work) {
        const Interval range = query.range.value_or(trace.span());
        std::vector<EventIndex> events;
        for (const TrackId track : tracksOf(trace, query)) {
            CallsInOrder calls(trace, trace.track(track), range);
            while (const auto event = calls.next()) {
                work.count();
                if (isCall(trace.kind(*event)) && callName(trace, *event) == name &&
                    trace.interval(*event).intersected(range).lengthNs() > 0)
                    events.push_back(*event);
            }
        }
        std::stable_sort(events.begin(), events.end(), work.counting([&](EventIndex a, EventIndex b) {
            return trace.columns().startNs[a.index()] < trace.columns().startNs[b.index()];
        }));
        return events;
    });
}

}  // namespace overlane
