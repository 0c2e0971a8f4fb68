// Loader: a data loader and its training loop, as coroutines over an Engine.
//
// Follows PyTorch's DataLoader: prefetch_factor * workers indices are outstanding from the start;
// each batch the consumer takes puts exactly one new index; batches come back in order, so that a
// slow worker holds up the rest; with no workers the consumer produces batches itself; one pin
// thread copies from the workers' shared memory into pinned memory, with an unbounded queue behind
// it. A worker reads the samples of a batch and then transforms them. The loop then copies to the device, computes, and
// may copy a result back; it keeps at most `device_buffers` batches in flight.
//
// What is prepared once (the ring, result buffers, the workers' processes) happens before the clock
// starts and is not part of the run's time. Outlives its engine's run(). Bytes and nanoseconds.
#pragma once

#include <deque>
#include <vector>

#include "core/base/progress.h"
#include "core/engine/engine.h"
#include "core/loader/pinned_pool.h"
#include "core/loader/scenario.h"

namespace overlane
{

// How an engine is asked to read the scenario's files, and how much for a batch.
op::FileRead fileRead(Files files);
std::int64_t bytesReadPerBatch(const Scenario& scenario);

class Loader
{
public:
    // Makes the actors, queues and streams, and spawns the actors.
    Loader(const Scenario& scenario, Engine& engine, std::int64_t workerProcessBytes, Progress* progress = nullptr);
    Loader(const Loader&) = delete;
    Loader& operator=(const Loader&) = delete;

    // After the run: from the first request for a batch to the last synchronization.
    std::int64_t wallNs() const { return m_wallNs; }

private:
    struct Batch {
        BufferId memory;     // pageable, from whoever produced it
        PinnedBlock pinned;  // page-locked: a copy of it, the same memory registered, or a slot of the ring
        std::int64_t ringSlot = -1;
    };
    // What belongs to one of the batches in flight on the device.
    struct DeviceSlot {
        GpuEventId computed;
        GpuEventId copied;  // of a pageable batch on a side stream
        DeviceBufferId batch;
        DeviceBufferId deviceResult;
        BufferId result;
    };

    Task worker(std::size_t number);
    Task pinThread();
    Task train();

    Task prepare();
    Task produce(ActorId actor, std::int64_t index);
    Task pin(ActorId actor, std::int64_t index);
    Task receive(std::int64_t index);
    Task putIndex();
    Task copyToDevice(std::int64_t index);
    Task compute(std::int64_t index);
    Task retire(std::int64_t index);
    Task releaseMemory();
    Task readResult(const DeviceSlot& slot);

    Await on(ActorId actor, Operation operation) { return {m_engine, actor, operation}; }
    bool pinsInline() const;
    std::int64_t withSpread(std::int64_t index, double us) const;  // in ns
    StreamId computeStream(std::int64_t index) const;
    StreamId copyStream(std::int64_t index) const;
    DeviceSlot& slotOf(std::int64_t index) { return m_slots[index % m_scenario.deviceBuffers]; }
    bool isPinned() const { return m_scenario.pin != PinStrategy::None; }

    const Scenario m_scenario;
    Engine& m_engine;
    const std::int64_t m_workerProcessBytes;
    Progress* m_progress;

    ActorId m_main;
    ActorId m_pinActor;
    std::vector<ActorId> m_workers;
    std::vector<QueueId> m_indices;  // one per worker
    QueueId m_produced;              // from the workers
    QueueId m_ready;                 // to the consumer: the same queue without a pin thread
    QueueId m_freeSlots;             // of the ring
    std::vector<StreamId> m_streams;
    StreamId m_sideStream;

    PinnedPool m_pool;
    std::vector<PinnedBlock> m_ring;
    std::vector<DeviceSlot> m_slots;
    BufferId m_scratch;  // where results are read into
    std::vector<Batch> m_batches;
    std::vector<StringId> m_batchLabels;
    std::vector<StringId> m_readLabels;  // of the two parts, where a batch has both
    std::vector<StringId> m_transformLabels;
    std::vector<bool> m_arrived;
    std::deque<std::int64_t> m_held;  // batches whose pinned memory may still be read by a copy
    std::int64_t m_nextIndex = 0;
    std::int64_t m_retired = 0;
    std::int64_t m_wallNs = 0;
    StringId m_waitIndex, m_waitBatch, m_waitSlot, m_pinLabel, m_kernelLabel, m_readLabel;
};

}  // namespace overlane
