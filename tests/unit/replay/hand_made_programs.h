// Programs of a few events a step, whose predicted times can be done in the head.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/replay/replay.h"
#include "tests/support/sample_traces.h"

namespace overlane::test
{

inline std::vector<Change> changes(std::initializer_list<const char*> texts)
{
    std::vector<Change> made;
    for (const char* text : texts)
        made.push_back(parseChange(text).value());
    return made;
}

// Steps of 1000 us: a call that copies 10 MB (100 us of the call, then 300 us on the device while the
// host is held), 100 us of host work, a launch of 10 us for a kernel of 400 us, and a wait for the device.
struct Program {
    MemoryKind source = MemoryKind::Pageable;
    bool syncs = true;
    int steps = 6;
    const char* gpu = nullptr;
    std::int64_t bytes = 10'000'000;
};

// Adds one event to a sample; calls and what they asked for share a correlation, 0 is none.
inline auto adderTo(SampleTrace& sample)
{
    return [&sample](TrackId track, EventKind kind, std::int64_t startUs, std::int64_t endUs, const char* name,
                     std::uint32_t correlation, std::optional<CopyInfo> copy = {}) {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startUs * kNsPerUs;
        event.durationNs = (endUs - startUs) * kNsPerUs;
        event.name = sample.builder().intern(name);
        event.correlation = correlation;
        event.process = correlation == 0 ? 0 : 100;
        event.copy = copy;
        sample.builder().addEvent(event);
    };
}

inline std::shared_ptr<const Trace> traceOf(const Program& program)
{
    SampleTrace sample;
    if (program.gpu)
        sample.builder().addDevice({1, program.gpu, 0, 0});
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    const TrackId copies = sample.stream(TrackKind::EngineH2D, 7);
    const TrackId kernels = sample.stream(TrackKind::EngineCompute, 7);
    const auto add = adderTo(sample);
    for (int step = 0; step < program.steps; ++step) {
        const std::int64_t at = std::int64_t{1000} * step;
        const auto first = static_cast<std::uint32_t>(step * 10 + 1);
        add(steps, EventKind::Step, at, at + 1000, ("step " + std::to_string(step)).c_str(), 0);
        add(sample.thread(), EventKind::RuntimeCall, at, at + 400, "cudaMemcpyAsync", first);
        add(copies, EventKind::CopyH2D, at + 100, at + 400, "copy", first,
            CopyInfo{program.bytes, program.source, MemoryKind::Device, AsyncFlag::Async});
        add(sample.thread(), EventKind::RuntimeCall, at + 500, at + 510, "cudaLaunchKernel", first + 1);
        add(kernels, EventKind::Kernel, at + 515, at + 915, "kernel", first + 1);
        if (program.syncs)
            add(sample.thread(), EventKind::RuntimeCall, at + 520, at + 920, "cudaDeviceSynchronize", first + 2);
    }
    return std::make_shared<const Trace>(sample.builder().build(false));
}

// Steps of 1000 us in which the host makes a batch for 300 us, copies it for 10 (pinned, 200 on the device), issues a
// kernel of 400 and waits for it: in a call, or without one until a value is back.
enum class Waits : bool { InACall, Silently };
inline std::shared_ptr<const Trace> gatheringTrace(Waits waits = Waits::InACall)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    const TrackId streams[] = {sample.stream(TrackKind::EngineH2D, 7), sample.stream(TrackKind::EngineCompute, 7)};
    const TrackId back = waits == Waits::Silently ? sample.stream(TrackKind::EngineD2H, 7) : TrackId{};
    const auto add = adderTo(sample);
    for (int step = 0; step < 8; ++step) {
        const std::int64_t at = std::int64_t{1000} * step;
        const auto first = static_cast<std::uint32_t>(step * 10 + 1);
        add(steps, EventKind::Step, at, at + 1000, ("step " + std::to_string(step)).c_str(), 0);
        add(sample.thread(), EventKind::RuntimeCall, at + 300, at + 310, "cudaMemcpyAsync", first);
        add(streams[0], EventKind::CopyH2D, at + 310, at + 510, "copy", first,
            CopyInfo{10'000'000, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async});
        add(sample.thread(), EventKind::RuntimeCall, at + 320, at + 330, "cudaLaunchKernel", first + 1);
        add(streams[1], EventKind::Kernel, at + 515, at + 915, "kernel", first + 1);
        if (waits == Waits::InACall) {
            add(sample.thread(), EventKind::RuntimeCall, at + 340, at + 920, "cudaDeviceSynchronize", first + 2);
            continue;
        }
        add(sample.thread(), EventKind::RuntimeCall, at + 340, at + 350, "cudaMemcpyAsync", first + 2);
        add(back, EventKind::CopyD2H, at + 915, at + 920, "copy", first + 2,
            CopyInfo{4, MemoryKind::Device, MemoryKind::Pinned, AsyncFlag::Async});
    }
    return std::make_shared<const Trace>(sample.builder().build(false));
}

}  // namespace overlane::test
