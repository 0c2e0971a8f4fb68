#include "core/io/nsys_import.h"

#include <algorithm>
#include <limits>

namespace overlane
{

std::string NsysImport::text(std::optional<std::int64_t> id)
{
    if (!id)
        return "(unnamed)";
    if (const auto found = strings.find(*id); found != strings.end())
        return found->second;
    builder.stats().add("unknown_name", "names that the table StringIds does not have; shown by number",
                        Severity::Info);
    return "name " + std::to_string(*id);
}

std::uint32_t NsysImport::correlation(std::optional<std::int64_t> id)
{
    return id && *id > 0 && *id <= std::numeric_limits<std::uint32_t>::max() ? static_cast<std::uint32_t>(*id) : 0;
}

void NsysImport::add(Event event, std::optional<std::int64_t> startNs, std::optional<std::int64_t> endNs)
{
    constexpr std::int64_t kLatestNs = std::int64_t{1} << 61;
    if (!startNs || !endNs)
        return skip("no_time", "rows whose start or end is missing or is no number");
    if (*startNs < 0 || *endNs < 0 || *startNs > kLatestNs || *endNs > kLatestNs)
        return skip("time_out_of_range", "rows with a negative time, or one decades away");
    if (*startNs == 0 && *endNs == 0)
        return skip("zero_timestamp", "rows whose times were not collected (start and end are 0)");
    event.startNs = *startNs;
    event.durationNs = *endNs - *startNs;
    tracks.hostOrder().note(event.track, event.kind, builder.text(event.name));
    builder.addEvent(event);
}

Result<void> NsysImport::eachRow(std::string_view table, std::initializer_list<const char*> columns,
                                 std::size_t required, const std::function<void(const NsysTable&)>& row, bool ordered)
{
    constexpr std::int64_t kRowsBetweenReports = 8192;
    Result<NsysTable> opened = NsysTable::open(database, table, columns, ordered);
    if (!opened.ok())
        return opened.failure().in(table);
    NsysTable& rowsOfTable = opened.value();
    const bool readable = rowsOfTable.hasFirst(required);
    for (;;) {
        const Result<bool> more = rowsOfTable.next();
        if (!more.ok())
            return more.failure().in(table);
        if (!more.value())
            return {};
        ++rows;
        if (rows % kRowsBetweenReports == 0) {
            if (progress.cancelled())
                return Error::cancelled();
            if (!guard.fits(builder.eventCount()))
                return guard.tooMany("it");
            progress.report(static_cast<double>(rows) / static_cast<double>(std::max<std::int64_t>(totalRows, 1)));
        }
        if (readable)
            row(rowsOfTable);
        else
            skip("missing_columns", "rows of tables that lack a column this program needs");
    }
}

Result<NsysNames> readNsysEnum(NsysImport& import, const char* table, NsysTexts otherwise)
{
    Result<NsysNames> names = readNsysNames(import.database, table, "name");
    const Result<NsysNames> labels = readNsysNames(import.database, table, "label");
    if (!names.ok() || !labels.ok())
        return names.ok() ? labels.failure() : names.failure();
    for (const auto& [id, label] : labels.value())
        if (std::string& name = names.value()[id]; name.empty())
            name = label;
    if (!names.value().empty())
        return names;
    for (std::size_t id = 0; id < otherwise.size(); ++id)
        if (!otherwise[id].empty())
            names.value().emplace(static_cast<std::int64_t>(id), otherwise[id]);
    return names;
}

}  // namespace overlane
