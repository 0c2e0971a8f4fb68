#include "core/simulation/host_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::Pair;

// Jobs are told apart by their label; `m_endsNs` has when each ended.
class HostModelTest : public testing::Test
{
protected:
    static constexpr double kMostOfACore = 10e9;

    static HostJob job(std::uint32_t name, std::int64_t lengthNs, double bytesPerSecond = 0, std::uint32_t node = 0)
    {
        HostJob job;
        job.label = StringId(name);
        job.lengthNs = lengthNs;
        job.node = node;
        job.traffic[0] = {node, bytesPerSecond};
        job.memoryShare = bytesPerSecond / kMostOfACore;
        return job;
    }

    // Runs until nothing is left, calling `at` of each time first.
    void runAll(HostModel& host, std::map<std::int64_t, std::function<void()>> at = {})
    {
        std::int64_t nowNs = 0;
        while (!m_queue.empty() || !at.empty() || host.unsettled()) {
            if (!at.empty() && (m_queue.empty() || at.begin()->first <= m_queue.nextTimeNs())) {
                if (host.unsettled() && at.begin()->first > nowNs) {
                    host.settle(nowNs);
                    continue;
                }
                nowNs = at.begin()->first;
                at.begin()->second();
                at.erase(at.begin());
                continue;
            }
            if (host.unsettled() && (m_queue.empty() || m_queue.nextTimeNs() > nowNs)) {
                host.settle(nowNs);
                continue;
            }
            const TimedEvent event = m_queue.pop();
            nowNs = event.timeNs;
            if (const auto ended = host.onTime(event))
                m_endsNs[ended->label.value()] = nowNs;
        }
    }

    EventQueue m_queue;
    std::map<std::uint32_t, std::int64_t> m_endsNs;
};

TEST_F(HostModelTest, WithCoresForAllNobodyIsSlowed)
{
    HostModel host(1, 2, 1e9, m_queue);
    host.run(0, 0, job(1, 1000));
    host.run(0, 500, job(2, 1000));
    runAll(host);
    EXPECT_THAT(m_endsNs, ElementsAre(Pair(1, 1000), Pair(2, 1500)));
}

TEST_F(HostModelTest, MoreJobsThanCoresShareThem)
{
    HostModel host(1, 2, 1e9, m_queue);
    for (std::uint32_t name = 1; name <= 4; ++name)
        host.run(0, 0, job(name, 1000));
    runAll(host);
    EXPECT_THAT(m_endsNs, ElementsAre(Pair(1, 2000), Pair(2, 2000), Pair(3, 2000), Pair(4, 2000)));
}

TEST_F(HostModelTest, WhoEndsLeavesItsShareToTheRest)
{
    HostModel host(1, 1, 1e9, m_queue);
    host.run(0, 0, job(1, 1000));
    host.run(0, 500, job(2, 1000));
    runAll(host);
    // Alone until 500, halves until 1500, then the second alone.
    EXPECT_THAT(m_endsNs, ElementsAre(Pair(1, 1500), Pair(2, 2000)));
}

TEST_F(HostModelTest, CopiesShareTheMemoryAndLightWorkDoesNotFeelIt)
{
    HostModel host(1, 8, 10e9, m_queue);
    for (std::uint32_t name = 1; name <= 4; ++name)
        host.run(0, 0, job(name, 1000, kMostOfACore));
    host.run(0, 0, job(5, 1000, 1e9));
    host.run(0, 0, job(6, 1000));
    runAll(host);
    EXPECT_EQ(m_endsNs[6], 1000);
    // Four want four times what there is, and the fifth spends a tenth of its time in memory.
    const double light = 1 + 0.1 * (std::sqrt(1 + 4 * 4) - 1);
    EXPECT_NEAR(static_cast<double>(m_endsNs[5]), 1000 * light, 2);
    // The others' traffic is 3.1 times until then, and 3 times after.
    const double done = 1000 * light / std::sqrt(1 + 3.1 * 3.1);
    const double endNs = 1000 * light + (1000 - done) * std::sqrt(1 + 3.0 * 3.0);
    for (std::uint32_t name = 1; name <= 4; ++name)
        EXPECT_NEAR(static_cast<double>(m_endsNs[name]), endNs, 3) << name;
}

TEST_F(HostModelTest, MemoryThatIsHalfInUseIsHardlySlower)
{
    HostModel host(1, 8, 4 * kMostOfACore, m_queue);
    for (std::uint32_t name = 1; name <= 3; ++name)
        host.run(0, 0, job(name, 1000, kMostOfACore));
    runAll(host);
    EXPECT_NEAR(static_cast<double>(m_endsNs[1]), 1000 * std::sqrt(1 + 0.5 * 0.5), 2);
}

