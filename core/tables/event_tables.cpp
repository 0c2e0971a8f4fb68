#include <type_traits>

#include "core/analysis/cause_table.h"
#include "core/analysis/communication.h"
#include "core/analysis/copy_cause.h"
#include "core/analysis/role_shares.h"
#include "core/tables/event_rows.h"
#include "core/tables/table_list.h"

namespace overlane
{
namespace
{

// What is handed out in place is laid out as Arrow has it.
static_assert(sizeof(StringId) == sizeof(std::int32_t) && std::is_trivially_copyable_v<StringId>);
static_assert(sizeof(EventIndex) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<EventIndex>);
static_assert(sizeof(EventKind) == sizeof(std::int8_t));

constexpr int kMemoryKindCount = static_cast<int>(MemoryKind::Managed) + 1;

Result<std::shared_ptr<const EventRows>> gathered(TableAsked& asked, EnumSet<EventKind> kinds)
{
    return attempt("gather the rows", &asked.progress,
                   [&](const WorkMeter& work) { return eventRows(asked.trace, kinds, work); });
}

std::int8_t wayOf(EventKind kind)
{
    return static_cast<std::int8_t>(static_cast<int>(kind) - static_cast<int>(EventKind::CopyH2D));
}

std::shared_ptr<const ArrowTexts> wayNames()
{
    constexpr std::string_view kWays[] = {"h2d", "d2h", "d2d", "other"};
    return textsFor(static_cast<int>(std::size(kWays)), [&](int way) { return kWays[way]; });
}

std::shared_ptr<const ArrowTexts> memoryNames()
{
    return textsFor(kMemoryKindCount, [](int kind) { return memoryKindName(static_cast<MemoryKind>(kind)); });
}

// What a table of copies reads of a row.
struct CopyRows {
    std::shared_ptr<const EventRows> rows;
    std::shared_ptr<const JudgedTrace> judged;

