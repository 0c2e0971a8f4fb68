#include "core/loader/loader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/simulation/spread.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kBatchesBetweenReports = 64;
// Files hold compressed data: a batch is taken to be four times what was read for it.
constexpr std::int64_t kBytesPerFileByte = 4;

op::KernelLoad kernelLoad(KernelKind kind)
{
    switch (kind) {
        case KernelKind::Spin:
            return op::KernelLoad::Small;
        case KernelKind::Memory:
            return op::KernelLoad::Memory;
        case KernelKind::Gemm:
            break;
    }
    return op::KernelLoad::Full;
}

constexpr std::string_view kKernelNames[] = {"spin_kernel", "memory_kernel", "gemm_kernel"};

}  // namespace

op::FileRead fileRead(Files files)
{
    switch (files) {
        case Files::Cached:
            return op::FileRead::Cached;
        case Files::Drive:
            return op::FileRead::Drive;
        case Files::Timed:
            break;
    }
    return op::FileRead::Included;
}

std::int64_t bytesReadPerBatch(const Scenario& scenario)
{
    return scenario.fileBytes > 0 ? scenario.fileBytes : scenario.batchBytes / kBytesPerFileByte;
}

Loader::Loader(const Scenario& scenario, Engine& engine, std::int64_t workerProcessBytes, Progress* progress)
    : m_scenario(scenario),
      m_engine(engine),
      m_workerProcessBytes(workerProcessBytes),
      m_progress(progress),
      m_pool(engine),
      m_batches(static_cast<std::size_t>(scenario.batches)),
      m_arrived(static_cast<std::size_t>(scenario.batches), false)
{
    m_waitIndex = engine.label("wait for an index");
    m_waitBatch = engine.label("wait for a batch");
    m_waitSlot = engine.label("wait for a ring buffer");
    m_pinLabel = engine.label("pin_memory");
    m_readLabel = engine.label("read result");
    m_kernelLabel = engine.label(kKernelNames[static_cast<int>(scenario.kernel)]);
    const bool hasParts = scenario.readUs > 0 || scenario.files != Files::Timed;
    for (std::int64_t index = 0; index < scenario.batches; ++index) {
        m_batchLabels.push_back(engine.label(fmt::format("batch {}", index)));
        if (!hasParts)
            continue;
        m_readLabels.push_back(engine.label(fmt::format("read batch {}", index)));
        m_transformLabels.push_back(engine.label(fmt::format("transform batch {}", index)));
    }

    // Added in the order of the data's way: an engine shows them so.
    for (std::int64_t number = 0; number < scenario.workers; ++number) {
        m_workers.push_back(engine.addActor(fmt::format("{}{}", kWorkerTrackName, number)));
        engine.placeActor(m_workers.back(), scenario.workerNode);
    }
    const bool pinsInThread = scenario.pin == PinStrategy::Thread && scenario.workers > 0;
    if (pinsInThread) {
        m_pinActor = engine.addActor(kPinThreadTrackName);
        engine.placeActor(m_pinActor, scenario.mainNode);
    }
    m_main = engine.addActor(kTrainingTrackName);
    engine.placeActor(m_main, scenario.mainNode);
    m_produced = engine.addQueue(scenario.workers > 0 ? "Batches from the workers" : "");
    m_ready = pinsInThread ? engine.addQueue("Pinned batches") : m_produced;
    m_freeSlots = engine.addQueue("");
    for (std::int64_t number = 0; number < scenario.workers; ++number)
        m_indices.push_back(engine.addQueue("Indices waiting for workers"));
    for (std::int64_t number = 0; number < scenario.streams; ++number)
        m_streams.push_back(engine.addStream(fmt::format("stream {}", number)));
    if (scenario.copyStream == CopyStream::Side)
        m_sideStream = engine.addStream("copy stream");
    for (std::int64_t slot = 0; slot < scenario.deviceBuffers; ++slot)
        m_slots.push_back({engine.addEvent(), engine.addEvent(), engine.addDeviceBuffer(scenario.batchBytes),
                           scenario.resultBytes > 0 ? engine.addDeviceBuffer(scenario.resultBytes) : DeviceBufferId(),
                           BufferId()});

    engine.spawn(m_main, train());
    if (pinsInThread)
        engine.spawn(m_pinActor, pinThread());
    for (std::size_t number = 0; number < m_workers.size(); ++number)
        engine.spawn(m_workers[number], worker(number));
}

