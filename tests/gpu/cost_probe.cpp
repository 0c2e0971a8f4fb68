// An injection library whose kinds of record can be changed while the program runs: to find what
// each of them costs. Not the collector: nothing is decoded or kept.
//
// The CUDA driver loads it as it would liboverlane-inject.so; OVERLANE_PROBE_START then says what to
// set before anything else ("none": nothing), and the program calls probe_set() for the rest. Words:
//   kinds    ctx memcpy memset memory sync marker overhead graph event stream external kernel runtime driver
//   calls    calls=KINDS (as overlane record --kinds has them), one-runtime, one-driver
//   setup    loaded (CUPTI, not called), attach (callbacks and clock), noclock, unzeroed, shared, pinned,
//   devbuf=BYTES, prealloc=N, hwtrace;
//            at the first call only
//   other    flush=MS, buffer=BYTES, allsync0 (no records of queries)
// What a word list leaves out is off.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <sched.h>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/spool/cupti_search.h"
#include "core/spool/record_kinds.h"
#include "core/spool/spool_clock.h"
#include "cupti/collector/activity_buffers.h"
#include "cupti/collector/cupti_library.h"
#include "cupti/collector/gpu_inventory.h"
#include "cupti/collector/recorded_calls.h"

#define OVERLANE_EXPORT extern "C" __attribute__((visibility("default")))

namespace
{

using namespace overlane;

struct Probe {
    CuptiLibrary cupti;
    ActivityBuffers buffers;
    std::atomic<std::size_t> bufferBytes{0};
    std::atomic<int> flushMs{0};
    std::atomic<std::uint64_t> records{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> requests{0};
    bool attached = false;
    std::set<CUpti_ActivityKind> kinds;
    std::set<std::pair<CallDomain, CUpti_CallbackId>> calls;
};

Probe* g_probe = nullptr;

const std::map<std::string, CUpti_ActivityKind> kKinds = {
    {"ctx", CUPTI_ACTIVITY_KIND_CONTEXT},
    {"memcpy", CUPTI_ACTIVITY_KIND_MEMCPY},
    {"memset", CUPTI_ACTIVITY_KIND_MEMSET},
    {"memory", CUPTI_ACTIVITY_KIND_MEMORY2},
    {"sync", CUPTI_ACTIVITY_KIND_SYNCHRONIZATION},
    {"marker", CUPTI_ACTIVITY_KIND_MARKER},
    {"overhead", CUPTI_ACTIVITY_KIND_OVERHEAD},
    {"graph", CUPTI_ACTIVITY_KIND_GRAPH_TRACE},
    {"event", CUPTI_ACTIVITY_KIND_CUDA_EVENT},
    {"stream", CUPTI_ACTIVITY_KIND_STREAM},
    {"external", CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION},
    {"kernel", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
    {"runtime", CUPTI_ACTIVITY_KIND_RUNTIME},
    {"driver", CUPTI_ACTIVITY_KIND_DRIVER},
};

void CUPTIAPI requested(std::uint8_t** data, std::size_t* size, std::size_t* most)
{
    ++g_probe->requests;
    const ActivityBuffers::Buffer buffer = g_probe->buffers.request();
    *data = buffer.data;
    *size = buffer.size;
    *most = 0;
}

void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* data, std::size_t size, std::size_t valid)
{
    g_probe->buffers.complete(data, size, valid);
}

std::uint64_t CUPTIAPI timestamp()
{
    return static_cast<std::uint64_t>(monotonicNs());
}

void drain()
{
    for (;;) {
        const ActivityBuffers::Buffer buffer = g_probe->buffers.take();
        if (buffer.data == nullptr)
            return;
        CUpti_Activity* record = nullptr;
        while (buffer.valid > 0 &&
               g_probe->cupti.cuptiActivityGetNextRecord(buffer.data, buffer.valid, &record) == CUPTI_SUCCESS)
            ++g_probe->records;
        g_probe->bytes += buffer.valid;
        g_probe->buffers.recycle(buffer);
    }
}

void serve()
{
    std::int64_t flushedNs = monotonicNs();
    for (;;) {
        usleep(5000);
        drain();
        const int periodMs = g_probe->flushMs;
        if (periodMs > 0 && monotonicNs() - flushedNs >= std::int64_t{periodMs} * 1'000'000) {
            flushedNs = monotonicNs();
            g_probe->cupti.cuptiActivityFlushAll(0);
        }
        if (const std::size_t wanted = g_probe->bufferBytes; wanted != 0)
            g_probe->buffers.setRate(static_cast<double>(wanted) * 5);
    }
}

std::vector<std::string> words(const char* list)
{
    std::vector<std::string> result(1);
    for (; *list != '\0'; ++list)
        if (*list == '+')
            result.emplace_back();
        else
            result.back() += *list;
    return result;
}

std::size_t number(const std::string& word)
{
    return std::strtoull(word.substr(word.find('=') + 1).c_str(), nullptr, 10);
}

void setAttribute(CUpti_ActivityAttribute attribute, std::size_t value, std::size_t size)
{
    const CUptiResult result = g_probe->cupti.cuptiActivitySetAttribute(attribute, &size, &value);
    if (result != CUPTI_SUCCESS)
        std::fprintf(stderr, "attribute %d = %zu: error %d\n", attribute, value, result);
}

bool attach(const std::vector<std::string>& asked)
{
    const GpuInventory gpus;
    if (!g_probe->cupti.load(cuptiCandidates(searchHere(gpus.driverMajor())))) {
        std::fprintf(stderr, "no CUPTI: %s\n", g_probe->cupti.error().c_str());
        return false;
    }
    if (asked.front() == "loaded")
        return false;
    g_probe->attached = true;
    const auto has = [&](const char* word) { return std::find(asked.begin(), asked.end(), word) != asked.end(); };
    if (has("hwtrace")) {
        const auto enable =
            reinterpret_cast<CUptiResult (*)(std::uint8_t)>(g_probe->cupti.symbol("cuptiActivityEnableHWTrace"));
        std::fprintf(stderr, "hwtrace: %d\n", enable != nullptr ? enable(1) : -1);
    }
    for (const std::string& word : asked) {
        if (word.starts_with("devbuf="))
            setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, number(word), sizeof(std::size_t));
        if (word.starts_with("prealloc="))
            setAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, number(word), sizeof(std::size_t));
    }
    if (has("pinned"))
        setAttribute(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, 1, 1);
    setAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, has("unzeroed") ? 0 : 1, 1);
    setAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, has("shared") ? 0 : 1, 1);
    g_probe->cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    if (!has("noclock"))
        g_probe->cupti.cuptiActivityRegisterTimestampCallback(timestamp);
    g_probe->cupti.cuptiActivityRegisterCallbacks(requested, completed);
    std::thread(serve).detach();
    return true;
}

