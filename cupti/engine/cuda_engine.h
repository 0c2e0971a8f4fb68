// CudaEngine: a loader's world on a real GPU: every actor is a thread, memory is real, and each
// operation makes its call inside start() and never suspends.
//
// After a failure or a cancellation no operation ends any more: start() suspends the actor for good,
// its thread returns, run() answers with the first error, and the destructor frees what was taken
// once the device has stopped using it. A copy that the host waits for is cudaMemcpyAsync followed
// by cudaStreamSynchronize, as PyTorch's blocking .to() does. Workers are threads of this process
// where PyTorch has processes, so that one cost of PyTorch's, the hand-over of a file descriptor
// per batch, is not part of a run. Steady-clock nanoseconds, bytes.
#pragma once

#include <atomic>
#include <cuda_runtime_api.h>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/string_pool.h"
#include "core/engine/gpu_backend.h"
#include "cupti/engine/actor_log.h"
#include "cupti/engine/actor_queue.h"
#include "cupti/engine/data_files.h"
#include "cupti/engine/engine_spool.h"
#include "cupti/engine/host_buffers.h"
#include "cupti/engine/kernels.h"

namespace overlane
{

class CudaEngine final : public GpuEngine
{
public:
    static Result<std::unique_ptr<CudaEngine>> create(const GpuEngineOptions& options);
    ~CudaEngine() override;
    CudaEngine(const CudaEngine&) = delete;
    CudaEngine& operator=(const CudaEngine&) = delete;

    StringId label(std::string_view text) override;
    ActorId addActor(std::string_view name) override;
    // Binds the actor's thread, and what it allocates, where the machine has more than one node.
    void placeActor(ActorId actor, std::int64_t node) override;
    QueueId addQueue(std::string_view name) override;
    StreamId addStream(std::string_view name) override;
    DeviceBufferId addDeviceBuffer(std::int64_t bytes) override;
    GpuEventId addEvent() override;
    void spawn(ActorId actor, Task body) override;
    Result<void> run() override;
    std::int64_t nowNs() const override;
    bool eventDone(GpuEventId event) const override;
    void startClock() override;
    void noteStep(StringId label, std::int64_t startNs) override;
    bool start(ActorId actor, const Operation& operation, std::int64_t& result,
               std::coroutine_handle<> resume) override;

    GpuRunReport report() const override { return m_report; }

private:
    struct Actor {
        std::string name;
        std::int32_t place = 0;  // in the order they were added
        ActorLog log;
        std::optional<std::uint32_t> lane;  // of the spool, once its thread runs
        Task body;
        std::thread thread;
        int node = -1;  // NUMA node it is bound to; -1: none
    };
    struct Queue {
        ActorQueue values;
        std::size_t gauge = kNoGauge;
    };
    // Queues of the same name share a gauge, which shows their sum.
    struct Gauge {
        std::string name;
        std::uint32_t id = 0;  // in the spool
        std::vector<std::pair<std::int64_t, double>> samples;
    };
    static constexpr std::size_t kNoGauge = static_cast<std::size_t>(-1);
    static constexpr std::size_t kLockedGauge = 0;
    struct DeviceBuffer {
        void* address = nullptr;
        std::int64_t bytes = 0;
        std::uint64_t seed = 0;  // that the copies called so far are meant to leave
    };
    CudaEngine(const GpuEngineOptions& options, Kernels kernels);

    void live(Actor& actor);
    bool perform(Actor& actor, const op::Work& work, std::int64_t&);
    bool perform(Actor& actor, const op::HostCopy& copy, std::int64_t&);
    bool perform(Actor& actor, const op::Allocate& allocate, std::int64_t& result);
    bool perform(Actor& actor, const op::Free& release, std::int64_t&);
    bool perform(Actor& actor, const op::Register& pin, std::int64_t&);
    bool perform(Actor& actor, const op::Unregister& unpin, std::int64_t&);
    bool perform(Actor& actor, const op::Copy& copy, std::int64_t&);
    bool perform(Actor& actor, const op::Launch& launch, std::int64_t&);
    bool perform(Actor& actor, const op::RecordEvent& record, std::int64_t&);
    bool perform(Actor& actor, const op::StreamWaitEvent& wait, std::int64_t&);
    bool perform(Actor& actor, const op::SyncEvent& sync, std::int64_t&);
    bool perform(Actor& actor, const op::SyncStream& sync, std::int64_t&);
    bool perform(Actor& actor, const op::SyncDevice& sync, std::int64_t&);
    bool perform(Actor& actor, const op::Put& put, std::int64_t&);
    bool perform(Actor& actor, const op::Take& take, std::int64_t& result);
    bool perform(Actor& actor, const op::Close& close, std::int64_t&);

    // Both answer false, so that a failed call ends an operation with `return fail(...)`.
    bool fail(std::string message);
    bool fail(Error error);
    bool check(cudaError_t code, const char* call);
    bool stopped() const;
    cudaEvent_t event(GpuEventId id) const;
    cudaStream_t stream(StreamId id) const { return m_streams[id.index()]; }
    void sampleQueue(const Queue& queue);
    void sampleLocked();
    void sample(std::size_t gauge, double value);
    void closeReport();
    // What the actors noted so far, into the recording.
    void writeSpool();

    const GpuEngineOptions m_options;
    StringPool m_strings;
    HostBuffers m_host;
    std::optional<DataFiles> m_files;  // where the run reads any
    Kernels m_kernels;
    std::deque<Actor> m_actors;
    std::deque<Queue> m_queues;
    std::vector<cudaStream_t> m_streams;
    std::vector<DeviceBuffer> m_deviceBuffers;

    mutable std::mutex m_mutex;  // of everything below
    std::deque<cudaEvent_t> m_events;
    std::vector<Gauge> m_gauges;
    Error m_error;

    ActorLog m_steps;
    EngineSpool m_spool;
    std::uint32_t m_stepLane = 0;
    std::uint32_t m_runLane = 0;
    GpuRunReport m_report;
    std::atomic<bool> m_stopped = false;
    std::atomic<bool> m_clockStarted = false;
    bool m_startNoted = false;
    std::atomic<std::int64_t> m_originNs = 0;
};

}  // namespace overlane
