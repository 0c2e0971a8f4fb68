// What the headline of a verdict names has a finding, whatever the trace: programs made at random, of
// one to three devices, whose calls, kernels and copies follow CUDA's order.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/findings/cause_family.h"
#include "core/findings/findings.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

class RandomProgram
{
public:
    explicit RandomProgram(std::uint32_t seed) : m_random(seed) {}

    Trace run()
    {
        const int devices = 1 + upTo(2);
        const TrackId process = m_builder.addTrack({}, TrackKind::Process, "python");
        for (int device = 0; device < devices; ++device)
            addDevice(device, process);
        // Each program leans to some kinds of calls, so that every cause is the main one of some.
        for (int& weight : m_weights)
            weight = upTo(3) == 0 ? 1 + upTo(20) : 0;
        m_weights[0] = 1 + upTo(6);
        const int calls = 20 + upTo(200);
        for (Device& device : m_devices)
            for (int at = 0; at < calls; ++at)
                call(device);
        return m_builder.build();
    }

private:
    struct Device {
        std::int32_t id = 0;
        TrackId thread, h2d, d2h, other;
        std::array<TrackId, 2> compute;
        std::int64_t nowNs = 0;   // of its thread
        std::int64_t freeNs = 0;  // of its only stream
        std::int64_t sideNs = 0;  // of a second one
    };

    int upTo(int limit) { return static_cast<int>(m_random() % static_cast<std::uint32_t>(limit + 1)); }
    // Spread over three orders of magnitude.
    std::int64_t duration(std::int64_t scaleNs) { return scaleNs * (1 + upTo(9)) * (upTo(3) == 0 ? 10 : 1); }

    void addDevice(std::int32_t id, TrackId process)
    {
        Device device;
        device.id = id;
        device.thread = m_builder.addTrack(process, TrackKind::Thread, "rank " + std::to_string(id));
        const TrackId root = m_builder.addTrack({}, TrackKind::Device, "GPU", id, id);
        const auto stream = [&](TrackKind engine, std::int64_t number) {
            const TrackId lane = m_builder.addTrack(root, engine, "engine", id);
            return m_builder.addTrack(lane, TrackKind::Stream, "stream", id, number);
        };
        device.h2d = stream(TrackKind::EngineH2D, 7);
        device.d2h = stream(TrackKind::EngineD2H, 7);
        device.other = stream(TrackKind::EnginePeer, 7);
        device.compute = {stream(TrackKind::EngineCompute, 7), stream(TrackKind::EngineCompute, 9)};
        device.nowNs = upTo(1000);
        m_builder.addDevice({id, "NVIDIA H100", 0});
        m_devices.push_back(device);
    }

    void host(Device& device, EventKind kind, const char* name, std::int64_t lengthNs, std::uint32_t correlation = 0)
    {
        Event event;
        event.track = device.thread;
        event.kind = kind;
        event.startNs = device.nowNs;
        event.durationNs = lengthNs;
        event.name = m_builder.intern(name);
        event.correlation = correlation;
        m_builder.addEvent(event);
        device.nowNs += lengthNs;
    }

