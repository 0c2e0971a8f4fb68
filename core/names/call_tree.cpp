#include "core/names/call_tree.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/saturated.h"
#include "core/base/work_meter.h"
#include "core/names/call_stack.h"
#include "core/names/call_tree_builder.h"
#include "core/names/calls_in_order.h"
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
