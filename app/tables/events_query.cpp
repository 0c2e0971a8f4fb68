#include "app/tables/events_query.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "app/widgets/text.h"
#include "core/analysis/advice.h"
#include "core/analysis/copy_verdict.h"
#include "core/analysis/role_shares.h"
#include "core/base/exact_time.h"
#include "core/lessons/explanations.h"
#include "core/trace/track_names.h"

namespace overlane
{

namespace
{

// How much is done between two looks at a wish to cancel: well under a millisecond's work each.
constexpr std::size_t kSlice = 16'384;
constexpr double kFilterShare = 0.3;  // of the whole work, roughly

struct Keyed {
    std::int64_t key;
    EventIndex event;
    friend auto operator<=>(const Keyed&, const Keyed&) = default;  // NOLINT(modernize-use-nullptr)
};

std::optional<std::vector<char>> matchingNames(const StringPool& strings, const QString& wanted, Progress& progress)
{
    std::vector<char> matches(strings.size(), 1);
    if (wanted.isEmpty())
        return matches;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (i % kSlice == 0 && progress.cancelled())
            return {};
        matches[i] = text(strings.view(StringId(i))).contains(wanted, Qt::CaseInsensitive) ? 1 : 0;
    }
    return matches;
}

// The place of each distinct name in alphabetical order.
std::vector<std::int64_t> nameRanks(const StringPool& strings)
{
    std::vector<std::uint32_t> order(strings.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return strings.view(StringId(a)) < strings.view(StringId(b)); });
    std::vector<std::int64_t> ranks(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        ranks[order[i]] = i;
    return ranks;
}

using Listed = const ListedEvent&;

QString nameOf(Listed event)
{
    return text(event.trace.name(event.at));
}

// A stream has the same name on each GPU of the trace.
QString trackOf(Listed event)
{
    const Track& track = event.trace.track(event.trace.trackOf(event.at));
    return event.trace.devices().size() < 2 || track.device < 0
               ? text(track.name)
               : text(deviceTrackName(track.device, {}) + ' ' + track.name);
}

QString exactDuration(Listed event)
{
    return text(formatExactTime(event.interval().lengthNs()));
}

QString memoryText(Listed event, const QString& arrow)
{
    const CopyInfo* copy = event.copy();
    return copy ? text(memoryKindName(copy->source)) + arrow + text(memoryKindName(copy->destination)) : QString();
}

QString reasonTip(Listed event)
{
    const auto why = event.reason();
    return why ? text(causeSentence(*why)) + ' ' + text(causeAdvice(*why, *event.role(), event.analysis->program()))
               : QString();
}

// -1 for none.
template <typename Value>
std::int64_t keyOf(const std::optional<Value>& value)
{
    return value ? static_cast<std::int64_t>(*value) : -1;
}

constexpr EventColumn kEventColumns[] = {
    // Events in a row differ by what three digits do not show.
    {"Start", "start_ns", 17, [](Listed event) { return text(formatExactTime(event.interval().startNs)); },
     [](Listed event) { return event.interval().startNs; }, true},
    {"Duration", "duration_ns", 12, [](Listed event) { return durationText(event.interval().lengthNs()); },
     [](Listed event) { return event.interval().lengthNs(); }, true, exactDuration},
    {"Name", "name", 0, nameOf, nullptr, false, nameOf},
    {"Kind", "kind", 12, [](Listed event) { return text(kindName(event.kind())); },
     [](Listed event) { return static_cast<std::int64_t>(event.kind()); }, false, nullptr, nullptr,
     [](Listed event) { return explanationKey(event.kind()); }},
    // Events lie in the order of their tracks.
    {"Track", "track", 16, trackOf, [](Listed event) { return std::int64_t{event.trace.trackOf(event.at).value()}; },
     false, trackOf, nullptr,
     [](Listed event) { return explanationKey(event.trace.track(event.trace.trackOf(event.at))); }},
    {"Bytes", "bytes", 10,
     [](Listed event) {
         const CopyInfo* copy = event.copy();
         return copy && copy->bytes > 0 ? text(formatBytes(copy->bytes)) : QString();
     },
     [](Listed event) { return event.copy() ? event.copy()->bytes : -1; }, true},
    {"Memory", "memory", 20, [](Listed event) { return memoryText(event, u" → "_s); },
     [](Listed event) {
         const CopyInfo* copy = event.copy();
         return copy ? static_cast<std::int64_t>(copy->source) * 16 + static_cast<std::int64_t>(copy->destination) : -1;
     },
     false, nullptr, [](Listed event) { return memoryText(event, u" to "_s); }},
    {"Carries", "carries", 12,
     [](Listed event) {
         const auto role = event.role();
         return role ? text(copyRoleName(*role)) : QString();
     },
     [](Listed event) { return keyOf(event.role()); }},
    {"Why", "why", 22,
     [](Listed event) {
         const auto why = event.reason();
         return why ? text(causeName(*why)) : QString();
     },
     [](Listed event) { return keyOf(event.reason()); }, false, reasonTip, nullptr,
     [](Listed event) {
         const auto why = event.reason();
         return why ? explanationKey(*why) : std::string();
     }},
};
static_assert(std::size(kEventColumns) == EventsQuery::ColumnCount);

// A merge sort, so that it can be left between slices. False where cancelled.
bool sortInSlices(std::vector<Keyed>& rows, Progress& progress)
{
    if (std::is_sorted(rows.begin(), rows.end()))
        return true;
    const std::size_t count = rows.size();
    for (std::size_t first = 0; first < count; first += kSlice) {
        if (progress.cancelled())
            return false;
        std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first),
                  rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + kSlice, count)));
        progress.report(kFilterShare + 0.4 * static_cast<double>(first) / static_cast<double>(count));
    }
    std::vector<Keyed> merged(count);
    for (std::size_t width = kSlice; width < count; width *= 2) {
        for (std::size_t first = 0; first < count; first += 2 * width) {
            if (progress.cancelled())
                return false;
            const auto at = [&](std::size_t offset) {
                return rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + offset, count));
            };
            std::merge(at(0), at(width), at(width), at(2 * width), merged.begin() + static_cast<std::ptrdiff_t>(first));
        }
        rows.swap(merged);
        progress.report(0.7 + 0.3 * static_cast<double>(width) / static_cast<double>(count));
    }
    return true;
}

}  // namespace

