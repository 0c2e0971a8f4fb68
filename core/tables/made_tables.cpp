#include <algorithm>
#include <map>
#include <string>

#include "core/analysis/cause_table.h"
#include "core/names/named_work.h"
#include "core/tables/event_rows.h"
#include "core/tables/table_list.h"
#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

// A column for a member of the rows of a vector.
template <typename Row, typename Member>
ArrowColumn memberColumn(std::string name, const std::shared_ptr<const std::vector<Row>>& rows, Member Row::*member)
{
    return columnOf<Member>(std::move(name), [rows, member](std::size_t row) { return (*rows)[row].*member; });
}

struct IdleRow {
    std::int32_t device = 0;
    std::int8_t cause = 0;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
};

struct NameRow {
    std::int8_t group = 0;
    NamedWork work;
};

struct CounterRow {
    std::uint32_t series = 0;
    std::uint32_t at = 0;
};

constexpr int kCounterUnitCount = static_cast<int>(CounterUnit::BytesPerSecond) + 1;

std::string_view counterUnitName(int unit)
{
    constexpr std::string_view kNames[kCounterUnitCount] = {"count", "bytes", "ns", "percent", "bytes_per_second"};
    return kNames[unit];
}

ArrowColumn sumColumn(std::string name, const std::shared_ptr<const std::vector<NameRow>>& rows,
                      std::int64_t NamedWork::*member)
{
    return columnOf<std::int64_t>(std::move(name),
                                  [rows, member](std::size_t row) { return (*rows)[row].work.*member; });
}

}  // namespace

Result<ArrowTable> makeIterations(TableAsked& asked)
{
    ASSIGN_OR_RETURN(const auto judged, asked.judged());
    const std::shared_ptr<const std::vector<Step>> steps(judged, &judged->steps.steps);
    const Interval range = judged->judgement.range;
    ArrowTable table;
    table.rows = steps->size();
    table.columns.push_back(memberColumn("number", steps, &Step::number));
    table.columns.push_back(textsOf("name", [steps](std::size_t row) { return (*steps)[row].name; }));
    table.columns.push_back(
        columnOf<std::int64_t>("start_ns", [steps](std::size_t row) { return (*steps)[row].interval.startNs; }));
    table.columns.push_back(
        columnOf<std::int64_t>("duration_ns", [steps](std::size_t row) { return (*steps)[row].interval.lengthNs(); }));
    table.columns.push_back(memberColumn("time_ns", steps, &Step::timeNs));
    table.columns.push_back(flagsOf("warm_up", [steps](std::size_t row) { return (*steps)[row].warmUp; }));
    table.columns.push_back(flagsOf("outlier", [steps](std::size_t row) { return (*steps)[row].outlier; }));
    table.columns.push_back(
        flagsOf("judged", [steps, range](std::size_t row) { return !stepsWithin({(*steps)[row]}, range).empty(); }));
    return table;
}

Result<ArrowTable> makeIdle(TableAsked& asked)
{
    ASSIGN_OR_RETURN(const auto judged, asked.judged());
    auto made = std::make_shared<std::vector<IdleRow>>();
    for (const DeviceActivity& device : judged->analysis.devices())
        if (const LostTime* lost = judged->analysis.lost(device.id))
            for (int cause = 0; cause < kLostCauseCount; ++cause)
                for (const Interval& interval : (*lost)[static_cast<std::size_t>(cause)].intervals())
                    made->push_back(
                        {device.id, static_cast<std::int8_t>(cause), interval.startNs, interval.lengthNs()});
    std::stable_sort(made->begin(), made->end(),
                     [](const IdleRow& a, const IdleRow& b) { return a.startNs < b.startNs; });
    const std::shared_ptr<const std::vector<IdleRow>> rows = made;
    ArrowTable table;
    table.rows = rows->size();
    table.columns.push_back(memberColumn("device", rows, &IdleRow::device));
    table.columns.push_back(memberColumn("start_ns", rows, &IdleRow::startNs));
    table.columns.push_back(memberColumn("duration_ns", rows, &IdleRow::durationNs));
    table.columns.push_back(
        withDictionary(memberColumn("cause", rows, &IdleRow::cause),
                       textsFor(kLostCauseCount, [](int cause) { return rowOf(static_cast<LostCause>(cause)).id; })));
    return table;
}

