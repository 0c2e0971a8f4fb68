#include "cupti/collector/activity_decoder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/trace/event.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostContexts = 1024;  // that are kept

template <typename Record>
const Record& as(const CUpti_Activity& record)
{
    return reinterpret_cast<const Record&>(record);
}

std::uint8_t memoryKind(std::uint32_t kind)
{
    switch (kind) {
        case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
            return static_cast<std::uint8_t>(MemoryKind::Pageable);
        case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
            return static_cast<std::uint8_t>(MemoryKind::Pinned);
        case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
        case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
            return static_cast<std::uint8_t>(MemoryKind::Device);
        case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
            return static_cast<std::uint8_t>(MemoryKind::Array);
        case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
        case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
            return static_cast<std::uint8_t>(MemoryKind::Managed);
        default:
            return static_cast<std::uint8_t>(MemoryKind::Unknown);
    }
}

spool::Direction direction(std::uint8_t copyKind)
{
    switch (copyKind) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
            return spool::Direction::HostToDevice;
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
            return spool::Direction::DeviceToHost;
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
            return spool::Direction::WithinDevice;
        case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
            return spool::Direction::BetweenDevices;
        default:
            return spool::Direction::Other;
    }
}

spool::OverheadType overheadType(std::uint32_t kind)
{
    switch (kind) {
        case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
            return spool::OverheadType::Compiler;
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
            return spool::OverheadType::Flush;
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
            return spool::OverheadType::Instrumentation;
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
            return spool::OverheadType::Resource;
        case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
            return spool::OverheadType::ModuleLoading;
        case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
            return spool::OverheadType::FunctionLoading;
        case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
            return spool::OverheadType::CommandBuffer;
        case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
            return spool::OverheadType::BufferRequest;
        case CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT:
            return spool::OverheadType::UnifiedMemory;
        default:
            return spool::OverheadType::Unknown;
    }
}

std::int64_t ns(std::uint64_t time)
{
    return static_cast<std::int64_t>(time);
}

}  // namespace

ActivityDecoder::ActivityDecoder(SpoolWriter& writer, CallName callName, std::uint32_t cuptiVersion)
    : m_writer(writer),
      m_callName(std::move(callName)),
      m_cuptiVersion(cuptiVersion != 0 ? cuptiVersion : CUPTI_API_VERSION)
{
}

void ActivityDecoder::decode(const CUpti_Activity& record)
{
    switch (record.kind) {
        case CUPTI_ACTIVITY_KIND_DRIVER:
            return decode(as<activity::Api>(record), CallDomain::Driver);
        case CUPTI_ACTIVITY_KIND_RUNTIME:
            return decode(as<activity::Api>(record), CallDomain::Runtime);
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        case CUPTI_ACTIVITY_KIND_KERNEL:
            return decode(as<activity::Kernel>(record));
        case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
            return decode(as<activity::GraphTrace>(record));
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            return decodeCopy(as<activity::Copy>(record), spool::kNone, spool::kNone);
        case CUPTI_ACTIVITY_KIND_MEMCPY2: {
            const auto& peer = as<activity::PeerCopy>(record);
            return decodeCopy(peer, peer.srcDeviceId, peer.dstDeviceId);
        }
        case CUPTI_ACTIVITY_KIND_MEMSET:
            return decode(as<activity::Memset>(record));
        case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
            return decode(as<activity::Sync>(record));
        case CUPTI_ACTIVITY_KIND_MEMORY2:
            return decode(as<activity::Memory>(record));
        case CUPTI_ACTIVITY_KIND_MARKER:
            return decode(as<activity::Marker>(record));
        case CUPTI_ACTIVITY_KIND_MARKER_DATA:
            return decode(as<activity::MarkerData>(record));
        case CUPTI_ACTIVITY_KIND_OVERHEAD:
            return decode(as<activity::Overhead>(record));
        case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
            return decode(as<activity::CudaEvent>(record));
        case CUPTI_ACTIVITY_KIND_CONTEXT:
            return decode(as<activity::Context>(record));
        case CUPTI_ACTIVITY_KIND_STREAM: {
            const auto& stream = as<activity::Stream>(record);
            m_writer.add(spool::Stream{stream.streamId, stream.contextId, static_cast<std::int32_t>(stream.priority),
                                       static_cast<std::uint32_t>(stream.flag)});
            return;
        }
        case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
            const auto& external = as<activity::ExternalCorrelation>(record);
            return hand(spool::ExternalCorrelation{
                external.externalId, static_cast<std::uint32_t>(external.externalKind), external.correlationId});
        }
        default:
            ++m_counts.unknown;
    }
}

