// Calls NVTX as NCCL does, through NVTX's own headers, with what Overlane puts into recorded programs behind it. Prints
// what was kept: kind, communicator, bytes, ranks, number, calls.
#if __has_include(<nvtx3/nvToolsExtPayload.h>)

#include <atomic>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "cupti/collector/nccl_calls.h"
#include "cupti/collector/nvtx_steps.h"

static_assert(sizeof(overlane::NvtxPayloadEntry) == sizeof(nvtxPayloadSchemaEntry_t));
static_assert(offsetof(overlane::NvtxPayloadEntry, offset) == offsetof(nvtxPayloadSchemaEntry_t, offset));
static_assert(sizeof(overlane::NvtxPayloadSchema) == sizeof(nvtxPayloadSchemaAttr_t));
static_assert(offsetof(overlane::NvtxPayloadSchema, numEntries) == offsetof(nvtxPayloadSchemaAttr_t, numEntries));
static_assert(offsetof(overlane::NvtxPayloadSchema, schemaId) == offsetof(nvtxPayloadSchemaAttr_t, schemaId));
static_assert(sizeof(overlane::NvtxPayload) == sizeof(nvtxPayloadData_t));
static_assert(offsetof(overlane::NvtxPayload, payload) == offsetof(nvtxPayloadData_t, payload));
static_assert(sizeof(overlane::NvtxExtensionModule) == sizeof(nvtxExtModuleInfo_t));
static_assert(offsetof(overlane::NvtxExtensionModule, segments) == offsetof(nvtxExtModuleInfo_t, segments));
static_assert(sizeof(overlane::NvtxExtensionSegment) == sizeof(nvtxExtModuleSegment_t));

