// Writes a seeded trace of millions of events as an .overlane file, to time whole commands with:
// large_trace EVENTS FILE [marked]. Processes that train side by side, each with a device, streams, CUDA graphs, a
// loader of eight workers, and stacks sampled from its main thread; with `marked`, profiler steps.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "core/io/format.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

constexpr int kDevices = 2;
constexpr int kOperators = 200;
constexpr int kGraphKernels = 150;
constexpr int kWorkers = 8;
constexpr int kDepth = 24;  // of a stack
constexpr std::int64_t kSampleNs = 10'000'000;

class Training
{
public:
    Training(TraceBuilder& builder, int number, bool marked)
        : m_builder(builder), m_random(7 + number), m_marked(marked)
    {
        m_pid = 100 + static_cast<std::uint32_t>(number);
        const TrackId process = builder.addTrack({}, TrackKind::Process, "python", -1, m_pid);
        m_main = builder.addTrack(process, TrackKind::Thread, "main", -1, m_pid);
        m_backward = builder.addTrack(process, TrackKind::Thread, "backward", -1, m_pid + 1000);
        m_stacks = builder.addTrack(process, TrackKind::Stacks, "stacks of main", -1, m_pid);
        for (int worker = 0; worker < kWorkers; ++worker)
            m_workers.push_back(
                builder.addTrack(process, TrackKind::LoaderActor, "worker " + std::to_string(worker), -1, 0, worker));
        const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU " + std::to_string(number), number);
        const auto streams = [&](TrackKind engine, const char* name, std::initializer_list<int> ids) {
            const TrackId parent = builder.addTrack(device, engine, name, number);
            std::vector<TrackId> made;
            for (const int id : ids)
                made.push_back(builder.addTrack(parent, TrackKind::Stream, "stream " + std::to_string(id), number, id));
            return made;
        };
        m_compute = streams(TrackKind::EngineCompute, "compute", {7, 13, 17, 19});
        m_in = streams(TrackKind::EngineH2D, "H2D", {7, 20});
        m_out = streams(TrackKind::EngineD2H, "D2H", {7, 21});
        for (int at = 0; at < kOperators; ++at) {
            m_operators.push_back(builder.intern("aten::op_" + std::to_string(at)));
            m_kernels.push_back(builder.intern("void at::native::kernel_" + std::to_string(at) + "<float>(int)"));
        }
        for (int at = 0; at < kDepth + 40; ++at)
            m_frames.push_back(builder.intern("pkg/file_" + std::to_string(at) + ".py:" + std::to_string(at) + " f"));
    }

