#include "core/job/rank_collectives.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <unordered_map>

#include "core/analysis/communication.h"
#include "core/analysis/steps.h"
#include "core/analysis/track_lookup.h"
#include "core/base/contains.h"
#include "core/trace/name_classes.h"
#include "core/trace/rank_properties.h"

namespace overlane
{
namespace
{

enum class CommunicationName : std::uint8_t { NotAsked, Other, Communication };

CommunicationName communicationName(std::string_view name)
{
    return isCommunicationKernel(name) ? CommunicationName::Communication : CommunicationName::Other;
}

// NCCL runs these under one kernel's name.
bool maySayMore(CollectiveKind kind)
{
    return kind == CollectiveKind::Unknown || kind == CollectiveKind::SendReceive;
}

bool isAround(const Trace& trace, EventIndex event, std::int64_t timeNs)
{
    const Interval interval = trace.interval(event);
    return interval.startNs <= timeNs && timeNs < interval.endNs;
}

// The range around the call on its thread that names what is done: "nccl:all_to_all" of PyTorch, "NCCL: ncclAllGather"
// of NCCL itself.
std::string_view nameAround(const Trace& trace, EventIndex call)
{
    if (!call.valid())
        return {};
    const std::int64_t atNs = trace.interval(call).startNs;
    for (const EventRange row : trace.track(trace.trackOf(call)).rows) {
        const std::uint32_t at = firstEndingAfter(trace, row, atNs);
        if (at >= row.last || EventIndex(at) == call || !isAround(trace, EventIndex(at), atNs))
            continue;
        const std::string_view name = trace.name(EventIndex(at));
        if ((contains(name, "nccl") || contains(name, "rccl")) && collectiveKindOf(name) != CollectiveKind::Unknown)
            return name;
    }
    return {};
}

// "nccl:send 0->1": from this rank to its peer; "nccl:recv 1<-0": to this rank. Else no peer.
struct Ends {
    int self = -1;
    int peer = -1;
    bool receives = false;
};
Ends endsIn(std::string_view name)
{
    Ends ends;
    ends.receives = contains(name, "<-");
    const std::size_t arrow = name.find(ends.receives ? "<-" : "->");
    const std::size_t space = arrow == std::string_view::npos ? arrow : name.rfind(' ', arrow);
    if (space == std::string_view::npos)
        return {};
    const auto self = rankNumber(std::string(name.substr(space + 1, arrow - space - 1)));
    const auto peer = rankNumber(std::string(name.substr(arrow + 2)));
    if (!self || !peer || *peer > INT16_MAX)
        return {};
    ends.self = *self;
    ends.peer = *peer;
    return ends;
}

// Steps that the program numbers itself: numbers that every rank gives alike.
class NumberedSteps
{
public:
    explicit NumberedSteps(const StepSequence& sequence)
    {
        if (sequence.origin != StepOrigin::Profiler && sequence.origin != StepOrigin::Ranges)
            return;
        for (const Step& step : sequence.steps)
            if (!step.name.empty() && step.name.back() >= '0' && step.name.back() <= '9')
                m_steps.push_back(&step);
    }

    std::int64_t at(std::int64_t timeNs) const
    {
        const auto after =
            std::upper_bound(m_steps.begin(), m_steps.end(), timeNs,
                             [](std::int64_t time, const Step* step) { return time < step->interval.startNs; });
        if (after == m_steps.begin())
            return -1;
        const Step& step = **(after - 1);
        return step.interval.contains(timeNs) ? step.number : -1;
    }

private:
    std::vector<const Step*> m_steps;
};

class CollectiveReader
{
public:
    CollectiveReader(const Trace& trace, const Analysis& analysis, std::optional<std::int32_t> device)
        : m_trace(trace),
          m_analysis(analysis),
          m_device(device),
          m_steps(analysis.steps()),
          m_told(trace.collectiveGroups())
    {
    }

    RankCollectives read(const WorkMeter& work)
    {
        nameStreams();
        NameClasses<CommunicationName> names(m_trace, &communicationName);
        for (std::size_t id = 0; id < m_trace.tracks().size(); ++id) {
            const Track& track = m_trace.tracks()[id];
            if (track.device < 0 || (m_device && track.device != *m_device))
                continue;
            for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
                work.count();
                const EventIndex event(at);
                if (m_trace.kind(event) == EventKind::Kernel &&
                    (names.of(event) == CommunicationName::Communication || m_trace.collective(event) != nullptr))
                    add(event, TrackId(id));
            }
        }
        order();
        return std::move(m_made);
    }

private:
    // A kernel of which nothing is told, launched before the profiler was there, is of the group of its stream.
    void nameStreams()
    {
        for (std::size_t id = 0; id < m_trace.tracks().size(); ++id) {
            const Track& track = m_trace.tracks()[id];
            for (std::uint32_t at = track.events.first; track.device >= 0 && at < track.events.last; ++at)
                if (const CollectiveInfo* told = m_trace.collective(EventIndex(at)); told && told->group.valid()) {
                    m_groupOfTrack.emplace(TrackId(id), told->group);
                    break;
                }
        }
    }