void wantCalls(CallDomain domain, RecordKinds kinds, std::set<std::pair<CallDomain, CUpti_CallbackId>>& into)
{
    const auto callbackDomain = domain == CallDomain::Driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    const char* name = nullptr;
    for (CUpti_CallbackId call = 1;
         g_probe->cupti.cuptiGetCallbackName(callbackDomain, call, &name) == CUPTI_SUCCESS && name != nullptr; ++call)
        if (isRecordedCall(domain, name, kinds))
            into.emplace(domain, call);
}

void enableCall(std::pair<CallDomain, CUpti_CallbackId> call, std::uint8_t on)
{
    (call.first == CallDomain::Driver ? g_probe->cupti.cuptiActivityEnableDriverApi
                                      : g_probe->cupti.cuptiActivityEnableRuntimeApi)(call.second, on);
}

}  // namespace

OVERLANE_EXPORT void probe_set(const char* list)
{
    if (!g_probe->attached && !attach(words(list)))
        return;
    std::set<CUpti_ActivityKind> kinds;
    std::set<std::pair<CallDomain, CUpti_CallbackId>> calls;
    int flushMs = 0;
    std::size_t bufferBytes = 256u << 10;
    for (const std::string& word : words(list)) {
        if (const auto kind = kKinds.find(word); kind != kKinds.end())
            kinds.insert(kind->second);
        else if (word == "one-driver")
            calls.emplace(CallDomain::Driver, CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion);
        else if (word == "one-runtime")
            calls.emplace(CallDomain::Runtime, CUPTI_RUNTIME_TRACE_CBID_cudaDriverGetVersion_v3020);
        else if (word.starts_with("flush="))
            flushMs = static_cast<int>(number(word));
        else if (word.starts_with("buffer="))
            bufferBytes = number(word);
        for (const auto& [start, domain] :
             {std::pair("calls=", CallDomain::Runtime), std::pair("calls=", CallDomain::Driver),
              std::pair("rtcalls=", CallDomain::Runtime), std::pair("drvcalls=", CallDomain::Driver)})
            if (word.starts_with(start)) {
                RecordKinds wanted;
                std::string_view unknown;
                std::string names = word.substr(word.find('=') + 1);
                std::replace(names.begin(), names.end(), '/', ',');
                RecordKinds::parse(names, wanted, unknown);
                wantCalls(domain, wanted, calls);
            }
    }
    if (g_probe->cupti.cuptiActivityEnableAllSyncRecords != nullptr && std::strstr(list, "allsync0") != nullptr)
        g_probe->cupti.cuptiActivityEnableAllSyncRecords(0);
    for (const auto& call : g_probe->calls)
        if (!calls.contains(call))
            enableCall(call, 0);
    for (const CUpti_ActivityKind kind : g_probe->kinds)
        if (!kinds.contains(kind))
            g_probe->cupti.cuptiActivityDisable(kind);
    for (const CUpti_ActivityKind kind : kinds)
        if (!g_probe->kinds.contains(kind))
            if (const CUptiResult result = g_probe->cupti.cuptiActivityEnable(kind); result != CUPTI_SUCCESS)
                std::fprintf(stderr, "kind %d: error %d\n", kind, result);
    for (const auto& call : calls)
        if (!g_probe->calls.contains(call))
            enableCall(call, 1);
    g_probe->kinds = kinds;
    g_probe->calls = calls;
    g_probe->flushMs = flushMs;
    g_probe->bufferBytes = bufferBytes;
}

OVERLANE_EXPORT unsigned long probe_records()
{
    return g_probe == nullptr ? 0 : g_probe->records.load();
}

OVERLANE_EXPORT unsigned long probe_requests()
{
    return g_probe == nullptr ? 0 : g_probe->requests.load();
}

OVERLANE_EXPORT int InitializeInjection(void)
{
    const char* start = std::getenv("OVERLANE_PROBE_START");
    if (g_probe != nullptr || start == nullptr)
        return 1;
    g_probe = new Probe;
    if (*start != '\0' && std::strcmp(start, "none") != 0)
        probe_set(start);
    return 1;
}