// The actors

Task Loader::worker(std::size_t number)
{
    const ActorId actor = m_workers[number];
    for (;;) {
        const std::int64_t index = co_await on(actor, op::Take{m_indices[number], m_waitIndex});
        if (index == kQueueClosed)
            co_return;
        co_await produce(actor, index);
        co_await on(actor, op::Put{m_produced, index});
    }
}

Task Loader::pinThread()
{
    for (;;) {
        const std::int64_t index = co_await on(m_pinActor, op::Take{m_produced, m_waitBatch});
        if (index == kQueueClosed)
            co_return;
        co_await pin(m_pinActor, index);
        co_await on(m_pinActor, op::Put{m_ready, index});
    }
}

Task Loader::train()
{
    co_await prepare();
    m_engine.startClock();
    for (std::int64_t put = 0; put < m_scenario.workers * m_scenario.prefetchFactor; ++put)
        co_await putIndex();

    for (std::int64_t index = 0; index < m_scenario.batches; ++index) {
        const std::int64_t startNs = m_engine.nowNs();
        co_await receive(index);
        if (index >= m_scenario.deviceBuffers)
            co_await retire(index - m_scenario.deviceBuffers);
        co_await copyToDevice(index);
        co_await compute(index);
        if (m_scenario.syncEveryStep)
            co_await on(m_main, op::SyncDevice{});
        m_engine.noteStep(m_batchLabels[index], startNs);
        if (m_progress && index % kBatchesBetweenReports == 0)
            m_progress->report(static_cast<double>(index) / static_cast<double>(m_scenario.batches));
    }

    co_await on(m_main, op::SyncDevice{});
    m_wallNs = m_engine.nowNs();
    for (const QueueId queue : m_indices)
        co_await on(m_main, op::Close{queue});
    co_await on(m_main, op::Close{m_produced});
    if (!m_scenario.readResultEarly)
        for (std::int64_t index = m_retired; index < m_scenario.batches; ++index)
            co_await readResult(slotOf(index));
}

// The consumer's steps

Task Loader::prepare()
{
    for (std::int64_t number = 0; number < m_scenario.workers; ++number)
        co_await on(m_main, op::Allocate{MemoryKind::Pageable, m_workerProcessBytes});
    if (m_scenario.pin == PinStrategy::Ring) {
        // Enough for every batch that is with a worker, in a queue, in hand or in flight.
        const std::int64_t slots = m_scenario.workers * m_scenario.prefetchFactor + m_scenario.deviceBuffers + 1;
        for (std::int64_t slot = 0; slot < std::min(slots, m_scenario.batches); ++slot) {
            const std::int64_t buffer = co_await on(m_main, op::Allocate{MemoryKind::Pinned, m_scenario.batchBytes});
            m_ring.push_back(
                {BufferId(static_cast<std::uint32_t>(buffer)), m_scenario.batchBytes, m_engine.addEvent()});
            co_await on(m_main, op::Put{m_freeSlots, slot});
        }
    }
    if (m_scenario.resultBytes > 0) {
        const MemoryKind kind = isPinned() ? MemoryKind::Pinned : MemoryKind::Pageable;
        for (DeviceSlot& slot : m_slots)
            slot.result =
                BufferId(static_cast<std::uint32_t>(co_await on(m_main, op::Allocate{kind, m_scenario.resultBytes})));
        m_scratch = BufferId(static_cast<std::uint32_t>(
            co_await on(m_main, op::Allocate{MemoryKind::Pageable, m_scenario.resultBytes})));
    }
}

Task Loader::putIndex()
{
    if (m_nextIndex >= m_scenario.batches)
        co_return;
    const auto worker = static_cast<std::size_t>(m_nextIndex % m_scenario.workers);
    co_await on(m_main, op::Put{m_indices[worker], m_nextIndex++});
}

