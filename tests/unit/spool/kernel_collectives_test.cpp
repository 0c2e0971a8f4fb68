// What NCCL told of its calls, joined with the kernels that its threads launched.
#include "core/spool/kernel_collectives.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "core/spool/spool_writer.h"
#include "tests/support/read_recording.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kBeganNs = 1'000'000'000;
constexpr std::uint32_t kTraining = 100;
constexpr std::uint64_t kWorld = 0xABCDEF;

spool::Collective toldCall(CollectiveKind kind, std::int64_t fromNs, std::int64_t toNs, std::int64_t number)
{
    spool::Collective told;
    told.startNs = kBeganNs + fromNs;
    told.endNs = kBeganNs + toNs;
    told.communicator = kWorld;
    told.bytes = 1000;
    told.sequence = number;
    told.thread = kTraining;
    told.kind = static_cast<std::uint32_t>(kind);
    told.ranks = 4;
    told.calls = 1;
    return told;
}

class OneRank
{
public:
    explicit OneRank(const test::TempDir& dir)
    {
        EXPECT_TRUE(m_writer.open(dir.path().string(), kTraining, kBeganNs));
        spool::ProcessStart start;
        start.timeNs = kBeganNs;
        start.pid = kTraining;
        m_writer.add(start);
        spool::Device device;
        device.uuid[0] = 1;
        device.name = m_writer.intern("NVIDIA H200");
        m_writer.add(device);
        m_writer.add(spool::Context{1, 0, 7, 0});
    }
    void launch(std::int64_t atNs, std::uint32_t correlation, std::uint32_t thread = kTraining)
    {
        m_writer.add(spool::ApiCall{kBeganNs + atNs, kBeganNs + atNs + 5, thread, correlation,
                                    m_writer.intern("cuLaunchKernelEx"), 0});
    }
    void kernel(std::int64_t atNs, std::uint32_t correlation, const char* name = "ncclDevKernel_Generic(ncclWork*)")
    {
        m_writer.add(
            spool::Kernel{kBeganNs + atNs, kBeganNs + atNs + 50, 0, 1, 7, correlation, m_writer.intern(name), 0});
    }
    SpoolWriter& writer() { return m_writer; }
    void flush() { EXPECT_TRUE(m_writer.flush()); }

private:
    SpoolWriter m_writer;
};

// "all-reduce NCCL 0000000000abcdef #3 1000 bytes 4 ranks" of each kernel in order of time.
std::vector<std::string> toldKernels(const Trace& trace)
{
    std::vector<std::pair<std::int64_t, std::string>> found;
    for (const Track& track : trace.tracks())
        for (std::uint32_t at = track.events.first; track.device >= 0 && at < track.events.last; ++at) {
            if (trace.kind(EventIndex(at)) != EventKind::Kernel)
                continue;
            const CollectiveInfo* info = trace.collective(EventIndex(at));
            std::string text = "-";
            if (info != nullptr)
                text = std::string(collectiveKindName(info->kind)) + " " +
                       (info->group.valid() ? std::string(trace.strings().view(info->group)) : "none") + " #" +
                       std::to_string(info->sequence) + " " + std::to_string(info->bytes) + " bytes " +
                       std::to_string(info->groupSize) + " ranks";
            found.emplace_back(trace.interval(EventIndex(at)).startNs, text);
        }
    std::sort(found.begin(), found.end());
    std::vector<std::string> texts;
    for (auto& [timeNs, text] : found)
        texts.push_back(std::move(text));
    return texts;
}

std::vector<std::string> toldIn(const test::TempDir& dir, std::int64_t& untold)
{
    Result<Trace> trace = test::readRecording(dir.path().string());
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
    if (!trace.ok())
        return {};
    untold = trace.value().stats().count("untold_collective");
    return toldKernels(trace.value());
}

