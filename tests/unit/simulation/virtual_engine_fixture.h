// A simulated engine with round figures, one actor to run on it, and what its trace then holds.
#pragma once

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/simulation/virtual_engine.h"

namespace overlane::test
{

// One gigabyte per second either way, so that a megabyte takes a millisecond; simple latencies.
inline DeviceProfile plainDevice()
{
    DeviceProfile profile = *findDeviceProfile("h200");
    profile.h2dBytesPerSecond = profile.d2hBytesPerSecond = 1e9;
    profile.bidirectionalBytesPerSecond = 1e9;
    profile.copyLatencyNs = profile.submitLatencyNs = profile.dependencyLatencyNs = 0;
    profile.copyCallNs = profile.launchCallNs = profile.eventCallNs = profile.syncCallNs = 10;
    profile.syncReturnNs = 0;
    profile.stagingColdBytesPerSecond = profile.stagingWarmBytesPerSecond = profile.stagingD2hBytesPerSecond = 0.5e9;
    profile.stagingChunkBytes = 1'000'000;
    profile.runAheadLaunches = 8;
    profile.concurrentKernels = 2;
    profile.copyKernelSlowdown = 2;
    return profile;
}

class VirtualEngineTest : public testing::Test
{
protected:
    // Runs one actor's body; `m_trace` has what happened.
    void runActor(const std::function<Task(ActorId)>& body)
    {
        const ActorId actor = m_engine.addActor("main");
        m_engine.spawn(actor, body(actor));
        const auto ended = m_engine.run();
        ASSERT_TRUE(ended.ok()) << ended.error();
        m_trace = m_engine.takeTrace();
    }
    Await on(ActorId actor, Operation operation) { return {m_engine, actor, operation}; }

    // How long the host and the GPU took for one copy behind a kernel of 5 ms in the same stream.
    struct CopyTimes {
        std::int64_t callNs = 0;
        Interval onGpu;
    };
    CopyTimes copyBehindKernel(EventKind direction, MemoryKind memory, bool async, std::int64_t bytes)
    {
        CopyTimes times;
        const StreamId stream = m_engine.addStream("s");
        runActor([&](ActorId actor) -> Task {
            const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{memory, bytes})));
            m_engine.startClock();
            co_await on(actor, op::Launch{{}, stream, op::KernelLoad::Full, 5'000'000});
            const std::int64_t startNs = m_engine.nowNs();
            co_await on(actor, op::Copy{direction, stream, buffer, bytes, async});
            times.callNs = m_engine.nowNs() - startNs;
            co_await on(actor, op::SyncDevice{});
        });
        times.onGpu = intervals(direction).at(0);
        return times;
    }

    std::vector<Interval> intervals(EventKind kind) const
    {
        std::vector<Interval> found;
        for (std::size_t at = 0; at < m_trace.eventCount(); ++at)
            if (m_trace.kind(EventIndex(at)) == kind)
                found.push_back(m_trace.interval(EventIndex(at)));
        return found;
    }
    std::vector<std::string> names(EventKind kind) const
    {
        std::vector<std::string> found;
        for (std::size_t at = 0; at < m_trace.eventCount(); ++at)
            if (m_trace.kind(EventIndex(at)) == kind)
                found.emplace_back(m_trace.name(EventIndex(at)));
        return found;
    }

    const DeviceProfile m_profile = plainDevice();
    VirtualEngine m_engine{m_profile, {64ll << 30, 0}};
    Trace m_trace;
};

}  // namespace overlane::test
