// A CUDA program to record: prints what it did, so that a recording can be held to it.
//
// Usage: gpu_program MODE [N]
//   copies     each memory kind, direction, call and stream once; two streams side by side; NVTX
//   launches N N steps of 1600 tiny kernels; prints the median step in ms
//   rate N     N tiny kernels from four threads, as fast as they go; prints launches per second
//   pipeline   64 copies of 16 MiB and as much compute, two streams, depth two; prints the ratio of
//              wall time to the longer of the two
//   busy       copies and kernels until it is killed
//   reset      some kernels, then cudaDeviceReset() without waiting
//   graph      a captured graph, launched five times
//   loop       a graph that runs its body ten times by itself (a conditional node), launched five times;
//              `loop-copies`: with a memset and a copy in it
//   family     forks a child without CUDA, then starts itself again as `copies`
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace
{

void check(cudaError_t error, int line)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
    std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

constexpr std::size_t kBytes = std::size_t{16} << 20;

__global__ void tiny(int* value)
{
    if (value != nullptr)
        *value += 1;
}

__global__ void spin(long long nanoseconds)
{
    unsigned long long start = 0;
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < static_cast<unsigned long long>(nanoseconds));
}

double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Buffers {
    void* device = nullptr;
    void* pinned = nullptr;
    void* pageable = nullptr;
    void* registered = nullptr;

    Buffers()
    {
        CHECK(cudaMalloc(&device, kBytes));
        CHECK(cudaHostAlloc(&pinned, kBytes, cudaHostAllocDefault));
        pageable = std::malloc(kBytes);
        std::memset(pageable, 1, kBytes);
        registered = std::aligned_alloc(4096, kBytes);
        std::memset(registered, 1, kBytes);
        CHECK(cudaHostRegister(registered, kBytes, cudaHostRegisterDefault));
    }
    ~Buffers()
    {
        CHECK(cudaHostUnregister(registered));
        CHECK(cudaFreeHost(pinned));
        CHECK(cudaFree(device));
        std::free(registered);
        std::free(pageable);
    }
};