Result<ArrowTable> makeNames(TableAsked& asked)
{
    const std::string& of = asked.options.group;
    std::vector<std::string_view> ids;
    for (const WorkGroupRow& group : workGroups())
        ids.push_back(group.id);
    ASSIGN_OR_RETURN(const auto judged, asked.judged());
    const Interval range = asked.options.whole ? judged->trace.span() : judged->judgement.range;
    auto made = std::make_shared<std::vector<NameRow>>();
    for (const WorkGroupRow& group : workGroups()) {
        if (!of.empty() && of != group.id)
            continue;
        ASSIGN_OR_RETURN(std::vector<NamedWork> work,
                         namedWork(judged->trace, judged->analysis, {group.kind, range}, asked.progress));
        for (NamedWork& one : work)
            made->push_back({static_cast<std::int8_t>(group.kind), std::move(one)});
    }
    const std::shared_ptr<const std::vector<NameRow>> rows = made;
    ArrowTable table;
    table.rows = rows->size();
    table.columns.push_back(
        withDictionary(memberColumn("group", rows, &NameRow::group),
                       textsFor(kWorkGroupKindCount, [&](int group) { return ids[static_cast<std::size_t>(group)]; })));
    table.columns.push_back(textsOf("name", [rows](std::size_t row) { return (*rows)[row].work.name; }));
    table.columns.push_back(sumColumn("count", rows, &NamedWork::count));
    table.columns.push_back(sumColumn("total_ns", rows, &NamedWork::totalNs));
    table.columns.push_back(sumColumn("self_ns", rows, &NamedWork::selfNs));
    table.columns.push_back(sumColumn("exposed_ns", rows, &NamedWork::exposedNs));
    table.columns.push_back(sumColumn("bytes", rows, &NamedWork::bytes));
    table.columns.push_back(sumColumn("median_ns", rows, &NamedWork::medianNs));
    table.columns.push_back(sumColumn("p95_ns", rows, &NamedWork::highNs));
    table.columns.push_back(sumColumn("longest_ns", rows, &NamedWork::longestNs));
    table.columns.push_back(
        nullableOf<std::uint32_t>("longest", [rows](std::size_t row) -> std::optional<std::uint32_t> {
            const EventIndex longest = (*rows)[row].work.longest;
            return longest.valid() ? std::optional(longest.value()) : std::nullopt;
        }));
    return table;
}

Result<ArrowTable> makeTracks(TableAsked& asked)
{
    const std::shared_ptr<const Trace> trace = asked.trace;
    const auto track = [trace](std::size_t row) -> const Track& { return trace->tracks()[row]; };
    ArrowTable table;
    table.rows = trace->tracks().size();
    table.columns.push_back(
        columnOf<std::uint32_t>("track", [](std::size_t row) { return static_cast<std::uint32_t>(row); }));
    table.columns.push_back(
        nullableOf<std::uint32_t>("parent", [track](std::size_t row) -> std::optional<std::uint32_t> {
            const TrackId parent = track(row).parent;
            return parent.valid() ? std::optional(parent.value()) : std::nullopt;
        }));
    table.columns.push_back(withDictionary(
        columnOf<std::int8_t>("kind", [track](std::size_t row) { return static_cast<std::int8_t>(track(row).kind); }),
        textsFor(kTrackKindCount, [](int kind) { return rowOf(static_cast<TrackKind>(kind)).id; })));
    table.columns.push_back(textsOf("name", [track](std::size_t row) { return track(row).name; }));
    table.columns.push_back(nullableOf<std::int32_t>("device", [track](std::size_t row) -> std::optional<std::int32_t> {
        return track(row).device >= 0 ? std::optional(track(row).device) : std::nullopt;
    }));
    table.columns.push_back(
        columnOf<std::int64_t>("native_id", [track](std::size_t row) { return track(row).nativeId; }));
    table.columns.push_back(
        columnOf<std::uint32_t>("events", [track](std::size_t row) { return track(row).events.size(); }));
    return table;
}

Result<ArrowTable> makeCounters(TableAsked& asked)
{
    const std::shared_ptr<const Trace> trace = asked.trace;
    auto made = std::make_shared<std::vector<CounterRow>>();
    // Gauges of several processes have one name; the texts of a dictionary differ.
    auto names = std::make_shared<ArrowTexts>();
    auto places = std::make_shared<std::vector<std::int32_t>>();
    std::map<std::string, std::int32_t> placeOfName;
    for (std::size_t series = 0; series < trace->counters().size(); ++series) {
        const CounterSeries& counter = trace->counters()[series];
        const std::string& name = trace->track(counter.track).name;
        const auto [place, isNew] = placeOfName.emplace(name, static_cast<std::int32_t>(names->size()));
        if (isNew)
            names->add(name);
        places->push_back(place->second);
        for (std::size_t at = 0; at < counter.timesNs.size(); ++at)
            made->push_back({static_cast<std::uint32_t>(series), static_cast<std::uint32_t>(at)});
    }
    const std::shared_ptr<const std::vector<CounterRow>> rows = made;
    const auto series = [trace, rows](std::size_t row) -> const CounterSeries& {
        return trace->counters()[(*rows)[row].series];
    };
    ArrowTable table;
    table.rows = rows->size();
    table.columns.push_back(
        columnOf<std::uint32_t>("track", [series](std::size_t row) { return series(row).track.value(); }));
    table.columns.push_back(withDictionary(
        columnOf<std::int32_t>("name", [rows, places](std::size_t row) { return (*places)[(*rows)[row].series]; }),
        names));
    table.columns.push_back(withDictionary(
        columnOf<std::int8_t>("unit", [series](std::size_t row) { return static_cast<std::int8_t>(series(row).unit); }),
        textsFor(kCounterUnitCount, counterUnitName)));
    table.columns.push_back(columnOf<std::int64_t>(
        "time_ns", [series, rows](std::size_t row) { return series(row).timesNs[(*rows)[row].at]; }));
    table.columns.push_back(
        columnOf<double>("value", [series, rows](std::size_t row) { return series(row).values[(*rows)[row].at]; }));
    return table;
}

}  // namespace overlane
