// Any bytes as the spool of a recorded process. An input's first byte says whether its checksums are
// mended, so that what is behind them is reached as well.
#include <cstring>
#include <filesystem>

#include "core/analysis/host_stacks.h"
#include "core/spool/recording_merger.h"
#include "core/spool/spool_crc.h"
#include "core/spool/spool_writer.h"
#include "core/trace/track.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/read_recording.h"

namespace
{

using namespace overlane;

// A folder with one spool.
class SpoolFolder
{
public:
    SpoolFolder()
    {
        const char* folder = std::getenv("TMPDIR");
        m_path = std::string(folder != nullptr ? folder : "/tmp") + "/overlane_spools_XXXXXX";
        if (mkdtemp(m_path.data()) == nullptr)
            std::abort();
    }
    ~SpoolFolder() { std::filesystem::remove_all(m_path); }
    SpoolFolder(const SpoolFolder&) = delete;
    SpoolFolder& operator=(const SpoolFolder&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

void mend(std::string& bytes)
{
    spool::FrameHeader header;
    const std::uint32_t magic = spool::kMagic;
    for (std::size_t at = 0; at + sizeof(header) <= bytes.size();) {
        if (std::memcmp(bytes.data() + at, &magic, sizeof(magic)) != 0) {
            ++at;
            continue;
        }
        std::memcpy(&header, bytes.data() + at, sizeof(header));
        const std::size_t payload = at + sizeof(header);
        const bool fits = header.bytes <= bytes.size() - payload;
        header.crc = fits ? spoolCrc(0, bytes.data() + payload, header.bytes) : 0;
        header.headerCrc = spoolCrc(0, &header, offsetof(spool::FrameHeader, headerCrc));
        std::memcpy(bytes.data() + at, &header, sizeof(header));
        at = fits ? payload + header.bytes : payload;
    }
}

constexpr std::int64_t kStart = 1'000'000;

void startProcess(SpoolWriter& writer)
{
    spool::ProcessStart start;
    start.timeNs = kStart;
    start.pid = 7;
    start.program = writer.intern("train");
    writer.add(start);
}

// Stacks of the main thread and of a worker, their functions described before and while samples come.
std::string spoolOfStacks()
{
    const SpoolFolder folder;
    SpoolWriter writer;
    if (!writer.open(folder.path(), 7, 1))
        return {};
    startProcess(writer);
    constexpr auto kStacks = static_cast<std::uint32_t>(TrackKind::Stacks);
    writer.add(spool::ThreadName{7, writer.intern("main")});
    writer.add(spool::Lane{3, writer.intern("worker 0"), static_cast<std::uint32_t>(TrackKind::LoaderActor), 0, 0, 0});
    writer.add(spool::Lane{4, writer.intern("stacks of main"), kStacks, 0, 7, 0});
    writer.add(spool::Lane{5, writer.intern("worker 0"), kStacks, 0, 0, 0});
    for (std::uint32_t node = 0; node < 12; ++node) {
        const std::uint32_t caller = node == 0 ? spool::kNone : (node - 1) / 2;
        writer.add(spool::StackNode{
            node, caller, writer.intern("train.py:" + std::to_string(node) + " f" + std::to_string(node / 3)),
            static_cast<std::uint32_t>(node % 3 == 0 ? EventKind::ProgramFrame : EventKind::LibraryFrame)});
        if (node % 4 == 3)
            writer.flush();
        for (std::uint32_t lane = 4; lane <= 5; ++lane) {
            const std::int64_t timeNs = kStart + std::int64_t{node} * 10'000'000 + std::int64_t{lane} * 1000;
            writer.add(spool::StackSample{timeNs, timeNs + 2000, lane, node});
        }
    }
    writer.add(spool::LaneEvent{kStart, kStart + 90'000'000, 3, writer.intern("batch 0"),
                                static_cast<std::uint32_t>(EventKind::Loader), 0});
    writer.flush();
    return fuzz::fileBytes(writer.path());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 != 0)
        mend(bytes);
    const SpoolFolder folder;
    std::ofstream(folder.path() + "/7-1" + spool::kFileSuffix, std::ios::binary) << bytes;
    const Result<Trace> trace = test::readRecording(folder.path());
    if (!trace.ok() && trace.error().empty())
        std::abort();
    if (trace.ok())
        const HostStacks stacks(trace.value());
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    const SpoolFolder folder;
    SpoolWriter writer;
    if (!writer.open(folder.path(), 7, 1))
        return {""};
    startProcess(writer);
    spool::Device device;
    device.name = writer.intern("GPU");
    writer.add(device);
    writer.add(spool::Context{1, 0, 7, 0});
    writer.add(spool::Stream{9, 1, 0, 2});
    writer.add(spool::ThreadName{7, writer.intern("main")});
    writer.add(
        spool::GaugeDefinition{1, writer.intern("RSS"), static_cast<std::uint32_t>(CounterUnit::Bytes), -1, 0, 0});
    writer.add(spool::Lane{3, writer.intern("worker 0"), static_cast<std::uint32_t>(TrackKind::LoaderActor), 0, 0, 0});
    writer.add(spool::Status{kStart, 1, 130001, writer.intern("libcupti.so"), 0});
    const std::uint32_t launch = writer.intern("cudaLaunchKernel_v7000");
    const std::uint32_t kernel = writer.intern("_Z4gemmPf");
    const std::uint32_t collective = writer.intern("ncclDevKernel_AllReduce_Sum_f32_RING_LL");
    const std::uint32_t range = writer.intern("forward");
    for (std::uint32_t at = 1; at <= 6; ++at) {
        const std::int64_t timeNs = kStart + std::int64_t{at} * 10'000;
        writer.add(spool::ApiCall{timeNs, timeNs + 3000, 7, at, launch, 0});
        writer.add(spool::Collective{timeNs, timeNs + 3000, at % 2, at * 1000, at, 7, at % 13, 4, at % 3});
        writer.add(spool::Kernel{timeNs + 4000, timeNs + 6000, 0, 1, 9, at, at % 2 == 0 ? kernel : collective, 0});
        spool::Copy copy;
        copy.startNs = timeNs;
        copy.endNs = timeNs + 2000;
        copy.bytes = 4096;
        copy.context = 1;
        copy.stream = 9;
        copy.correlation = at + 10;
        copy.direction = static_cast<spool::Direction>(at % 5);
        copy.sourceDevice = copy.destinationDevice = 0;
        writer.add(copy);
        writer.add(spool::Memset{timeNs, timeNs + 100, 64, 0, 1, 9, at + 20, 3, 0});
        writer.add(spool::Sync{timeNs, timeNs + 500, spool::SyncType::Stream, 1, 9, spool::kNone, at + 30, 0});
        spool::MemoryOp operation;
        operation.timeNs = timeNs;
        operation.address = at % 3;
        operation.bytes = 4096;
        operation.operation = at % 2 != 0 ? spool::MemoryOperation::Allocate : spool::MemoryOperation::Free;
        operation.memory = static_cast<std::uint8_t>(at % 4);
        writer.add(operation);
        writer.add(spool::MarkerData{at / 2, 1, 0xFF3366CC, spool::PayloadType::Real, 0x3FF0000000000000});
        writer.add(spool::Marker{timeNs, at / 2, 7, range, spool::kNone,
                                 at % 2 == 0 ? spool::MarkerType::Start : spool::MarkerType::End, 0});
        writer.add(spool::Overhead{timeNs, timeNs + 10, spool::OverheadType::Flush, spool::kNone, 0, 0});
        writer.add(spool::CudaEvent{at, at, 0, 1, 9, at, 0});
        writer.add(spool::ExternalCorrelation{at, 1, at});
        writer.add(spool::GaugeSample{timeNs, at * 1e6, 1, 0});
        writer.add(spool::LaneEvent{timeNs, timeNs + 8000, 3, range, static_cast<std::uint32_t>(EventKind::Loader), 0});
        writer.add(spool::Tick{timeNs, at, 0, 0, 0, 10, 1 << 20, timeNs, 90});
        if (at % 3 == 0)
            writer.flush();
    }
    writer.flush();
    const std::string bytes = fileBytes(writer.path());
    const std::string stacks = spoolOfStacks();
    if (stacks.empty())
        return {""};
    return {std::string(1, '\0') + bytes, std::string(1, '\1') + bytes, std::string(1, '\0') + stacks,
            std::string(1, '\1') + stacks};
}