    void add(EventIndex event, TrackId track)
    {
        const CollectiveInfo* told = m_trace.collective(event);
        DigestCollective made;
        made.kind = told ? told->kind : CollectiveKind::Unknown;
        if (made.kind == CollectiveKind::Unknown)
            made.kind = collectiveKindOf(m_trace.name(event));
        Ends ends;
        if (maySayMore(made.kind)) {
            const std::string_view name = nameAround(m_trace, m_trace.link(event));
            if (!told && !name.empty())
                made.kind = collectiveKindOf(name);
            if (made.kind == CollectiveKind::SendReceive)
                ends = endsIn(name);
        }
        made.receives = ends.receives;
        made.peer = static_cast<std::int16_t>(ends.peer);
        const Interval interval = m_trace.interval(event);
        made.startNs = interval.startNs;
        made.durationNs = interval.lengthNs();
        made.exposedNs = exposedNs(m_trace.track(track).device, interval);
        made.bytes = told ? told->bytes : 0;
        made.sequence = told ? told->sequence : -1;
        const EventIndex call = m_trace.link(event);
        made.step = call.valid() ? m_steps.at(m_trace.interval(call).startNs) : -1;
        made.group = groupOf(told, track);
        if (ends.peer >= 0)
            m_made.groups[made.group].self = ends.self;
        m_made.collectives.push_back(made);
    }

    std::int64_t exposedNs(std::int32_t device, Interval interval) const
    {
        for (const DeviceActivity& activity : m_analysis.devices())
            if (activity.id == device)
                return interval.lengthNs() - activity.kernels.measureNs(interval);
        return interval.lengthNs();
    }

    std::uint32_t groupOf(const CollectiveInfo* told, TrackId track)
    {
        StringId name = told ? told->group : StringId();
        if (const auto found = m_groupOfTrack.find(track); !name.valid() && found != m_groupOfTrack.end())
            name = found->second;
        const bool isNamed = name.valid();
        const auto key = isNamed ? std::pair(std::uint64_t{1}, std::uint64_t{name.value()})
                                 : std::pair(std::uint64_t{0}, std::uint64_t{track.value()});
        const auto [place, isNew] = m_groups.try_emplace(key, static_cast<std::uint32_t>(m_made.groups.size()));
        if (isNew) {
            DigestGroup group;
            group.name = isNamed ? std::string(m_trace.strings().view(name)) : m_trace.track(track).name;
            if (const auto known = m_told.find(group.name); isNamed && known != m_told.end()) {
                group.description = known->second.description;
                group.ranks = known->second.ranks;
                group.size = static_cast<int>(group.ranks.size());
            }
            m_made.groups.push_back(std::move(group));
        }
        DigestGroup& group = m_made.groups[place->second];
        if (told && group.size == 0)
            group.size = told->groupSize;
        if (told && told->sequence >= 0)
            group.sequenceIsGlobal = true;
        return place->second;
    }

    // By start, the groups by their first collective, and those that the program does not number counted.
    void order()
    {
        std::vector<DigestCollective>& all = m_made.collectives;
        std::stable_sort(all.begin(), all.end(),
                         [](const DigestCollective& a, const DigestCollective& b) { return a.startNs < b.startNs; });
        constexpr std::uint32_t kNotMet = 0xFFFFFFFF;
        std::vector<std::uint32_t> place(m_made.groups.size(), kNotMet);
        std::vector<DigestGroup> groups;
        std::vector<std::int64_t> counted(m_made.groups.size(), 0);
        for (DigestCollective& one : all) {
            const DigestGroup& group = m_made.groups[one.group];
            if (!group.sequenceIsGlobal)
                one.sequence = counted[one.group]++;
            if (place[one.group] == kNotMet) {
                place[one.group] = static_cast<std::uint32_t>(groups.size());
                groups.push_back(group);
            }
            one.group = place[one.group];
        }
        m_made.groups = std::move(groups);
    }

    const Trace& m_trace;
    const Analysis& m_analysis;
    const std::optional<std::int32_t> m_device;
    const NumberedSteps m_steps;
    const CollectiveGroups m_told;
    std::unordered_map<TrackId, StringId> m_groupOfTrack;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> m_groups;
    RankCollectives m_made;
};

}  // namespace

RankCollectives rankCollectives(const Trace& trace, const Analysis& analysis, std::optional<std::int32_t> device,
                                const WorkMeter& work)
{
    return CollectiveReader(trace, analysis, device).read(work);
}

}  // namespace overlane