// The next batch in order, in memory as the scenario wants it.
Task Loader::receive(std::int64_t index)
{
    if (m_scenario.workers == 0)
        co_await produce(m_main, index);
    while (m_scenario.workers > 0 && !m_arrived[index])
        m_arrived[co_await on(m_main, op::Take{m_ready, m_waitBatch})] = true;
    if (m_scenario.workers > 0)
        co_await putIndex();
    if (pinsInline())
        co_await pin(m_main, index);
}

Task Loader::copyToDevice(std::int64_t index)
{
    Batch& batch = m_batches[index];
    const StreamId stream = copyStream(index);
    const BufferId host = batch.pinned.buffer.valid() ? batch.pinned.buffer : batch.memory;
    for (std::int64_t tensor = 0; tensor < m_scenario.tensors; ++tensor) {
        const std::int64_t first = m_scenario.batchBytes * tensor / m_scenario.tensors;
        const std::int64_t last = m_scenario.batchBytes * (tensor + 1) / m_scenario.tensors;
        co_await on(m_main, op::Copy{EventKind::CopyH2D, stream, host, last - first, m_scenario.nonBlocking,
                                     slotOf(index).batch, first});
    }
    if (isPinned()) {
        co_await on(m_main, op::RecordEvent{batch.pinned.lastUse, stream});
        if (m_scenario.copyStream == CopyStream::Side)
            co_await on(m_main, op::StreamWaitEvent{computeStream(index), batch.pinned.lastUse});
        m_held.push_back(index);
        co_await releaseMemory();
        co_return;
    }
    if (m_scenario.copyStream == CopyStream::Side) {
        const GpuEventId copied = slotOf(index).copied;
        co_await on(m_main, op::RecordEvent{copied, stream});
        co_await on(m_main, op::StreamWaitEvent{computeStream(index), copied});
    }
    co_await on(m_main, op::Free{batch.memory});
}

Task Loader::compute(std::int64_t index)
{
    DeviceSlot& slot = slotOf(index);
    const StreamId stream = computeStream(index);
    const double flops = m_scenario.computeFlops;
    const std::int64_t durationNs = flops > 0 ? 0 : std::llround(m_scenario.computeUs * 1000);
    if (durationNs > 0 || flops > 0)
        co_await on(m_main, op::Launch{m_kernelLabel, stream, kernelLoad(m_scenario.kernel), durationNs, slot.batch,
                                       slot.deviceResult, flops});
    if (m_scenario.resultBytes > 0)
        co_await on(m_main, op::Copy{EventKind::CopyD2H, stream, slot.result, m_scenario.resultBytes,
                                     m_scenario.nonBlocking, slot.deviceResult});
    co_await on(m_main, op::RecordEvent{slot.computed, stream});
    if (m_scenario.readResultEarly)
        co_await readResult(slot);
}

// Waits until a batch has left the device, so that its buffers there may be filled again.
Task Loader::retire(std::int64_t index)
{
    DeviceSlot& slot = slotOf(index);
    co_await on(m_main, op::SyncEvent{slot.computed});
    if (!m_scenario.readResultEarly)
        co_await readResult(slot);
    m_retired = index + 1;
    co_await releaseMemory();
}

Task Loader::readResult(const DeviceSlot& slot)
{
    if (slot.result.valid())
        co_await on(m_main, op::HostCopy{m_readLabel, slot.result, m_scratch});
}

// Host memory

