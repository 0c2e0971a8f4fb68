// Traces of odd shapes: each is made of one thing that real programs have a few of, thousands of times.
// They show what grows worse than linearly. Two ways to have one: as a Trace, or as the text of a
// PyTorch profiler file. The same shape, size and seed give the same trace on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/trace/trace_builder.h"

namespace overlane::test
{

enum class OddShape {
    Nesting,           // ranges within ranges
    Overlaps,          // work of one stream that overlaps
    LaunchingThreads,  // each starts one kernel
    Processes,         // each with one thread that works
    Devices,           // each with a copy and a kernel
    Streams,           // of one device
    UniqueNames,
    Counters,
    Async,           // ranges of no thread that overlap
    Steps,           // each with a copy and a kernel
    Syncs,           // a wait for each kernel
    Copies,          // on a side stream, beside kernels
    BlockingCopies,  // of eight threads at a time
    SharedIds,       // fifteen kernels of one call, as a CUDA graph has them
    Mixture,         // of all of these
};

inline constexpr std::array kOddShapes{
    OddShape::Nesting, OddShape::Overlaps,    OddShape::LaunchingThreads, OddShape::Processes, OddShape::Devices,
    OddShape::Streams, OddShape::UniqueNames, OddShape::Counters,         OddShape::Async,     OddShape::Steps,
    OddShape::Syncs,   OddShape::Copies,      OddShape::BlockingCopies,   OddShape::SharedIds, OddShape::Mixture};

inline std::string oddShapeName(OddShape shape)
{
    static constexpr std::array kNames{"Nesting", "Overlaps",    "LaunchingThreads", "Processes", "Devices",
                                       "Streams", "UniqueNames", "Counters",         "Async",     "Steps",
                                       "Syncs",   "Copies",      "BlockingCopies",   "SharedIds", "Mixture"};
    return kNames[static_cast<std::size_t>(shape)];
}

struct OddEvent {
    EventKind kind = EventKind::HostWork;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::string name;
    int process = 1;  // of the host; 0 for GPU work
    int place = 1;    // thread, or stream of GPU work; 0 is the row of asynchronous ranges
    int device = 0;
    std::uint32_t correlation = 0;
    std::int64_t bytes = 0;
    bool pinned = false;
};
struct OddSample {
    std::int64_t timeNs = 0;
    int counter = 0;
    double value = 0;
};
struct OddEvents {
    std::vector<OddEvent> events;
    std::vector<OddSample> samples;
};

class OddGenerator
{
public:
    OddGenerator(std::int64_t size, std::uint64_t seed) : m_size(size), m_random(seed) {}