namespace
{

std::atomic<int> theDepth{0};

nvtxDomainHandle_t NVTX_API makeDomain(const char* name)
{
    return reinterpret_cast<nvtxDomainHandle_t>(const_cast<char*>(name));
}

nvtxStringHandle_t NVTX_API keepText(nvtxDomainHandle_t, const char* text)
{
    return reinterpret_cast<nvtxStringHandle_t>(const_cast<char*>(text));
}

int NVTX_API push(nvtxDomainHandle_t, const nvtxEventAttributes_t*)
{
    return theDepth++;
}

int NVTX_API pop(nvtxDomainHandle_t)
{
    return --theDepth;
}

// In CUPTI's place.
int initializeTool(overlane::NvtxExportTables getExportTable)
{
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(getExportTable(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned int size = 0;
    if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0)
        return 0;
    *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&makeDomain);
    *table[NVTX_CBID_CORE2_DomainRegisterStringA] = reinterpret_cast<NvtxFunctionPointer>(&keepText);
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
    *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
    return 1;
}

int NVTX_API initialize(NvtxGetExportTableFunc_t getExportTable)
{
    return overlane::watchNvtxSteps(getExportTable, &initializeTool, {});
}

int NVTX_API initializeExtension(nvtxExtModuleInfo_t* module)
{
    return overlane::watchNvtxPayloads(reinterpret_cast<overlane::NvtxExtensionModule*>(module));
}

// NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_*, which older headers name otherwise: type, entries, their count, size, id.
constexpr std::uint64_t kAllFields = 1u << 2 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 8;
constexpr std::uint64_t kIds = std::uint64_t{1} << 24;
constexpr std::uint64_t kCommunicator = 0xABCDEF0123456789;

struct Reduction {
    std::uint64_t communicator;
    std::size_t bytes;
    int operation;
};
struct Message {
    std::uint64_t communicator;
    std::size_t bytes;
    int peer;
};
struct Made {
    std::uint64_t communicator;
    int ranks;
    int rank;
};
struct Split {
    std::uint64_t communicator;
    std::uint64_t parent;
    int ranks;
};

nvtxDomainHandle_t domain()
{
    static const nvtxDomainHandle_t made = nvtxDomainCreateA("NCCL");
    return made;
}

void describe(std::uint64_t id, const nvtxPayloadSchemaEntry_t* entries, std::size_t count, std::size_t size,
              std::uint64_t fields = kAllFields)
{
    nvtxPayloadSchemaAttr_t schema{};
    schema.fieldMask = fields;
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.entries = entries;
    schema.numEntries = count;
    schema.payloadStaticSize = size;
    schema.schemaId = kIds + id;
    nvtxPayloadSchemaRegister(domain(), &schema);
}

nvtxPayloadSchemaEntry_t entry(std::uint64_t type, const char* name, std::size_t offset)
{
    nvtxPayloadSchemaEntry_t made{};
    made.type = type;
    made.name = name;
    made.offset = offset;
    return made;
}

void describeAll()
{
    constexpr const char* kGroup = "NCCL communicator ID";
    const nvtxPayloadSchemaEntry_t reduction[] = {
        entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, kGroup, offsetof(Reduction, communicator)),
        entry(NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "Message size [bytes]", offsetof(Reduction, bytes)),
        entry(kIds + 20, "Reduction operation", offsetof(Reduction, operation))};
    describe(5, reduction, 3, sizeof(Reduction));
    describe(4, reduction, 2, sizeof(Reduction));
    const nvtxPayloadSchemaEntry_t message[] = {
        entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, kGroup, offsetof(Message, communicator)),
        entry(NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "Message size [bytes]", offsetof(Message, bytes)),
        entry(NVTX_PAYLOAD_ENTRY_TYPE_INT, "Peer rank", offsetof(Message, peer))};
    describe(9, message, 3, sizeof(Message));
    describe(10, message, 3, sizeof(Message));
    const nvtxPayloadSchemaEntry_t made[] = {
        entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, kGroup, offsetof(Made, communicator)),
        entry(NVTX_PAYLOAD_ENTRY_TYPE_INT, "No. of ranks", offsetof(Made, ranks)),
        entry(NVTX_PAYLOAD_ENTRY_TYPE_INT, "Rank", offsetof(Made, rank))};
    describe(11, made, 3, sizeof(Made));
    const nvtxPayloadSchemaEntry_t split[] = {
        entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, kGroup, offsetof(Split, communicator)),
        entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "Parent NCCL communicator ID", offsetof(Split, parent)),
        entry(NVTX_PAYLOAD_ENTRY_TYPE_INT, "No. of ranks", offsetof(Split, ranks))};
    describe(13, split, 3, sizeof(Split));
    // As version 2.19: no communicator.
    const nvtxPayloadSchemaEntry_t old[] = {entry(NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "Message size [bytes]", 0)};
    describe(40, old, 1, sizeof(std::size_t));
    // A field that the payloads below do not have; a pointer, which is not followed.
    nvtxPayloadSchemaEntry_t beyond[] = {entry(NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "Message size [bytes]", SIZE_MAX - 3),
                                         entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, kGroup, 8)};
    beyond[1].flags = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
    describe(41, beyond, 2, SIZE_MAX);
    // Of no entries, and of entries that are not said to be there.
    describe(42, nullptr, 3, 8);
    describe(43, old, SIZE_MAX, 8);
    describe(44, old, 1, 8, 0);
    nvtxPayloadSchemaRegister(domain(), nullptr);
}

void pushRange(const char* name, std::uint64_t id, const void* payload, std::size_t size)
{
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = nvtxDomainRegisterStringA(domain(), name);
    const nvtxPayloadData_t data{kIds + id, size, payload};
    if (payload != nullptr) {
        attributes.payloadType = static_cast<std::int32_t>(0xDFBD0009);
        attributes.reserved0 = 1;
        attributes.payload.ullValue = reinterpret_cast<std::uint64_t>(&data);
    }
    nvtxDomainRangePushEx(domain(), &attributes);
}

void call(const char* name, std::uint64_t id = 0, const void* payload = nullptr, std::size_t size = 0)
{
    pushRange(name, id, payload, size);
    nvtxDomainRangePop(domain());
}

void makeCommunicator(std::uint64_t id, const void* payload, std::size_t size)
{
    pushRange("ncclCommInitRankConfig", 0, nullptr, 0);
    const nvtxPayloadData_t data{kIds + id, size, payload};
    nvtxRangePopPayload(domain(), &data, 1);
}

