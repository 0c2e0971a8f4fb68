#include "core/io/nsys_format.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/printable_text.h"
#include "core/io/foreign_databases.h"
#include "core/io/nsys_import.h"
#include "core/io/overlane_schema.h"
#include "core/io/sqlite_header.h"
#include "core/trace/profiler_messages.h"
#include "core/trace/rank_properties.h"

namespace overlane
{
namespace
{

constexpr std::array<std::string_view, 19> kShownTables = {"CUPTI_ACTIVITY_KIND_KERNEL",
                                                           "CUPTI_ACTIVITY_KIND_MEMCPY",
                                                           "CUPTI_ACTIVITY_KIND_MEMSET",
                                                           "CUPTI_ACTIVITY_KIND_RUNTIME",
                                                           "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                                           "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                                           "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                                                           "CUPTI_ACTIVITY_KIND_OVERHEAD",
                                                           "CUDA_GPU_MEMORY_USAGE_EVENTS",
                                                           "PROFILER_OVERHEAD",
                                                           "NVTX_EVENTS",
                                                           "OSRT_API",
                                                           "CUDNN_EVENTS",
                                                           "CUBLAS_EVENTS",
                                                           "MPI_P2P_EVENTS",
                                                           "MPI_COLLECTIVES_EVENTS",
                                                           "MPI_OTHER_EVENTS",
                                                           "NCCL_EVENTS",
                                                           "OPENACC_OTHER"};

bool isShown(std::string_view table)
{
    return std::find(kShownTables.begin(), kShownTables.end(), table) != kShownTables.end();
}

bool has(const std::vector<std::string>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Nsight Systems knows some dozens of tables; a file with more of them gets one line for the rest.
constexpr std::size_t kMostTablesNamed = 100;

constexpr std::string_view kDiagnostics = "DIAGNOSTIC_EVENT";

constexpr const char* kHowToExport =
    " Export a report with `nsys export --type sqlite report.nsys-rep` and open the .sqlite file that it makes.";

std::string whatIsSaid(NsysImport& import)
{
    const auto& properties = import.builder.metadata().properties;
    const auto said = properties.find(kProfilerSays);
    return said == properties.end() ? std::string() : " Nsight Systems says: " + said->second;
}

// Counts the rows to come, and those of event tables that have no place on a track.
Result<void> surveyTables(NsysImport& import)
{
    const Result<std::vector<std::string>> tables = import.database.tables();
    if (!tables.ok())
        return tables.failure();
    const bool hasStrings = has(tables.value(), "StringIds");
    bool hasEvents = false;
    for (const std::string& table : tables.value()) {
        ASSIGN_OR_RETURN(const std::vector<std::string> columns, import.database.columns(table));
        const bool timed = has(columns, "start") || has(columns, "timestamp");
        hasEvents = hasEvents || isShown(table);
        if (!timed && !isShown(table))
            continue;
        const Result<std::int64_t> count = import.database.rowCount(table);
        if (!count.ok())
            return count.failure().in(table);
        import.totalRows += count.value();
        if (isShown(table) || table == kDiagnostics || count.value() == 0)
            continue;
        import.rows += count.value();
        const bool named = import.builder.stats().all().size() < kMostTablesNamed;
        import.builder.stats().add("table_not_shown: " + (named ? printableText(table) : "others"),
                                   "rows of a table that this program does not draw", Severity::Info, count.value());
    }
    if (const std::string foreign = hasStrings ? std::string() : foreignDatabase(tables.value()); !foreign.empty())
        return Error{foreign};
    if (!hasEvents && !hasStrings)
        return Error{
            "this SQLite file is no Nsight Systems export: it has neither the table StringIds nor "
            "CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY or NVTX_EVENTS." +
            std::string(kHowToExport)};
    if (Result<void> said = importNsysDiagnostics(import); !said.ok())
        return said;
    if (!hasEvents)
        return Error{
            "this Nsight Systems export holds nothing to draw: none of the tables CUPTI_ACTIVITY_KIND_KERNEL, "
            "CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_RUNTIME and NVTX_EVENTS is there. Record with "
            "`nsys profile --trace=cuda,nvtx,osrt program` and export again with `nsys export --type sqlite`." +
            whatIsSaid(import)};
    if (!hasStrings)
        import.builder.stats().add("no_names", "the table StringIds is missing; names are shown by number",
                                   Severity::Warning);
    return {};
}

Result<void> readDevices(NsysImport& import)
{
    ASSIGN_OR_RETURN(NsysTable opened,
                     NsysTable::open(import.database, "TARGET_INFO_GPU", {"id", "name", "totalMemory"}));
    std::map<std::int64_t, DeviceInfo> gpus;
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, opened.next());
        if (!more)
            break;
        DeviceInfo info;
        info.name = opened.text(1);
        info.memoryBytes = std::max<std::int64_t>(opened.integerOr(2, 0), 0);
        gpus[opened.integerOr(0, -1)] = info;
    }
    // CUDA may number the GPUs in another order than the machine, and for each process in another one
    // (CUDA_VISIBLE_DEVICES).
    ASSIGN_OR_RETURN(NsysTable mapping,
                     NsysTable::open(import.database, "TARGET_INFO_CUDA_DEVICE", {"cudaId", "gpuId", "pid"}));
    bool mapped = false;
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, mapping.next());
        if (!more)
            break;
        const std::int64_t device = mapping.integerOr(0, -1);
        const std::int64_t gpu = mapping.integerOr(1, -1);
        if (const std::int64_t pid = mapping.integerOr(2, 0); pid > 0) {
            import.tracks.mapDevice(pid, device, gpu);
        } else if (const auto known = gpus.find(gpu); known != gpus.end()) {
            mapped = true;
            import.tracks.nameDevice(device, known->second);
        }
    }
    if (!mapped)
        for (const auto& [id, info] : gpus)
            import.tracks.nameDevice(id, info);
    return {};
}

