#include "core/job/rank_digest_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "core/analysis/communication.h"
#include "tests/support/expect_text.h"
#include "tests/unit/job/rank_trace.h"
#include "tests/unit/job/two_devices.h"

namespace overlane
{
namespace
{

std::int64_t lostOf(const DigestStep& step)
{
    return std::accumulate(step.lostNs.begin(), step.lostNs.end(), std::int64_t{0});
}

// Each nanosecond of the trace, one by one.
struct Counted {
    std::vector<bool> compute;
    std::vector<bool> communication;

    explicit Counted(const Trace& trace)
        : compute(static_cast<std::size_t>(trace.span().endNs)), communication(compute.size())
    {
        const EventColumns& columns = trace.columns();
        for (std::size_t at = 0; at < trace.eventCount(); ++at)
            if (columns.kind[at] == EventKind::Kernel) {
                auto& marked = isCommunicationKernel(trace.name(EventIndex(at))) ? communication : compute;
                for (std::int64_t ns = columns.startNs[at]; ns < columns.startNs[at] + columns.durationNs[at]; ++ns)
                    marked[static_cast<std::size_t>(ns)] = true;
            }
    }
    template <typename Holds>
    std::int64_t in(Interval range, Holds holds) const
    {
        std::int64_t count = 0;
        for (std::int64_t ns = range.startNs; ns < range.endNs && ns < static_cast<std::int64_t>(compute.size()); ++ns)
            count += holds(compute[static_cast<std::size_t>(ns)], communication[static_cast<std::size_t>(ns)]) ? 1 : 0;
        return count;
    }
};

void expectSame(const DigestStep& step, const Counted& counted)
{
    EXPECT_EQ(step.computeNs, counted.in(step.interval, [](bool compute, bool) { return compute; }));
    EXPECT_EQ(step.communicationNs, counted.in(step.interval, [](bool, bool exchange) { return exchange; }));
    EXPECT_EQ(step.lostNs[static_cast<std::size_t>(LostCause::Communication)],
              counted.in(step.interval, [](bool compute, bool exchange) { return exchange && !compute; }));
    EXPECT_EQ(step.computeNs + lostOf(step), step.interval.lengthNs());
}

TEST(RankDigestMaker, StepsAreThoseOfTheJudgementNanosecondByNanosecond)
{
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        const auto judged = test::judgedRank(test::rankTrace(seed));
        const RankDigest digest = digestOf(*judged, {});
        const Counted counted(judged->trace);
        ASSERT_EQ(digest.steps.size(), judged->steps.steps.size());
        for (std::size_t at = 0; at < digest.steps.size(); ++at) {
            EXPECT_EQ(digest.steps[at].number, judged->steps.steps[at].number);
            expectSame(digest.steps[at], counted);
        }
        expectSame(digest.whole, counted);
        EXPECT_EQ(digest.whole.interval, judged->judgement.range);
        EXPECT_EQ(digest.whole.computeNs, judged->judgement.summary.devices.at(0).kernelBusyNs);
        EXPECT_EQ(digest.whole.lostNs, judged->judgement.summary.devices.at(0).lostNs);
        EXPECT_EQ(digest.stepNs, judged->judgement.stepNs);
    }
}

TEST(RankDigestMaker, TheStripCoversTheSpan)
{
    const auto judged = test::judgedRank(test::rankTrace(7, {.scale = 1000}));
    const RankDigest digest = digestOf(*judged, {});
    ASSERT_EQ(digest.strip.size(), kDigestCells);
    const DeviceActivity& device = judged->analysis.devices().at(0);
    double compute = 0;
    double communication = 0;
    for (const DigestCell& cell : digest.strip) {
        compute += cell.compute;
        communication += cell.communication;
    }
    const auto share = [&](double sum) { return sum / 255 / kDigestCells * double(digest.span.lengthNs()); };
    EXPECT_NEAR(share(compute), double(device.kernels.measureNs()), 0.002 * double(digest.span.lengthNs()));
    EXPECT_NEAR(share(communication), double(device.communication.measureNs()), 0.002 * double(digest.span.lengthNs()));
}

TEST(RankDigestMaker, OfSeveralDevicesTheRanksOwnElseTheBusiest)
{
    const auto judged = test::judgedRank(test::twoDevices());
    const RankDigest busiest = digestOf(*judged, {});
    EXPECT_EQ(busiest.deviceId, 1);
    test::expectText(busiest.deviceChoice);
    EXPECT_EQ(busiest.steps[1].computeNs, 400);
    const RankDigest own = digestOf(*judged, {.rank = 6});
    EXPECT_EQ(own.deviceId, 0);
    test::expectText(own.deviceChoice);
    EXPECT_EQ(own.device, "first");
    EXPECT_EQ(own.steps[1].computeNs, 200);
    EXPECT_EQ(digestOf(*judged, {.rank = 6, .localRank = 1}).deviceId, 1);
    EXPECT_EQ(digestOf(*test::judgedRank(test::rankTrace(1)), {.rank = 3}).deviceChoice, "");
}

TEST(RankDigestMaker, ATraceWithoutGpuWorkIsADigestToo)
{
    test::SampleTrace sample;
    sample.host(EventKind::Step, 0, 1000, "ProfilerStep#1");
    const RankDigest digest = digestOf(*test::judgedRank(sample.build()), {.rank = 1});
    EXPECT_EQ(digest.deviceId, -1);
    EXPECT_EQ(digest.identity.rank, 1);
    EXPECT_FALSE(digest.headline.empty());
}

}  // namespace
}  // namespace overlane