int copies()
{
    Buffers buffers;
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    int copied = 0;
    nvtxDomainHandle_t domain = nvtxDomainCreateA("gpu-test");
    for (void* host : {buffers.pinned, buffers.pageable, buffers.registered}) {
        nvtxEventAttributes_t attributes = {};
        attributes.version = NVTX_VERSION;
        attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
        attributes.message.ascii = host == buffers.pageable ? "pageable" : "page-locked";
        attributes.colorType = NVTX_COLOR_ARGB;
        attributes.color = 0xFF3366CC;
        attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
        attributes.payload.llValue = copied;
        nvtxDomainRangePushEx(domain, &attributes);
        CHECK(cudaMemcpy(buffers.device, host, kBytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpyAsync(buffers.device, host, kBytes, cudaMemcpyHostToDevice, first));
        CHECK(cudaStreamSynchronize(first));
        CHECK(cudaMemcpy(host, buffers.device, kBytes, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpyAsync(host, buffers.device, kBytes, cudaMemcpyDeviceToHost, second));
        CHECK(cudaStreamSynchronize(second));
        copied += 4;
        nvtxDomainRangePop(domain);
    }
    const nvtxRangeId_t range = nvtxRangeStartA("side by side");
    cudaEvent_t ready = nullptr;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    int kernels = 0;
    for (int round = 0; round < 4; ++round) {
        CHECK(cudaMemcpyAsync(buffers.device, buffers.pinned, kBytes, cudaMemcpyHostToDevice, first));
        CHECK(cudaEventRecord(ready, first));
        spin<<<1, 1, 0, second>>>(300'000);
        CHECK(cudaStreamWaitEvent(second, ready, 0));
        spin<<<1, 1, 0, second>>>(50'000);
        kernels += 2;
        ++copied;
    }
    CHECK(cudaMemsetAsync(buffers.device, 0, kBytes, first));
    CHECK(cudaDeviceSynchronize());
    nvtxRangeEnd(range);
    nvtxMarkA("done");
    CHECK(cudaEventDestroy(ready));
    std::printf("expect kernels=%d copies=%d memsets=1 ranges=4 pinned=%zu\n", kernels, copied, 2 * kBytes);
    return 0;
}

int launches(int steps)
{
    constexpr int kPerStep = 1600;
    std::vector<double> times;
    for (int step = 0; step < steps; ++step) {
        const double start = seconds();
        for (int kernel = 0; kernel < kPerStep; ++kernel)
            tiny<<<1, 1>>>(nullptr);
        CHECK(cudaDeviceSynchronize());
        times.push_back(seconds() - start);
    }
    std::sort(times.begin(), times.end());
    std::printf("step_ms=%.3f min_ms=%.3f expect kernels=%d\n", times[times.size() / 2] * 1e3, times.front() * 1e3,
                steps * kPerStep);
    return 0;
}

int rate(int count)
{
    constexpr int kThreads = 4;
    CHECK(cudaFree(nullptr));
    const double start = seconds();
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&] {
            cudaStream_t stream = nullptr;
            CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            for (int kernel = 0; kernel < count / kThreads; ++kernel)
                tiny<<<1, 1, 0, stream>>>(nullptr);
            CHECK(cudaStreamSynchronize(stream));
        });
    for (std::thread& thread : threads)
        thread.join();
    std::printf("launches_per_s=%.0f expect kernels=%d\n", count / (seconds() - start), count / kThreads * kThreads);
    return 0;
}

int pipeline()
{
    constexpr int kBatches = 64;
    constexpr int kRounds = 5;
    void* host = nullptr;
    CHECK(cudaHostAlloc(&host, kBytes, cudaHostAllocDefault));
    void* device[2] = {};
    cudaEvent_t copiedEvent[2] = {};
    cudaEvent_t freeEvent[2] = {};
    for (int slot = 0; slot < 2; ++slot) {
        CHECK(cudaMalloc(&device[slot], kBytes));
        CHECK(cudaEventCreateWithFlags(&copiedEvent[slot], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&freeEvent[slot], cudaEventDisableTiming));
    }
    cudaStream_t copy = nullptr;
    cudaStream_t compute = nullptr;
    CHECK(cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    const auto timed = [](auto&& work) {
        CHECK(cudaDeviceSynchronize());
        const double start = seconds();
        work();
        CHECK(cudaDeviceSynchronize());
        return seconds() - start;
    };
    const auto onlyCopies = [&] {
        for (int batch = 0; batch < kBatches; ++batch)
            CHECK(cudaMemcpyAsync(device[batch % 2], host, kBytes, cudaMemcpyHostToDevice, copy));
    };
    timed(onlyCopies);
    double copyTime = 1e9;
    for (int round = 0; round < kRounds; ++round)
        copyTime = std::min(copyTime, timed(onlyCopies));
    const auto perBatch = static_cast<long long>(copyTime / kBatches * 1e9);
    const auto onlyCompute = [&] {
        for (int batch = 0; batch < kBatches; ++batch)
            spin<<<1, 1, 0, compute>>>(perBatch);
    };
    timed(onlyCompute);
    const double computeTime = timed(onlyCompute);
    double wall = 1e9;
    for (int round = 0; round < kRounds; ++round)
        wall = std::min(wall, timed([&] {
                            for (int batch = 0; batch < kBatches; ++batch) {
                                const int slot = batch % 2;
                                if (batch >= 2)
                                    CHECK(cudaStreamWaitEvent(copy, freeEvent[slot], 0));
                                CHECK(cudaMemcpyAsync(device[slot], host, kBytes, cudaMemcpyHostToDevice, copy));
                                CHECK(cudaEventRecord(copiedEvent[slot], copy));
                                CHECK(cudaStreamWaitEvent(compute, copiedEvent[slot], 0));
                                spin<<<1, 1, 0, compute>>>(perBatch);
                                CHECK(cudaEventRecord(freeEvent[slot], compute));
                            }
                        }));
    std::printf("copy_gb_s=%.2f copy_ms=%.3f compute_ms=%.3f wall_ms=%.3f ratio=%.4f\n",
                kBatches * kBytes / copyTime / 1e9, copyTime * 1e3, computeTime * 1e3, wall * 1e3,
                wall / std::max(copyTime, computeTime));
    return 0;
}

int busy()
{
    Buffers buffers;
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::printf("busy\n");
    std::fflush(stdout);
    // The GPU always has work queued, as in training: some record is always incomplete.
    for (;;) {
        for (int kernel = 0; kernel < 50; ++kernel)
            spin<<<1, 1, 0, stream>>>(200'000);
        CHECK(cudaMemcpyAsync(buffers.device, buffers.pinned, kBytes, cudaMemcpyHostToDevice, stream));
        std::this_thread::sleep_for(std::chrono::milliseconds(9));
    }
}

int reset()
{
    for (int kernel = 0; kernel < 100; ++kernel)
        tiny<<<1, 1>>>(nullptr);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    std::printf("expect kernels=100\n");
    return 0;
}

int graph()
{
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t captured = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int kernel = 0; kernel < 10; ++kernel)
        tiny<<<1, 1, 0, stream>>>(nullptr);
    CHECK(cudaStreamEndCapture(stream, &captured));
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaGraphInstantiate(&executable, captured, 0));
    for (int launch = 0; launch < 5; ++launch)
        CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("expect kernels=50\n");
    return 0;
}

#if CUDART_VERSION >= 12040
__global__ void countDown(int* left, cudaGraphConditionalHandle again)
{
    cudaGraphSetConditional(again, --*left > 0 ? 1 : 0);
}

__global__ void setTo(int* left, int value)
{
    *left = value;
}

int loop(bool copies)
{
    void *from = nullptr, *to = nullptr;
    CHECK(cudaMalloc(&from, kBytes));
    CHECK(cudaMalloc(&to, kBytes));
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    int* left = nullptr;
    CHECK(cudaMalloc(&left, sizeof(int)));
    cudaGraph_t graph = nullptr;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle again{};
    CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    int ten = 10;
    void* setArguments[] = {&left, &ten};
    cudaKernelNodeParams set{};
    set.func = reinterpret_cast<void*>(setTo);
    set.gridDim = set.blockDim = dim3(1);
    set.kernelParams = setArguments;
    cudaGraphNode_t first = nullptr;
    CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &set));
    cudaGraphNodeParams conditional{};
    conditional.type = cudaGraphNodeTypeConditional;
    conditional.conditional.handle = again;
    conditional.conditional.type = cudaGraphCondTypeWhile;
    conditional.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, &first, nullptr, 1, &conditional));
