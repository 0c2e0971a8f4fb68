#include "cupti/collector/nccl_calls.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/spool/spool_clock.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostSchemas = 256;
constexpr std::size_t kMostNames = 256;
constexpr std::size_t kMostCommunicators = 4096;
constexpr std::size_t kMostReady = 1u << 16;
constexpr std::size_t kMostEntries = 64;
constexpr std::size_t kMostPayloads = 8;
constexpr std::size_t kLongestText = 64;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

constexpr std::uint64_t kHasEntries = 1u << 4;  // bits of NvtxPayloadSchema::fieldMask
constexpr std::uint64_t kHasCount = 1u << 5;
constexpr std::uint64_t kHasId = 1u << 8;
constexpr std::uint64_t kStaticIds = std::uint64_t{1} << 24;
constexpr std::uint64_t kStaticSchema = 1;

std::atomic<NcclCalls*> theCalls{nullptr};

std::string_view bounded(const char* text)
{
    return text == nullptr ? std::string_view() : std::string_view(text, ::strnlen(text, kLongestText));
}

// Integers by the types of NVTX; 0 bytes for all others.
std::uint32_t bytesOfType(std::uint64_t type)
{
    constexpr std::array<std::uint8_t, 23> kBytes{0, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 1, 1, 2, 2, 4, 4, 8, 8, 0, 0, 0, 8};
    return type < kBytes.size() ? kBytes[type] : 0;
}

// INT, LONG, INT32 and so on are odd, and their unsigned ones even.
bool isSignedType(std::uint64_t type)
{
    return type % 2 == 1;
}

}  // namespace

thread_local NcclCalls::Thread NcclCalls::theThread;

NcclCalls* NcclCalls::ofProcess() noexcept
{
    return theCalls.load(std::memory_order_acquire);
}

void NcclCalls::watch() noexcept
{
    if (theCalls.load() != nullptr)
        return;
    NcclCalls* none = nullptr;
    auto* made = new (std::nothrow) NcclCalls;
    if (!theCalls.compare_exchange_strong(none, made))
        delete made;
}

void NcclCalls::forget() noexcept
{
    theCalls = nullptr;  // its lock may be taken
}

NcclCalls::Named NcclCalls::named(const char* text)
{
    struct Row {
        std::string_view name;
        Named named;
    };
    static constexpr std::array<Row, 12> kRows{
        {{"ncclGroupStart", {Range::GroupStart, CollectiveKind::Unknown, false}},
         {"ncclGroupEnd", {Range::GroupEnd, CollectiveKind::Unknown, false}},
         {"ncclAllReduce", {Range::Call, CollectiveKind::AllReduce, false}},
         {"ncclAllGather", {Range::Call, CollectiveKind::AllGather, false}},
         {"ncclReduceScatter", {Range::Call, CollectiveKind::ReduceScatter, false}},
         {"ncclBroadcast", {Range::Call, CollectiveKind::Broadcast, false}},
         {"ncclReduce", {Range::Call, CollectiveKind::Reduce, false}},
         {"ncclAlltoAll", {Range::Call, CollectiveKind::AllToAll, false}},
         {"ncclGather", {Range::Call, CollectiveKind::Gather, false}},
         {"ncclScatter", {Range::Call, CollectiveKind::Scatter, false}},
         {"ncclSend", {Range::Call, CollectiveKind::SendReceive, true}},
         {"ncclRecv", {Range::Call, CollectiveKind::SendReceive, false}}}};
    const std::string_view wanted = bounded(text);
    const auto* const found =
        std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == wanted; });
    return found == kRows.end() ? Named() : found->named;
}

// NVTX_SID_* of NCCL's src/include/nvtx.h, for a range whose name was registered before a tool took names.
NcclCalls::Named NcclCalls::namedBySchema(std::uint64_t schemaId)
{
    switch (schemaId - kStaticIds) {
        case 4:
            return named("ncclAllGather");
        case 5:
            return named("ncclAllReduce");
        case 6:
            return named("ncclBroadcast");
        case 7:
            return named("ncclReduceScatter");
        case 8:
            return named("ncclReduce");
        case 9:
            return named("ncclSend");
        case 10:
            return named("ncclRecv");
        case 16:
            return named("ncclAlltoAll");
        case 17:
            return named("ncclGather");
        case 18:
            return named("ncclScatter");
        default:
            return {};
    }
}

