#include <cstring>
#include <gtest/gtest.h>

#include "core/spool/record_control.h"
#include "core/spool/record_kinds.h"
#include "core/spool/record_names.h"
#include "core/spool/record_status.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

TEST(RecordKinds, PresetsAndNamesAdd)
{
    RecordKinds kinds;
    std::string_view unknown;
    ASSERT_TRUE(RecordKinds::parse("light,kernels", kinds, unknown));
    EXPECT_TRUE(kinds.has(RecordKind::Kernels));
    EXPECT_TRUE(kinds.has(RecordKind::Copies));
    EXPECT_FALSE(kinds.has(RecordKind::Launches));
    ASSERT_TRUE(RecordKinds::parse("", kinds, unknown));
    EXPECT_EQ(kinds, RecordKinds::standard());
    EXPECT_FALSE(RecordKinds::parse("copies,kernel", kinds, unknown));
    EXPECT_EQ(unknown, "kernel");
}

// What CUPTI never stops charging launches for, once it was switched on, is for those who ask for it.
TEST(RecordKinds, PresetsLeaveOutWhatLaunchesPayFor)
{
    for (const RecordKind dear : {RecordKind::Waits, RecordKind::Events, RecordKind::KernelSample}) {
        EXPECT_FALSE(RecordKinds::light().has(dear));
        EXPECT_FALSE(RecordKinds::standard().has(dear));
    }
    EXPECT_FALSE(RecordKinds::light().has(RecordKind::Kernels));
    EXPECT_FALSE(RecordKinds::light().has(RecordKind::Launches));
    EXPECT_TRUE(RecordKinds::all().has(RecordKind::Waits));
    EXPECT_TRUE(RecordKinds::all().has(RecordKind::Events));
}

TEST(RecordKinds, TextIsReadBack)
{
    for (const RecordKinds kinds : {RecordKinds::light(), RecordKinds::standard(), RecordKinds::all()}) {
        RecordKinds again;
        std::string_view unknown;
        ASSERT_TRUE(RecordKinds::parse(kinds.text(), again, unknown)) << unknown;
        EXPECT_EQ(again, kinds);
    }
}

TEST(RecordNames, CallsLoseVersionsAndThreadSuffixes)
{
    EXPECT_EQ(apiCallName("cudaMemcpyAsync_v3020"), "cudaMemcpyAsync");
    EXPECT_EQ(apiCallName("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
    EXPECT_EQ(apiCallName("cuMemcpyHtoDAsync_v2"), "cuMemcpyHtoDAsync_v2");
    EXPECT_EQ(apiCallName("cuMemcpyHtoDAsync_v2_ptsz"), "cuMemcpyHtoDAsync_v2");
    EXPECT_EQ(apiCallName("cudaGraphLaunch_v10000"), "cudaGraphLaunch");
    EXPECT_EQ(apiCallName(""), "");
}

TEST(RecordNames, KernelsAreDemangled)
{
    EXPECT_EQ(kernelName("_Z3addPf"), "add(float*)");
    EXPECT_EQ(kernelName("_Z_not_mangled_at_all"), "_Z_not_mangled_at_all");
    EXPECT_EQ(kernelName("triton_poi_fused_add_0"), "triton_poi_fused_add_0");
}

TEST(RecordNames, MarkersShowDomainAndPayload)
{
    spool::MarkerData data;
    EXPECT_EQ(markerName("", "step", nullptr), "step");
    EXPECT_EQ(markerName("NCCL", "AllReduce", &data), "NCCL: AllReduce");
    data.payloadType = spool::PayloadType::Integer;
    data.payload = static_cast<std::uint64_t>(std::int64_t{-3});
    EXPECT_EQ(markerName("", "step", &data), "step (-3)");
    data.payloadType = spool::PayloadType::Real;
    const double half = 0.5;
    std::memcpy(&data.payload, &half, sizeof(half));
    EXPECT_EQ(markerName("", "step", &data), "step (0.5)");
}

TEST(RecordStatus, EveryStateHasASentenceOfItsOwn)
{
    constexpr std::uint32_t kNeverWritten = 16;
    for (std::uint32_t code = 1; code <= static_cast<std::uint32_t>(RecordStatus::PeerCopiesLeftOut); ++code) {
        if (code == kNeverWritten)
            continue;
        const std::string sentence = statusSentence(static_cast<RecordStatus>(code), 28, "x");
        test::expectText(sentence);
        EXPECT_TRUE(sentence.ends_with(".")) << sentence;
    }
    test::expectText(statusSentence(static_cast<RecordStatus>(999), 0, ""));
    test::expectText(statusSentence(RecordStatus::Recording, 130001, "/lib/libcupti.so.13"));
    EXPECT_TRUE(isAlarming(RecordStatus::TakenOver));
    EXPECT_TRUE(endsRecording(RecordStatus::TakenOver));
    EXPECT_TRUE(isAlarming(RecordStatus::RecordsDropped));
    EXPECT_FALSE(endsRecording(RecordStatus::RecordsDropped));
    EXPECT_FALSE(isAlarming(RecordStatus::Ended));
}

TEST(RecordControl, BothSidesSeeOnePage)
{
    const test::TempDir dir;
    EXPECT_FALSE(RecordControl::open(dir.path().c_str()).valid());
    RecordControl recorder = RecordControl::create(dir.path().c_str());
    ASSERT_TRUE(recorder.valid());
    EXPECT_FALSE(RecordControl::create(dir.path().c_str()).valid()) << "only one recorder";
    RecordControl process = RecordControl::open(dir.path().c_str());
    ASSERT_TRUE(process.valid());
    EXPECT_EQ(process.state(), RecordState::Wait);
    recorder.setState(RecordState::Record);
    EXPECT_EQ(process.state(), RecordState::Record);
    recorder.setLimit(100);
    EXPECT_TRUE(process.addBytes(60));
    EXPECT_EQ(recorder.state(), RecordState::Record);
    EXPECT_FALSE(process.addBytes(60));
    EXPECT_EQ(recorder.state(), RecordState::Stop) << "one process over the limit stops all";
    EXPECT_EQ(recorder.page()->stopReason, static_cast<std::uint32_t>(RecordStatus::SizeLimit));
    EXPECT_EQ(recorder.bytes(), 120u);
}

TEST(RecordControl, AFileThatIsNoneIsRefused)
{
    const test::TempDir dir;
    dir.write("control", "short");
    EXPECT_FALSE(RecordControl::open(dir.path().c_str()).valid());
    dir.write("control", std::string(4096, '\x7f'));
    EXPECT_FALSE(RecordControl::open(dir.path().c_str()).valid());
}

}  // namespace
}  // namespace overlane
