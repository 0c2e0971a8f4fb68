#include "cupti/collector/nvtx_steps.h"

#if __has_include(<nvtx3/nvToolsExt.h>)

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/step_name.h"
#include "cupti/collector/nccl_calls.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostSequences = 256;  // of a name on a thread
constexpr std::size_t kMostHandles = 4096;   // of registered names that mark iterations
constexpr std::size_t kLongestName = 256;    // of marks; others are longer
constexpr int kNoTracking = NVTX_NO_PUSH_POP_TRACKING;

// A place of a library's table, where one of the functions above is to stand.
struct Place {
    NvtxFunctionPointer* place;
    NvtxFunctionPointer first;  // NVTX's own, until a tool has put one there: it would only come back here
    NvtxFunctionPointer own;
    void (*keep)(NvtxFunctionPointer);  // the function to go on to
};

// Never destroyed: NVTX may call until the process is gone.
struct Counts {
    std::mutex mutex;
    RecordControl control;
    std::map<std::pair<long, std::string>, std::uint32_t> begun;  // of a thread and a name
    std::unordered_map<nvtxStringHandle_t, std::string> handles;
    std::vector<Place> places;
};
std::atomic<Counts*> theCounts{nullptr};

// CUPTI's functions, once it has put them there. It gives every library of a process the same.
std::atomic<nvtxRangePushA_impl_fntype> pushA{nullptr};
std::atomic<nvtxRangePushEx_impl_fntype> pushEx{nullptr};
std::atomic<nvtxRangeStartA_impl_fntype> startA{nullptr};
std::atomic<nvtxRangeStartEx_impl_fntype> startEx{nullptr};
std::atomic<nvtxDomainRangePushEx_impl_fntype> domainPushEx{nullptr};
std::atomic<nvtxDomainRangeStartEx_impl_fntype> domainStartEx{nullptr};
std::atomic<nvtxDomainRangePop_impl_fntype> domainPop{nullptr};
std::atomic<nvtxDomainRegisterStringA_impl_fntype> registerA{nullptr};

void count(Counts& counts, std::string sequence)
{
    const std::lock_guard lock(counts.mutex);
    if (counts.begun.size() >= kMostSequences)
        return;
    const std::uint32_t begun = ++counts.begun[{::syscall(SYS_gettid), std::move(sequence)}];
    counts.control.countIterations(begun);
}

// While it matters: not once recording has stopped.
Counts* counting()
{
    Counts* counts = theCounts.load(std::memory_order_acquire);
    const bool counted = counts != nullptr && counts->control.valid() && counts->control.isBounded() &&
                         counts->control.state() != RecordState::Stop;
    return counted ? counts : nullptr;
}

std::string sequenceOf(const char* name)
{
    if (name == nullptr)
        return {};
    const std::string_view text(name, ::strnlen(name, kLongestName));
    return text.size() == kLongestName ? std::string() : stepNameOf(splitNumber(text).base);
}

void countAttributes(const nvtxEventAttributes_t* attributes) noexcept
{
    if (attributes == nullptr)
        return;
    if (attributes->messageType == NVTX_MESSAGE_TYPE_ASCII)
        return countNvtxRange(attributes->message.ascii);
    Counts* counts = counting();
    if (counts == nullptr || attributes->messageType != NVTX_MESSAGE_TYPE_REGISTERED)
        return;
    try {
        std::string sequence;
        {
            const std::lock_guard lock(counts->mutex);
            const auto known = counts->handles.find(attributes->message.registered);
            if (known == counts->handles.end())
                return;
            sequence = known->second;
        }
        count(*counts, std::move(sequence));
    } catch (...) {
        return;
    }
}

int NVTX_API countPushA(const char* name)
{
    countNvtxRange(name);
    const auto next = pushA.load();
    return next != nullptr ? next(name) : kNoTracking;
}

int NVTX_API countPushEx(const nvtxEventAttributes_t* attributes)
{
    countAttributes(attributes);
    const auto next = pushEx.load();
    return next != nullptr ? next(attributes) : kNoTracking;
}

nvtxRangeId_t NVTX_API countStartA(const char* name)
{
    countNvtxRange(name);
    const auto next = startA.load();
    return next != nullptr ? next(name) : 0;
}

nvtxRangeId_t NVTX_API countStartEx(const nvtxEventAttributes_t* attributes)
{
    countAttributes(attributes);
    const auto next = startEx.load();
    return next != nullptr ? next(attributes) : 0;
}

