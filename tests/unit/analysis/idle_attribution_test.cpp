#include "core/analysis/idle_attribution.h"

#include <array>
#include <gtest/gtest.h>
#include <random>

#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// Everything a launching thread, a loader and a device may do, at random, with and without links.
Trace randomTrace(std::mt19937& random, std::int64_t lengthNs)
{
    const auto upTo = [&](std::int64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    SampleTrace sample;
    const TrackId worker = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "worker 0");
    for (std::int64_t timeNs = 0; timeNs < lengthNs; timeNs += 1 + upTo(20))
        sample.add(worker, EventKind::Loader, timeNs, timeNs + upTo(15), "transform");
    constexpr std::array<const char*, 5> kCalls{"cudaStreamSynchronize", "cudaStreamWaitEvent", "cudaLaunchKernel",
                                                "cudaMemcpyAsync", "cudaEventRecord"};
    constexpr std::array<EventKind, 5> kHost{EventKind::RuntimeCall, EventKind::LoaderWait, EventKind::Loader,
                                             EventKind::HostWork, EventKind::Annotation};
    std::uint32_t correlation = 0;
    for (std::int64_t timeNs = 0; timeNs < lengthNs; timeNs += 1 + upTo(12)) {
        const EventKind kind = kHost[random() % kHost.size()];
        const bool call = kind == EventKind::RuntimeCall;
        const std::int64_t endNs = timeNs + upTo(10);
        const std::uint32_t id = call && upTo(4) > 0 ? ++correlation : 0;
        sample.host(kind, timeNs, endNs, call ? kCalls[random() % kCalls.size()] : upTo(3) ? "work" : "pin_memory", id);
        if (upTo(3) == 0)
            continue;
        const std::int64_t startNs = timeNs + upTo(20);
        const auto memory = static_cast<MemoryKind>(random() % 6);
        switch (upTo(6)) {
            case 0:
                sample.copy(EventKind::CopyH2D, startNs, startNs + upTo(9), memory, 1 + upTo(100'000), 7 + upTo(2),
                            static_cast<AsyncFlag>(random() % 3), id);
                break;
            case 1:
                sample.copy(EventKind::CopyD2H, startNs, startNs + upTo(9), memory, 1 + upTo(100'000), 7 + upTo(2),
                            AsyncFlag::Unknown, id);
                break;
            case 2:
                sample.copy(EventKind::CopyD2D, startNs, startNs + upTo(5), MemoryKind::Device);
                break;
            default:
                sample.kernel(startNs, startNs + upTo(9), 7 + upTo(3), id);
        }
    }
    return sample.build();
}

TEST(IdleAttributionTest, PiecesFillEveryMomentWithoutKernelsAndNoOtherOnRandomTraces)
{
    constexpr std::int64_t kLengthNs = 400;
    for (unsigned seed = 1; seed <= 150; ++seed) {
        std::mt19937 random(seed);
        const Trace trace = randomTrace(random, kLengthNs);
        const Analysis analysis(trace);
        if (analysis.devices().empty())
            continue;
        for (int ranges = 0; ranges < 4; ++ranges) {
            const Interval span = trace.span();
            Interval range = span;
            if (ranges > 0) {
                range.startNs = span.startNs + static_cast<std::int64_t>(random() % kLengthNs);
                range.endNs = range.startNs + static_cast<std::int64_t>(random() % kLengthNs);
                range = range.intersected(span);
                if (range.empty())
                    continue;
            }
            const std::vector<IdlePiece> pieces = idlePieces(analysis, 0, range);
            // Moment by moment: -1 = a kernel runs, else the cause.
            std::vector<int> causes(static_cast<std::size_t>(range.lengthNs()), -1);
            for (const IdlePiece& piece : pieces) {
                ASSERT_FALSE(piece.interval.empty());
                for (std::int64_t timeNs = piece.interval.startNs; timeNs < piece.interval.endNs; ++timeNs) {
                    int& cause = causes.at(static_cast<std::size_t>(timeNs - range.startNs));
                    ASSERT_EQ(cause, -1) << "twice, seed " << seed;
                    cause = static_cast<int>(piece.cause);
                }
            }
            std::array<std::int64_t, kLostCauseCount> sums{};
            for (std::int64_t timeNs = range.startNs; timeNs < range.endNs; ++timeNs) {
                bool kernel = false;
                bool h2d = false;
                for (std::size_t event = 0; event < trace.eventCount(); ++event)
                    if (trace.interval(EventIndex(event)).contains(timeNs)) {
                        kernel = kernel || trace.kind(EventIndex(event)) == EventKind::Kernel;
                        h2d = h2d || trace.kind(EventIndex(event)) == EventKind::CopyH2D;
                    }
                const int cause = causes[static_cast<std::size_t>(timeNs - range.startNs)];
                ASSERT_EQ(kernel, cause == -1) << "seed " << seed << " at " << timeNs;
                if (cause < 0)
                    continue;
                ASSERT_EQ(h2d, static_cast<LostCause>(cause) == LostCause::Copies) << "seed " << seed;
                ++sums[static_cast<std::size_t>(cause)];
            }
            EXPECT_EQ(analysis.summarize(range).devices.at(0).lostNs, sums) << "seed " << seed;
        }
    }
}

void launch(SampleTrace& sample, std::int64_t startNs, std::int64_t endNs, std::uint32_t id)
{
    sample.host(EventKind::RuntimeCall, startNs - 2 * kUs, startNs, "cudaLaunchKernel", id);
    sample.kernel(startNs, endNs, 7, id);
}

// The only piece of a cause, and what proves it.
IdleEvidence evidenceOf(const Trace& trace, LostCause cause)
{
    const Analysis analysis(trace);
    for (const IdlePiece& piece : idlePieces(analysis, 0, trace.span()))
        if (piece.cause == cause)
            return idleEvidence(trace, analysis, 0, piece);
    ADD_FAILURE() << "no piece of " << lostCauseName(cause);
    return {};
}

TEST(IdleAttributionTest, AWaitForABatchNamesTheActorThatWorkedAndTheWorkThatEndedIt)
{
    SampleTrace sample;
    launch(sample, 10 * kUs, 100 * kUs, 1);
    sample.host(EventKind::LoaderWait, 40 * kUs, 180 * kUs, "wait for a batch");
    for (const char* name : {"worker 0", "worker 1", "pin thread"}) {
        const TrackId actor = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, name);
        const std::int64_t workUs = std::string_view(name) == "worker 1" ? 170 : 120;
        sample.add(actor, EventKind::Loader, 0, workUs * kUs, "transform");
    }
    launch(sample, 200 * kUs, 300 * kUs, 2);
    const Trace trace = sample.build();
    const IdleEvidence evidence = evidenceOf(trace, LostCause::Batches);
    EXPECT_EQ(trace.name(evidence.event), "wait for a batch");
    EXPECT_EQ(evidence.actor, "worker 1");
    EXPECT_EQ(trace.interval(evidence.next).startNs, 200 * kUs);
}

TEST(IdleAttributionTest, OfActorsEquallyBusyTheOneNearestToTheConsumerIsNamed)
{
    SampleTrace sample;
    launch(sample, 10 * kUs, 100 * kUs, 1);
    sample.host(EventKind::LoaderWait, 40 * kUs, 180 * kUs, "wait for a batch");
    for (const char* name : {"pin thread", "worker 0"})
        sample.add(sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, name), EventKind::Loader, 0,
                   190 * kUs, "work");
    launch(sample, 200 * kUs, 300 * kUs, 2);
    const IdleEvidence evidence = evidenceOf(sample.build(), LostCause::Batches);
    EXPECT_EQ(evidence.actor, "pin thread");
}

