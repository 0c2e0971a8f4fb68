// VirtualEngine: a loader's world on a virtual clock, with a simulated GPU, memory and swap.
//
// Single-threaded discrete-event simulation: the clock jumps to the next thing that happens, and a
// switch between actors is the resumption of a coroutine. Deterministic. Owns the actors' bodies,
// buffers, queues and the trace. Host work shares cores and memory bandwidth (HostModel); a staged
// copy takes part in that, at the share it finds when it starts.
//
// What a call promises follows "API synchronization behavior" of the CUDA Runtime API. A copy the
// host waits for (async = false) is ordered in its stream and waits for that stream alone, as
// PyTorch's blocking .to() does. Memory lies on the NUMA node of the actor that allocates it; a GPU on
// another node reads it more slowly, and so does an actor. Virtual nanoseconds, bytes.
#pragma once

#include <deque>
#include <vector>

#include "core/base/progress.h"
#include "core/engine/engine.h"
#include "core/simulation/event_queue.h"
#include "core/simulation/gpu_model.h"
#include "core/simulation/host_model.h"
#include "core/simulation/memory_model.h"
#include "core/simulation/simulated_machine.h"
#include "core/simulation/simulation_recorder.h"

namespace overlane
{

class VirtualEngine final : public Engine, private GpuListener
{
public:
    VirtualEngine(const DeviceProfile& profile, const SimulatedMachine& machine, Progress* progress = nullptr);
    ~VirtualEngine() override = default;
    VirtualEngine(const VirtualEngine&) = delete;
    VirtualEngine& operator=(const VirtualEngine&) = delete;

    StringId label(std::string_view text) override { return m_recorder.intern(text); }
    ActorId addActor(std::string_view name) override;
    void placeActor(ActorId actor, std::int64_t node) override;
    QueueId addQueue(std::string_view name) override;
    StreamId addStream(std::string_view name) override;
    DeviceBufferId addDeviceBuffer(std::int64_t) override { return DeviceBufferId(m_deviceBuffers++); }
    GpuEventId addEvent() override { return m_gpu.addEvent(); }
    void spawn(ActorId actor, Task body) override;
    Result<void> run() override;
    std::int64_t nowNs() const override { return m_nowNs; }
    bool eventDone(GpuEventId event) const override { return m_gpu.eventReached(event) == m_gpu.eventSubmitted(event); }
    void startClock() override;
    void noteStep(StringId label, std::int64_t startNs) override { m_recorder.step(label, startNs, m_nowNs); }
    bool start(ActorId actor, const Operation& operation, std::int64_t& result,
               std::coroutine_handle<> resume) override;

    const MemoryModel& memory() const { return m_memory; }
    std::int64_t pinnedPeakBytes() const { return m_pinnedPeak; }
    std::int64_t swapPeakBytes() const { return m_swapPeak; }
    std::int64_t setupNs() const { return m_setupNs; }
    TraceMetadata& metadata() { return m_recorder.metadata(); }
    // After run(); the engine is spent.
    Trace takeTrace() { return m_recorder.finish(m_nowNs); }

private:
    struct Buffer {
        MemoryKind kind = MemoryKind::Pageable;
        bool alive = false;
        bool shared = false;
        bool ready = false;  // one of those that held data before the run
        bool fresh = false;  // its pages come with the first write
        std::uint32_t node = 0;
        std::uint32_t chunk = 0;  // of the driver's, that a small page-locked block is cut out of
        ActorId writer;           // who wrote it last
        bool fromDevice = false;  // the device did, by itself
        std::int64_t bytes = 0;
        std::uint64_t touchedAt = 0;  // bytes that went through the cache until its last use; 0 = never
        int copiesFrom = 0;           // copies under way that read it
        int copiesTo = 0;
    };
    // What malloc does with freed blocks of one size.
    struct KeptBlocks {
        std::int64_t bytes = 0;
        std::vector<std::uint64_t> free;  // when each was last touched
    };
    struct Waiter {
        std::coroutine_handle<> resume;
        std::int64_t* result = nullptr;
        ActorId actor;
        StringId label;
        std::int64_t sinceNs = 0;
        bool sincePreparation = false;  // asleep for long when the clock started
    };
    struct Queue {
        std::deque<std::int64_t> values;
        std::deque<Waiter> waiters;
        bool closed = false;
    };
    enum class WaitFor : std::uint8_t { StreamStarted, StreamDone, EventReached, Device, LaunchSlot };
    struct GpuWait;  // awaiting one of these
    struct Sleep;
    struct Names {
        StringId memcpySync, memcpyAsync, launch, record, streamWait, syncEvent, syncStream, syncDevice, hostAlloc,
            freeHost, registerHost, unregisterHost, staging, streamSync, queueFull, storageWait, rewriteHazard,
            readHazard, freePageable;
    };

    bool begin(ActorId actor, const op::Work& work, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::HostCopy& copy, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Allocate& allocate, std::int64_t& result, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Free& release, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Register& pin, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Unregister& unpin, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Copy& copy, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Launch& launch, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::RecordEvent& record, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::StreamWaitEvent& wait, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::SyncEvent& sync, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::SyncStream& sync, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::SyncDevice& sync, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Put& put, std::int64_t&, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Take& take, std::int64_t& result, std::coroutine_handle<> resume);
    bool begin(ActorId actor, const op::Close& close, std::int64_t&, std::coroutine_handle<> resume);