void lookForNccl(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) noexcept
{
    constexpr auto kPayloads = static_cast<std::int32_t>(0xDFBD0009);  // NVTX_PAYLOAD_TYPE_EXT
    NcclCalls* calls = NcclCalls::ofProcess();
    if (calls == nullptr || attributes == nullptr)
        return;
    const bool isHandle = attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
    const bool isText = attributes->messageType == NVTX_MESSAGE_TYPE_ASCII;
    const bool hasPayloads = attributes->payloadType == kPayloads && attributes->reserved0 > 0;
    calls->pushed(domain, isHandle ? attributes->message.registered : nullptr,
                  isText ? attributes->message.ascii : nullptr,
                  hasPayloads ? reinterpret_cast<const NvtxPayload*>(attributes->payload.ullValue) : nullptr,
                  hasPayloads ? static_cast<std::size_t>(attributes->reserved0) : 0);
}

int popNccl(nvtxDomainHandle_t domain, const NvtxPayload* payloads, std::size_t count) noexcept
{
    const auto next = domainPop.load();
    const int result = next != nullptr ? next(domain) : kNoTracking;
    if (NcclCalls* calls = NcclCalls::ofProcess())
        calls->popped(domain, payloads, count);
    return result;
}

int NVTX_API countDomainPop(nvtxDomainHandle_t domain)
{
    return popNccl(domain, nullptr, 0);
}

// Of NVTX's extension for payloads, which no tool but this takes part in: the range is ended as any other.
int NVTX_API popWithPayloads(nvtxDomainHandle_t domain, const NvtxPayload* payloads, std::size_t count)
{
    return popNccl(domain, payloads, count);
}

std::uint64_t NVTX_API describePayload(nvtxDomainHandle_t, const NvtxPayloadSchema* schema)
{
    if (schema == nullptr)
        return 0;
    if (NcclCalls* calls = NcclCalls::ofProcess())
        calls->describe(schema);
    return schema->schemaId;
}

int NVTX_API countDomainPushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes)
{
    countAttributes(attributes);
    lookForNccl(domain, attributes);
    const auto next = domainPushEx.load();
    return next != nullptr ? next(domain, attributes) : kNoTracking;
}

nvtxRangeId_t NVTX_API countDomainStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes)
{
    countAttributes(attributes);
    const auto next = domainStartEx.load();
    return next != nullptr ? next(domain, attributes) : 0;
}

nvtxStringHandle_t NVTX_API keepRegisteredA(nvtxDomainHandle_t domain, const char* name)
{
    const auto next = registerA.load();
    const nvtxStringHandle_t handle = next != nullptr ? next(domain, name) : nullptr;
    if (NcclCalls* calls = NcclCalls::ofProcess())
        calls->name(handle, name);
    Counts* counts = counting();
    if (counts == nullptr || handle == nullptr)
        return handle;
    try {
        if (std::string sequence = sequenceOf(name); !sequence.empty()) {
            const std::lock_guard lock(counts->mutex);
            if (counts->handles.size() < kMostHandles)
                counts->handles[handle] = std::move(sequence);
        }
    } catch (...) {
        return handle;
    }
    return handle;
}

// One module's table of NVTX: functions by number.
class Module
{
public:
    Module(NvtxExportTables getExportTable, NvtxCallbackModule module)
    {
        const auto* exported = static_cast<const NvtxExportTableCallbacks*>(getExportTable(NVTX_ETID_CALLBACKS));
        if (exported == nullptr || exported->struct_size < sizeof(NvtxExportTableCallbacks) ||
            exported->GetModuleFunctionTable(module, &m_table, &m_size) == 0)
            m_size = 0;
    }
    NvtxFunctionPointer* at(unsigned int number) const { return number < m_size ? m_table[number] : nullptr; }

private:
    NvtxFunctionTable m_table = nullptr;
    unsigned int m_size = 0;
};

template <auto& original>
void keepOriginal(NvtxFunctionPointer function)
{
    using Function = decltype(original.load());
    original.store(reinterpret_cast<Function>(function));
}

template <auto& original, typename Function>
void addPlace(std::vector<Place>& places, const Module& module, unsigned int number, Function* own)
{
    if (NvtxFunctionPointer* place = module.at(number); place != nullptr)
        places.push_back({place, *place, reinterpret_cast<NvtxFunctionPointer>(own), &keepOriginal<original>});
}