    const CopyInfo* info(std::size_t row) const { return rows->trace->copy(rows->at(row)); }
    const CopyRecord* record(std::size_t row) const { return judged->analysis.copyRecord(rows->at(row)); }
};

void addMemory(const CopyRows& copies, const char* name, MemoryKind CopyInfo::*side, std::vector<ArrowColumn>& columns)
{
    columns.push_back(
        withDictionary(nullableOf<std::int8_t>(name,
                                               [copies, side](std::size_t row) -> std::optional<std::int8_t> {
                                                   const CopyInfo* info = copies.info(row);
                                                   if (info == nullptr)
                                                       return {};
                                                   return static_cast<std::int8_t>(info->*side);
                                               }),
                       memoryNames()));
}

// Work of the host, or of marks: with its lane and what it caused.
Result<ArrowTable> hostTable(TableAsked& asked, EnumSet<EventKind> kinds)
{
    ASSIGN_OR_RETURN(const auto rows, gathered(asked, kinds));
    ArrowTable table{eventColumns(rows), rows->events.size()};
    table.columns.push_back(withDictionary(
        columnOf<std::int8_t>(
            "kind", [rows](std::size_t row) { return static_cast<std::int8_t>(rows->trace->kind(rows->at(row))); }),
        eventKindNames()));
    table.columns.push_back(columnOf<std::uint32_t>(
        "track", [rows](std::size_t row) { return rows->trace->trackOf(rows->at(row)).value(); }));
    table.columns.push_back(linkColumn(rows, "work"));
    return table;
}

}  // namespace

Result<ArrowTable> makeEvents(TableAsked& asked)
{
    const std::shared_ptr<const Trace>& trace = asked.trace;
    const EventColumns& events = trace->columns();
    ArrowTable table;
    table.rows = trace->eventCount();
    table.columns.push_back(
        columnOf<std::uint32_t>("event", [](std::size_t row) { return static_cast<std::uint32_t>(row); }));
    table.columns.push_back(columnOver("start_ns", trace, events.startNs.data()));
    table.columns.push_back(columnOver("duration_ns", trace, events.durationNs.data()));
    table.columns.push_back(
        withDictionary(nullableOver("name", trace, reinterpret_cast<const std::int32_t*>(events.name.data()),
                                    [trace](std::size_t row) { return trace->columns().name[row].valid(); }),
                       traceNames(*trace)));
    table.columns.push_back(withDictionary(
        columnOver("kind", trace, reinterpret_cast<const std::int8_t*>(events.kind.data())), eventKindNames()));
    table.columns.push_back(
        columnOf<std::uint32_t>("track", [trace](std::size_t row) { return trace->trackOf(EventIndex(row)).value(); }));
    table.columns.push_back(columnOver("correlation", trace, events.correlation.data()));
    table.columns.push_back(nullableOver("link", trace, reinterpret_cast<const std::uint32_t*>(events.link.data()),
                                         [trace](std::size_t row) { return trace->columns().link[row].valid(); }));
    return table;
}

Result<ArrowTable> makeKernels(TableAsked& asked)
{
    ASSIGN_OR_RETURN(const auto judged, asked.judged());
    ASSIGN_OR_RETURN(const auto rows, gathered(asked, {EventKind::Kernel}));
    ArrowTable table{eventColumns(rows), rows->events.size()};
    addPlaceColumns(rows, table.columns);
    table.columns.push_back(iterationColumn(rows, judged->steps.steps));
    table.columns.push_back(flagsOf(
        "communication", [rows](std::size_t row) { return isCommunicationKernel(rows->trace->name(rows->at(row))); }));
    table.columns.push_back(linkColumn(rows, "call"));
    return table;
}

Result<ArrowTable> makeCopies(TableAsked& asked)
{
    ASSIGN_OR_RETURN(const auto judged, asked.judged());
    ASSIGN_OR_RETURN(const auto rows, gathered(asked, {EventKind::CopyH2D, EventKind::CopyD2H, EventKind::CopyD2D,
                                                       EventKind::CopyOther}));
    const CopyRows copies{rows, judged};
    ArrowTable table{eventColumns(rows), rows->events.size()};
    table.columns.push_back(withDictionary(
        columnOf<std::int8_t>("direction", [rows](std::size_t row) { return wayOf(rows->trace->kind(rows->at(row))); }),
        wayNames()));
    addPlaceColumns(rows, table.columns);
    table.columns.push_back(iterationColumn(rows, judged->steps.steps));
    table.columns.push_back(nullableOf<std::int64_t>("bytes", [copies](std::size_t row) -> std::optional<std::int64_t> {
        const CopyInfo* info = copies.info(row);
        return info != nullptr && info->bytes > 0 ? std::optional(info->bytes) : std::nullopt;
    }));
    addMemory(copies, "source", &CopyInfo::source, table.columns);
    addMemory(copies, "destination", &CopyInfo::destination, table.columns);
    table.columns.push_back(
        withDictionary(nullableOf<std::int8_t>("call_kind",
                                               [copies](std::size_t row) -> std::optional<std::int8_t> {
                                                   const CopyInfo* info = copies.info(row);
                                                   if (info == nullptr || info->async == AsyncFlag::Unknown)
                                                       return {};
                                                   return info->async == AsyncFlag::Async ? 1 : 0;
                                               }),
                       textsFor(2, [](int at) { return at == 0 ? "sync" : "async"; })));
    table.columns.push_back(
        withDictionary(columnOf<std::int8_t>("role",
                                             [copies](std::size_t row) {
                                                 const EventIndex event = copies.rows->at(row);
                                                 return static_cast<std::int8_t>(
                                                     roleOf(*copies.rows->trace, copies.judged->analysis, event));
                                             }),
                       textsFor(kCopyRoleCount, [](int role) { return copyRoleId(static_cast<CopyRole>(role)); })));
    table.columns.push_back(
        withDictionary(nullableOf<std::int8_t>("cause",
                                               [copies](std::size_t row) -> std::optional<std::int8_t> {
                                                   const CopyRecord* record = copies.record(row);
                                                   if (record == nullptr)
                                                       return {};
                                                   return static_cast<std::int8_t>(record->cause);
                                               }),
                       textsFor(kCopyCauseCount, [](int cause) { return rowOf(static_cast<CopyCause>(cause)).id; })));
    table.columns.push_back(
        nullableOf<std::int64_t>("hidden_ns", [copies](std::size_t row) -> std::optional<std::int64_t> {
            const CopyRecord* record = copies.record(row);
            return record != nullptr ? std::optional(record->hiddenNs) : std::nullopt;
        }));
    table.columns.push_back(linkColumn(rows, "call"));
    return table;
}

Result<ArrowTable> makeCalls(TableAsked& asked)
{
    return hostTable(asked, {EventKind::RuntimeCall, EventKind::Sync});
}

Result<ArrowTable> makeHost(TableAsked& asked)
{
    return hostTable(asked, {EventKind::HostWork, EventKind::HostBlocked, EventKind::Loader, EventKind::LoaderWait});
}

Result<ArrowTable> makeRanges(TableAsked& asked)
{
    return hostTable(asked, {EventKind::Annotation, EventKind::Step});
}

}  // namespace overlane