bool ActivityDecoder::timed(std::uint64_t start, std::uint64_t end)
{
    if (start == 0 || end == 0) {
        ++m_counts.zeroTimes;
        return false;
    }
    m_counts.newestNs = std::max(m_counts.newestNs, ns(end));
    return true;
}

template <typename Record>
void ActivityDecoder::hand(const Record& record)
{
    m_writer.add(record);
    ++m_counts.records;
}

std::uint32_t ActivityDecoder::intern(const char* text)
{
    if (text == nullptr)
        return spool::kNone;
    constexpr std::size_t kMostTexts = 100'000;
    if (m_texts.size() > kMostTexts)
        m_texts.clear();
    const auto [entry, isNew] = m_texts.try_emplace(text);
    if (isNew || entry->second.text != text)
        entry->second = {text, m_writer.intern(text)};
    return entry->second.id;
}

std::uint32_t ActivityDecoder::callName(CallDomain domain, std::uint32_t number)
{
    const auto [entry, isNew] = m_callNames[static_cast<std::size_t>(domain)].try_emplace(number, spool::kNone);
    if (isNew) {
        const char* name = m_callName(domain, number);
        const char* other = domain == CallDomain::Driver ? "driver call " : "runtime call ";
        entry->second = m_writer.intern(name != nullptr ? std::string(name) : other + std::to_string(number));
    }
    return entry->second;
}

void ActivityDecoder::decode(const activity::Api& record, CallDomain domain)
{
    if (record.threadId == m_ownThread) {
        ++m_counts.own;
        const std::int64_t tookNs = ns(record.end) - ns(record.start);
        if (tookNs > 0 && (m_counts.ownCallNs == 0 || tookNs < m_counts.ownCallNs))
            m_counts.ownCallNs = tookNs;
        return;
    }
    if (!timed(record.start, record.end) || ns(record.end) < m_firstCallNs)
        return;
    if (record.threadId != m_lastThread) {
        m_lastThread = record.threadId;
        if (m_threads.insert(record.threadId).second)
            m_newThreads.push_back(record.threadId);
    }
    hand(spool::ApiCall{ns(record.start), ns(record.end), record.threadId, record.correlationId,
                        callName(domain, record.cbid), record.returnValue});
}

void ActivityDecoder::decode(const activity::Kernel& record)
{
    if (timed(record.start, record.end))
        hand(spool::Kernel{ns(record.start), ns(record.end), record.deviceId, record.contextId, record.streamId,
                           record.correlationId, intern(record.name), record.graphId});
}

void ActivityDecoder::decode(const activity::GraphTrace& record)
{
    if (timed(record.start, record.end))
        hand(spool::Kernel{ns(record.start), ns(record.end), record.deviceId, record.contextId, record.streamId,
                           record.correlationId, m_writer.intern("CUDA graph " + std::to_string(record.graphId)),
                           record.graphId});
}

