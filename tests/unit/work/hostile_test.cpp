// Whatever a file makes up: no negative duration, no figure beyond the trace, and a prediction that is finite
// or refused in a sentence. Asserts are on here, and sums that overflow would show as negative figures.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "core/analysis/verdict.h"
#include "core/base/saturated.h"
#include "core/findings/findings.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kYears = std::int64_t{1} << 60;  // nanoseconds

// Events whose times and sizes are small, odd or absurd.
class HostileTrace
{
public:
    explicit HostileTrace(std::uint32_t seed) : m_random(seed) {}

    std::shared_ptr<const Trace> build()
    {
        constexpr const char* kFormats[] = {"simulated", "kineto", "nsys", "measured", "recorded"};
        test::SampleTrace sample;
        sample.builder().metadata().format = kFormats[number(5)];
        if (number(2) == 0)
            sample.builder().addDevice({0, "NVIDIA H200", 0, 0});
        const TrackId worker = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "worker 0");
        const TrackId pin = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "pin thread");
        const std::int64_t events = 20 + number(120);
        // Most traces have one kind of absurdity at most.
        m_absurd = number(3) == 0;
        std::uint32_t id = 0;
        for (std::int64_t at = 0; at < events; ++at) {
            const std::int64_t startNs = time();
            const std::int64_t endNs = startNs + length();
            const std::int64_t stream = number(3) == 0 ? 20 : 7;
            switch (number(8)) {
                case 0:
                case 1:
                    sample.host(EventKind::RuntimeCall, startNs, startNs + length(), "cudaLaunchKernel", ++id);
                    sample.kernel(startNs + number(5'000), endNs + 5'000, stream, id);
                    break;
                case 2:
                case 3: {
                    constexpr EventKind kCopies[] = {EventKind::CopyH2D, EventKind::CopyD2H};
                    constexpr MemoryKind kMemory[] = {MemoryKind::Pinned, MemoryKind::Pageable, MemoryKind::Unknown,
                                                      MemoryKind::Managed};
                    constexpr AsyncFlag kAsync[] = {AsyncFlag::Unknown, AsyncFlag::Sync, AsyncFlag::Async};
                    sample.host(EventKind::RuntimeCall, startNs, startNs + length(), "cudaMemcpyAsync", ++id);
                    sample.copy(kCopies[number(2)], startNs, endNs, kMemory[number(4)], bytes(), stream,
                                kAsync[number(3)], id);
                    break;
                }
                case 4: {
                    constexpr const char* kCalls[] = {"cudaDeviceSynchronize", "cudaHostAlloc", "cudaStreamWaitEvent",
                                                      "cudaStreamSynchronize"};
                    sample.host(EventKind::RuntimeCall, startNs, endNs, kCalls[number(4)]);
                    break;
                }
                case 5:
                    sample.host(EventKind::LoaderWait, startNs, endNs, "wait for a batch");
                    break;
                case 6:
                    sample.add(number(2) == 0 ? worker : pin, EventKind::Loader, startNs, endNs,
                               "batch " + std::to_string(number(2) == 0 ? number(9) : std::int64_t{1} << number(62)));
                    break;
                default:
                    sample.host(EventKind::HostWork, startNs, endNs,
                                "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
                    break;
            }
        }
        const std::int64_t steps = number(8);
        for (std::int64_t step = 0; step < steps; ++step) {
            // One behind the other, or within each other.
            const std::int64_t startNs = number(2) == 0 ? step * 100'000 : step;
            sample.host(EventKind::Step, startNs, startNs + length(), "ProfilerStep#" + std::to_string(step));
        }
        return std::make_shared<const Trace>(sample.build());
    }

private:
    std::int64_t number(std::int64_t below)
    {
        return std::uniform_int_distribution<std::int64_t>(0, below - 1)(m_random);
    }
    std::int64_t time() { return m_absurd && number(20) == 0 ? number(kYears) : number(1'000'000); }
    std::int64_t length()
    {
        if (m_absurd && number(10) == 0)
            return number(kYears);
        return number(4) == 0 ? 0 : number(50'000);
    }
    std::int64_t bytes() { return number(4) == 0 ? std::int64_t{1} << number(63) : number(8 << 20); }

    std::mt19937 m_random;
    bool m_absurd = false;
};

void expectWithin(std::int64_t value, std::int64_t least, std::int64_t most, const char* what)
{
    EXPECT_GE(value, least) << what;
    EXPECT_LE(value, most) << what;
}

void expectPossible(const Trace& trace)
{
    const Analysis analysis(trace);
    const StepSequence sequence = detectSteps(trace);
    const StepStatistics& statistics = sequence.statistics;
    const std::int64_t spanNs = trace.span().lengthNs();
    for (const std::int64_t ns : {statistics.medianNs, statistics.lowerQuartileNs, statistics.upperQuartileNs,
                                  statistics.deviationNs, statistics.minNs, statistics.maxNs})
        expectWithin(ns, 0, 2 * spanNs, "step time");
    for (const Step& step : sequence.steps)
        expectWithin(step.timeNs, 0, 2 * spanNs, "step time");
    const Interval range = activeRange(analysis, sequence.steps).range;
    const Verdict judged = verdictOfTrace(analysis, sequence.steps);
    expectWithin(judged.nowNs, 0, range.lengthNs(), "now");
    expectWithin(judged.couldBeNs, 0, judged.nowNs, "could be");
    expectWithin(judged.exposedNs, 0, range.lengthNs(), "exposed");
    for (const Verdict::Loss& loss : judged.losses)
        expectWithin(loss.lostNs, 0, range.lengthNs(), "loss");
    const FindingList list = findings(trace, analysis, sequence.steps, range);
    for (const Finding& finding : list.findings) {
        expectWithin(finding.cost.gpuIdleNs, 0, list.idleNs, "idle");
        expectWithin(finding.cost.hostBlockedNs, 0, range.lengthNs(), "held");
        EXPECT_GE(finding.cost.shareOfWall, 0);
        EXPECT_LE(finding.cost.shareOfWall, 1 + 1e-9);
    }
    for (const DeviceSummary& device : analysis.summarize().devices) {
        EXPECT_GE(device.h2dBytes, 0);
        EXPECT_GE(device.d2hBytes, 0);
        for (const std::int64_t ns : {device.kernelBusyNs, device.h2dBusyNs, device.exposedCopyNs, device.idleNs})
            expectWithin(ns, 0, spanNs, "busy");
    }
}

void expectPossible(const Prediction& prediction)
{
    // No change but of a rate makes a step a thousand times as long.
    const std::int64_t mostNs = saturatedProduct(1'001, std::max(prediction.stepNsMeasured, prediction.stepNsReplayed));
    expectWithin(prediction.stepNsPredicted, 0, mostNs, "predicted");
    expectWithin(prediction.lowNs, 0, prediction.stepNsPredicted, "low");
    EXPECT_GE(prediction.highNs, prediction.stepNsPredicted);
    expectWithin(prediction.noise.ns, 0, std::numeric_limits<std::int64_t>::max() - 1, "noise");
    EXPECT_GE(prediction.pinnedBytes, 0);
    for (const std::int64_t ns : prediction.busyNs)
        EXPECT_GE(ns, 0);
    if (prediction.trace) {
        for (const std::int64_t ns : prediction.trace->columns().durationNs)
            EXPECT_GE(ns, 0);
    }
}

TEST(HostileTraces, GiveNoImpossibleFigures)
{
    int replayed = 0;
    int predicted = 0;
    std::set<std::string> refusals;
    for (std::uint32_t seed = 0; seed < 600 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const std::shared_ptr<const Trace> trace = HostileTrace(seed).build();
        expectPossible(*trace);
        const Result<Replay> replay = test::builtReplay(trace);
        if (!replay.ok()) {
            refusals.insert(replay.error());
            continue;
        }
        ++replayed;
        EXPECT_GE(replay.value().report().stepNsMeasured, 0);
        EXPECT_GE(replay.value().report().stepNsReplayed, 0);
        EXPECT_GE(replay.value().report().unexplainedNs, 0);
        for (const char* text :
             {"pin", "non_blocking", "side_stream", "drop_syncs", "merge_small", "read_later", "workers=4"}) {
            const Change change = parseChange(text).value();
            const Result<Prediction> prediction = replay.value().predict({&change, 1}, WithTrace::Yes);
            if (prediction.ok()) {
                ++predicted;
                expectPossible(prediction.value());
            } else {
                EXPECT_EQ(prediction.error().back(), '.') << text;
            }
        }
    }
    EXPECT_GT(replayed, 100);
    EXPECT_GT(predicted, 300);
    // Times that add up to many years are refused.
    EXPECT_GE(refusals.size(), 2u);
}

TEST(HostileTraces, OneHugeCopyPinsNoNegativeMemory)
{
    test::SampleTrace sample;
    for (std::uint32_t step = 0; step < 6; ++step) {
        const std::int64_t at = std::int64_t{step} * 1'000'000;
        sample.host(EventKind::Step, at, at + 1'000'000, "ProfilerStep#" + std::to_string(step));
        sample.host(EventKind::RuntimeCall, at + 1'000, at + 2'000, "cudaMemcpyAsync", 2 * step + 1);
        sample.copy(EventKind::CopyH2D, at + 3'000, at + 9'000, MemoryKind::Pinned, std::int64_t{1} << 62, 7,
                    AsyncFlag::Async, 2 * step + 1);
        sample.host(EventKind::RuntimeCall, at + 4'000, at + 5'000, "cudaLaunchKernel", 2 * step + 2);
        sample.kernel(at + 10'000, at + 900'000, 7, 2 * step + 2);
    }
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(sample.build()));
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> unchanged = replay.value().predict({});
    ASSERT_TRUE(unchanged.ok()) << unchanged.error();
    expectPossible(unchanged.value());
}

}  // namespace
}  // namespace overlane
