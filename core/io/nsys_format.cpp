#include "core/io/nsys_format.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/printable_text.h"
#include "core/io/foreign_databases.h"
#include "core/io/native_schema.h"
#include "core/io/nsys_import.h"
#include "core/io/sqlite_header.h"
#include "core/trace/profiler_messages.h"

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
        return Error{tables.error()};
    const bool hasStrings = has(tables.value(), "StringIds");
    bool hasEvents = false;
    for (const std::string& table : tables.value()) {
        const Result<std::vector<std::string>> columns = import.database.columns(table);
        if (!columns.ok())
            return Error{columns.error()};
        const bool timed = has(columns.value(), "start") || has(columns.value(), "timestamp");
        hasEvents = hasEvents || isShown(table);
        if (!timed && !isShown(table))
            continue;
        const Result<std::int64_t> count = import.database.rowCount(table);
        if (!count.ok())
            return inTable(table, count.error());
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
    Result<NsysTable> opened = NsysTable::open(import.database, "TARGET_INFO_GPU", {"id", "name", "totalMemory"});
    if (!opened.ok())
        return Error{opened.error()};
    std::map<std::int64_t, DeviceInfo> gpus;
    for (;;) {
        const Result<bool> more = opened.value().next();
        if (!more.ok())
            return Error{more.error()};
        if (!more.value())
            break;
        DeviceInfo info;
        info.name = opened.value().text(1);
        info.memoryBytes = std::max<std::int64_t>(opened.value().integerOr(2, 0), 0);
        gpus[opened.value().integerOr(0, -1)] = info;
    }
    // CUDA may number the GPUs in another order than the machine, and for each process in another one
    // (CUDA_VISIBLE_DEVICES).
    Result<NsysTable> mapping = NsysTable::open(import.database, "TARGET_INFO_CUDA_DEVICE", {"cudaId", "gpuId", "pid"});
    if (!mapping.ok())
        return Error{mapping.error()};
    bool mapped = false;
    for (;;) {
        const Result<bool> more = mapping.value().next();
        if (!more.ok())
            return Error{more.error()};
        if (!more.value())
            break;
        const std::int64_t device = mapping.value().integerOr(0, -1);
        const std::int64_t gpu = mapping.value().integerOr(1, -1);
        if (const std::int64_t pid = mapping.value().integerOr(2, 0); pid > 0) {
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
    Result<NsysTable> opened =
        NsysTable::open(import.database, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs", "systemClockNs"});
    if (!opened.ok())
        return Error{opened.error()};
    const Result<bool> more = opened.value().next();
    if (!more.ok())
        return Error{more.error()};
    constexpr std::int64_t kLatestNs = std::int64_t{1} << 61;
    if (!more.value())
        return {};
    const std::int64_t epochNs = opened.value().integerOr(0, 0);
    const std::int64_t clockNs = opened.value().integerOr(1, 0);
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
    Result<NsysTable> opened = NsysTable::open(import.database, "META_DATA_EXPORT", {"name", "value"});
    if (!opened.ok())
        return Error{opened.error()};
    for (;;) {
        const Result<bool> more = opened.value().next();
        if (!more.ok())
            return Error{more.error()};
        if (!more.value())
            return {};
        for (const auto& [key, property] : kShown)
            if (opened.value().text(0) == key)
                import.builder.metadata().properties[property] = opened.value().text(1);
    }
}

Result<void> readStrings(NsysImport& import)
{
    Result<NsysNames> names = readNsysNames(import.database, "StringIds", "value");
    if (!names.ok())
        return Error{names.error()};
    import.strings = std::move(names).value();
    return {};
}

Result<Trace> importFile(const std::string& path, Progress& progress)
{
    if (isNsysReport(path))
        return Error{"this is a report of Nsight Systems, which only its own tools can read." +
                     std::string(kHowToExport)};
    Result<SqliteDatabase> database = SqliteDatabase::openStranger(path, &progress);
    if (!database.ok())
        return Error{database.error()};
    NsysImport import(database.value(), progress);
    import.builder.metadata().format = "nsys";
    import.builder.metadata().title = path.substr(path.rfind('/') + 1);
    for (Result<void> (*part)(NsysImport&) :
         {surveyTables, readDevices, readStartTime, readProperties, readStrings, importNsysHost, importNsysDevices})
        if (Result<void> done = part(import); !done.ok())
            return Error{done.error()};
    import.builder.metadata().sourceEvents = import.rows;
    import.tracks.finish();
    Trace trace = import.builder.build(true, &progress);
    if (progress.cancelled())
        return Error{Progress::kCancelled};
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
        return isSqliteHeader(head) && sqliteApplicationId(head) != kNativeApplicationId;
    }

    Result<Trace> read(const std::string& path, Progress& progress) const override
    {
        Result<Trace> trace = importFile(path, progress);
        if (trace.ok() || trace.error() == Progress::kCancelled)
            return trace;
        return Error{path + ": " + trace.error()};
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
