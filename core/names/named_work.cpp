#include "core/names/named_work.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// Events between two looks at a wish to cancel.
constexpr std::uint32_t kSlice = 16'384;

constexpr std::array<WorkGroupRow, kWorkGroupKindCount> kGroups{{
    {WorkGroupKind::Kernels, "kernels", "Kernels", false},
    {WorkGroupKind::Copies, "copies", "Copies and fills", false},
    {WorkGroupKind::Calls, "calls", "CUDA calls", true},
    {WorkGroupKind::HostWork, "host-work", "Host work", true},
    {WorkGroupKind::Ranges, "ranges", "Ranges", true},
    {WorkGroupKind::Functions, "functions", "Sampled functions", true},
}};

struct HashOfKey {
    std::size_t operator()(const WorkKey& key) const noexcept
    {
        const std::size_t kinds = static_cast<std::size_t>(key.kind) * 8 + static_cast<std::size_t>(key.memory);
        return std::hash<std::size_t>()(key.name.index() * 257 + kinds) ^ std::hash<std::int64_t>()(key.bytes) ^
               std::hash<std::string_view>()(key.stem);
    }
};

struct Tally {
    NamedWork sums;
    std::vector<std::int64_t> durationsNs;
};
using Tallies = std::unordered_map<WorkKey, Tally, HashOfKey>;

// Steps differ by their number: "ProfilerStep" of "ProfilerStep#12". All of a name that is a number.
std::string_view stemOf(std::string_view name)
{
    const std::size_t number = name.find_last_not_of("0123456789") + 1;
    if (number == 0 || number == name.size())
        return name;
    const std::size_t stem = name.substr(0, number).find_last_not_of("#: _") + 1;
    return stem == 0 ? name : name.substr(0, stem);
}

// The events of a row of a track that start in the range.
EventRange startingIn(const Trace& trace, EventRange row, std::optional<Interval> range)
{
    if (!range)
        return row;
    const auto starts = trace.columns().startNs.begin();
    const auto place = [&](std::int64_t timeNs) {
        return static_cast<std::uint32_t>(std::lower_bound(starts + row.first, starts + row.last, timeNs) - starts);
    };
    return {place(range->startNs), place(range->endNs)};
}

// Time inside an event of one row that events of the row below it take. Asked for in order of start.
class Inside
{
public:
    Inside(const Trace& trace, EventRange below) : m_trace(&trace), m_at(below.first), m_last(below.last) {}

    std::int64_t timeNs(Interval outer)
    {
        const EventColumns& columns = m_trace->columns();
        const auto endNs = [&](std::uint32_t at) { return saturatedSum(columns.startNs[at], columns.durationNs[at]); };
        if (!m_placed) {
            const auto starts = columns.startNs.begin();
            const auto first = std::upper_bound(starts + m_at, starts + m_last, outer.startNs);
            if (first > starts + m_at)
                m_at = static_cast<std::uint32_t>(first - starts) - 1;
            m_placed = true;
        }
        while (m_at < m_last && endNs(m_at) <= outer.startNs)
            ++m_at;
        std::int64_t sumNs = 0;
        for (std::uint32_t at = m_at; at < m_last && columns.startNs[at] < outer.endNs; ++at)
            sumNs += std::max<std::int64_t>(0, Interval{columns.startNs[at], endNs(at)}.intersected(outer).lengthNs());
        return sumNs;
    }

private:
    const Trace* m_trace;
    std::uint32_t m_at;
    std::uint32_t m_last;
    bool m_placed = false;
};

