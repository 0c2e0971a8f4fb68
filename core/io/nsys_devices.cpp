#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/io/nsys_import.h"
#include "core/io/nsys_labels.h"

namespace overlane
{
namespace
{

// Columns that rows of GPU work share, and their places in every query below.
enum Column : std::size_t {
    kStart,
    kEnd,
    kDevice,
    kStream,
    kCorrelation,
    kProcess,
    kContext,
    kGraph,
    kGraphNode,
    kFirstOwn
};
constexpr std::size_t kRequired = kStream + 1;

bool checkDevice(NsysImport& import, std::optional<std::int64_t> device)
{
    if (device && NsysTracks::validDevice(*device))
        return true;
    import.skip("no_device", "GPU rows whose device number is missing or out of range");
    return false;
}

// Kernels name their graph from some version on, before and for copies only the node within it.
std::uint32_t graphOf(const NsysTable& row)
{
    const std::int64_t graph = row.integerOr(kGraph, 0);
    if (graph > 0 && graph < kUnnumberedGraph)
        return static_cast<std::uint32_t>(graph);
    return graph != 0 || row.integerOr(kGraphNode, 0) != 0 ? kUnnumberedGraph : 0;
}

Event gpuEvent(NsysImport& import, const NsysTable& row, EngineLane engine)
{
    const std::int64_t process = row.integerOr(kProcess, 0);
    Event event;
    event.track = import.tracks.stream(row.integerOr(kDevice, 0), engine, process, row.integerOr(kContext, 0),
                                       row.integerOr(kStream, 0));
    event.process = import.tracks.process(process);
    event.correlation = NsysImport::correlation(row.integer(kCorrelation));
    event.graph = graphOf(row);
    return event;
}

Result<void> importKernels(NsysImport& import)
{
    return import.eachRow("CUPTI_ACTIVITY_KIND_KERNEL",
                          {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "contextId", "graphId",
                           "graphNodeId", "demangledName", "shortName", "mangledName"},
                          kRequired, [&](const NsysTable& row) {
                              if (!checkDevice(import, row.integer(kDevice)))
                                  return;
                              Event event = gpuEvent(import, row, EngineLane::Compute);
                              event.kind = EventKind::Kernel;
                              std::size_t name = kFirstOwn;
                              while (name < kFirstOwn + 2 && !row.integer(name))
                                  ++name;
                              event.name = import.name(row.integer(name));
                              import.add(event, row.integer(kStart), row.integer(kEnd));
                          });
}

std::string_view lookUp(const NsysNames& names, std::optional<std::int64_t> id)
{
    const auto found = id ? names.find(*id) : names.end();
    return found == names.end() ? std::string_view() : std::string_view(found->second);
}

// The numbering of memory kinds as the first copy that gives it away has it.
Result<NsysMemoryNumbers> numbersOfMemory(NsysImport& import, const NsysNames& operations)
{
    ASSIGN_OR_RETURN(NsysTable opened, NsysTable::open(import.database, "CUPTI_ACTIVITY_KIND_MEMCPY",
                                                       {"copyKind", "srcKind", "dstKind"}));
    NsysTable& rows = opened;
    for (;;) {
        const Result<bool> more = rows.next();
        if (!more.ok())
            return more.failure().in("CUPTI_ACTIVITY_KIND_MEMCPY");
        if (!more.value())
            return NsysMemoryNumbers::Nsight;
        const EventKind kind = nsysCopy(lookUp(operations, rows.integer(0))).kind;
        if (const auto numbers = nsysMemoryNumbers(kind, rows.integerOr(1, -1), rows.integerOr(2, -1)))
            return *numbers;
    }
}

// False where the file does not have them and the numbers must do.
Result<bool> readMemoryKinds(NsysImport& import, const NsysNames& operations)
{
    Result<NsysNames> kinds = readNsysEnum(import, "ENUM_CUDA_MEM_KIND", {});
    const bool explained = kinds.ok() && !kinds.value().empty();
    if (kinds.ok() && !explained) {
        ASSIGN_OR_RETURN(const NsysMemoryNumbers numbers, numbersOfMemory(import, operations));
        kinds = readNsysEnum(import, "ENUM_CUDA_MEM_KIND", nsysMemoryTexts(numbers));
    }
    if (!kinds.ok())
        return kinds.failure();
    import.memoryKinds = std::move(kinds).value();
    return explained;
}

Result<void> importCopies(NsysImport& import)
{
    ASSIGN_OR_RETURN(const NsysNames operations, readNsysEnum(import, "ENUM_CUDA_MEMCPY_OPER", nsysCopyTexts()));
    ASSIGN_OR_RETURN(const bool explained, readMemoryKinds(import, operations));
    const auto importCopy = [&](const NsysTable& row) {
        constexpr std::size_t kBytes = kFirstOwn, kCopyKind = kBytes + 1, kSource = kBytes + 2, kTarget = kBytes + 3;
        if (!checkDevice(import, row.integer(kDevice)))
            return;
        const std::string_view operation = lookUp(operations, row.integer(kCopyKind));
        const NsysCopy copy = nsysCopy(operation);
        if (operation.empty())
            import.builder.stats().add("unknown_copy_direction",
                                       "copies of a kind that the file does not explain; shown as other",
                                       Severity::Warning);
        Event event = gpuEvent(import, row, engineLane(copy.kind, copy.betweenDevices));
        if (!explained)
            import.builder.stats().add("kinds_by_number",
                                       "copies whose kinds are read by their numbers: the file lacks its ENUM_ tables",
                                       Severity::Info);
        CopyInfo info;
        info.bytes = std::max<std::int64_t>(row.integerOr(kBytes, 0), 0);
        info.source = nsysMemoryKind(lookUp(import.memoryKinds, row.integer(kSource)));
        info.destination = nsysMemoryKind(lookUp(import.memoryKinds, row.integer(kTarget)));
        if (info.source == MemoryKind::Unknown && info.destination == MemoryKind::Unknown && !copy.unified)
            import.builder.stats().add("unknown_memory_kind", "copies whose memory kinds the file does not explain",
                                       Severity::Info);
        const auto flag = import.callFlags.find(NsysImport::callKey(event.process, event.correlation));
        if (flag != import.callFlags.end())
            info.async = flag->second;
        event.kind = copy.kind;
        event.copy = info;
        std::string name = copy.name;
        if (info.source != MemoryKind::Unknown || info.destination != MemoryKind::Unknown)
            name += " (" + std::string(memoryKindName(info.source)) + " -> " +
                    std::string(memoryKindName(info.destination)) + ")";
        event.name = import.builder.intern(name);
        import.add(event, row.integer(kStart), row.integer(kEnd));
    };
    return import.eachRow("CUPTI_ACTIVITY_KIND_MEMCPY",
                          {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "contextId", "graphId",
                           "graphNodeId", "bytes", "copyKind", "srcKind", "dstKind"},
                          kRequired, importCopy);
}

Result<void> importMemsets(NsysImport& import)
{
    return import.eachRow(
        "CUPTI_ACTIVITY_KIND_MEMSET",
        {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "contextId", "graphId", "graphNodeId"},
        kRequired, [&](const NsysTable& row) {
            if (!checkDevice(import, row.integer(kDevice)))
                return;
            Event event = gpuEvent(import, row, EngineLane::Compute);
            event.kind = EventKind::Memset;
            event.name = import.builder.intern("Memset");
            import.add(event, row.integer(kStart), row.integer(kEnd));
        });
}

Result<void> importGraphs(NsysImport& import)
{
    // With --cuda-graph-trace=graph a whole graph is one row and its kernels have none.
    return import.eachRow(
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
        {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "contextId", "graphId", "graphNodeId"},
        kRequired, [&](const NsysTable& row) {
            if (!checkDevice(import, row.integer(kDevice)))
                return;
            Event event = gpuEvent(import, row, EngineLane::Compute);
            event.kind = EventKind::Kernel;
            if (event.graph == 0)
                event.graph = kUnnumberedGraph;
            event.name = import.builder.intern("CUDA graph " + std::to_string(row.integerOr(kGraph, 0)));
            import.add(event, row.integer(kStart), row.integer(kEnd));
        });
}

Result<void> importSynchronization(NsysImport& import)
{
    Result<NsysNames> labels = readNsysNames(import.database, "ENUM_CUPTI_SYNC_TYPE", "label");
    if (labels.ok() && labels.value().empty())
        labels = readNsysEnum(import, "ENUM_CUPTI_SYNC_TYPE", nsysSyncTexts());
    if (!labels.ok())
        return labels.failure();
    return import.eachRow("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                          {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "contextId", "graphId",
                           "graphNodeId", "syncType"},
                          3, [&](const NsysTable& row) {
                              constexpr std::int64_t kNoStream = 0xFFFFFFFF;
                              if (!checkDevice(import, row.integer(kDevice)))
                                  return;
                              const std::string_view label = lookUp(labels.value(), row.integer(kFirstOwn));
                              const std::int64_t stream = row.integerOr(kStream, kNoStream);
                              Event event;
                              event.kind = EventKind::Sync;
                              event.name = import.builder.intern(label.empty() ? "synchronization" : label);
                              event.track = import.tracks.syncCalls(
                                  row.integerOr(kDevice, 0), row.integerOr(kProcess, 0), row.integerOr(kContext, 0),
                                  stream >= 0 && stream < kNoStream ? stream : -1);
                              event.process = import.tracks.process(row.integerOr(kProcess, 0));
                              event.correlation = NsysImport::correlation(row.integer(kCorrelation));
                              import.add(event, row.integer(kStart), row.integer(kEnd));
                          });
}

Result<void> importCudaEvents(NsysImport& import)
{
    return import.eachRow("CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                          {"timestamp", "deviceId", "globalPid", "correlationId", "eventId"}, 2,
                          [&](const NsysTable& row) {
                              if (!checkDevice(import, row.integer(1)))
                                  return;
                              Event event;
                              event.kind = EventKind::Instant;
                              event.name = import.builder.intern("Event " + std::to_string(row.integerOr(4, 0)));
                              event.track = import.tracks.devices().lane(
                                  import.tracks.gpu(row.integerOr(1, 0), row.integerOr(2, 0)), "CUDA events");
                              event.process = import.tracks.process(row.integerOr(2, 0));
                              event.correlation = NsysImport::correlation(row.integer(3));
                              import.add(event, row.integer(0), row.integer(0));
                          });
}

// Allocations and frees become the bytes in use per device and memory kind.
Result<void> importMemoryUse(NsysImport& import)
{
    ASSIGN_OR_RETURN(const NsysNames operations,
                     readNsysEnum(import, "ENUM_CUDA_DEV_MEM_EVENT_OPER", nsysMemoryOperationTexts()));
    std::map<std::pair<std::int32_t, std::string>, std::int64_t> inUse;
    return import.eachRow(
        "CUDA_GPU_MEMORY_USAGE_EVENTS", {"start", "deviceId", "bytes", "memKind", "memoryOperationType", "globalPid"},
        5,
        [&](const NsysTable& row) {
            constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
            constexpr std::int64_t kLatestStartNs = std::int64_t{1} << 61;
            if (!checkDevice(import, row.integer(1)))
                return;
            const std::string_view operation = lookUp(operations, row.integer(4));
            const bool frees =
                operation.find("DEALLOC") != std::string_view::npos || operation.find("FREE") != std::string_view::npos;
            const bool allocates = !frees && operation.find("ALLOC") != std::string_view::npos;
            const std::int64_t startNs = row.integerOr(0, -1);
            const std::int64_t bytes = row.integerOr(2, -1);
            if (startNs < 0 || startNs > kLatestStartNs || bytes < 0 || bytes > kMostBytes || (!allocates && !frees))
                return import.skip("unreadable_allocation", "memory rows without a time, a size or an operation");
            const MemoryKind kind = nsysMemoryKind(lookUp(import.memoryKinds, row.integer(3)));
            const std::string name = "Memory in use: " + std::string(memoryKindName(kind));
            const std::int32_t device = import.tracks.gpu(row.integerOr(1, 0), row.integerOr(5, 0));
            std::int64_t& sum = inUse[{device, name}];
            // A block from before the recording may be freed within it.
            sum = std::clamp<std::int64_t>(allocates ? sum + bytes : sum - bytes, 0, kMostBytes);
            import.builder.addSample(import.tracks.devices().counter(device, name), startNs, static_cast<double>(sum));
        },
        true);
}

}  // namespace

Result<void> importNsysDevices(NsysImport& import)
{
    for (Result<void> (*part)(NsysImport&) : {importKernels, importCopies, importMemsets, importGraphs,
                                              importSynchronization, importCudaEvents, importMemoryUse})
        if (Result<void> done = part(import); !done.ok())
            return done;
    return {};
}

}  // namespace overlane
