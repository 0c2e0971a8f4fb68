#include "core/findings/host_marks.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "core/trace/name_classes.h"

namespace overlane
{
namespace
{

// From this part of the time on in which some task waits for memory (PSI "some"), it is felt.
constexpr double kPressurePercent = 10;

enum class NameClass : std::uint8_t { NotAsked, Plain, PinsMemory, Rewritten, ReadEarly, ReadResult, Migration };

NameClass classOf(std::string_view name)
{
    if (isPageLockingCall(name))
        return NameClass::PinsMemory;
    if (name.starts_with("hazard: source rewritten"))
        return NameClass::Rewritten;
    if (name.starts_with("hazard: result read"))
        return NameClass::ReadEarly;
    if (name == "read result")
        return NameClass::ReadResult;
    return name.starts_with("Unified memory") ? NameClass::Migration : NameClass::Plain;
}

class Reader
{
public:
    Reader(const Trace& trace, const WorkMeter& work) : m_trace(trace), m_work(work), m_names(trace, classOf) {}
    HostMarks read();

private:
    void readEvent(TrackId track, EventIndex event);
    void readEarlyReads();

    const Trace& m_trace;
    const WorkMeter& m_work;
    NameClasses<NameClass> m_names;
    HostMarks m_marks;
    std::map<TrackId, std::vector<Interval>> m_pinning;
    std::vector<std::pair<std::int64_t, EventIndex>> m_reads;             // by start
    std::vector<std::pair<std::int64_t, std::int64_t>> m_readBackEndsNs;  // (start, end)
};

void Reader::readEvent(TrackId track, EventIndex event)
{
    const Interval interval = m_trace.interval(event);
    switch (m_trace.kind(event)) {
        case EventKind::RuntimeCall:
            if (m_names.of(event) == NameClass::PinsMemory) {
                m_marks.marks.push_back({RuleId::PinnedAllocation, interval.startNs, event});
                m_pinning[track].push_back(interval);
            }
            break;
        case EventKind::Instant:
            if (const NameClass name = m_names.of(event); name == NameClass::Rewritten || name == NameClass::ReadEarly)
                m_marks.marks.push_back(
                    {name == NameClass::Rewritten ? RuleId::SourceRewritten : RuleId::ResultReadEarly, interval.startNs,
                     event});
            break;
        case EventKind::Loader:
            if (m_names.of(event) == NameClass::ReadResult)
                m_reads.emplace_back(interval.startNs, event);
            break;
        case EventKind::CopyD2H:
            m_readBackEndsNs.emplace_back(interval.startNs, interval.endNs);
            break;
        case EventKind::CopyOther: {
            const CopyInfo* info = m_trace.copy(event);
            const bool managed =
                info && (info->source == MemoryKind::Managed || info->destination == MemoryKind::Managed);
            if (managed || m_names.of(event) == NameClass::Migration)
                m_marks.marks.push_back({RuleId::UnifiedMemory, interval.startNs, event});
            break;
        }
        default:
            break;
    }
}

// A measured run of the laboratory reads results in the order of their copies: the k-th read is of the
// k-th copy back, and is early where that had not ended.
void Reader::readEarlyReads()
{
    std::sort(m_reads.begin(), m_reads.end(), m_work.counting(std::less<>()));
    std::sort(m_readBackEndsNs.begin(), m_readBackEndsNs.end(), m_work.counting(std::less<>()));
    for (std::size_t at = 0; at < std::min(m_reads.size(), m_readBackEndsNs.size()); ++at)
        if (m_reads[at].first < m_readBackEndsNs[at].second)
            m_marks.marks.push_back({RuleId::ResultReadEarly, m_reads[at].first, m_reads[at].second});
}

HostMarks Reader::read()
{
    for (std::size_t place = 0; place < m_trace.tracks().size(); ++place) {
        const Track& track = m_trace.tracks()[place];
        for (const EventRange row : track.rows)
            for (std::uint32_t at = row.first; at < row.last; ++at) {
                m_work.count();
                readEvent(TrackId(place), EventIndex(at));
            }
    }
    if (m_trace.origin().readsInOrder)
        readEarlyReads();
    std::vector<IntervalSet> sets;
    for (auto& [track, intervals] : m_pinning)
        sets.push_back(m_marks.pinningOf[track] = IntervalSet(std::move(intervals)));
    m_marks.pinning = unite(std::move(sets));
    m_work.look();
    for (const CounterSeries& series : m_trace.counters()) {
        const std::string& name = m_trace.track(series.track).name;
        const bool isPressure = name.starts_with("Memory pressure");
        m_marks.hasMemoryGauges = m_marks.hasMemoryGauges || isPressure || name.starts_with("Swap");
        if (!isPressure)
            continue;
        // A sample says how it was since the one before.
        for (std::size_t at = 1; at < series.timesNs.size(); ++at)
            if (series.values[at] >= kPressurePercent)
                m_marks.memoryPressure.add({series.timesNs[at - 1], series.timesNs[at]});
    }
    return std::move(m_marks);
}

}  // namespace

IntervalSet HostMarks::pinningOfLaunchingThreads(const HostActivity& host) const
{
    std::vector<IntervalSet> sets;
    for (const auto& [track, set] : pinningOf)
        if (host.threadOf(track))
            sets.push_back(set);
    return unite(std::move(sets));
}

HostMarks hostMarks(const Trace& trace, const WorkMeter& work)
{
    return Reader(trace, work).read();
}

}  // namespace overlane
