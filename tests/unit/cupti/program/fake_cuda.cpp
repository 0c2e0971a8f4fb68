// A driver and a CUPTI without a GPU, in one library: what the collector asks of them, and nothing
// more. Records wait in a list until a flush hands them over in the collector's buffers.
//
// FAKE_CUDA_DEVICES: how many GPUs there are, one unless given. FAKE_CUPTI in the environment: "denied" (error 35),
// "busy" (39), "old" (no fine-grained calls), "nomemory" (allocations cannot be recorded). FAKE_CUPTI_LOG: a file that
// gets a line per call that changes something.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "cupti/collector/activity_layouts.h"

namespace
{

struct State {
    std::mutex mutex;
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    CUpti_TimestampCallbackFunc timestamp = nullptr;
    std::set<CUpti_ActivityKind> kinds;
    std::set<CUpti_CallbackId> driverCalls;
    std::set<CUpti_CallbackId> runtimeCalls;
    bool used = false;                                  // runtime calls that are switched on from then on do not come
    std::vector<std::vector<std::uint8_t>> waiting;     // complete records
    std::vector<std::vector<std::uint8_t>> incomplete;  // handed over by force only
    std::uint32_t correlation = 0;
    std::size_t dropped = 0;
    std::atomic<std::uint64_t> flushes = 0;
};

State& state()
{
    static auto* theState = new State;
    return *theState;
}

bool fakes(const char* what)
{
    const char* mode = std::getenv("FAKE_CUPTI");
    return mode != nullptr && std::strcmp(mode, what) == 0;
}

void log(const std::string& line)
{
    if (const char* path = std::getenv("FAKE_CUPTI_LOG"))
        if (FILE* file = std::fopen(path, "a")) {
            std::fprintf(file, "%s\n", line.c_str());
            std::fclose(file);
        }
}

template <typename Condition>
void await(Condition&& condition)
{
    constexpr int kRounds = 3'000;
    constexpr useconds_t kRoundUs = 10'000;
    for (int round = 0; round < kRounds; ++round) {
        {
            const std::lock_guard lock(state().mutex);
            if (condition())
                return;
        }
        usleep(kRoundUs);
    }
}

template <typename Record>
void add(std::vector<std::vector<std::uint8_t>>& list, const Record& record)
{
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&record);
    list.emplace_back(bytes, bytes + sizeof(record));
}

template <typename Record>
Record made(CUpti_ActivityKind kind)
{
    Record record;
    std::memset(static_cast<void*>(&record), 0, sizeof(record));
    record.kind = kind;
    return record;
}

void addCall(CUpti_ActivityKind kind, CUpti_CallbackId number, std::uint32_t correlation)
{
    auto call = made<CUpti_ActivityAPI>(kind);
    call.cbid = number;
    call.start = state().timestamp();
    call.end = call.start + 500;
    call.processId = static_cast<std::uint32_t>(getpid());
    call.threadId = static_cast<std::uint32_t>(syscall(SYS_gettid));
    call.correlationId = correlation;
    add(state().waiting, call);
}

void handOver(const std::vector<std::vector<std::uint8_t>>& records)
{
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t used = 0;
    const auto finish = [&] {
        if (buffer != nullptr)
            state().complete(nullptr, 0, buffer, size, used);
        buffer = nullptr;
    };
    for (const std::vector<std::uint8_t>& record : records) {
        const std::size_t bytes = sizeof(std::uint32_t) * 2 + record.size();
        if (buffer == nullptr || used + bytes > size) {
            finish();
            std::size_t most = 0;
            state().request(&buffer, &size, &most);
            used = 0;
            if (buffer == nullptr) {
                ++state().dropped;
                continue;
            }
        }
        const std::uint32_t length[2] = {static_cast<std::uint32_t>(record.size()), 0};
        std::memcpy(buffer + used, length, sizeof(length));
        std::memcpy(buffer + used + sizeof(length), record.data(), record.size());
        used += bytes;
    }
    finish();
}

}  // namespace