TEST(IdleAttributionTest, ALateHostNamesTheInnermostOperator)
{
    SampleTrace sample;
    launch(sample, 10 * kUs, 100 * kUs, 1);
    sample.host(EventKind::HostWork, 90 * kUs, 197 * kUs, "train_step");
    sample.host(EventKind::HostWork, 95 * kUs, 195 * kUs, "aten::unique");
    sample.host(EventKind::HostWork, 100 * kUs, 105 * kUs, "aten::empty");
    launch(sample, 200 * kUs, 300 * kUs, 2);
    const Trace trace = sample.build();
    EXPECT_EQ(trace.name(evidenceOf(trace, LostCause::Host).late), "aten::unique");
}

TEST(IdleAttributionTest, CopiesSyncsAndStagingShowTheirEvents)
{
    SampleTrace sample;
    launch(sample, 10 * kUs, 100 * kUs, 1);
    sample.host(EventKind::RuntimeCall, 20 * kUs, 104 * kUs, "cudaStreamSynchronize");
    launch(sample, 200 * kUs, 300 * kUs, 2);
    sample.host(EventKind::RuntimeCall, 300 * kUs, 390 * kUs, "cudaMemcpyAsync", 3);
    sample.copy(EventKind::CopyH2D, 350 * kUs, 390 * kUs, MemoryKind::Pageable, 1 << 20, 7, AsyncFlag::Async, 3);
    launch(sample, 400 * kUs, 500 * kUs, 4);
    const Trace trace = sample.build();
    EXPECT_EQ(trace.name(evidenceOf(trace, LostCause::Sync).event), "cudaStreamSynchronize");
    EXPECT_EQ(trace.kind(evidenceOf(trace, LostCause::Copies).event), EventKind::CopyH2D);
    EXPECT_EQ(trace.name(evidenceOf(trace, LostCause::Staging).event), "cudaMemcpyAsync");
    const IdlePiece piece{{300 * kUs, 350 * kUs}, LostCause::Staging};
    test::expectText(idlePieceText(trace, piece, evidenceOf(trace, LostCause::Staging)));
}

TEST(IdleAttributionTest, ADeviceWithoutGpuWorkHasNoPieces)
{
    const Trace trace = test::serialTrace();
    const Analysis analysis(trace);
    EXPECT_TRUE(idlePieces(analysis, 5, trace.span()).empty());
    EXPECT_FALSE(idleEvidence(trace, analysis, 5, {}).event.valid());
}

}  // namespace
}  // namespace overlane