TEST(KernelCollectives, BelongToTheCallThatLaunchedThem)
{
    const test::TempDir dir;
    OneRank rank(dir);
    rank.writer().add(toldCall(CollectiveKind::AllReduce, 100, 200, 3));
    rank.writer().add(toldCall(CollectiveKind::AllGather, 300, 400, 4));
    rank.launch(150, 1);
    rank.launch(310, 2);
    rank.launch(320, 3);  // a second kernel of that call
    rank.launch(250, 4);  // between calls
    rank.launch(150, 5, kTraining + 1);
    rank.launch(160, 6);
    rank.kernel(1000, 1);
    rank.kernel(2000, 2);
    rank.kernel(2100, 3);
    rank.kernel(3000, 4);
    rank.kernel(3100, 5);
    rank.kernel(3200, 6, "_Z6matmulPf");
    rank.kernel(3300, 0);
    rank.flush();
    std::int64_t untold = 0;
    EXPECT_EQ(toldIn(dir, untold),
              (std::vector<std::string>{"all-reduce NCCL 0000000000abcdef #3 1000 bytes 4 ranks",
                                        "all-gather NCCL 0000000000abcdef #4 4000 bytes 4 ranks",
                                        "all-gather NCCL 0000000000abcdef #-1 0 bytes 4 ranks", "-", "-", "-", "-"}));
    EXPECT_EQ(untold, 3) << "of those by NCCL";
}

TEST(KernelCollectives, WaitForCallsAndForWhatIsToldOfThem)
{
    const test::TempDir dir;
    OneRank rank(dir);
    rank.writer().add(toldCall(CollectiveKind::AllReduce, 100, 200, 0));
    rank.kernel(1000, 1);
    rank.flush();
    rank.launch(150, 1);
    rank.launch(350, 2);
    rank.kernel(2000, 2);
    rank.flush();
    rank.writer().add(toldCall(CollectiveKind::Broadcast, 300, 400, 1));
    rank.flush();
    std::int64_t untold = 0;
    EXPECT_EQ(toldIn(dir, untold), (std::vector<std::string>{"all-reduce NCCL 0000000000abcdef #0 1000 bytes 4 ranks",
                                                             "broadcast NCCL 0000000000abcdef #1 1000 bytes 4 ranks"}));
    EXPECT_EQ(untold, 0);
}

TEST(KernelCollectives, AreCountedWhereNcclTellsNothing)
{
    const test::TempDir dir;
    OneRank rank(dir);
    rank.launch(150, 1);
    rank.kernel(1000, 1);
    rank.flush();
    std::int64_t untold = 0;
    EXPECT_EQ(toldIn(dir, untold), std::vector<std::string>{"-"});
    EXPECT_EQ(untold, 1);
}

TEST(KernelCollectives, TakeNoFigureBeyondReason)
{
    const test::TempDir dir;
    OneRank rank(dir);
    spool::Collective odd = toldCall(CollectiveKind::AllReduce, 100, 200, -5);
    odd.kind = 4'000'000;
    odd.ranks = -1;
    odd.bytes = ~std::uint64_t{0};
    odd.communicator = 0;
    rank.writer().add(odd);
    spool::Collective backwards = toldCall(CollectiveKind::AllReduce, 300, 200, 1);
    rank.writer().add(backwards);
    rank.writer().add(toldCall(CollectiveKind::AllReduce, 50, 60, 1));  // before the one above
    rank.launch(150, 1);
    rank.kernel(1000, 1);
    rank.flush();
    std::int64_t untold = 0;
    EXPECT_EQ(toldIn(dir, untold), std::vector<std::string>{"unknown none #-1 0 bytes 0 ranks"});
}

TEST(KernelCollectives, BytesAreTheLargerOfInAndOut)
{
    EXPECT_EQ(collectiveBytes(CollectiveKind::AllReduce, 10, 0), 10);
    EXPECT_EQ(collectiveBytes(CollectiveKind::SendReceive, 10, 8), 10);
    EXPECT_EQ(collectiveBytes(CollectiveKind::ReduceScatter, 10, 8), 80);
    EXPECT_EQ(collectiveBytes(CollectiveKind::AllGather, 10, 0), 0) << "of how many ranks is not known";
    EXPECT_EQ(collectiveBytes(CollectiveKind::AllGather, std::uint64_t{1} << 60, 8), 0);
    EXPECT_EQ(collectiveBytes(CollectiveKind::Unknown, 10, 8), 0);
}

}  // namespace
}  // namespace overlane