Task Loader::produce(ActorId actor, std::int64_t index)
{
    Batch& batch = m_batches[index];
    if (m_scenario.pin == PinStrategy::Ring) {
        batch.ringSlot = co_await on(actor, op::Take{m_freeSlots, m_waitSlot});
        batch.pinned = m_ring[batch.ringSlot];
    } else {
        batch.memory = BufferId(static_cast<std::uint32_t>(
            co_await on(actor, op::Allocate{MemoryKind::Pageable, m_scenario.batchBytes, actor != m_main})));
    }
    // A batch that costs nothing to produce lies in memory already, and nobody has just touched it.
    const auto samples = static_cast<double>(m_scenario.samples);
    const std::int64_t readNs = withSpread(index, samples * m_scenario.readUs);
    const std::int64_t transformNs = withSpread(index, samples * m_scenario.transformUs + m_scenario.produceUs);
    const BufferId batchMemory = batch.pinned.buffer.valid() ? batch.pinned.buffer : batch.memory;
    const std::int64_t fileBytes = bytesReadPerBatch(m_scenario);
    const bool reads = readNs > 0 || m_scenario.files != Files::Timed;
    const bool both = reads && transformNs > 0;
    if (reads)
        co_await on(actor, op::Work{m_readLabels[index],
                                    readNs,
                                    both ? BufferId() : batchMemory,
                                    {},
                                    fileBytes,
                                    fileRead(m_scenario.files)});
    if (transformNs > 0)
        co_await on(actor, op::Work{both ? m_transformLabels[index] : m_batchLabels[index],
                                    transformNs,
                                    batchMemory,
                                    {},
                                    both ? 0 : fileBytes});
}

Task Loader::pin(ActorId actor, std::int64_t index)
{
    Batch& batch = m_batches[index];
    if (m_scenario.pin == PinStrategy::Register) {
        co_await on(actor, op::Register{batch.memory});
        batch.pinned = {batch.memory, m_scenario.batchBytes, m_engine.addEvent()};
        co_return;
    }
    const bool pooled = m_scenario.allocator == Allocator::Pool;
    const std::int64_t bytes =
        pooled ? PinnedPool::roundedBytes(m_scenario.batchBytes, m_scenario.tensors) : m_scenario.batchBytes;
    const auto block = pooled ? m_pool.take(bytes) : std::nullopt;
    if (block) {
        batch.pinned = *block;
    } else {
        const std::int64_t buffer = co_await on(actor, op::Allocate{MemoryKind::Pinned, bytes});
        batch.pinned = {BufferId(static_cast<std::uint32_t>(buffer)), bytes, m_engine.addEvent()};
    }
    const StringId label = actor == m_main ? m_pinLabel : m_batchLabels[index];
    co_await on(actor, op::HostCopy{label, batch.memory, batch.pinned.buffer});
    co_await on(actor, op::Free{batch.memory});
}

// Frees the pinned memory of batches whose copies have ended.
Task Loader::releaseMemory()
{
    if (m_scenario.allocator == Allocator::Pool &&
        (m_scenario.pin == PinStrategy::Thread || m_scenario.pin == PinStrategy::Consumer)) {
        for (const std::int64_t index : m_held)
            m_pool.free(m_batches[index].pinned);  // the pool itself waits for the event
        m_held.clear();
    }
    while (!m_held.empty() && m_engine.eventDone(m_batches[m_held.front()].pinned.lastUse)) {
        const Batch& batch = m_batches[m_held.front()];
        m_held.pop_front();
        if (m_scenario.pin == PinStrategy::Ring) {
            co_await on(m_main, op::Put{m_freeSlots, batch.ringSlot});
            continue;
        }
        if (m_scenario.pin == PinStrategy::Register)
            co_await on(m_main, op::Unregister{batch.pinned.buffer});
        co_await on(m_main, op::Free{batch.pinned.buffer});
    }
}

bool Loader::pinsInline() const
{
    return m_scenario.pin == PinStrategy::Consumer || m_scenario.pin == PinStrategy::Register ||
           (m_scenario.pin == PinStrategy::Thread && m_scenario.workers == 0);
}

std::int64_t Loader::withSpread(std::int64_t index, double us) const
{
    return std::llround(us * 1000 * spreadFactor(m_scenario.seed, index, m_scenario.produceSpread));
}

StreamId Loader::computeStream(std::int64_t index) const
{
    return m_streams[index % m_scenario.streams];
}

StreamId Loader::copyStream(std::int64_t index) const
{
    return m_scenario.copyStream == CopyStream::Side ? m_sideStream : computeStream(index);
}

}  // namespace overlane
