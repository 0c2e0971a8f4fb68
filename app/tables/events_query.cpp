#include "app/tables/events_query.h"

#include <algorithm>
#include <numeric>

#include "app/widgets/text.h"
#include "core/analysis/copy_verdict.h"
#include "core/analysis/role_shares.h"

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

class KeyOf
{
public:
    KeyOf(const Trace& trace, const Analysis* analysis, int column)
        : m_trace(trace), m_analysis(analysis), m_column(column)
    {
        if (column == EventsQuery::Name)
            m_ranks = nameRanks(trace.strings());
    }

    std::int64_t operator()(EventIndex event) const
    {
        const EventColumns& columns = m_trace.columns();
        const std::size_t at = event.index();
        switch (m_column) {
            case EventsQuery::Duration:
                return columns.durationNs[at];
            case EventsQuery::Name:
                return columns.name[at].valid() ? m_ranks[columns.name[at].index()] : -1;
            case EventsQuery::Kind:
                return static_cast<std::int64_t>(columns.kind[at]);
            case EventsQuery::Track:  // events lie in the order of their tracks
                return m_trace.trackOf(event).value();
            case EventsQuery::Bytes: {
                const CopyInfo* copy = m_trace.copy(event);
                return copy != nullptr ? copy->bytes : -1;
            }
            case EventsQuery::Memory: {
                const CopyInfo* copy = m_trace.copy(event);
                return copy != nullptr ? static_cast<int>(copy->source) * 16 + static_cast<int>(copy->destination) : -1;
            }
            case EventsQuery::Carries:
                return m_analysis != nullptr && isCopy(columns.kind[at])
                           ? static_cast<std::int64_t>(roleOf(m_trace, *m_analysis, event))
                           : -1;
            case EventsQuery::Why: {
                const auto why = firstReason(m_trace, m_analysis, event);
                return why ? static_cast<std::int64_t>(*why) : -1;
            }
            default:
                return columns.startNs[at];
        }
    }

private:
    const Trace& m_trace;
    const Analysis* m_analysis;
    int m_column;
    std::vector<std::int64_t> m_ranks;
};

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

std::optional<CopyCause> firstReason(const Trace& trace, const Analysis* analysis, EventIndex event)
{
    if (analysis == nullptr || !isCopy(trace.kind(event)))
        return {};
    if (const CopyRecord* record = analysis->copyRecord(event))
        return record->cause;
    // Migrations of unified memory have no record, but a verdict.
    const CopyVerdict verdict = copyVerdict(trace, *analysis, event);
    return verdict.empty() ? std::nullopt : std::optional(verdict.cause());
}

Result<std::vector<EventIndex>> findEvents(const Trace& trace, const EventsQuery& query, Progress& progress,
                                           const Analysis* analysis)
{
    const auto matches = matchingNames(trace.strings(), query.name, progress);
    if (!matches)
        return Error::cancelled();
    const KeyOf keyOf(trace, analysis, query.column);
    const EventColumns& columns = trace.columns();
    const std::size_t count = trace.eventCount();
    std::vector<Keyed> rows;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % kSlice == 0) {
            if (progress.cancelled())
                return Error::cancelled();
            progress.report(kFilterShare * static_cast<double>(i) / static_cast<double>(count));
        }
        if (query.kind && columns.kind[i] != *query.kind)
            continue;
        if (!query.name.isEmpty() && (!columns.name[i].valid() || (*matches)[columns.name[i].index()] == 0))
            continue;
        const EventIndex event(i);
        if (query.why && firstReason(trace, analysis, event) != query.why)
            continue;
        if (query.range && !query.range->overlaps(trace.interval(event)) && !query.range->contains(columns.startNs[i]))
            continue;
        const std::int64_t key = keyOf(event);
        rows.push_back({query.descending ? -key : key, event});
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
