// What each operation of a loader actor does on a real machine.
#include <algorithm>
#include <cstring>

#include "cupti/engine/cuda_engine.h"
#include "cupti/engine/pattern.h"

namespace overlane
{
namespace
{

constexpr int kSpinsBetweenStopChecks = 256;

}  // namespace

// Host work: files are read, the block is written, first touch of its pages included, and the processor kept busy
// for the rest of the duration.
bool CudaEngine::perform(Actor& actor, const op::Work& work, std::int64_t&)
{
    const Span span(actor.log, work.kind, work.label);
    std::int64_t endNs = span.startNs() + work.durationNs;
    if (work.read != op::FileRead::Included && m_files && work.fileBytes > 0) {
        if (auto read = m_files->read(work.fileBytes, [this] { return stopped(); }); !read.ok())
            return fail(read.failure());
        endNs = monotonicNs() + work.durationNs;  // beside it
    }
    if (work.writes.valid())
        m_host.fill(m_host.buffer(work.writes));
    while (monotonicNs() < endNs)
        for (int spin = 0; spin < kSpinsBetweenStopChecks; ++spin)
            if (monotonicNs() >= endNs || stopped())
                return true;
    return true;
}

bool CudaEngine::perform(Actor& actor, const op::HostCopy& copy, std::int64_t&)
{
    const Span span(actor.log, EventKind::Loader, copy.label);
    const HostBuffer& from = m_host.buffer(copy.from);
    HostBuffer& to = m_host.buffer(copy.to);
    if (from.arrivesFromDevice) {
        const bool right = HostBuffers::holds(from, from.seed);
        const std::lock_guard lock(m_mutex);
        ++m_report.resultsChecked;
        m_report.wrongResults += !right;
    }
    std::memcpy(to.address, from.address, static_cast<std::size_t>(std::min(from.bytes, to.bytes)));
    to.seed = from.seed;
    return true;
}

bool CudaEngine::perform(Actor&, const op::Allocate& allocate, std::int64_t& result)
{
    auto made = m_host.allocate(allocate.kind, allocate.bytes, allocate.shared);
    if (!made.ok())
        return fail(made.failure());
    result = made.value().value();
    // What is prepared before the clock starts holds data already.
    if (!m_clockStarted)
        m_host.fill(m_host.buffer(made.value()));
    sampleLocked();
    return true;
}

bool CudaEngine::perform(Actor&, const op::Free& release, std::int64_t&)
{
    auto freed = m_host.free(release.buffer);
    sampleLocked();
    return freed.ok() || fail(freed.failure());
}

bool CudaEngine::perform(Actor&, const op::Register& pin, std::int64_t&)
{
    auto locked = m_host.lockInPlace(pin.buffer);
    sampleLocked();
    return locked.ok() || fail(locked.failure());
}

bool CudaEngine::perform(Actor&, const op::Unregister& unpin, std::int64_t&)
{
    auto unlocked = m_host.unlock(unpin.buffer);
    sampleLocked();
    return unlocked.ok() || fail(unlocked.failure());
}

bool CudaEngine::perform(Actor&, const op::Copy& copy, std::int64_t&)
{
    HostBuffer& host = m_host.buffer(copy.host);
    DeviceBuffer& device = m_deviceBuffers[copy.device.index()];
    auto* hostPart = static_cast<char*>(host.address) + copy.offset;
    auto* devicePart = static_cast<char*>(device.address) + copy.offset;
    const auto bytes = static_cast<std::size_t>(copy.bytes);
    const bool toDevice = copy.direction == EventKind::CopyH2D;
    if (toDevice) {
        device.seed = host.seed;
    } else {
        host.seed = device.seed;
        host.arrivesFromDevice = true;
    }
    const auto code = toDevice
                          ? cudaMemcpyAsync(devicePart, hostPart, bytes, cudaMemcpyHostToDevice, stream(copy.stream))
                          : cudaMemcpyAsync(hostPart, devicePart, bytes, cudaMemcpyDeviceToHost, stream(copy.stream));
    return check(code, "cudaMemcpyAsync") &&
           (copy.async || check(cudaStreamSynchronize(stream(copy.stream)), "cudaStreamSynchronize"));
}

bool CudaEngine::perform(Actor&, const op::Launch& launch, std::int64_t&)
{
    KernelData data;
    if (launch.reads.valid() && m_deviceBuffers[launch.reads.index()].seed != 0) {
        const DeviceBuffer& batch = m_deviceBuffers[launch.reads.index()];
        data.batch = static_cast<const std::uint64_t*>(batch.address);
        data.batchWords = static_cast<std::uint64_t>(batch.bytes) / sizeof(std::uint64_t);
        data.batchSeed = batch.seed;
        ++m_report.batchesChecked;
    }
    if (launch.writes.valid()) {
        DeviceBuffer& result = m_deviceBuffers[launch.writes.index()];
        data.result = static_cast<std::uint64_t*>(result.address);
        data.resultWords = static_cast<std::uint64_t>(result.bytes) / sizeof(std::uint64_t);
        result.seed = scatter(data.batchSeed);
    }
    const auto code = launch.flops > 0 ? m_kernels.launchFlops(launch.flops, data, stream(launch.stream))
                                       : m_kernels.launch(launch.load, launch.durationNs, data, stream(launch.stream));
    return check(code, "cudaLaunchKernel");
}

bool CudaEngine::perform(Actor&, const op::RecordEvent& record, std::int64_t&)
{
    return check(cudaEventRecord(event(record.event), stream(record.stream)), "cudaEventRecord");
}

bool CudaEngine::perform(Actor&, const op::StreamWaitEvent& wait, std::int64_t&)
{
    return check(cudaStreamWaitEvent(stream(wait.stream), event(wait.event), 0), "cudaStreamWaitEvent");
}

bool CudaEngine::perform(Actor&, const op::SyncEvent& sync, std::int64_t&)
{
    return check(cudaEventSynchronize(event(sync.event)), "cudaEventSynchronize");
}

bool CudaEngine::perform(Actor&, const op::SyncStream& sync, std::int64_t&)
{
    return check(cudaStreamSynchronize(stream(sync.stream)), "cudaStreamSynchronize");
}

bool CudaEngine::perform(Actor&, const op::SyncDevice&, std::int64_t&)
{
    return check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

bool CudaEngine::perform(Actor&, const op::Put& put, std::int64_t&)
{
    Queue& queue = m_queues[put.queue.index()];
    queue.values.put(put.value);
    sampleQueue(queue);
    return true;
}

bool CudaEngine::perform(Actor& actor, const op::Take& take, std::int64_t& result)
{
    Queue& queue = m_queues[take.queue.index()];
    const Span span(actor.log, EventKind::LoaderWait, take.label);
    const auto value = queue.values.wait();
    if (!value)
        return false;
    result = *value;
    sampleQueue(queue);
    return true;
}

bool CudaEngine::perform(Actor&, const op::Close& close, std::int64_t&)
{
    m_queues[close.queue.index()].values.close();
    return true;
}

}  // namespace overlane
