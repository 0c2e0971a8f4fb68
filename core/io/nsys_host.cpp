#include <string>

#include "core/io/nsys_import.h"
#include "core/io/nsys_labels.h"

namespace overlane
{
namespace
{

Result<void> importCalls(NsysImport& import)
{
    return import.eachRow("CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "nameId", "correlationId"}, 3,
                          [&](const NsysTable& row) {
                              const std::int64_t thread = row.integerOr(2, 0);
                              Event event;
                              event.kind = EventKind::RuntimeCall;
                              event.track = import.tracks.thread(thread);
                              event.process = import.tracks.process(thread);
                              event.correlation = NsysImport::correlation(row.integer(4));
                              const std::string full = import.text(row.integer(3));
                              const std::string_view name = nsysApiName(full);
                              event.name = import.builder.intern(name);
                              const AsyncFlag flag = nsysAsyncFlag(name);
                              if (flag != AsyncFlag::Unknown && event.correlation != 0)
                                  import.callFlags[NsysImport::callKey(event.process, event.correlation)] = flag;
                              import.add(event, row.integer(0), row.integer(1));
                          });
}

enum class NvtxKind { Range, Mark, Other };

// By the symbols of ENUM_NSYS_EVENT_TYPE; where they do not explain a type, by what the row holds.
NvtxKind nvtxKind(const NsysNames& types, std::optional<std::int64_t> type, bool hasEnd)
{
    const auto found = type ? types.find(*type) : types.end();
    if (found == types.end())
        return hasEnd ? NvtxKind::Range : NvtxKind::Other;
    const std::string& symbol = found->second;
    if (symbol.find("Mark") != std::string::npos)
        return NvtxKind::Mark;
    const bool isRange =
        symbol.find("PushPopRange") != std::string::npos || symbol.find("StartEndRange") != std::string::npos;
    return isRange ? NvtxKind::Range : NvtxKind::Other;
}

Result<void> importNvtx(NsysImport& import)
{
    ASSIGN_OR_RETURN(const NsysNames types, readNsysEnum(import, "ENUM_NSYS_EVENT_TYPE", nsysNvtxTexts()));
    return import.eachRow(
        "NVTX_EVENTS", {"start", "globalTid", "end", "eventType", "text", "textId"}, 2, [&](const NsysTable& row) {
            const NvtxKind kind = nvtxKind(types, row.integer(3), row.integer(2).has_value());
            if (kind == NvtxKind::Other)
                return import.skip("nvtx_description", "NVTX rows that name things and mark no time", Severity::Info);
            if (kind == NvtxKind::Range && !row.integer(2))
                return import.skip("unfinished_range", "NVTX ranges that had not ended when the recording stopped");
            const std::int64_t thread = row.integerOr(1, 0);
            const std::string_view text = row.text(4);
            Event event;
            event.kind = kind == NvtxKind::Mark ? EventKind::Instant : EventKind::Annotation;
            const std::string name = text.empty() ? import.text(row.integer(5)) : std::string(text);
            event.name = import.builder.intern(name);
            if (kind == NvtxKind::Range && name.starts_with("ProfilerStep#"))
                event.kind = EventKind::Step;
            event.track = import.tracks.thread(thread);
            event.process = import.tracks.process(thread);
            import.add(event, row.integer(0), kind == NvtxKind::Mark ? row.integer(0) : row.integer(2));
        });
}

// Tables of calls in the shape start, end, globalTid, nameId.
Result<void> importHostCalls(NsysImport& import)
{
    for (const char* table : {"OSRT_API", "CUDNN_EVENTS", "CUBLAS_EVENTS", "MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS",
                              "MPI_OTHER_EVENTS", "NCCL_EVENTS", "OPENACC_OTHER"}) {
        const bool isSystem = std::string_view(table) == "OSRT_API";
        Result<void> done =
            import.eachRow(table, {"start", "end", "globalTid", "nameId"}, 3, [&](const NsysTable& row) {
                const std::int64_t thread = row.integerOr(2, 0);
                Event event;
                const std::string name = import.text(row.integer(3));
                event.name = import.builder.intern(name);
                event.kind = isSystem && nsysIsWait(name) ? EventKind::HostBlocked : EventKind::HostWork;
                event.track = import.tracks.thread(thread);
                event.process = import.tracks.process(thread);
                import.add(event, row.integer(0), row.integer(1));
            });
        if (!done.ok())
            return done;
    }
    return {};
}

Result<void> importOverhead(NsysImport& import)
{
    for (const char* table : {"CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"}) {
        Result<void> done =
            import.eachRow(table, {"start", "end", "globalTid", "nameId"}, 3, [&](const NsysTable& row) {
                const std::int64_t thread = row.integerOr(2, 0);
                Event event;
                event.kind = EventKind::Overhead;
                event.name = import.name(row.integer(3));
                event.track = import.tracks.thread(thread);
                event.process = import.tracks.process(thread);
                import.add(event, row.integer(0), row.integer(1));
            });
        if (!done.ok())
            return done;
    }
    return {};
}

Result<void> readThreadNames(NsysImport& import)
{
    // These two are no events: they name tracks and do not count as rows.
    ASSIGN_OR_RETURN(NsysTable processes, NsysTable::open(import.database, "PROCESSES", {"globalPid", "name"}));
    ASSIGN_OR_RETURN(NsysTable threads, NsysTable::open(import.database, "ThreadNames", {"globalTid", "nameId"}));
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, processes.next());
        if (!more)
            break;
        const std::string_view path = processes.text(1);
        const auto id = processes.integer(0);
        if (id && !path.empty())
            import.tracks.nameProcess(*id, path.substr(path.rfind('/') + 1));
    }
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, threads.next());
        if (!more)
            return {};
        const auto id = threads.integer(0);
        const auto name = import.strings.find(threads.integerOr(1, -1));
        if (id && name != import.strings.end())
            import.tracks.nameThread(*id, name->second);
    }
}

}  // namespace

Result<void> importNsysHost(NsysImport& import)
{
    for (Result<void> (*part)(NsysImport&) :
         {readThreadNames, importCalls, importNvtx, importHostCalls, importOverhead})
        if (Result<void> done = part(import); !done.ok())
            return done;
    return {};
}

}  // namespace overlane