// Event times share the clock of systemClockNs, which is at utcEpochNs when the recording starts.
Result<void> readStartTime(NsysImport& import)
{
    ASSIGN_OR_RETURN(NsysTable opened, NsysTable::open(import.database, "TARGET_INFO_SESSION_START_TIME",
                                                       {"utcEpochNs", "systemClockNs"}));
    ASSIGN_OR_RETURN(const bool more, opened.next());
    constexpr std::int64_t kLatestNs = std::int64_t{1} << 61;
    if (!more)
        return {};
    const std::int64_t epochNs = opened.integerOr(0, 0);
    const std::int64_t clockNs = opened.integerOr(1, 0);
    if (epochNs > 0 && epochNs < kLatestNs && clockNs >= 0 && clockNs < epochNs)
        import.builder.metadata().startEpochNs = epochNs - clockNs;
    return {};
}

Result<void> readProperties(NsysImport& import)
{
    constexpr std::array<std::pair<std::string_view, const char*>, 3> kShown = {
        {{"EXPORT_PRODUCT_NAME", "product"},
         {"EXPORT_PRODUCT_VERSION", "product version"},
         {"EXPORT_SCHEMA_VERSION", "schema version"}}};
    ASSIGN_OR_RETURN(NsysTable opened, NsysTable::open(import.database, "META_DATA_EXPORT", {"name", "value"}));
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, opened.next());
        if (!more)
            return {};
        for (const auto& [key, property] : kShown)
            if (opened.text(0) == key)
                import.builder.metadata().properties[property] = opened.text(1);
    }
}

Result<void> readHost(NsysImport& import)
{
    ASSIGN_OR_RETURN(NsysTable opened, NsysTable::open(import.database, "TARGET_INFO_SYSTEM_ENV", {"name", "value"}));
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, opened.next());
        if (!more)
            return {};
        if (opened.text(0) == "Hostname" && !opened.text(1).empty())
            import.builder.metadata().properties[kHostProperty] = opened.text(1);
    }
}

Result<void> readStrings(NsysImport& import)
{
    ASSIGN_OR_RETURN(NsysNames names, readNsysNames(import.database, "StringIds", "value"));
    import.strings = std::move(names);
    return {};
}

Result<Trace> importFile(const std::string& path, Progress& progress)
{
    if (isNsysReport(path))
        return Error{"this is a report of Nsight Systems, which only its own tools can read." +
                     std::string(kHowToExport)};
    ASSIGN_OR_RETURN(SqliteDatabase database, SqliteDatabase::openStranger(path, &progress));
    NsysImport import(database, progress);
    import.builder.metadata().format = rowOf(TraceOrigin::Nsys).id;
    import.builder.metadata().title = path.substr(path.rfind('/') + 1);
    for (Result<void> (*part)(NsysImport&) : {surveyTables, readDevices, readStartTime, readProperties, readHost,
                                              readStrings, importNsysHost, importNsysDevices})
        RETURN_IF_ERROR(part(import));
    import.builder.metadata().sourceEvents = import.rows;
    import.tracks.finish();
    Trace trace = import.builder.build(true, &progress);
    if (progress.cancelled())
        return Error::cancelled();
    progress.report(1);
    return trace;
}

class NsysFormat final : public TraceFormat
{
public:
    std::string_view name() const override { return "nsys"; }
    std::string_view description() const override { return "Nsight Systems SQLite export"; }
    std::vector<std::string_view> extensions() const override { return {".sqlite", ".sqlite3", ".nsys.sqlite"}; }

    bool sniff(std::span<const char> head) const override
    {
        return isSqliteHeader(head) && sqliteApplicationId(head) != kOverlaneApplicationId &&
               sqliteApplicationId(head) != kOverlaneTablesApplicationId;
    }

    Result<Trace> read(const std::string& path, Progress& progress) const override
    {
        Result<Trace> trace = importFile(path, progress);
        return trace.ok() ? std::move(trace) : trace.failure().in(path);
    }
};

}  // namespace

bool isNsysReport(std::string_view path)
{
    return path.ends_with(".nsys-rep") || path.ends_with(".qdrep");
}

const TraceFormat& nsysFormat()
{
    static const NsysFormat format;
    return format;
}

}  // namespace overlane