extern "C" {

// The driver.
CUresult cuDriverGetVersion(int* version)
{
    *version = 13000;
    const std::lock_guard lock(state().mutex);
    if (state().timestamp != nullptr && state().driverCalls.contains(CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion))
        addCall(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion, ++state().correlation);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count)
{
    const char* devices = std::getenv("FAKE_CUDA_DEVICES");
    *count = devices != nullptr ? std::atoi(devices) : 1;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int number)
{
    *device = number;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice)
{
    std::snprintf(name, static_cast<std::size_t>(length), "Fake GPU");
    return CUDA_SUCCESS;
}

// What the test program does on the GPU.
void fakeWork(int kernels)
{
    const std::lock_guard lock(state().mutex);
    constexpr CUpti_CallbackId kLaunch = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    state().used = true;
    for (int kernel = 0; kernel < kernels && state().timestamp != nullptr; ++kernel) {
        const std::uint32_t correlation = ++state().correlation;
        if (state().kinds.contains(CUPTI_ACTIVITY_KIND_RUNTIME) || state().runtimeCalls.contains(kLaunch))
            addCall(CUPTI_ACTIVITY_KIND_RUNTIME, kLaunch, correlation);
        if (!state().kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL))
            continue;
        auto record = made<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        record.start = state().timestamp();
        record.end = record.start + 1000;
        record.streamId = 7;
        record.correlationId = correlation;
        record.name = "fake_kernel";
        add(state().waiting, record);
    }
}
void fakeUnfinishedKernel()
{
    const std::lock_guard lock(state().mutex);
    auto record = made<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    record.name = "unfinished";
    add(state().incomplete, record);
}
// Each waits for at most half a minute, which no machine needs.
void fakeAwait(int kind, int enabled)
{
    await([=] { return state().kinds.contains(static_cast<CUpti_ActivityKind>(kind)) == (enabled != 0); });
}
void fakeAwaitFlush()
{
    // The second flush from here on begins after the work before.
    const std::uint64_t before = state().flushes;
    await([=] { return state().flushes >= before + 2; });
}
void fakeAwaitQuiet()
{
    constexpr int kQuietRounds = 200;
    std::uint64_t seen = state().flushes;
    int quiet = 0;
    await([&] {
        quiet = seen == state().flushes ? quiet + 1 : 0;
        seen = state().flushes;
        return quiet > kQuietRounds;
    });
}
void fakeTakeOver()
{
    const std::lock_guard lock(state().mutex);
    state().request = nullptr;
}

// CUPTI.
CUptiResult cuptiGetVersion(std::uint32_t* version)
{
    *version = CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, std::uint32_t number, const char** name)
{
    if (number > 600)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *name = "cuSomethingElse";
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && number == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000)
        *name = "cudaLaunchKernel_v7000";
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && number == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020)
        *name = "cudaMemcpy_v3020";
    return CUPTI_SUCCESS;
}
CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
    return type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM ? CUPTI_SUCCESS : CUPTI_ERROR_NOT_SUPPORTED;
}
CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, std::size_t*, void*)
{
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc timestamp)
{
    log("timestamp");
    state().timestamp = timestamp;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete)
{
    log("callbacks");
    state().request = request;
    state().complete = complete;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    if (fakes("denied"))
        return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    if (fakes("busy"))
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    if (fakes("nomemory") && kind == CUPTI_ACTIVITY_KIND_MEMORY2)
        return CUPTI_ERROR_NOT_COMPATIBLE;
    log("enable " + std::to_string(kind));
    const std::lock_guard lock(state().mutex);
    state().kinds.insert(kind);
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    log("disable " + std::to_string(kind));
    const std::lock_guard lock(state().mutex);
    state().kinds.erase(kind);
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId call, std::uint8_t enable)
{
    const std::lock_guard lock(state().mutex);
    if (enable != 0)
        state().driverCalls.insert(call);
    else
        state().driverCalls.erase(call);
    log((enable != 0 ? "enable driver call " : "disable driver call ") + std::to_string(call));
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId call, std::uint8_t enable)
{
    const std::lock_guard lock(state().mutex);
    if (enable == 0)
        state().runtimeCalls.erase(call);
    else if (!state().used)
        state().runtimeCalls.insert(call);
    log((enable != 0 ? "enable runtime call " : "disable runtime call ") + std::to_string(call));
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushAll(std::uint32_t flag)
{
    std::vector<std::vector<std::uint8_t>> records;
    {
        const std::lock_guard lock(state().mutex);
        ++state().flushes;
        if (state().request == nullptr)
            return CUPTI_SUCCESS;
        records.swap(state().waiting);
        if (flag == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) {
            log("forced flush");
            records.insert(records.end(), state().incomplete.begin(), state().incomplete.end());
            state().incomplete.clear();
        }
    }
    handOver(records);
    return CUPTI_SUCCESS;
}
CUptiResult cuptiFinalize()
{
    log("finalize");
    const std::lock_guard lock(state().mutex);
    state().request = nullptr;
    state().timestamp = nullptr;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record)
{
    std::size_t at = 0;
    if (*record != nullptr) {
        const auto* present = reinterpret_cast<std::uint8_t*>(*record);
        std::uint32_t length = 0;
        std::memcpy(&length, present - 2 * sizeof(std::uint32_t), sizeof(length));
        at = static_cast<std::size_t>(present - buffer) + length;
    }
    if (at >= valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(buffer + at + 2 * sizeof(std::uint32_t));
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped)
{
    *dropped = state().dropped;
    state().dropped = 0;
    return CUPTI_SUCCESS;
}
}