TEST_F(HostModelTest, NodesAreApartButForTheirMemory)
{
    HostModel host(2, 1, 10e9, m_queue);
    host.run(0, 0, job(1, 1000, 0, 0));
    host.run(0, 0, job(2, 1000, 0, 1));
    HostJob across = job(3, 1000, 20e9, 1);
    across.traffic[0].node = 0;
    host.run(0, 2000, across);
    runAll(host);
    EXPECT_THAT(m_endsNs, ElementsAre(Pair(1, 1000), Pair(2, 1000), Pair(3, 4000)));
}

TEST_F(HostModelTest, BothSidesOfACopyCount)
{
    HostModel host(1, 2, 10e9, m_queue);
    HostJob copy = job(1, 1000, 10e9);
    copy.traffic[1] = {0, 10e9};
    host.run(0, 0, copy);
    runAll(host);
    EXPECT_THAT(m_endsNs, ElementsAre(Pair(1, 2000)));
}

TEST_F(HostModelTest, AnOccupiedCoreIsFreeAgainOnceReleased)
{
    HostModel host(1, 1, 1e9, m_queue);
    const auto staging = host.occupy(0, job(9, 1));
    EXPECT_EQ(host.rate(staging), 1);
    host.run(0, 0, job(1, 1000));
    runAll(host, {{1000, [&] { host.release(staging); }}});
    EXPECT_THAT(m_endsNs, ElementsAre(Pair(1, 1500)));
}

// One that ends and is replaced at once must not move the others' ends, or cost anything.
TEST_F(HostModelTest, ReplacedWorkDisturbsNobody)
{
    HostModel host(1, 1, 1e9, m_queue);
    host.run(0, 0, job(1, 500));
    host.run(0, 0, job(2, 1000));
    host.settle(0);
    EXPECT_FALSE(host.onTime(m_queue.pop()).has_value());  // the first one's end as it was before the second came
    TimedEvent event = m_queue.pop();
    EXPECT_EQ(event.timeNs, 1000);
    EXPECT_TRUE(m_queue.empty());
    ASSERT_TRUE(host.onTime(event).has_value());
    host.run(1000, 1000, job(3, 2000));
    host.settle(1000);
    event = m_queue.pop();
    EXPECT_EQ(event.timeNs, 2000);  // the second one's, which has half the core as before
    EXPECT_EQ(host.onTime(event)->label, StringId(2));
    host.settle(2000);
    event = m_queue.pop();
    EXPECT_EQ(event.timeNs, 3500);
    EXPECT_TRUE(m_queue.empty());
}

// Random crowds against the definition, stepped in small times.
TEST_F(HostModelTest, EndsAreThoseOfTheFormula)
{
    constexpr double kCores = 3, kBandwidth = 20e9;
    std::uint32_t state = 1;
    const auto random = [&state](std::uint32_t below) {
        return (state = state * 1664525u + 1013904223u) / 65536 % below;
    };
    struct Plain {
        std::int64_t startNs;
        double leftNs;
        double bytesPerSecond;
        std::int64_t endNs = 0;
    };
    std::vector<Plain> jobs;
    HostModel host(1, kCores, kBandwidth, m_queue);
    for (std::uint32_t name = 0; name < 40; ++name) {
        const std::int64_t startNs = 1 + random(20'000);
        const std::int64_t lengthNs = 1000 + random(5000);
        const double bytesPerSecond = 1e9 * random(10);
        jobs.push_back({startNs, static_cast<double>(lengthNs), bytesPerSecond});
        host.run(0, startNs, job(name, lengthNs, bytesPerSecond));
    }
    runAll(host);
    for (std::int64_t nowNs = 0; std::any_of(jobs.begin(), jobs.end(), [](auto& j) { return j.leftNs > 0; }); ++nowNs) {
        std::vector<Plain*> running;
        for (Plain& each : jobs)
            if (each.startNs <= nowNs && each.leftNs > 0)
                running.push_back(&each);
        const double share = std::min(1.0, kCores / static_cast<double>(std::max<std::size_t>(1, running.size())));
        double wanted = 0;
        for (const Plain* each : running)
            wanted += each->bytesPerSecond;
        for (Plain* each : running) {
            const double use = share * (wanted - each->bytesPerSecond) / kBandwidth;
            each->leftNs -= share / (1 + each->bytesPerSecond / kMostOfACore * (std::sqrt(1 + use * use) - 1));
            each->endNs = nowNs + 1;
        }
    }
    for (std::uint32_t name = 0; name < jobs.size(); ++name)
        EXPECT_NEAR(static_cast<double>(m_endsNs[name]), static_cast<double>(jobs[name].endNs), 25) << name;
}

}  // namespace
}  // namespace overlane
