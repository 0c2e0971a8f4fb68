#include "cupti/engine/cuda_engine.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "core/base/units.h"
#include "cupti/engine/engine_trace.h"
#include "cupti/engine/node_binding.h"
#include "cupti/engine/span.h"

namespace overlane
{
namespace
{

constexpr auto kCancelCheck = std::chrono::milliseconds(20);
constexpr std::string_view kTrainingActor = "main";

}  // namespace

Result<std::unique_ptr<CudaEngine>> CudaEngine::create(const GpuEngineOptions& options)
{
    if (const auto code = cudaSetDevice(options.device); code != cudaSuccess)
        return Error{fmt::format("GPU {} cannot be used: {}.", options.device, cudaGetErrorString(code))};
    auto kernels = Kernels::create(options.device);
    if (!kernels.ok())
        return Error{kernels.error()};
    std::unique_ptr<CudaEngine> engine(new CudaEngine(options, std::move(kernels).value()));
    if (options.readyBlocks > 0)
        if (auto ready = engine->m_host.makeReady(options.readyBlockBytes, options.readyBlocks); !ready.ok())
            return Error{ready.error()};
    return engine;
}

CudaEngine::CudaEngine(const GpuEngineOptions& options, Kernels kernels)
    : m_options(options), m_host(options.lockedShareLimit), m_kernels(std::move(kernels))
{
    m_names.memcpySync = label("cudaMemcpy");
    m_names.memcpyAsync = label("cudaMemcpyAsync");
    m_names.launch = label("cudaLaunchKernel");
    m_names.record = label("cudaEventRecord");
    m_names.streamWait = label("cudaStreamWaitEvent");
    m_names.syncEvent = label("cudaEventSynchronize");
    m_names.syncStream = label("cudaStreamSynchronize");
    m_names.syncDevice = label("cudaDeviceSynchronize");
    m_names.hostAlloc = label("cudaHostAlloc");
    m_names.freeHost = label("cudaFreeHost");
    m_names.registerHost = label("cudaHostRegister");
    m_names.unregisterHost = label("cudaHostUnregister");
    m_gauges.push_back({"Pinned memory", {}});
}

CudaEngine::~CudaEngine()
{
    cudaSetDevice(m_options.device);
    cudaDeviceSynchronize();
    for (const DeviceBuffer& buffer : m_deviceBuffers)
        cudaFree(buffer.address);
    for (const cudaEvent_t event : m_events)
        cudaEventDestroy(event);
    for (const cudaStream_t stream : m_streams)
        cudaStreamDestroy(stream);
}

// What a run is made of

StringId CudaEngine::label(std::string_view text)
{
    const std::lock_guard lock(m_mutex);
    return m_strings.intern(text);
}

ActorId CudaEngine::addActor(std::string_view name)
{
    Actor& actor = m_actors.emplace_back();
    actor.log.name = name;
    actor.node = name == kTrainingActor ? m_options.mainNode : m_options.workerNode;
    return ActorId(m_actors.size() - 1);
}

QueueId CudaEngine::addQueue(std::string_view name)
{
    m_queues.emplace_back().gauge = name;
    return QueueId(m_queues.size() - 1);
}

StreamId CudaEngine::addStream(std::string_view name)
{
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    m_streams.push_back(stream);
    m_streamNames.emplace_back(name);
    return StreamId(m_streams.size() - 1);
}

DeviceBufferId CudaEngine::addDeviceBuffer(std::int64_t bytes)
{
    DeviceBuffer buffer;
    buffer.bytes = bytes;
    if (const auto code = cudaMalloc(&buffer.address, static_cast<std::size_t>(bytes)); code != cudaSuccess) {
        cudaGetLastError();
        fail(fmt::format("The GPU has no memory for another {}: {}. Lower device_buffers or batch_bytes.",
                         formatBytes(bytes), cudaGetErrorString(code)));
    }
    m_deviceBuffers.push_back(buffer);
    return DeviceBufferId(m_deviceBuffers.size() - 1);
}

GpuEventId CudaEngine::addEvent()
{
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
    const std::lock_guard lock(m_mutex);
    m_events.push_back(event);
    return GpuEventId(m_events.size() - 1);
}

void CudaEngine::spawn(ActorId actor, Task body)
{
    m_actors[actor.index()].body = std::move(body);
}

// The run

void CudaEngine::live(Actor& actor)
{
    actor.log.thread = gettid();
    pthread_setname_np(pthread_self(), actor.log.name.substr(0, 15).c_str());
    if (auto bound = bindThreadToNode(actor.node); !bound.ok())
        fail(bound.error());
    else if (check(cudaSetDevice(m_options.device), "cudaSetDevice"))
        actor.body.handle().resume();
}

Result<void> CudaEngine::run()
{
    std::atomic<std::size_t> living = m_actors.size();
    for (Actor& actor : m_actors)
        actor.thread = std::thread([this, &actor, &living] {
            live(actor);
            --living;
        });
    while (living > 0) {
        if (m_options.progress && m_options.progress->cancelled())
            fail(Progress::kCancelled);
        std::this_thread::sleep_for(living > 0 ? kCancelCheck : std::chrono::milliseconds(0));
    }
    for (Actor& actor : m_actors)
        actor.thread.join();
    m_endNs = steadyNowNs();
    if (stopped())
        return Error{m_error};
    closeReport();
    if (stopped())
        return Error{m_error};
    return {};
}

void CudaEngine::closeReport()
{
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    auto wrong = m_kernels.wrongBatches();
    if (!wrong.ok()) {
        fail(wrong.error());
        return;
    }
    m_report.wrongBatches = wrong.value();
    m_report.pinnedPeakBytes = m_host.lockedPeakBytes();
}

std::int64_t CudaEngine::nowNs() const
{
    return steadyNowNs() - m_originNs;
}

void CudaEngine::startClock()
{
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    m_originNs = steadyNowNs();
    m_clockStarted = true;
    sampleLocked();
}

void CudaEngine::noteStep(StringId label, std::int64_t startNs)
{
    m_steps.push_back({EventKind::Step, label, startNs + m_originNs, steadyNowNs()});
}

bool CudaEngine::eventDone(GpuEventId id) const
{
    return cudaEventQuery(event(id)) == cudaSuccess;
}

bool CudaEngine::start(ActorId actor, const Operation& operation, std::int64_t& result, std::coroutine_handle<>)
{
    Actor& self = m_actors[actor.index()];
    return !stopped() && std::visit([&](const auto& specific) { return perform(self, specific, result); }, operation) &&
           !stopped();
}

Result<Trace> CudaEngine::takeTrace(TraceMetadata metadata)
{
    EngineTrace trace;
    for (Actor& actor : m_actors)
        trace.actors.push_back(std::move(actor.log));
    trace.steps = std::move(m_steps);
    trace.gauges = std::move(m_gauges);
    trace.strings = &m_strings;
    trace.originNs = m_originNs;
    trace.endNs = m_endNs;
    trace.metadata = std::move(metadata);
    return buildEngineTrace(std::move(trace));
}

// Failures

bool CudaEngine::stopped() const
{
    return m_stopped.load(std::memory_order_acquire);
}

bool CudaEngine::fail(std::string message)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_error.empty())
            m_error = std::move(message);
    }
    m_stopped.store(true, std::memory_order_release);
    for (Queue& queue : m_queues)
        queue.values.stop();
    return false;
}