template <typename Record>
void ActivityDecoder::decodeCopy(const Record& record, std::uint32_t sourceDevice, std::uint32_t destinationDevice)
{
    if (!timed(record.start, record.end))
        return;
    spool::Copy copy;
    copy.startNs = ns(record.start);
    copy.endNs = ns(record.end);
    copy.bytes = record.bytes;
    copy.device = record.deviceId;
    copy.context = record.contextId;
    copy.stream = record.streamId;
    copy.correlation = record.correlationId;
    copy.sourceDevice = sourceDevice;
    copy.destinationDevice = destinationDevice;
    copy.channel = record.channelID;
    copy.channelType = static_cast<std::uint8_t>(record.channelType);
    copy.direction = direction(record.copyKind);
    copy.source = memoryKind(record.srcKind);
    copy.destination = memoryKind(record.dstKind);
    copy.asynchronous = (record.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0 ? 1 : 0;
    copy.graph = record.graphId;
    hand(copy);
}

void ActivityDecoder::decode(const activity::Memset& record)
{
    if (timed(record.start, record.end))
        hand(spool::Memset{ns(record.start), ns(record.end), record.bytes, record.deviceId, record.contextId,
                           record.streamId, record.correlationId, memoryKind(record.memoryKind), record.graphId});
}

void ActivityDecoder::decode(const activity::Sync& record)
{
    // CUPTI's numbers of the types are the spool's.
    const auto type = record.type <= CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE
                          ? static_cast<spool::SyncType>(record.type)
                          : spool::SyncType::Unknown;
    if (timed(record.start, record.end))
        hand(spool::Sync{ns(record.start), ns(record.end), type, record.contextId, record.streamId, record.cudaEventId,
                         record.correlationId, 0});
}

void ActivityDecoder::decode(const activity::Memory& record)
{
    if (!timed(record.timestamp, record.timestamp))
        return;
    spool::MemoryOp operation;
    operation.timeNs = ns(record.timestamp);
    operation.address = record.address;
    operation.bytes = record.bytes;
    operation.device = record.deviceId;
    operation.context = record.contextId;
    operation.stream = record.streamId;
    operation.correlation = record.correlationId;
    if (record.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION)
        operation.operation = spool::MemoryOperation::Allocate;
    else if (record.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE)
        operation.operation = spool::MemoryOperation::Free;
    operation.memory = memoryKind(record.memoryKind);
    hand(operation);
}

void ActivityDecoder::decode(const activity::Marker& record)
{
    if (!timed(record.timestamp, record.timestamp))
        return;
    spool::Marker marker;
    marker.timeNs = ns(record.timestamp);
    marker.id = record.id;
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
        marker.thread = record.objectId.pt.threadId;
    marker.name = intern(record.name);
    marker.domain = intern(record.domain);
    const auto flags = static_cast<std::uint32_t>(record.flags);
    if ((flags & CUPTI_ACTIVITY_FLAG_MARKER_START) != 0)
        marker.type = spool::MarkerType::Start;
    else if ((flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0)
        marker.type = spool::MarkerType::End;
    hand(marker);
}

void ActivityDecoder::decode(const activity::MarkerData& record)
{
    spool::MarkerData data;
    data.id = record.id;
    data.category = record.category;
    if ((static_cast<std::uint32_t>(record.flags) & CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB) != 0)
        data.color = record.color;
    // A payload that was not given comes as the unsigned number 0.
    switch (record.payloadKind) {
        case CUPTI_METRIC_VALUE_KIND_DOUBLE:
            data.payloadType = spool::PayloadType::Real;
            std::memcpy(&data.payload, &record.payload, sizeof(data.payload));
            break;
        case CUPTI_METRIC_VALUE_KIND_UINT64:
            data.payload = record.payload.metricValueUint64;
            data.payloadType = data.payload != 0 ? spool::PayloadType::Unsigned : spool::PayloadType::None;
            break;
        case CUPTI_METRIC_VALUE_KIND_INT64:
            data.payload = static_cast<std::uint64_t>(record.payload.metricValueInt64);
            data.payloadType = spool::PayloadType::Integer;
            break;
        default:
            break;
    }
    if (data.color != 0 || data.category != 0 || data.payloadType != spool::PayloadType::None)
        m_writer.add(data);
}

void ActivityDecoder::decode(const activity::Overhead& record)
{
#if CUPTI_API_VERSION >= 130000
    // From CUDA 13 on the record may carry memory that its reader has to free.
    if (m_cuptiVersion >= 130000 && record.overheadKind == CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL)
        std::free(reinterpret_cast<const CUpti_ActivityOverhead3&>(record).overheadData);
#endif
    if (!timed(record.start, record.end))
        return;
    const bool ofThread = record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD;
    hand(spool::Overhead{ns(record.start), ns(record.end),
                         overheadType(static_cast<std::uint32_t>(record.overheadKind)),
                         ofThread ? record.objectId.pt.threadId : spool::kNone, record.correlationId, 0});
}

void ActivityDecoder::decode(const activity::CudaEvent& record)
{
    spool::CudaEvent event;
    event.event = record.eventId;
    event.context = record.contextId;
    event.device = spool::kNone;
    event.stream = record.streamId;
    event.correlation = record.correlationId;
#if CUPTI_API_VERSION >= 130000
    if (m_cuptiVersion >= 130000) {
        const auto& newer = reinterpret_cast<const CUpti_ActivityCudaEvent2&>(record);
        event.device = newer.deviceId;
        event.syncId = newer.cudaEventSyncId;
    }
#endif
    hand(event);
}

void ActivityDecoder::decode(const activity::Context& record)
{
    add({record.contextId, record.deviceId, record.nullStreamId, 0});
}

void ActivityDecoder::add(const spool::Context& context)
{
    m_writer.add(context);
    const auto known = std::find_if(m_contexts.begin(), m_contexts.end(),
                                    [&](const spool::Context& other) { return other.id == context.id; });
    if (known != m_contexts.end())
        *known = context;
    else if (m_contexts.size() < kMostContexts)
        m_contexts.push_back(context);
}

void ActivityDecoder::addContexts(const std::vector<spool::Context>& known)
{
    for (const spool::Context& context : known)
        add(context);
}

std::vector<std::uint32_t> ActivityDecoder::takeNewThreads()
{
    return std::exchange(m_newThreads, {});
}

}  // namespace overlane