    // Work that starts when it was asked for and its stream is free.
    std::int64_t gpu(Device& device, TrackId track, EventKind kind, const char* name, std::int64_t lengthNs,
                     std::int64_t& streamNs, std::optional<CopyInfo> copy = {})
    {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = std::max(device.nowNs + 2'000, streamNs) + upTo(500);
        event.durationNs = lengthNs;
        event.name = m_builder.intern(name);
        event.correlation = m_correlation;
        event.copy = copy;
        m_builder.addEvent(event);
        streamNs = event.endNs();
        return streamNs;
    }

    void copy(Device& device, EventKind kind, bool pinned, bool async)
    {
        const std::int64_t bytes = std::int64_t{1} << (4 + upTo(24));
        const MemoryKind memory = upTo(8) == 0 ? MemoryKind::Unknown
                                  : pinned     ? MemoryKind::Pinned
                                               : MemoryKind::Pageable;
        const AsyncFlag flag = async ? AsyncFlag::Async : AsyncFlag::Sync;
        const bool toDevice = kind == EventKind::CopyH2D;
        CopyInfo info{bytes, memory, MemoryKind::Device, flag};
        if (kind == EventKind::CopyD2H)
            info = {bytes, MemoryKind::Device, memory, flag};
        if (kind == EventKind::CopyD2D)
            info = {bytes, MemoryKind::Device, MemoryKind::Device, flag};
        if (kind == EventKind::CopyOther)
            info = {bytes, MemoryKind::Managed, MemoryKind::Managed, AsyncFlag::Unknown};
        ++m_correlation;
        const TrackId track = toDevice ? device.h2d : kind == EventKind::CopyD2H ? device.d2h : device.other;
        const char* name = kind == EventKind::CopyOther ? "Unified memory HtoD" : "Memcpy";
        const std::int64_t endNs =
            gpu(device, track, kind, name, 2'000 + bytes / (pinned ? 50 : 8), device.freeNs, info);
        const std::int64_t lengthNs = async ? 3'000 : std::max<std::int64_t>(endNs - device.nowNs, 3'000);
        host(device, EventKind::RuntimeCall, async ? "cudaMemcpyAsync" : "cudaMemcpy", lengthNs, m_correlation);
    }

    void call(Device& device)
    {
        int sum = 0;
        for (const int weight : m_weights)
            sum += weight;
        int chosen = upTo(sum - 1);
        std::size_t kind = 0;
        while (chosen >= m_weights[kind])
            chosen -= m_weights[kind++];
        device.nowNs += upTo(2'000);
        switch (kind) {
            case 0:
            case 1: {
                ++m_correlation;
                const bool side = kind == 1 && upTo(1) == 0;
                gpu(device, device.compute[side ? 1 : 0], EventKind::Kernel, "gemm", duration(kind == 0 ? 20'000 : 800),
                    side ? device.sideNs : device.freeNs);
                return host(device, EventKind::RuntimeCall, "cudaLaunchKernel", 4'000, m_correlation);
            }
            case 2:
            case 3:
                return copy(device, EventKind::CopyH2D, kind == 3, upTo(2) != 0);
            case 4:
                return copy(device, EventKind::CopyD2H, upTo(1) == 0, upTo(1) == 0);
            case 5:
                return copy(device, EventKind::CopyD2D, true, true);
            case 6:
                return host(device, EventKind::RuntimeCall, "cudaDeviceSynchronize",
                            std::max<std::int64_t>(std::max(device.freeNs, device.sideNs) - device.nowNs, 1'000));
            case 7:
                return host(device, EventKind::HostWork, "aten::mm", duration(10'000));
            case 8:
                return host(device, EventKind::HostWork,
                            "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", duration(50'000));
            case 9:
                return copy(device, EventKind::CopyOther, false, true);
            case 10:
                ++m_correlation;
                gpu(device, device.compute[0], EventKind::Memset, "Memset", duration(5'000), device.freeNs);
                return host(device, EventKind::RuntimeCall, "cudaMemsetAsync", 3'000, m_correlation);
            case 11:  // the stream waits for an event
                device.freeNs = std::max(device.freeNs, device.nowNs) + duration(20'000);
                return;
            default:
                device.nowNs += duration(20'000);  // nothing is recorded
        }
    }

    std::mt19937 m_random;
    TraceBuilder m_builder;
    std::vector<Device> m_devices;
    std::array<int, 13> m_weights{};
    std::uint32_t m_correlation = 0;
};

TEST(Headline, EveryLossThatItNamesHasAFinding)
{
    std::map<std::string, int> named;
    std::map<std::string, int> missing;
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        const Trace trace = RandomProgram(seed).run();
        const Analysis analysis(trace);
        const StepSequence& steps = analysis.steps();
        const Verdict judged = verdictOfTrace(analysis, steps.steps);
        // Copies without any kernel are a matter of the range, and the advice asks for a longer one.
        const Summary summary = analysis.summarize(judged.range);
        const bool withKernels =
            std::any_of(summary.devices.begin(), summary.devices.end(),
                        [&](const DeviceSummary& each) { return each.id == judged.device && each.kernelBusyNs > 0; });
        if (judged.tone != VerdictTone::Problem || !withKernels)
            continue;
        ASSERT_TRUE(judged.mainLoss);
        std::string cause(lostCauseName(*judged.mainLoss));
        if (*judged.mainLoss == LostCause::Copies)
            cause += ", " + std::string(judged.linkBound ? "the link"
                                        : judged.cause   ? causeName(*judged.cause)
                                                         : "none");
        ++named[cause];
        const FindingList list = findings(trace, analysis, steps.steps, judged.range);
        const std::span<const RuleId> rules = rulesOf(judged);
        const bool found = std::any_of(rules.begin(), rules.end(), [&](RuleId rule) { return list.find(rule); });
        if (!found && missing[cause]++ == 0) {
            std::string all;
            for (const Finding& finding : list.findings)
                all += "\n    " + std::string(severityName(finding.severity)) + " " + finding.sentence;
            ADD_FAILURE() << "seed " << seed << ": " << judged.sentence << all;
        }
    }
    EXPECT_GE(named.size(), 6u) << "the programs must differ";
}

}  // namespace
}  // namespace overlane