void NcclCalls::describe(const NvtxPayloadSchema* schema) noexcept
{
    constexpr std::uint64_t kNeeded = kHasEntries | kHasCount | kHasId;
    if (schema == nullptr || (schema->fieldMask & kNeeded) != kNeeded || schema->entries == nullptr ||
        schema->numEntries == 0 || schema->numEntries > kMostEntries || schema->type != kStaticSchema ||
        schema->schemaId < kStaticIds)
        return;
    Schema made;
    bool isOfParent = false;
    for (std::size_t at = 0; at < schema->numEntries; ++at) {
        const NvtxPayloadEntry& entry = schema->entries[at];
        const std::string_view name = bounded(entry.name);
        // NCCL gives the ranks of the communicator that is split or shrunk, not those of the new one.
        isOfParent = isOfParent || name == "Parent NCCL communicator ID" || name == "num_exclude";
        const Field field{entry.offset, bytesOfType(entry.type), isSignedType(entry.type)};
        // Only the first one begins where none is said to; no flags: no pointers, no arrays.
        if (field.bytes == 0 || entry.flags != 0 || (at > 0 && entry.offset == 0))
            continue;
        if (name == "NCCL communicator ID")
            made.communicator = field;
        else if (name == "Message size [bytes]" || name == "Bytes")
            made.message = field;
        else if (name == "No. of ranks")
            made.ranks = field;
    }
    if (isOfParent)
        made.ranks.reset();
    if (!made.communicator && !made.message)
        return;
    try {
        const std::lock_guard lock(m_mutex);
        if (m_schemas.size() < kMostSchemas || m_schemas.contains(schema->schemaId))
            m_schemas[schema->schemaId] = made;
    } catch (...) {
        return;
    }
}

void NcclCalls::name(const void* handle, const char* text) noexcept
{
    const Named known = named(text);
    if (handle == nullptr || known.range == Range::Other)
        return;
    try {
        const std::lock_guard lock(m_mutex);
        if (m_names.size() < kMostNames)
            m_names[handle] = known;
    } catch (...) {
        return;
    }
}

NcclCalls::Told NcclCalls::told(const NvtxPayload* payloads, std::size_t count)
{
    Told told;
    for (std::size_t at = 0; payloads != nullptr && at < std::min(count, kMostPayloads); ++at) {
        const NvtxPayload& payload = payloads[at];
        const auto schema = m_schemas.find(payload.schemaId);
        if (payload.payload == nullptr || schema == m_schemas.end())
            continue;
        const auto read = [&](const std::optional<Field>& field) -> std::optional<std::uint64_t> {
            if (!field || field->offset > payload.size || field->bytes > payload.size - field->offset)
                return std::nullopt;
            std::uint64_t value = 0;  // little endian, as every machine with CUDA
            std::memcpy(&value, static_cast<const std::uint8_t*>(payload.payload) + field->offset, field->bytes);
            const bool isNegative = field->isSigned && (value >> (8 * field->bytes - 1)) != 0;
            return isNegative ? std::nullopt : std::optional(value);
        };
        told.communicator = read(schema->second.communicator).value_or(0);
        if (const auto bytes = read(schema->second.message); bytes && *bytes <= kMostBytes) {
            told.bytes = *bytes;
            told.hasBytes = true;
        }
        if (const auto ranks = read(schema->second.ranks);
            told.communicator != 0 && ranks && *ranks > 0 && *ranks <= static_cast<std::uint64_t>(kMostRanks) &&
            (m_communicators.size() < kMostCommunicators || m_communicators.contains(told.communicator)))
            m_communicators[told.communicator].ranks = static_cast<std::int32_t>(*ranks);
    }
    return told;
}