bool add(Tallies& tallies, const Trace& trace, const Analysis& analysis, const Track& track, const NameQuery& query,
         Progress& progress, std::uint32_t& done)
{
    const EventColumns& columns = trace.columns();
    for (std::size_t row = 0; row < track.rows.size(); ++row) {
        const EventRange events = startingIn(trace, track.rows[row], query.range);
        const bool nests = rowOf(query.group).nests && row + 1 < track.rows.size();
        Inside inside(trace, nests ? track.rows[row + 1] : EventRange{});
        for (std::uint32_t at = events.first; at < events.last; ++at) {
            if (++done % kSlice == 0) {
                if (progress.cancelled())
                    return false;
                progress.report(static_cast<double>(done) / static_cast<double>(trace.eventCount()));
            }
            const std::int64_t durationNs = columns.durationNs[at];
            if (groupOf(columns.kind[at]) != query.group || durationNs < query.leastNs)
                continue;
            Tally& tally = tallies[keyOf(trace, EventIndex(at))];
            NamedWork& sums = tally.sums;
            ++sums.count;
            sums.totalNs = saturatedSum(sums.totalNs, durationNs);
            const Interval outer{columns.startNs[at], saturatedSum(columns.startNs[at], durationNs)};
            sums.selfNs = saturatedSum(sums.selfNs, durationNs - inside.timeNs(outer));
            if (const CopyRecord* record = analysis.copyRecord(EventIndex(at)))
                sums.exposedNs = saturatedSum(sums.exposedNs, record->exposedNs());
            if (const CopyInfo* copy = trace.copy(EventIndex(at)))
                sums.bytes = saturatedSum(sums.bytes, copy->bytes);
            if (durationNs > sums.longestNs || !sums.longest.valid()) {
                sums.longestNs = durationNs;
                sums.longest = EventIndex(at);
            }
            tally.durationsNs.push_back(durationNs);
        }
    }
    return true;
}

std::string_view shortDirection(EventKind kind)
{
    switch (kind) {
        case EventKind::CopyH2D:
            return "H2D";
        case EventKind::CopyD2H:
            return "D2H";
        case EventKind::CopyD2D:
            return "D2D";
        default:
            return "other";
    }
}

std::string nameOf(const Trace& trace, const WorkKey& key)
{
    if (isCopy(key.kind)) {
        const bool known =
            key.memory == MemoryKind::Pageable || key.memory == MemoryKind::Pinned || key.memory == MemoryKind::Managed;
        return fmt::format("{} {}{}{}", shortDirection(key.kind),
                           key.bytes > 0 ? formatBytes(key.bytes) : "of unknown size", known ? ", " : "",
                           known ? memoryKindName(key.memory) : "");
    }
    if (!key.stem.empty())
        return std::string(key.stem);
    return key.name.valid() ? std::string(trace.strings().view(key.name)) : std::string(kindName(key.kind));
}

std::int64_t sortedByNs(const NamedWork& work, WorkGroupKind group)
{
    return rowOf(group).nests ? work.selfNs : work.totalNs;
}

}  // namespace

const std::array<WorkGroupRow, kWorkGroupKindCount>& workGroups()
{
    return kGroups;
}

const WorkGroupRow& rowOf(WorkGroupKind kind)
{
    return kGroups[static_cast<std::size_t>(kind)];
}

std::optional<WorkGroupKind> groupOf(EventKind kind)
{
    switch (kind) {
        case EventKind::Kernel:
            return WorkGroupKind::Kernels;
        case EventKind::Memset:
        case EventKind::CopyH2D:
        case EventKind::CopyD2H:
        case EventKind::CopyD2D:
        case EventKind::CopyOther:
            return WorkGroupKind::Copies;
        case EventKind::RuntimeCall:
        case EventKind::Sync:
            return WorkGroupKind::Calls;
        case EventKind::HostWork:
        case EventKind::HostBlocked:
        case EventKind::Loader:
        case EventKind::LoaderWait:
            return WorkGroupKind::HostWork;
        case EventKind::Annotation:
        case EventKind::Step:
        case EventKind::Instant:
            return WorkGroupKind::Ranges;
        case EventKind::ProgramFrame:
        case EventKind::LibraryFrame:
            return WorkGroupKind::Functions;
        case EventKind::Overhead:
            break;
    }
    return {};
}

WorkKey keyOf(const Trace& trace, EventIndex event)
{
    const EventKind kind = trace.kind(event);
    if (const CopyInfo* copy = trace.copy(event))
        return {kind, {}, {}, copy->hostSide(kind), copy->bytes};
    const StringId name = trace.columns().name[event.index()];
    if (groupOf(kind) == WorkGroupKind::Ranges && name.valid())
        return {kind, {}, stemOf(trace.strings().view(name))};
    return {kind, name};
}

