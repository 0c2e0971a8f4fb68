#include "core/tables/event_rows.h"

#include <algorithm>
#include <utility>

namespace overlane
{
namespace
{

// The place of each event's name in a dictionary of the names that occur.
ArrowColumn nameColumn(const std::shared_ptr<const EventRows>& rows)
{
    constexpr std::int32_t kNotSeen = -1;
    const Trace& trace = *rows->trace;
    const auto& names = trace.columns().name;
    auto places = std::make_shared<std::vector<std::int32_t>>(trace.strings().size(), kNotSeen);
    auto texts = std::make_shared<ArrowTexts>();
    for (const EventIndex event : rows->events) {
        const StringId name = names[event.index()];
        if (!name.valid() || (*places)[name.index()] != kNotSeen)
            continue;
        (*places)[name.index()] = static_cast<std::int32_t>(texts->size());
        texts->add(trace.strings().view(name));
    }
    return withDictionary(nullableOf<std::int32_t>("name",
                                                   [rows, places](std::size_t row) -> std::optional<std::int32_t> {
                                                       const StringId name =
                                                           rows->trace->columns().name[rows->at(row).index()];
                                                       if (!name.valid())
                                                           return {};
                                                       return (*places)[name.index()];
                                                   }),
                          texts);
}

}  // namespace

std::shared_ptr<const EventRows> eventRows(const std::shared_ptr<const Trace>& trace, EnumSet<EventKind> kinds,
                                           const WorkMeter& work)
{
    auto rows = std::make_shared<EventRows>();
    rows->trace = trace;
    const EventColumns& columns = trace->columns();
    for (std::size_t at = 0; at < columns.kind.size(); ++at) {
        work.count();
        if (kinds.has(columns.kind[at]))
            rows->events.emplace_back(at);
    }
    std::sort(rows->events.begin(), rows->events.end(), work.counting([&](EventIndex a, EventIndex b) {
        return std::pair(columns.startNs[a.index()], a) < std::pair(columns.startNs[b.index()], b);
    }));
    return rows;
}

std::vector<ArrowColumn> eventColumns(const std::shared_ptr<const EventRows>& rows)
{
    std::vector<ArrowColumn> columns;
    columns.push_back(columnOf<std::uint32_t>("event", [rows](std::size_t row) { return rows->at(row).value(); }));
    columns.push_back(columnOf<std::int64_t>(
        "start_ns", [rows](std::size_t row) { return rows->trace->columns().startNs[rows->at(row).index()]; }));
    columns.push_back(columnOf<std::int64_t>(
        "duration_ns", [rows](std::size_t row) { return rows->trace->columns().durationNs[rows->at(row).index()]; }));
    columns.push_back(nameColumn(rows));
    return columns;
}

void addPlaceColumns(const std::shared_ptr<const EventRows>& rows, std::vector<ArrowColumn>& columns)
{
    columns.push_back(nullableOf<std::int32_t>("device", [rows](std::size_t row) -> std::optional<std::int32_t> {
        const std::int32_t device = rows->trace->track(rows->trace->trackOf(rows->at(row))).device;
        return device >= 0 ? std::optional(device) : std::nullopt;
    }));
    columns.push_back(nullableOf<std::int64_t>("stream", [rows](std::size_t row) -> std::optional<std::int64_t> {
        const Track& track = rows->trace->track(rows->trace->trackOf(rows->at(row)));
        return track.kind == TrackKind::Stream && track.nativeId >= 0 ? std::optional(track.nativeId) : std::nullopt;
    }));
}

ArrowColumn iterationColumn(const std::shared_ptr<const EventRows>& rows, std::vector<Step> steps)
{
    return nullableOf<std::int64_t>(
        "iteration",
        [rows, steps = std::make_shared<std::vector<Step>>(std::move(steps))](
            std::size_t row) -> std::optional<std::int64_t> {
            const std::int64_t startNs = rows->trace->columns().startNs[rows->at(row).index()];
            auto behind =
                std::upper_bound(steps->begin(), steps->end(), startNs,
                                 [](std::int64_t ns, const Step& step) { return ns < step.interval.startNs; });
            if (behind == steps->begin())
                return {};
            const Step& step = *--behind;
            const std::int64_t lengthNs = std::max(step.timeNs, step.interval.lengthNs());
            return startNs < step.interval.startNs + lengthNs ? std::optional(step.number) : std::nullopt;
        });
}

ArrowColumn linkColumn(const std::shared_ptr<const EventRows>& rows, std::string name)
{
    return nullableOf<std::uint32_t>(std::move(name), [rows](std::size_t row) -> std::optional<std::uint32_t> {
        const EventIndex link = rows->trace->link(rows->at(row));
        return link.valid() ? std::optional(link.value()) : std::nullopt;
    });
}

std::shared_ptr<const ArrowTexts> traceNames(const Trace& trace)
{
    auto texts = std::make_shared<ArrowTexts>();
    for (std::size_t at = 0; at < trace.strings().size(); ++at)
        texts->add(trace.strings().view(StringId(at)));
    return texts;
}

std::shared_ptr<const ArrowTexts> eventKindNames()
{
    return textsFor(kEventKindCount, [](int kind) { return kindName(static_cast<EventKind>(kind)); });
}

}  // namespace overlane