void NcclCalls::gather(Gathered& into, const Named& named, const Told& told)
{
    std::int64_t sequence = -1;
    if (told.communicator != 0 && named.kind != CollectiveKind::SendReceive &&
        (m_communicators.size() < kMostCommunicators || m_communicators.contains(told.communicator))) {
        m_hasCounted = true;
        const std::int64_t number = m_communicators[told.communicator].calls++;
        sequence = m_isUnsure ? -1 : number;
    }
    if (into.calls++ == 0) {
        into.kind = named.kind;
        into.communicator = told.communicator;
        into.sequence = sequence;
    } else {
        into.isMixed = into.isMixed || into.communicator != told.communicator;
        if (into.kind != named.kind)
            into.kind = CollectiveKind::Unknown;
    }
    std::uint64_t& bytes = named.sends ? into.sent : into.bytes;
    bytes = std::min(bytes + told.bytes, kMostBytes);
}

void NcclCalls::pushed(const void* domain, const void* handle, const char* text, const NvtxPayload* payloads,
                       std::size_t count) noexcept
{
    Thread& thread = theThread;
    if (const std::uint32_t now = m_missed; thread.missed != now) {
        thread = Thread();
        thread.missed = now;
    }
    if (thread.depth == kMostOpen) {
        if (thread.beyond++ == 0)
            doubtNumbers();
        return;
    }
    try {
        Open& open = thread.open[thread.depth];
        open = Open{domain, Range::Other, 0, {}};
        Named known;
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_names.find(handle); handle != nullptr && found != m_names.end())
            known = found->second;
        else if (text != nullptr)
            known = named(text);
        const Told said = told(payloads, count);
        if (known.range == Range::Other && said.hasBytes && payloads != nullptr && count > 0)
            known = namedBySchema(payloads[0].schemaId);
        ++thread.depth;
        if (known.range == Range::Other)
            return;
        open.startNs = monotonicNs();
        if (known.range == Range::GroupStart) {
            ++thread.groups;
        } else if (known.range == Range::GroupEnd) {
            if (thread.groups > 0 && --thread.groups == 0) {
                open.range = Range::GroupEnd;
                open.gathered = std::exchange(thread.gathered, {});
            }
        } else if (thread.groups > 0) {
            gather(thread.gathered, known, said);
        } else {
            open.range = Range::Call;
            gather(open.gathered, known, said);
        }
    } catch (...) {
        return;
    }
}

void NcclCalls::popped(const void* domain, const NvtxPayload* payloads, std::size_t count) noexcept
{
    Thread& thread = theThread;
    if (thread.beyond > 0) {
        --thread.beyond;
        return;
    }
    std::size_t at = thread.depth;
    while (at > 0 && thread.open[at - 1].domain != domain)
        --at;
    if (at == 0)
        return;  // began before anything was watched
    const Open ended = thread.open[at - 1];
    std::copy(thread.open.begin() + static_cast<std::ptrdiff_t>(at),
              thread.open.begin() + static_cast<std::ptrdiff_t>(thread.depth),
              thread.open.begin() + static_cast<std::ptrdiff_t>(at) - 1);
    --thread.depth;
    if (ended.range == Range::Other && payloads == nullptr)
        return;
    try {
        const std::lock_guard lock(m_mutex);
        told(payloads, count);
        if (ended.range != Range::Other && ended.gathered.calls > 0)
            emit(ended, monotonicNs());
    } catch (...) {
        return;
    }
}

void NcclCalls::emit(const Open& range, std::int64_t endNs)
{
    if (!m_kept || m_ready.size() >= kMostReady)
        return;
    const Gathered& gathered = range.gathered;
    spool::Collective made;
    made.startNs = range.startNs;
    made.endNs = endNs;
    made.thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    made.kind = static_cast<std::uint32_t>(gathered.kind);
    made.calls = gathered.calls;
    if (!gathered.isMixed) {
        made.communicator = gathered.communicator;
        made.bytes = std::max(gathered.bytes, gathered.sent);
        made.sequence = gathered.sequence;
        if (const auto known = m_communicators.find(gathered.communicator); known != m_communicators.end())
            made.ranks = known->second.ranks;
    }
    m_ready.push_back(made);
}

void NcclCalls::missed() noexcept
{
    ++m_missed;
    doubtNumbers();
}

void NcclCalls::doubtNumbers() noexcept
{
    const std::lock_guard lock(m_mutex);
    m_isUnsure = m_isUnsure || m_hasCounted;
}

std::vector<spool::Collective> NcclCalls::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_ready, {});
}

}  // namespace overlane
