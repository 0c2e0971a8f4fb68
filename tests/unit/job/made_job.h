// Digests of a job's ranks made in a test: collectives in order, every rank with a clock of its own. Nanoseconds.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/job/rank_digest.h"

namespace overlane::test
{

constexpr std::int64_t kUs = 1000;
constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kS = 1'000'000'000;

struct MadeClock {
    std::int64_t offsetNs = 0;  // it is ahead of the true time by this
    double driftPpm = 0;        // and gains this
    double jitterNs = 0;        // standard deviation of what the ends of members differ by
};

struct MadeJob {
    int ranks = 4;
    int ranksOfHost = 1;  // so many share a host and its clock
    int steps = 40;
    int perStep = 3;  // collectives
    std::int64_t stepNs = 50 * kMs;
    bool isNumbered = false;  // the program numbers the collectives
    bool namesHosts = true;
    bool numbersSteps = true;
    double outliers = 0;  // part of the collectives one member of which ends milliseconds late
    std::uint32_t seed = 1;
    std::vector<MadeClock> clocks;  // by host; none: exact
};

constexpr std::int64_t kMadeEpochNs = 1'790'000'000 * kS;

inline std::vector<RankDigest> madeDigests(const MadeJob& job)
{
    std::mt19937 random(job.seed);
    std::normal_distribution<double> normal(0, 1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<RankDigest> digests(static_cast<std::size_t>(job.ranks));
    for (int rank = 0; rank < job.ranks; ++rank) {
        RankDigest& digest = digests[static_cast<std::size_t>(rank)];
        digest.identity.rank = rank;
        digest.identity.worldSize = job.ranks;
        if (job.namesHosts)
            digest.identity.host = "node" + std::to_string(rank / job.ranksOfHost);
        DigestGroup group;
        group.name = job.isNumbered ? "0" : "stream 20";
        group.sequenceIsGlobal = job.isNumbered;
        digest.groups.push_back(group);
    }
    for (int step = 0; step < job.steps; ++step)
        for (int at = 0; at < job.perStep; ++at) {
            const std::int64_t endNs = step * job.stepNs + (at + 1) * job.stepNs / (job.perStep + 1);
            const bool hasOutlier = uniform(random) < job.outliers;
            const auto odd = static_cast<int>(uniform(random) * job.ranks);
            for (int rank = 0; rank < job.ranks; ++rank) {
                RankDigest& digest = digests[static_cast<std::size_t>(rank)];
                const auto host = static_cast<std::size_t>(rank / job.ranksOfHost);
                const MadeClock clock = host < job.clocks.size() ? job.clocks[host] : MadeClock{};
                std::int64_t localNs = endNs + static_cast<std::int64_t>(normal(random) * clock.jitterNs);
                if (hasOutlier && rank == odd)
                    localNs += 3 * kMs;
                localNs +=
                    clock.offsetNs + static_cast<std::int64_t>(static_cast<double>(localNs) * clock.driftPpm / 1e6);
                if (digest.collectives.empty())
                    digest.startEpochNs = kMadeEpochNs + localNs - 5 * kMs;
                DigestCollective one;
                one.kind = CollectiveKind::AllReduce;
                one.bytes = 1 << (20 + at);
                one.sequence = job.isNumbered ? 1000 + step * job.perStep + at
                                              : static_cast<std::int64_t>(digest.collectives.size());
                one.step = job.numbersSteps ? 10 + step : -1;
                one.durationNs = kMs + std::int64_t{10} * rank * kUs;
                one.startNs = kMadeEpochNs + localNs - digest.startEpochNs - one.durationNs;
                one.exposedNs = one.durationNs;
                digest.collectives.push_back(one);
            }
        }
    return digests;
}

// The rank's recording begins some collectives later.
inline void beginLater(RankDigest& digest, std::size_t collectives, bool isNumbered)
{
    digest.collectives.erase(digest.collectives.begin(),
                             digest.collectives.begin() + static_cast<std::ptrdiff_t>(collectives));
    if (!isNumbered)
        for (std::size_t at = 0; at < digest.collectives.size(); ++at)
            digest.collectives[at].sequence = static_cast<std::int64_t>(at);
}

}  // namespace overlane::test