#else
    CHECK(cudaGraphAddNode(&node, graph, &first, 1, &conditional));
#endif
    CHECK(cudaStreamBeginCaptureToGraph(stream, conditional.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
    for (int kernel = 0; kernel < 3; ++kernel)
        tiny<<<1, 1, 0, stream>>>(nullptr);
    if (copies) {
        CHECK(cudaMemsetAsync(from, 1, kBytes, stream));
        CHECK(cudaMemcpyAsync(to, from, kBytes, cudaMemcpyDeviceToDevice, stream));
    }
    countDown<<<1, 1, 0, stream>>>(left, again);
    CHECK(cudaStreamEndCapture(stream, nullptr));
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int launch = 0; launch < 5; ++launch)
        CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    int rest = -1;
    CHECK(cudaMemcpy(&rest, left, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("left=%d\n", rest);
    return rest == 0 ? 0 : 1;
}
#endif

int family(const char* self)
{
    tiny<<<1, 1>>>(nullptr);
    CHECK(cudaDeviceSynchronize());
    const pid_t child = fork();
    if (child == 0)
        std::exit(0);
    int status = 0;
    waitpid(child, &status, 0);
    const int started = std::system((std::string(self) + " copies").c_str());
    return WEXITSTATUS(status) + WEXITSTATUS(started);
}

}  // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc > 1 ? argv[1] : "";
    const int count = argc > 2 ? std::atoi(argv[2]) : 20;
    if (mode == "copies")
        return copies();
    if (mode == "launches")
        return launches(count);
    if (mode == "rate")
        return rate(count);
    if (mode == "pipeline")
        return pipeline();
    if (mode == "busy")
        return busy();
    if (mode == "reset")
        return reset();
    if (mode == "graph")
        return graph();
#if CUDART_VERSION >= 12040
    if (mode == "loop" || mode == "loop-copies")
        return loop(mode == "loop-copies");
#endif
    if (mode == "family")
        return family(argv[0]);
    std::fprintf(stderr,
                 "usage: gpu_program copies|launches|rate|pipeline|busy|reset|graph|loop|loop-copies|family [N]\n");
    return 2;
}