std::span<const EventColumn> eventColumns()
{
    return kEventColumns;
}

std::optional<CopyRole> ListedEvent::role() const
{
    return analysis && isCopy(kind()) ? std::optional(roleOf(trace, *analysis, at)) : std::nullopt;
}

std::optional<CopyCause> ListedEvent::reason() const
{
    if (!analysis || !isCopy(kind()))
        return {};
    if (const CopyRecord* record = analysis->copyRecord(at))
        return record->cause;
    // Migrations of unified memory have no record, but a verdict.
    const CopyVerdict verdict = copyVerdict(trace, *analysis, at);
    return verdict.empty() ? std::nullopt : std::optional(verdict.cause());
}

Result<std::vector<EventIndex>> findEvents(const Trace& trace, const EventsQuery& query, Progress& progress,
                                           const Analysis* analysis)
{
    const auto matches = matchingNames(trace.strings(), query.name, progress);
    if (!matches)
        return Error::cancelled();
    const auto key = kEventColumns[query.column].key;
    const std::vector<std::int64_t> ranks = key == nullptr ? nameRanks(trace.strings()) : std::vector<std::int64_t>();
    const EventColumns& columns = trace.columns();
    const std::size_t count = trace.eventCount();
    std::vector<Keyed> rows;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % kSlice == 0) {
            if (progress.cancelled())
                return Error::cancelled();
            progress.report(kFilterShare * static_cast<double>(i) / static_cast<double>(count));
        }
        if ((query.kind && columns.kind[i] != *query.kind) || (query.copiesOnly && !isCopy(columns.kind[i])))
            continue;
        if (!query.name.isEmpty() && (!columns.name[i].valid() || (*matches)[columns.name[i].index()] == 0))
            continue;
        if (columns.durationNs[i] < query.leastNs)
            continue;
        const EventIndex event(i);
        if (query.range && !query.range->overlaps(trace.interval(event)) && !query.range->contains(columns.startNs[i]))
            continue;
        if (query.rows &&
            std::ranges::none_of(*query.rows, [i](const EventRange& row) { return i >= row.first && i < row.last; }))
            continue;
        if (query.why && ListedEvent{trace, analysis, event}.reason() != query.why)
            continue;
        const std::int64_t place = key != nullptr            ? key({trace, analysis, event})
                                   : columns.name[i].valid() ? ranks[columns.name[i].index()]
                                                             : -1;
        rows.push_back({query.descending ? -place : place, event});
    }
    if (!sortInSlices(rows, progress))
        return Error::cancelled();
    std::vector<EventIndex> found;
    found.reserve(rows.size());
    for (const Keyed& row : rows)
        found.push_back(row.event);
    return found;
}

}  // namespace overlane