    OddEvents make(OddShape shape)
    {
        if (shape == OddShape::Mixture) {
            m_size = std::max<std::int64_t>(m_size / static_cast<std::int64_t>(kOddShapes.size()), 1);
            for (const OddShape part : kOddShapes)
                if (part != OddShape::Mixture)
                    add(part);
        } else {
            add(shape);
        }
        return std::move(m_made);
    }

private:
    void add(OddShape shape)
    {
        for (std::int64_t at = 0; at < m_size; ++at)
            addOne(shape, at);
    }
    void addOne(OddShape shape, std::int64_t at)
    {
        const auto number = static_cast<int>(at);
        const std::int64_t startNs = at * 10'000;
        switch (shape) {
            case OddShape::Nesting:
                host(EventKind::HostWork, startNs, 2 * (m_size - at) * 10'000, "outer", 1, 1);
                break;
            case OddShape::Overlaps:
                gpu(EventKind::Kernel, startNs, m_size * 10'000, 0, 7, 0);
                break;
            case OddShape::LaunchingThreads:
                launch(startNs, 1, 100 + number, 0, 7);
                break;
            case OddShape::Processes:
                host(EventKind::HostWork, startNs, some(9'000), "work", 1000 + number, 1000 + number);
                break;
            case OddShape::Devices:
                gpu(EventKind::CopyH2D, startNs, some(4'000), number, 7, 0);
                gpu(EventKind::Kernel, startNs + 4'000, some(6'000), number, 7, 0);
                break;
            case OddShape::Streams:
                launch(startNs, 1, 1, 0, 8 + number);
                break;
            case OddShape::UniqueNames:
                host(EventKind::HostWork, startNs, some(9'000), "function " + std::to_string(at), 1, 1);
                break;
            case OddShape::Counters:
                m_made.samples.push_back({startNs, number % 900, static_cast<double>(some(1'000))});
                break;
            case OddShape::Async:
                host(EventKind::HostWork, startNs, some(90'000), "asynchronous", 1, 0);
                break;
            case OddShape::Steps:
                host(EventKind::Step, startNs, 10'000, "ProfilerStep#" + std::to_string(at), 1, 1);
                gpu(EventKind::CopyH2D, startNs + 1'000, some(2'000), 0, 7, 0);
                launch(startNs + 3'000, 1, 1, 0, 7);
                break;
            case OddShape::Syncs:
                launch(startNs, 1, 1, 0, 7);
                host(EventKind::RuntimeCall, startNs + 1'000, 8'000, "cudaStreamSynchronize", 1, 1, ++m_correlation);
                break;
            case OddShape::Copies:
                launch(startNs, 1, 1, 0, 7);
                gpu(EventKind::CopyH2D, startNs, some(9'000), 0, 20, 0);
                break;
            case OddShape::BlockingCopies: {
                const std::int64_t lengthNs = 2'000 + some(6'000);
                host(EventKind::RuntimeCall, startNs, lengthNs, "cudaMemcpy", 1, 1 + number % 8, ++m_correlation);
                gpu(EventKind::CopyH2D, startNs + 500, lengthNs - 1'000, 0, 7, m_correlation);
                break;
            }
            case OddShape::SharedIds:
                if (at % 15 == 0)
                    host(EventKind::RuntimeCall, startNs, 2'000, "cudaGraphLaunch", 1, 1, ++m_correlation);
                gpu(EventKind::Kernel, startNs + 2'000, some(8'000), 0, 7, m_correlation);
                break;
            case OddShape::Mixture:
                break;
        }
    }
    // 1 to `most`.
    std::int64_t some(std::int64_t most)
    {
        return 1 + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(most));
    }
    void host(EventKind kind, std::int64_t startNs, std::int64_t durationNs, std::string name, int process, int thread,
              std::uint32_t correlation = 0)
    {
        m_made.events.push_back(
            {kind, startNs, durationNs, std::move(name), process, thread, 0, correlation, 0, false});
    }
    void gpu(EventKind kind, std::int64_t startNs, std::int64_t durationNs, int device, int stream,
             std::uint32_t correlation)
    {
        const bool copies = isCopy(kind);
        const bool pinned = copies && some(2) == 1;
        std::string name = !copies  ? "gemm"
                           : pinned ? "Memcpy HtoD (Pinned -> Device)"
                                    : "Memcpy HtoD (Pageable -> Device)";
        m_made.events.push_back({kind, startNs, durationNs, std::move(name), 0, stream, device, correlation,
                                 copies ? some(1 << 20) : 0, pinned});
    }
    void launch(std::int64_t startNs, int process, int thread, int device, int stream)
    {
        host(EventKind::RuntimeCall, startNs, 1'000, "cudaLaunchKernel", process, thread, ++m_correlation);
        gpu(EventKind::Kernel, startNs + 1'000, some(8'000), device, stream, m_correlation);
    }

    std::int64_t m_size;
    std::mt19937_64 m_random;
    std::uint32_t m_correlation = 0;
    OddEvents m_made;
};

// Some `size` to three times as many events or samples.
inline OddEvents oddEvents(OddShape shape, std::int64_t size, std::uint64_t seed = 1)
{
    return OddGenerator(size, seed).make(shape);
}

inline Trace builtTrace(const OddEvents& made)
{
    TraceBuilder builder;
    builder.metadata().format = "sample";
    std::map<int, TrackId> processes, devices, counters;
    std::map<std::pair<int, int>, TrackId> threads;
    std::map<std::pair<int, TrackKind>, TrackId> engines;
    std::map<std::tuple<int, TrackKind, int>, TrackId> streams;
    const auto thread = [&](const OddEvent& event) {
        const auto [process, isNew] = processes.try_emplace(event.process);
        if (isNew)
            process->second = builder.addTrack({}, TrackKind::Process, "python", -1, event.process);
        const auto [found, isNewThread] = threads.try_emplace({event.process, event.place});
        if (isNewThread)
            found->second = builder.addTrack(process->second, TrackKind::Thread, "thread", -1, event.place);
        return found->second;
    };
    const auto stream = [&](const OddEvent& event) {
        const auto [device, isNew] = devices.try_emplace(event.device);
        if (isNew) {
            device->second = builder.addTrack({}, TrackKind::Device, "GPU", event.device, event.device);
            builder.addDevice({event.device, "Sample GPU", 0, 0});
        }
        const TrackKind kind = isCopy(event.kind) ? TrackKind::EngineH2D : TrackKind::EngineCompute;
        const auto [engine, isNewEngine] = engines.try_emplace({event.device, kind});
        if (isNewEngine)
            engine->second = builder.addTrack(device->second, kind, "engine", event.device);
        const auto [found, isNewStream] = streams.try_emplace({event.device, kind, event.place});
        if (isNewStream)
            found->second = builder.addTrack(engine->second, TrackKind::Stream, "stream " + std::to_string(event.place),
                                             event.device, event.place);
        return found->second;
    };
    for (const OddEvent& from : made.events) {
        Event event;
        event.track = from.process == 0 ? stream(from) : thread(from);
        event.kind = from.kind;
        event.startNs = from.startNs;
        event.durationNs = from.durationNs;
        event.name = builder.intern(from.name);
        event.correlation = from.correlation;
        if (isCopy(from.kind))
            event.copy = CopyInfo{from.bytes, from.pinned ? MemoryKind::Pinned : MemoryKind::Pageable,
                                  MemoryKind::Device, AsyncFlag::Unknown};
        builder.addEvent(event);
    }
    for (const OddSample& sample : made.samples) {
        const auto [counter, isNew] = counters.try_emplace(sample.counter);
        if (isNew)
            counter->second = builder.addCounter({}, "counter " + std::to_string(sample.counter), CounterUnit::Count);
        builder.addSample(counter->second, sample.timeNs, sample.value);
    }
    return builder.build();
}

inline Trace oddTrace(OddShape shape, std::int64_t size, std::uint64_t seed = 1)
{
    return builtTrace(oddEvents(shape, size, seed));
}

// The same as the PyTorch profiler writes it.
inline std::string kinetoText(const OddEvents& made)
{
    const auto number = [](auto value) { return std::to_string(value); };
    const auto microseconds = [](std::int64_t ns) {
        const std::string fraction = std::to_string(1'000 + ns % 1'000).substr(1);
        return std::to_string(ns / 1'000) + "." + fraction;
    };
    const auto category = [](const OddEvent& event) -> std::string {
        if (event.process == 0)
            return isCopy(event.kind) ? "gpu_memcpy" : "kernel";
        if (event.kind == EventKind::RuntimeCall)
            return "cuda_runtime";
        return event.kind == EventKind::Step ? "user_annotation" : "cpu_op";
    };
    std::string text = "{\"schemaVersion\": 1, \"traceEvents\": [";
    std::string_view between;
    const auto begin = [&](std::string_view phase) {
        text.append(between).append("\n{\"ph\": \"").append(phase).append("\"");
        between = ",";
    };
    std::int64_t ranges = 0;
    for (const OddEvent& event : made.events) {
        const bool asynchronous = event.process != 0 && event.place == 0;
        if (asynchronous) {
            ++ranges;
            for (const auto& [phase, timeNs] :
                 {std::pair{"b", event.startNs}, std::pair{"e", event.startNs + event.durationNs}}) {
                begin(phase);
                text += ", \"cat\": \"cpu_op\", \"name\": \"" + event.name + "\", \"pid\": " + number(event.process) +
                        ", \"tid\": 1, \"id\": " + number(ranges) + ", \"ts\": " + microseconds(timeNs) + "}";
            }
            continue;
        }
        begin("X");
        text += ", \"cat\": \"" + category(event) + "\", \"name\": \"" + event.name +
                "\", \"pid\": " + number(event.process == 0 ? event.device : event.process) +
                ", \"tid\": " + number(event.place) + ", \"ts\": " + microseconds(event.startNs) +
                ", \"dur\": " + microseconds(event.durationNs) +
                ", \"args\": {\"correlation\": " + number(event.correlation);
        if (event.process == 0)
            text += ", \"device\": " + number(event.device) + ", \"stream\": " + number(event.place);
        if (isCopy(event.kind))
            text += ", \"bytes\": " + number(event.bytes);
        text += "}}";
    }
    for (const OddSample& sample : made.samples) {
        begin("C");
        text += ", \"name\": \"counter " + number(sample.counter) +
                "\", \"pid\": 1, \"ts\": " + microseconds(sample.timeNs) +
                ", \"args\": {\"value\": " + number(static_cast<std::int64_t>(sample.value)) + "}}";
    }
    return text + "\n]}\n";
}

}  // namespace overlane::test
