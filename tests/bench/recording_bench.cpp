// Recording without a GPU: CUPTI's records decoded, written to a spool, and spools merged into a
// file. Rates are records per second; peak_MiB is the most memory that the process held.
#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "core/io/overlane_writer.h"
#include "core/spool/recording_merger.h"
#include "core/spool/spool_writer.h"
#if OVERLANE_HAS_CUPTI
#include "cupti/collector/activity_decoder.h"
#endif

namespace overlane
{
namespace
{

constexpr std::uint32_t kPid = 4242;
constexpr std::int64_t kStartNs = 1'000'000'000;
constexpr std::size_t kFlushBytes = 4u << 20;

// An empty folder that lives as long as the object.
class Folder
{
public:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "overlane-recording-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            std::abort();
        m_path = name;
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

void forgetPeak()
{
    std::ofstream("/proc/self/clear_refs") << 5;
}

double peakMiB()
{
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("VmHWM:"))
            return std::strtod(line.c_str() + 6, nullptr) / 1024;
    return 0;
}

void begin(SpoolWriter& writer, const std::string& folder)
{
    writer.open(folder, kPid, kStartNs);
    spool::ProcessStart start;
    start.timeNs = kStartNs;
    start.pid = kPid;
    start.program = writer.intern("train");
    writer.add(start);
    spool::Device device;
    device.uuid[0] = 1;
    device.name = writer.intern("GPU");
    writer.add(device);
    writer.add(spool::Context{1, 0, 7, 0});
}

// As a launch-bound program gives them: a call and its kernel, now and then a copy, a wait and a range.
void write(SpoolWriter& writer, std::int64_t records, bool flushes)
{
    std::mt19937 random(1);
    const std::uint32_t launch = writer.intern("cudaLaunchKernel_v7000");
    std::array<std::uint32_t, 64> kernels = {};
    for (std::uint32_t at = 0; at < kernels.size(); ++at)
        kernels[at] = writer.intern("_Z6kernelILi" + std::to_string(at) + "EEvPf");
    const std::uint32_t range = writer.intern("forward");
    std::int64_t timeNs = kStartNs;
    std::uint32_t correlation = 0;
    for (std::int64_t added = 0; added < records; added += 2) {
        timeNs += 4000 + random() % 2000;
        ++correlation;
        writer.add(spool::ApiCall{timeNs, timeNs + 2500, kPid, correlation, launch, 0});
        if (correlation % 64 == 0) {
            spool::Copy copy;
            copy.startNs = timeNs + 3000;
            copy.endNs = timeNs + 5000;
            copy.bytes = 1u << 20;
            copy.context = 1;
            copy.stream = 7;
            copy.correlation = correlation;
            copy.direction = spool::Direction::HostToDevice;
            writer.add(copy);
        } else if (correlation % 64 == 1) {
            writer.add(spool::Sync{timeNs, timeNs + 900, spool::SyncType::Stream, 1, 7, spool::kNone, correlation, 0});
        } else if (correlation % 64 < 4) {
            const auto type = correlation % 64 == 2 ? spool::MarkerType::Start : spool::MarkerType::End;
            writer.add(spool::Marker{timeNs, correlation / 64, kPid, range, spool::kNone, type, 0});
        } else {
            writer.add(spool::Kernel{timeNs + 3000, timeNs + 4500, 0, 1, 7, correlation,
                                     kernels[random() % kernels.size()], 0});
        }
        if (flushes && writer.pendingBytes() > kFlushBytes)
            writer.flush();
    }
    writer.flush();
}

void spoolWritten(benchmark::State& state)
{
    for (auto _ : state) {
        const Folder folder;
        SpoolWriter writer;
        begin(writer, folder.path());
        write(writer, state.range(0), true);
        if (writer.error() != 0)
            state.SkipWithError("the spool cannot be written");
        state.counters["bytes_per_record"] =
            static_cast<double>(writer.writtenBytes()) / static_cast<double>(state.range(0));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(spoolWritten)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

// As the recorder finds it once a second, or all of it at once, as after a recorder that was killed.
void spoolMerged(benchmark::State& state)
{
    const std::int64_t records = state.range(0);
    const Folder folder;
    {
        SpoolWriter writer;
        begin(writer, folder.path());
        write(writer, records, true);
    }
    forgetPeak();
    const double before = peakMiB();
    for (auto _ : state) {
        const std::string file = folder.path() + "/merged.overlane";
        auto writer = OverlaneWriter::create(file);
        if (!writer.ok()) {
            state.SkipWithError("the file cannot be made");
            break;
        }
        TraceSinkOf<OverlaneWriter> sink(writer.value());
        RecordingMerger merger(folder.path(), sink);
        bool merged = true;
        do {
            merged = merger.poll().ok() && writer.value().flush().ok();
        } while (merged && merger.behind());
        if (!merged || !merger.finish().ok() || !writer.value().flush().ok() || merger.totals().calls * 2 < records - 2)
            state.SkipWithError("the spool cannot be merged");
        state.counters["bytes_per_record"] =
            static_cast<double>(std::filesystem::file_size(file)) / static_cast<double>(records);
        std::filesystem::remove(file);
    }
    state.counters["peak_MiB"] = peakMiB();
    state.counters["before_MiB"] = before;
    state.SetItemsProcessed(state.iterations() * records);
}
BENCHMARK(spoolMerged)->Arg(1'000'000)->Arg(10'000'000)->Arg(40'000'000)->Unit(benchmark::kMillisecond);

#if OVERLANE_HAS_CUPTI
// A launch and its kernel in turn, as they lie in a buffer of CUPTI's.
void recordsDecoded(benchmark::State& state)
{
    std::mt19937 random(1);
    std::vector<activity::Api> calls(1000);
    std::vector<activity::Kernel> kernels(calls.size());
    const std::array<const char*, 4> names = {"_Z4gemmv", "_Z3addv", "_Z4reluv", "_Z4normv"};
    for (std::size_t at = 0; at < calls.size(); ++at) {
        calls[at] = {};
        calls[at].kind = CUPTI_ACTIVITY_KIND_RUNTIME;
        calls[at].cbid = 211;
        calls[at].start = kStartNs + at * 5000;
        calls[at].end = calls[at].start + 2000 + random() % 500;
        calls[at].threadId = kPid;
        calls[at].correlationId = static_cast<std::uint32_t>(at + 1);
        kernels[at] = {};
        kernels[at].kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        kernels[at].start = calls[at].start + 3000;
        kernels[at].end = kernels[at].start + 1500;
        kernels[at].correlationId = calls[at].correlationId;
        kernels[at].name = names[random() % names.size()];
    }
    const Folder folder;
    SpoolWriter writer;
    begin(writer, folder.path());
    ActivityDecoder decoder(
        writer, [](CallDomain, std::uint32_t) { return "cudaLaunchKernel_v7000"; }, 0);
    for (auto _ : state) {
        for (std::size_t at = 0; at < calls.size(); ++at) {
            decoder.decode(reinterpret_cast<const CUpti_Activity&>(calls[at]));
            decoder.decode(reinterpret_cast<const CUpti_Activity&>(kernels[at]));
        }
        if (writer.pendingBytes() > kFlushBytes) {
            writer.flush();
            if (std::filesystem::file_size(writer.path()) > (256u << 20))
                std::filesystem::resize_file(writer.path(), 0);
        }
    }
    state.SetItemsProcessed(state.iterations() * 2 * static_cast<std::int64_t>(calls.size()));
}
BENCHMARK(recordsDecoded);
#endif

}  // namespace
}  // namespace overlane

BENCHMARK_MAIN();