// All that marks iterations, or only what NCCL calls.
std::vector<Place> placesOf(NvtxExportTables getExportTable, bool counted)
{
    const Module core(getExportTable, NVTX_CB_MODULE_CORE);
    const Module domains(getExportTable, NVTX_CB_MODULE_CORE2);
    std::vector<Place> places;
    addPlace<domainPushEx>(places, domains, NVTX_CBID_CORE2_DomainRangePushEx, &countDomainPushEx);
    addPlace<domainPop>(places, domains, NVTX_CBID_CORE2_DomainRangePop, &countDomainPop);
    addPlace<registerA>(places, domains, NVTX_CBID_CORE2_DomainRegisterStringA, &keepRegisteredA);
    if (!counted)
        return places;
    addPlace<pushA>(places, core, NVTX_CBID_CORE_RangePushA, &countPushA);
    addPlace<pushEx>(places, core, NVTX_CBID_CORE_RangePushEx, &countPushEx);
    addPlace<startA>(places, core, NVTX_CBID_CORE_RangeStartA, &countStartA);
    addPlace<startEx>(places, core, NVTX_CBID_CORE_RangeStartEx, &countStartEx);
    addPlace<domainStartEx>(places, domains, NVTX_CBID_CORE2_DomainRangeStartEx, &countDomainStartEx);
    return places;
}

// Whether another function stood there.
bool take(const Place& place)
{
    const NvtxFunctionPointer found = __atomic_load_n(place.place, __ATOMIC_ACQUIRE);
    if (found == place.own)
        return false;
    if (found != nullptr && found != place.first)
        place.keep(found);
    __atomic_store_n(place.place, place.own, __ATOMIC_RELEASE);
    return true;
}

}  // namespace

void countNvtxRange(const char* name) noexcept
{
    Counts* counts = counting();
    if (counts == nullptr)
        return;
    try {
        if (std::string sequence = sequenceOf(name); !sequence.empty())
            count(*counts, std::move(sequence));
    } catch (...) {
        return;  // out of memory: the program goes on uncounted
    }
}

int watchNvtxSteps(NvtxExportTables getExportTable, NvtxInitialize initialize, RecordControl control)
{
    NcclCalls::watch();
    const bool counted = control.valid() && control.isBounded();
    Counts* counts = theCounts.load();
    if (counts == nullptr) {
        auto* made = new Counts;
        made->control = std::move(control);
        if (theCounts.compare_exchange_strong(counts, made)) {
            counts = made;
            // The child of a fork may find the locks taken, and its iterations are none of the program's.
            pthread_atfork(nullptr, nullptr, [] {
                theCounts = nullptr;
                NcclCalls::forget();
            });
        } else {
            delete made;
        }
    }
    const std::vector<Place> places = placesOf(getExportTable, counted);
    const int result = initialize(getExportTable);
    if (result == 0)
        return result;
    const std::lock_guard lock(counts->mutex);
    for (const Place& place : places)
        take(place);
    counts->places.insert(counts->places.end(), places.begin(), places.end());
    return result;
}

void watchNvtxStepsAgain() noexcept
{
    Counts* counts = theCounts.load();
    if (counts == nullptr)
        return;
    const std::lock_guard lock(counts->mutex);
    bool replaced = false;
    for (const Place& place : counts->places)
        replaced = take(place) || replaced;
    if (NcclCalls* calls = NcclCalls::ofProcess(); calls != nullptr && replaced)
        calls->missed();
}

int watchNvtxPayloads(NvtxExtensionModule* module)
{
    constexpr int kGoOn = 1;
    constexpr std::uint16_t kPayloadModule = 2;  // NVTX_EXT_PAYLOAD_MODULEID
    constexpr std::size_t kSchemaRegister = 0;   // NVTX3EXT_CBID_*
    constexpr std::size_t kRangePopPayload = 4;
    if (module == nullptr || module->moduleId != kPayloadModule || module->segmentsCount == 0 ||
        module->segments == nullptr || module->segments->functionSlots == nullptr || NcclCalls::ofProcess() == nullptr)
        return kGoOn;
    const NvtxExtensionSegment& slots = *module->segments;
    if (slots.slotCount > kSchemaRegister)
        slots.functionSlots[kSchemaRegister] = reinterpret_cast<std::intptr_t>(&describePayload);
    if (slots.slotCount > kRangePopPayload)
        slots.functionSlots[kRangePopPayload] = reinterpret_cast<std::intptr_t>(&popWithPayloads);
    return kGoOn;
}

}  // namespace overlane

#else

namespace overlane
{

int watchNvtxSteps(NvtxExportTables getExportTable, NvtxInitialize initialize, RecordControl)
{
    return initialize(getExportTable);
}

void watchNvtxStepsAgain() noexcept {}

void countNvtxRange(const char*) noexcept {}

int watchNvtxPayloads(NvtxExtensionModule*)
{
    return 1;
}

}  // namespace overlane

#endif