    void step()
    {
        const std::int64_t startNs = m_hostNs;
        add(m_main, EventKind::HostWork, m_hostNs, 400'000 + upTo(200'000),
            name("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"));
        m_hostNs += 600'000;
        for (int copy = 0; copy < 3; ++copy)
            this->copy(EventKind::CopyH2D, m_in[1], (std::int64_t{1} << 20) * (copy + 1), 60'000);
        pass(m_main, 0);
        call(m_main, "cudaGraphLaunch", 30'000);
        m_gpuNs = std::max(m_gpuNs, m_hostNs);
        for (int at = 0; at < kGraphKernels; ++at)
            kernel(m_compute[at % 2 == 0 ? 0 : 1], at, 4'000);
        pass(m_backward, 2);
        copy(EventKind::CopyD2H, m_out[0], 4, 3'000);
        add(m_main, EventKind::RuntimeCall, m_hostNs, std::max<std::int64_t>(1'000, m_gpuNs - m_hostNs),
            name("cudaStreamSynchronize"), ++m_correlation);
        m_hostNs = std::max(m_hostNs + 1'000, m_gpuNs) + 2'000;
        if (m_marked)
            add(m_main, EventKind::Step, startNs, m_hostNs - startNs,
                m_builder.intern("ProfilerStep#" + std::to_string(m_steps)));
        add(m_workers[static_cast<std::size_t>(m_steps % kWorkers)], EventKind::Loader, startNs, m_hostNs - startNs,
            m_builder.intern("batch " + std::to_string(m_steps)));
        for (; m_sampledNs < m_hostNs; m_sampledNs += kSampleNs)
            sample();
        ++m_steps;
    }

private:
    StringId name(std::string_view text) { return m_builder.intern(text); }
    std::int64_t upTo(std::uint32_t limit) { return static_cast<std::int64_t>(m_random() % limit); }
    void add(TrackId track, EventKind kind, std::int64_t startNs, std::int64_t lengthNs, StringId text,
             std::uint32_t correlation = 0, std::int64_t bytes = 0)
    {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startNs;
        event.durationNs = lengthNs;
        event.name = text;
        event.correlation = correlation;
        event.process = m_pid;
        if (kind == EventKind::CopyH2D)
            event.copy = CopyInfo{bytes, MemoryKind::Pageable, MemoryKind::Device, AsyncFlag::Async};
        if (kind == EventKind::CopyD2H)
            event.copy = CopyInfo{bytes, MemoryKind::Device, MemoryKind::Pageable, AsyncFlag::Async};
        m_builder.addEvent(event);
    }
    void call(TrackId thread, std::string_view text, std::int64_t lengthNs)
    {
        add(thread, EventKind::RuntimeCall, m_hostNs, lengthNs, name(text), ++m_correlation);
        m_hostNs += lengthNs;
    }
    void kernel(TrackId stream, int at, std::int64_t leastNs)
    {
        const std::int64_t lengthNs = leastNs + upTo(9'000);
        add(stream, EventKind::Kernel, m_gpuNs, lengthNs, m_kernels[static_cast<std::size_t>(at % kOperators)],
            m_correlation);
        m_gpuNs += lengthNs + 500;
    }
    void copy(EventKind kind, TrackId stream, std::int64_t bytes, std::int64_t lengthNs)
    {
        call(m_main, "cudaMemcpyAsync", lengthNs + 10'000);
        add(stream, kind, m_hostNs - lengthNs - 1'000, lengthNs, name("Memcpy"), m_correlation, bytes);
        m_gpuNs = std::max(m_gpuNs, m_hostNs);
    }
    void pass(TrackId thread, int stream)
    {
        for (int at = 0; at < kOperators; ++at) {
            const std::int64_t lengthNs = 8'000 + upTo(6'000);
            add(thread, EventKind::HostWork, m_hostNs, lengthNs, m_operators[static_cast<std::size_t>(at)]);
            m_hostNs += 2'000;
            call(thread, "cudaLaunchKernel", 4'000);
            m_gpuNs = std::max(m_gpuNs, m_hostNs);
            kernel(m_compute[static_cast<std::size_t>(stream) + static_cast<std::size_t>(at % 2)], at, 2'000);
            m_hostNs += lengthNs - 6'000 + 500;
        }
    }
    void sample()
    {
        const int deep = kDepth / 2 + static_cast<int>(upTo(kDepth / 2));
        for (int depth = 0; depth < deep; ++depth)
            add(m_stacks, depth == 3 ? EventKind::ProgramFrame : EventKind::LibraryFrame, m_sampledNs, kSampleNs,
                m_frames[static_cast<std::size_t>(depth + (depth > 8 ? upTo(40) : 0))]);
    }

    TraceBuilder& m_builder;
    std::mt19937 m_random;
    bool m_marked;
    std::uint32_t m_pid = 0;
    TrackId m_main, m_backward, m_stacks;
    std::vector<TrackId> m_workers, m_compute, m_in, m_out;
    std::vector<StringId> m_operators, m_kernels, m_frames;
    std::int64_t m_hostNs = 0, m_gpuNs = 0, m_sampledNs = 0;
    std::uint32_t m_correlation = 0;
    int m_steps = 0;
};

int write(std::size_t events, const std::string& path, bool marked)
{
    TraceBuilder builder;
    builder.reserve(events);
    std::vector<Training> programs;
    programs.reserve(kDevices);
    for (int number = 0; number < kDevices; ++number)
        programs.emplace_back(builder, number, marked);
    while (builder.eventCount() < events)
        for (Training& program : programs)
            program.step();
    const Trace trace = builder.build();
    Progress progress;
    const Result<void> written = writeTrace(trace, path, progress);
    if (!written.ok())
        std::fprintf(stderr, "%s\n", written.error().c_str());
    std::printf("%u events\n", trace.eventCount());
    return written.ok() ? 0 : 1;
}

}  // namespace
}  // namespace overlane

int main(int count, char** arguments)
{
    if (count < 3) {
        std::fprintf(stderr, "large_trace EVENTS FILE [marked]\n");
        return 2;
    }
    return overlane::write(std::strtoull(arguments[1], nullptr, 10), arguments[2],
                           count > 3 && std::string_view(arguments[3]) == "marked");
}
