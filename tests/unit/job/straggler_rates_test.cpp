// How often stragglers are named in jobs that have none, and found in jobs that have one: hundreds of seeded jobs. The
// table of docs/validation/jobs.md is what this prints with OVERLANE_RATE_ROUNDS=25. A planted rank takes longer by 2.5
// times what the slowest host of a step is usually behind the usual one, and by a quarter of a step at least.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>

#include "core/base/statistics.h"
#include "core/job/gap_chance.h"
#include "core/job/straggler.h"
#include "tests/unit/job/host_bound_jobs.h"

namespace overlane
{
namespace
{

using test::HostBoundJob;
using test::Jitter;

constexpr std::array<std::string_view, static_cast<std::size_t>(Jitter::kCount)> kShapes{
    "even", "skewed", "spikes", "Pareto", "phases", "drift", "shared", "unequal hosts"};
constexpr std::array kRanks{8, 16, 32, 64};
constexpr std::array kFewRanks{2, 4};
constexpr std::array kSteps{12, 24, 48};

StragglerAnswer rateAnswerOf(const HostBoundJob& job)
{
    const std::vector<RankDigest> digests = test::hostBoundDigests(job);
    const CollectiveMatch match = matchCollectives(digests);
    return findStragglers(digests, match, jobCommunication(digests, match, fitClocks(digests, match)));
}

// By how much of a step the slowest host of a step is usually behind the usual one.
double noiseOf(HostBoundJob job)
{
    const std::vector<RankDigest> digests = test::hostBoundDigests(job);
    double sum = 0;
    for (std::size_t step = 0; step < digests[0].steps.size(); ++step) {
        std::vector<std::int64_t> hostNs;
        hostNs.reserve(digests.size());
        for (const RankDigest& digest : digests)
            hostNs.push_back(digest.steps[step].hostNs);
        sum += static_cast<double>(*std::max_element(hostNs.begin(), hostNs.end()) - median(hostNs));
    }
    return sum / static_cast<double>(digests[0].steps.size()) / test::kMadeHostNs;
}

// Whether a rank of the job that is planted is named, and no other.
bool isFoundIn(HostBoundJob job, OwnPart plant)
{
    job.plant = plant;
    job.plantedPart = std::max(0.25, 2.5 * noiseOf(job));
    job.planted = static_cast<int>(job.seed) % job.ranks;
    const StragglerAnswer answer = rateAnswerOf(job);
    return answer.stragglers.size() == 1 && answer.stragglers[0].rank == static_cast<std::uint32_t>(job.planted);
}

// Every number of ranks and steps, hosts that wait and hosts that run ahead.
template <typename Ranks, typename Each>
void forEachJob(const Ranks& numbers, int seeds, Each each)
{
    std::uint32_t seed = 1;
    for (int round = 0; round < seeds; ++round)
        for (const int ranks : numbers)
            for (const int steps : kSteps) {
                HostBoundJob job;
                job.ranks = ranks;
                job.steps = steps;
                job.waitsEachStep = round % 2 == 0;
                job.seed = seed++;
                each(job);
            }
}

int seedsOfEach()
{
    const char* const wish = std::getenv("OVERLANE_RATE_ROUNDS");
    return wish == nullptr ? 4 : std::atoi(wish);
}

TEST(StragglerRates, JobsWithoutOneNameNone)
{
    int allJobs = 0, allNamed = 0;
    for (std::size_t shape = 0; shape < kShapes.size(); ++shape) {
        int jobs = 0, named = 0;
        forEachJob(kRanks, seedsOfEach(), [&](HostBoundJob job) {
            job.jitter = static_cast<Jitter>(shape);
            ++jobs;
            const StragglerAnswer answer = rateAnswerOf(job);
            named += answer.stragglers.empty() ? 0 : 1;
        });
        std::printf("%-14s none planted: named in %d of %d\n", kShapes[shape].data(), named, jobs);
        EXPECT_LE(named, 0.03 * jobs + 1) << kShapes[shape];
        allJobs += jobs;
        allNamed += named;
    }
    EXPECT_LE(allNamed, 0.03 * allJobs);
}

TEST(StragglerRates, APlantedOneIsFound)
{
    for (const OwnPart plant : {OwnPart::Host, OwnPart::Loader, OwnPart::Compute}) {
        int allJobs = 0, allFound = 0;
        for (std::size_t shape = 0; shape < kShapes.size(); ++shape) {
            int jobs = 0, found = 0;
            forEachJob(kRanks, std::max(1, seedsOfEach() / 2), [&](HostBoundJob job) {
                job.jitter = static_cast<Jitter>(shape);
                ++jobs;
                found += isFoundIn(job, plant) ? 1 : 0;
            });
            std::printf("%-14s planted (%s): found in %d of %d\n", kShapes[shape].data(),
                        stragglerReasonId(static_cast<StragglerReason>(plant)).data(), found, jobs);
            EXPECT_GE(found, 0.75 * jobs) << kShapes[shape];
            allJobs += jobs;
            allFound += found;
        }
        EXPECT_GE(allFound, 0.95 * allJobs);
    }
}

// Two ranks have no third that shows what chance does; a host among slow phases is hardly found there.
TEST(StragglerRates, OfTwoAndFourRanks)
{
    int jobs = 0, named = 0;
    for (std::size_t shape = 0; shape < kShapes.size(); ++shape)
        forEachJob(kFewRanks, 2 * seedsOfEach(), [&](HostBoundJob job) {
            job.jitter = static_cast<Jitter>(shape);
            ++jobs;
            named += rateAnswerOf(job).stragglers.empty() ? 0 : 1;
        });
    std::printf("two and four ranks, none planted: named in %d of %d\n", named, jobs);
    EXPECT_LE(named, 0.02 * jobs);
    for (const OwnPart plant : {OwnPart::Host, OwnPart::Loader, OwnPart::Compute}) {
        int found = 0;
        jobs = 0;
        for (std::size_t shape = 0; shape < kShapes.size(); ++shape)
            forEachJob(kFewRanks, seedsOfEach(), [&](HostBoundJob job) {
                job.jitter = static_cast<Jitter>(shape);
                ++jobs;
                found += isFoundIn(job, plant) ? 1 : 0;
            });
        std::printf("two and four ranks, planted (%s): found in %d of %d\n",
                    stragglerReasonId(static_cast<StragglerReason>(plant)).data(), found, jobs);
        EXPECT_GE(found, (plant == OwnPart::Host ? 0.7 : 0.97) * jobs);
    }
}

// Student's table, one-sided.
TEST(GapChance, StudentsTable)
{
    EXPECT_NEAR(studentChance(6.314, 1), 0.05, 1e-4);
    EXPECT_NEAR(studentChance(2.920, 2), 0.05, 1e-4);
    EXPECT_NEAR(studentChance(4.032, 5), 0.005, 1e-5);
    EXPECT_NEAR(studentChance(2.750, 30), 0.005, 1e-5);
    EXPECT_NEAR(studentChance(0, 3.5), 0.5, 1e-6);
}

}  // namespace
}  // namespace overlane