Result<std::vector<NamedWork>> namedWork(const Trace& trace, const Analysis& analysis, const NameQuery& query,
                                         Progress& progress)
{
    Tallies tallies;
    std::uint32_t done = 0;
    for (const Track& track : trace.tracks())
        // What such a track shows, others show already.
        if (!track.bookkeeping && !add(tallies, trace, analysis, track, query, progress, done))
            return Error::cancelled();
    std::vector<NamedWork> work;
    work.reserve(tallies.size());
    for (auto& [key, tally] : tallies) {
        NamedWork row = tally.sums;
        row.key = key;
        row.name = nameOf(trace, key);
        row.medianNs = median(tally.durationsNs);
        constexpr double kHighShare = 0.95;
        row.highNs = quantile(std::move(tally.durationsNs), kHighShare);
        work.push_back(std::move(row));
    }
    std::sort(work.begin(), work.end(), [&](const NamedWork& a, const NamedWork& b) {
        const std::int64_t first = sortedByNs(a, query.group);
        const std::int64_t second = sortedByNs(b, query.group);
        return first != second ? first > second : a.longest < b.longest;
    });
    return work;
}

Result<std::vector<EventIndex>> eventsOf(const Trace& trace, const WorkKey& key, const NameQuery& query,
                                         Progress& progress)
{
    std::vector<EventIndex> events;
    std::uint32_t done = 0;
    for (const Track& track : trace.tracks()) {
        if (track.bookkeeping)
            continue;
        for (const EventRange row : track.rows) {
            const EventRange in = startingIn(trace, row, query.range);
            for (std::uint32_t at = in.first; at < in.last; ++at) {
                if (++done % kSlice == 0 && progress.cancelled())
                    return Error::cancelled();
                if (trace.columns().kind[at] == key.kind && trace.columns().durationNs[at] >= query.leastNs &&
                    keyOf(trace, EventIndex(at)) == key)
                    events.emplace_back(at);
            }
        }
    }
    std::stable_sort(events.begin(), events.end(), [&](EventIndex a, EventIndex b) {
        return trace.columns().startNs[a.index()] < trace.columns().startNs[b.index()];
    });
    return events;
}

Table nameTable(const std::vector<NamedWork>& work, WorkGroupKind group)
{
    const bool nests = rowOf(group).nests;
    const bool copies = group == WorkGroupKind::Copies;
    Table table{{}, {{"name", "name", Column::Kind::Name}, {"share", "share"}, {"count", "count"}}, {}};
    if (nests)
        table.columns.push_back({"self_ns", "self"});
    table.columns.push_back({"total_ns", "total"});
    if (copies)
        table.columns.push_back({"exposed_ns", "exposed"});
    for (const auto& [id, title] : {std::pair{"mean_ns", "mean"}, std::pair{"median_ns", "median"},
                                    std::pair{"p95_ns", "p95"}, std::pair{"longest_ns", "longest"}})
        table.columns.push_back({id, title});
    if (copies) {
        table.columns.push_back({"bytes", "data"});
        table.columns.push_back({"rate", "rate"});
    }
    std::int64_t wholeNs = 0;
    for (const NamedWork& row : work)
        wholeNs = saturatedSum(wholeNs, sortedByNs(row, group));
    for (const NamedWork& row : work) {
        std::vector<Cell> cells{Cell{row.name}, shareCell(shareOf(sortedByNs(row, group), wholeNs)),
                                countCell(row.count)};
        if (nests)
            cells.push_back(durationCell(row.selfNs));
        cells.push_back(durationCell(row.totalNs));
        if (copies)
            cells.push_back(durationCell(row.exposedNs));
        for (const std::int64_t ns : {row.meanNs(), row.medianNs, row.highNs, row.longestNs})
            cells.push_back(durationCell(ns));
        if (copies) {
            const bool known = row.bytes > 0 && row.totalNs > 0;
            cells.push_back(known ? bytesCell(row.bytes) : missingCell());
            cells.push_back(known ? Cell{formatRate(row.bytes, row.totalNs),
                                         static_cast<double>(row.bytes) * kNsPerS / static_cast<double>(row.totalNs)}
                                  : missingCell());
        }
        table.rows.push_back({std::move(cells), {}});
    }
    return table;
}

}  // namespace overlane