void print(const char* what)
{
    std::printf("%s (depth %d)\n", what, theDepth.load());
    overlane::NcclCalls* calls = overlane::NcclCalls::ofProcess();
    if (calls == nullptr)
        return;
    for (const overlane::spool::Collective& kept : calls->take())
        std::printf("  %s %" PRIx64 ": %" PRIu64 " bytes, %d ranks, number %" PRId64 ", %u calls%s\n",
                    std::string(overlane::collectiveKindName(static_cast<overlane::CollectiveKind>(kept.kind))).c_str(),
                    kept.communicator, kept.bytes, kept.ranks, kept.sequence, kept.calls,
                    kept.endNs >= kept.startNs && kept.startNs > 0 ? "" : ", without times");
}

}  // namespace

int main()
{
    InitializeInjectionNvtx2_fnptr = &initialize;
    InitializeInjectionNvtxExtension_fnptr = &initializeExtension;
    describeAll();
    const Made made{kCommunicator, 4, 1};
    makeCommunicator(11, &made, sizeof(made));
    const Split split{0x77, kCommunicator, 4};
    makeCommunicator(13, &split, sizeof(split));
    const Reduction whole{kCommunicator, 4096, 0};
    call("ncclAllReduce", 5, &whole, sizeof(whole));
    print("before it records: counted");

    overlane::NcclCalls::ofProcess()->keep(true);
    call("ncclAllReduce", 5, &whole, sizeof(whole));
    call("ncclAllGather", 4, &whole, sizeof(whole));
    const Reduction inPart{0x77, 64, 0};
    call("ncclAllGather", 4, &inPart, sizeof(inPart));
    print("one by one");

    const Message message{kCommunicator, 1000, 2};
    call("ncclGroupStart");
    call("ncclSend", 9, &message, sizeof(message));
    call("ncclRecv", 10, &message, sizeof(message));
    call("ncclGroupStart");
    call("ncclSend", 9, &message, sizeof(message));
    call("ncclGroupEnd");
    call("ncclRecv", 10, &message, sizeof(message));
    call("ncclGroupEnd");
    call("ncclGroupStart");
    call("ncclAllReduce", 5, &whole, sizeof(whole));
    call("ncclAllReduce", 5, &inPart, sizeof(inPart));
    call("ncclGroupEnd");
    call("ncclAllReduce", 5, &whole, sizeof(whole));
    print("in groups");

    const std::size_t bytes = 512;
    call("ncclAllReduce", 40, &bytes, sizeof(bytes));
    call("ncclAllReduce");
    print("an older NCCL, and one without payloads");

    call("ncclAllReduce", 41, &whole, sizeof(whole));
    call("ncclAllReduce", 5, &whole, 12);
    call("ncclAllReduce", 99, &whole, sizeof(whole));
    const Reduction absurd{kCommunicator, SIZE_MAX, 0};
    call("ncclAllReduce", 5, &absurd, sizeof(absurd));
    print("payloads that are not as described");
    for (int depth = 0; depth < 100; ++depth)
        pushRange("some other range", 0, nullptr, 0);
    for (int depth = 0; depth < 101; ++depth)
        nvtxDomainRangePop(domain());
    call("ncclAllReduce", 5, &whole, sizeof(whole));
    print("more open ranges than fit, and one end too many");

    // Each thread in groups of its own, while what is ready is taken.
    std::size_t taken = 0;
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number)
        threads.emplace_back([&whole] {
            for (int at = 0; at < 500; ++at) {
                call("ncclGroupStart");
                call("ncclAllReduce", 5, &whole, sizeof(whole));
                call("ncclGroupEnd");
            }
        });
    for (int at = 0; at < 100; ++at)
        taken += overlane::NcclCalls::ofProcess()->take().size();
    for (std::thread& thread : threads)
        thread.join();
    taken += overlane::NcclCalls::ofProcess()->take().size();
    std::printf("%zu of 2000 groups of four threads\n", taken);

    theDepth = 0;
    call("ncclGroupStart");
    overlane::NcclCalls::ofProcess()->missed();
    call("ncclAllReduce", 5, &whole, sizeof(whole));
    print("after ranges may have been missed");

    std::fflush(stdout);
    if (const pid_t child = fork(); child == 0) {
        call("ncclAllReduce", 5, &whole, sizeof(whole));
        print("in a forked child");
        std::fflush(stdout);
        _exit(0);
    } else {
        waitpid(child, nullptr, 0);
    }
    return 0;
}

#else

int main()
{
    return 77;
}  // CUDA's headers have no NVTX with payloads

#endif