bool CudaEngine::check(cudaError_t code, const char* call)
{
    return code == cudaSuccess || fail(fmt::format("{} failed on GPU {}: {} ({}).", call, m_options.device,
                                                   cudaGetErrorString(code), cudaGetErrorName(code)));
}

cudaEvent_t CudaEngine::event(GpuEventId id) const
{
    const std::lock_guard lock(m_mutex);
    return m_events[id.index()];
}

// Gauges

void CudaEngine::sampleQueue(const Queue& queue)
{
    if (queue.gauge.empty() || !m_clockStarted)
        return;
    double values = 0;
    for (const Queue& other : m_queues)
        if (other.gauge == queue.gauge)
            values += static_cast<double>(other.values.size());
    const std::int64_t timeNs = steadyNowNs();
    const std::lock_guard lock(m_mutex);
    auto gauge = std::find_if(m_gauges.begin(), m_gauges.end(),
                              [&](const GaugeLog& candidate) { return candidate.name == queue.gauge; });
    if (gauge == m_gauges.end())
        gauge = m_gauges.insert(gauge, {queue.gauge, {}});
    gauge->samples.emplace_back(timeNs, values);
}

void CudaEngine::sampleLocked()
{
    const auto locked = static_cast<double>(m_host.lockedBytes());
    const std::int64_t timeNs = steadyNowNs();
    const std::lock_guard lock(m_mutex);
    if (m_clockStarted)
        m_gauges.front().samples.emplace_back(timeNs, locked);
}

}  // namespace overlane
