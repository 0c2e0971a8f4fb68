#include "cupti/engine/cuda_engine.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "core/base/units.h"
#include "core/trace/track_names.h"
#include "cupti/engine/node_binding.h"
#include "cupti/engine/node_rates.h"

namespace overlane
{
namespace
{

constexpr auto kCancelCheck = std::chrono::milliseconds(20);
constexpr std::size_t kLongestThreadName = 15;
constexpr int kWaitsPerFlush = 10;

}  // namespace

Result<std::unique_ptr<CudaEngine>> CudaEngine::create(const GpuEngineOptions& options)
{
    if (const auto code = cudaSetDevice(options.device); code != cudaSuccess)
        return Error{fmt::format("GPU {} cannot be used: {}.", options.device, cudaGetErrorString(code))};
    ASSIGN_OR_RETURN(auto kernels, Kernels::create(options.device));
    std::unique_ptr<CudaEngine> engine(new CudaEngine(options, std::move(kernels)));
    NodePlacement& placement = engine->m_report.placement;
    placement.nodes = numaNodeCount();
    // A process that may not use every node runs all the same, without their rates.
    if (placement.nodes > 1)
        if (auto rates = copyRatesOfNodes(options.device, placement.nodes); rates.ok())
            placement.copyBytesPerSecond = std::move(rates).value();
    if (options.readyBlocks > 0)
        RETURN_IF_ERROR(engine->m_host.makeReady(options.readyBlockBytes, options.readyBlocks));
    if (options.fileRead != op::FileRead::Included) {
        ASSIGN_OR_RETURN(auto files, DataFiles::create({}, options.fileRead, options.fileBytes, options.filePartBytes));
        engine->m_files.emplace(std::move(files));
    }
    return engine;
}

CudaEngine::CudaEngine(const GpuEngineOptions& options, Kernels kernels)
    : m_options(options),
      m_host(options.lockedShareLimit),
      m_kernels(std::move(kernels)),
      m_spool(options.spoolDirectory)
{
    m_runLane = m_spool.addLane("Run", true);
    m_stepLane = m_spool.addLane("Steps", false);
    m_gauges.push_back({std::string(kPinnedMemoryCounter), m_spool.addGauge(kPinnedMemoryCounter, true), {}});
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
    actor.name = name;
    actor.place = static_cast<std::int32_t>(m_actors.size()) - 1;
    return ActorId(m_actors.size() - 1);
}

void CudaEngine::placeActor(ActorId actor, std::int64_t node)
{
    if (numaNodeCount() > 1)
        m_actors[actor.index()].node = static_cast<int>(node);
}

QueueId CudaEngine::addQueue(std::string_view name)
{
    Queue& queue = m_queues.emplace_back();
    if (!name.empty()) {
        auto gauge = std::find_if(m_gauges.begin(), m_gauges.end(),
                                  [name](const Gauge& candidate) { return candidate.name == name; });
        if (gauge == m_gauges.end())
            gauge = m_gauges.insert(gauge, {std::string(name), m_spool.addGauge(name, false), {}});
        queue.gauge = static_cast<std::size_t>(gauge - m_gauges.begin());
    }
    return QueueId(m_queues.size() - 1);
}

StreamId CudaEngine::addStream(std::string_view)
{
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    m_streams.push_back(stream);
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
    {
        const std::lock_guard lock(m_mutex);
        actor.lane = m_spool.addActor(actor.name, gettid(), actor.place);
    }
    pthread_setname_np(pthread_self(), actor.name.substr(0, kLongestThreadName).c_str());
    if (auto bound = bindThreadToNode(actor.node); !bound.ok())
        fail(bound.failure());
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
    for (int waits = 1; living > 0; ++waits) {
        if (m_options.progress && m_options.progress->cancelled())
            fail(Error::cancelled());
        std::this_thread::sleep_for(kCancelCheck);
        if (waits % kWaitsPerFlush == 0)
            writeSpool();
    }
    for (Actor& actor : m_actors)
        actor.thread.join();
    if (m_clockStarted)
        m_spool.add(m_runLane, EventKind::Annotation, kMeasuredRun, m_originNs, monotonicNs());
    writeSpool();
    if (!stopped())
        closeReport();
    if (stopped())
        return m_error;
    return {};
}

void CudaEngine::closeReport()
{
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    auto wrong = m_kernels.wrongBatches();
    if (!wrong.ok()) {
        fail(wrong.failure());
        return;
    }
    m_report.wrongBatches = wrong.value();
    m_report.pinnedPeakBytes = m_host.lockedPeakBytes();
}

std::int64_t CudaEngine::nowNs() const
{
    return monotonicNs() - m_originNs;
}

void CudaEngine::startClock()
{
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    m_originNs = monotonicNs();
    m_clockStarted = true;
    sampleLocked();
}

void CudaEngine::noteStep(StringId label, std::int64_t startNs)
{
    m_steps.add({EventKind::Step, label, startNs + m_originNs, monotonicNs()});
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

// Failures

bool CudaEngine::stopped() const
{
    return m_stopped.load(std::memory_order_acquire);
}

bool CudaEngine::fail(std::string message)
{
    return fail(Error{std::move(message)});
}

bool CudaEngine::fail(Error error)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_error.message.empty())
            m_error = std::move(error);
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

// The recording

void CudaEngine::sampleQueue(const Queue& queue)
{
    if (queue.gauge == kNoGauge)
        return;
    double values = 0;
    for (const Queue& other : m_queues)
        if (other.gauge == queue.gauge)
            values += static_cast<double>(other.values.size());
    sample(queue.gauge, values);
}

void CudaEngine::sampleLocked()
{
    sample(kLockedGauge, static_cast<double>(m_host.lockedBytes()));
}

void CudaEngine::sample(std::size_t gauge, double value)
{
    if (!m_clockStarted || !m_spool.isOpen())
        return;
    const std::lock_guard lock(m_mutex);
    m_gauges[gauge].samples.emplace_back(monotonicNs(), value);
}

void CudaEngine::writeSpool()
{
    if (!m_spool.isOpen())
        return;
    const std::lock_guard lock(m_mutex);
    const auto write = [this](std::uint32_t lane, ActorLog& log) {
        for (const ActorLog::Entry& entry : log.take())
            if (m_clockStarted && entry.endNs > m_originNs)
                m_spool.add(lane, entry.kind, m_strings.view(entry.name),
                            std::max<std::int64_t>(entry.startNs, m_originNs), entry.endNs);
    };
    for (Actor& actor : m_actors)
        if (actor.lane)
            write(*actor.lane, actor.log);
    write(m_stepLane, m_steps);
    for (Gauge& gauge : m_gauges) {
        for (const auto& [timeNs, value] : gauge.samples)
            m_spool.addSample(gauge.id, timeNs, value);
        gauge.samples.clear();
    }
    // At once, for whoever looks at the run while it goes on or stops it.
    if (m_clockStarted && !m_startNoted) {
        m_startNoted = true;
        m_spool.add(m_runLane, EventKind::Instant, kMeasuredRun, m_originNs, m_originNs);
    }
    m_spool.flush();
}

}  // namespace overlane