    // Calls of more than one step, as coroutines of their own that end in `resume`.
    Task stagedCopy(ActorId actor, op::Copy copy, std::coroutine_handle<> resume);
    Task stageToDevice(ActorId actor, GpuWork work, double perByteNs);
    Task pinnedCopy(ActorId actor, op::Copy copy, std::coroutine_handle<> resume);
    Task queueWork(ActorId actor, GpuWork work, std::int64_t callNs, StringId name, std::coroutine_handle<> resume);
    Task synchronize(ActorId actor, WaitFor what, std::uint32_t index, StringId name, std::coroutine_handle<> resume);
    Task freePinned(ActorId actor, BufferId buffer, std::coroutine_handle<> resume);
    Task unregister(ActorId actor, BufferId buffer, std::coroutine_handle<> resume);
    bool startCall(Task task);
    Result<void> runActors();
    void abandon();

    // Host work of an actor: `lengthNs` alone on an idle host, through two buffers at most.
    struct HostWork {
        StringId label;
        EventKind kind = EventKind::Loader;
        std::int64_t lengthNs = 0;
        BufferId reads, writes;
        std::int64_t bytes = 0;     // of each buffer
        std::int64_t memoryNs = 0;  // of its length, that memory takes
        bool fresh = false;         // the first touch of what it writes
    };
    struct FileUse {
        std::int64_t bytes = 0;
        bool offTheDrive = false;
    };
    bool startWork(ActorId actor, const HostWork& work, FileUse files, std::coroutine_handle<> resume);
    HostJob hostJob(ActorId actor, const HostWork& work) const;
    bool pageWork(ActorId actor, EventKind kind, StringId name, std::int64_t startNs, std::int64_t lengthNs,
                  std::coroutine_handle<> resume);
    bool isRemote(ActorId actor, BufferId buffer) const;

    void gpuWorkStarted(const GpuWork& work) override;
    void gpuWorkEnded(const GpuWork& work, std::int64_t nowNs) override;
    void wakeWaits();
    // From a put to the return of who waited for it.
    std::int64_t wakingNs(const Waiter& waiter);
    // How long the thread takes for what takes a typical one 1.
    double slownessOf(ActorId actor) const { return m_slowness[actor.index()]; }
    void resumeAt(std::int64_t timeNs, std::coroutine_handle<> resume);
    bool finishAt(std::int64_t timeNs, std::coroutine_handle<> resume);
    bool queueOrWait(ActorId actor, const GpuWork& work, std::int64_t callNs, StringId name,
                     std::coroutine_handle<> resume);
    bool launchQueueFull() const { return m_gpu.outstanding() >= m_launchQueue; }
    GpuWork copyWork(const op::Copy& copy) const;
    std::int64_t linkNs(EventKind direction, std::int64_t bytes, bool remote = false) const;
    std::uint64_t submit(GpuWork work);
    // The host reads or writes a buffer: through its caches, and against copies under way.
    void useBuffer(ActorId actor, BufferId buffer, bool writes, std::int64_t bytes);
    double stagingRate(ActorId actor, BufferId host, EventKind direction, std::int64_t bytes) const;
    // From 0, in the last level cache, to 1, in main memory.
    double coldness(ActorId actor, const Buffer& buffer, std::int64_t bytes) const;
    std::int64_t memcpyNs(ActorId actor, BufferId from, std::int64_t bytes) const;
    // cudaHostAlloc and cudaFreeHost: the driver cuts small blocks out of larger ones.
    std::int64_t hostAllocNs(Buffer& buffer);
    std::int64_t hostFreeNs(const Buffer& buffer);
    // What one thread alone takes to fill a buffer, its first touch included.
    std::int64_t writeNs(ActorId actor, BufferId buffer) const;
    std::int64_t pageableFreeNs(const Buffer& buffer);
    BufferId takePageable(ActorId actor, const op::Allocate& allocate, std::int64_t& costNs);
    // When the pages are in memory; the wait is recorded.
    std::int64_t bringIn(ActorId actor, std::int64_t unlockedBytes, FileUse files);
    std::int64_t unlockedBytes(BufferId buffer) const;
    BufferId addBuffer(ActorId actor, MemoryKind kind, std::int64_t bytes);
    void dropBuffer(BufferId buffer);
    void noteMemory();
    void noteStorageWait(ActorId actor, std::int64_t untilNs);

    const DeviceProfile& m_profile;
    Progress* m_progress;
    SimulationRecorder m_recorder;
    EventQueue m_events;
    GpuModel m_gpu;
    HostModel m_host;
    MemoryModel m_memory;
    const std::uint32_t m_gpuNode;
    const std::int64_t m_launchQueue;
    Names m_names;
    std::vector<Task> m_actors;
    std::vector<std::uint32_t> m_actorNodes;
    std::vector<double> m_slowness;  // of each actor
    const std::uint64_t m_seed;
    std::int64_t m_wakes = 0;
    std::vector<Task> m_calls;  // under way, or ended and not yet swept
    std::vector<Buffer> m_buffers;
    std::vector<std::uint32_t> m_freeBuffers;
    const std::int64_t m_readyBytes;    // of one ready block
    std::deque<std::uint64_t> m_ready;  // when each was last touched, the oldest first
    std::vector<KeptBlocks> m_kept;
    std::vector<std::int64_t> m_pinnedChunks;  // bytes in use of each of the driver's chunks
    std::vector<Queue> m_queues;
    std::vector<GpuWait*> m_waits;
    std::int64_t m_nowNs = 0;
    std::int64_t m_setupNs = 0;
    std::int64_t m_pinnedPeak = 0;
    std::int64_t m_swapPeak = 0;
    std::uint64_t m_cacheTraffic = 1;
    std::uint32_t m_correlation = 0;
    std::uint32_t m_deviceBuffers = 0;
    bool m_clockStarted = false;
};

}  // namespace overlane
