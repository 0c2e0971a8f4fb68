// NcclCalls: what NCCL tells of its collectives, for the kernels that carry them out.
//
// NCCL opens an NVTX range for each call, in a domain of its own, with a payload whose fields it describes before:
// communicator, bytes, ranks (src/include/nvtx.h and nvtx_payload_schemas.h of NCCL: bytes since 2.19, communicators
// since 2.25). What is described is checked against the payload; what is not is not read. A call between ncclGroupStart
// and ncclGroupEnd is launched in the latter, with the others of the group: all of them become one, of the
// communicator that they share. The collectives of a communicator are numbered from the start of the process, alike on
// all its ranks, as long as no range was missed. Any thread; nothing throws into the program. Nanoseconds, bytes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/spool/spool_format.h"
#include "core/trace/collective.h"

namespace overlane
{

// As NVTX declares them (nvtx3/nvToolsExtPayload.h, nvtxDetail/nvtxExtTypes.h), which older headers do not have.
struct NvtxPayloadEntry {
    std::uint64_t flags;
    std::uint64_t type;
    const char* name;
    const char* description;
    std::uint64_t arrayOrUnionDetail;
    std::uint64_t offset;
    const void* semantics;
    const void* reserved;
};
struct NvtxPayloadSchema {
    std::uint64_t fieldMask;
    const char* name;
    std::uint64_t type;
    std::uint64_t flags;
    const NvtxPayloadEntry* entries;
    std::size_t numEntries;
    std::size_t payloadStaticSize;
    std::size_t packAlign;
    std::uint64_t schemaId;
    void* extension;
};
struct NvtxPayload {
    std::uint64_t schemaId;
    std::size_t size;
    const void* payload;
};
struct NvtxExtensionSegment {
    std::size_t segmentId;
    std::size_t slotCount;
    std::intptr_t* functionSlots;
};
struct NvtxExtensionModule {
    std::uint16_t nvtxVersion;
    std::uint16_t structSize;
    std::uint16_t moduleId;
    std::uint16_t compatId;
    std::size_t segmentsCount;
    NvtxExtensionSegment* segments;
    void* getExportFunction;
    const void* extInfo;
};

class NcclCalls
{
public:
    NcclCalls() = default;
    NcclCalls(const NcclCalls&) = delete;
    NcclCalls& operator=(const NcclCalls&) = delete;

    // Of the process; null before anything is watched and in a forked child.
    static NcclCalls* ofProcess() noexcept;
    // Made once and never destroyed: NVTX may call until the process is gone.
    static void watch() noexcept;
    static void forget() noexcept;

    void describe(const NvtxPayloadSchema* schema) noexcept;
    void name(const void* handle, const char* text) noexcept;
    // A range began on the calling thread: by a handle of name() or by its text, either may be null.
    void pushed(const void* domain, const void* handle, const char* text, const NvtxPayload* payloads,
                std::size_t count) noexcept;
    // The newest range of this domain ended on the calling thread.
    void popped(const void* domain, const NvtxPayload* payloads, std::size_t count) noexcept;

    // Ranges may have passed unseen: what is open is given up, and calls so far make numbers unsure.
    void missed() noexcept;
    // Whether calls are kept for take(); they are counted and communicators learned in any case.
    void keep(bool kept) noexcept { m_kept = kept; }
    std::vector<spool::Collective> take();

private:
    struct Field {
        std::uint64_t offset = 0;
        std::uint32_t bytes = 0;
        bool isSigned = false;
    };
    struct Schema {
        std::optional<Field> communicator;
        std::optional<Field> message;
        std::optional<Field> ranks;
    };
    struct Told {
        std::uint64_t communicator = 0;
        std::uint64_t bytes = 0;
        bool hasBytes = false;
    };
    struct Communicator {
        std::int64_t calls = 0;
        std::int32_t ranks = 0;
    };
    enum class Range : std::uint8_t { Other, Call, GroupStart, GroupEnd };
    struct Named {
        Range range = Range::Other;
        CollectiveKind kind = CollectiveKind::Unknown;
        bool sends = false;
    };
    // One call, or the calls of a group.
    struct Gathered {
        std::uint32_t calls = 0;
        CollectiveKind kind = CollectiveKind::Unknown;
        std::uint64_t communicator = 0;
        std::uint64_t bytes = 0;
        std::uint64_t sent = 0;
        std::int64_t sequence = -1;
        bool isMixed = false;  // of several communicators
    };
    struct Open {
        const void* domain = nullptr;
        Range range = Range::Other;
        std::int64_t startNs = 0;
        Gathered gathered;
    };
    static constexpr std::size_t kMostOpen = 32;
    // Of a thread; plain data, so that it needs no end.
    struct Thread {
        std::array<Open, kMostOpen> open;
        std::size_t depth = 0;
        std::size_t beyond = 0;  // ranges that did not fit
        std::uint32_t groups = 0;
        std::uint32_t missed = 0;  // m_missed, when it last looked
        Gathered gathered;         // in the open group
    };
    static thread_local Thread theThread;

    static Named named(const char* text);
    static Named namedBySchema(std::uint64_t schemaId);
    Told told(const NvtxPayload* payloads, std::size_t count);
    void gather(Gathered& into, const Named& named, const Told& told);
    void emit(const Open& range, std::int64_t endNs);
    void doubtNumbers() noexcept;

    std::mutex m_mutex;
    std::atomic<bool> m_kept{false};
    std::unordered_map<std::uint64_t, Schema> m_schemas;  // by id, which are NCCL's own
    std::unordered_map<const void*, Named> m_names;
    std::unordered_map<std::uint64_t, Communicator> m_communicators;
    std::vector<spool::Collective> m_ready;
    std::atomic<std::uint32_t> m_missed{0};
    bool m_hasCounted = false;
    bool m_isUnsure = false;
};

}  // namespace overlane
