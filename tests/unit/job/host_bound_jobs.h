// Seeded jobs whose ranks wait for each other, as digests, with or without a rank that is held back.
//
// Each rank has a host that takes its time for a step and a GPU that computes behind it; one all-reduce a step ends on
// all ranks when the last one has come. A host waits for its GPU in each step, or runs ahead by up to three. Hosts vary
// in a shape of `Jitter`. What a host is blocked for while its GPU waits in the all-reduce is measured as HostPace
// does. Nanoseconds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/job/own_steps.h"
#include "core/job/rank_digest.h"
#include "tests/unit/job/made_job.h"

namespace overlane::test
{

enum class Jitter {
    Even,     // normal, 8 %
    Skewed,   // log-normal, 30 %
    Spikes,   // every 30th step takes four times as long
    Pareto,   // tails with no variance, index 1.8
    Phases,   // each step resembles the one before: correlation 0.85, 10 %
    Drift,    // each host becomes slower or quicker by up to 10 % from first to last step
    Shared,   // all hosts are slow in the same steps
    Unequal,  // each host has its own pace, 1.5 %
    kCount
};

constexpr std::int64_t kMadeHostNs = 40 * kMs;

struct HostBoundJob {
    int ranks = 8;
    int steps = 40;
    Jitter jitter = Jitter::Even;
    bool waitsEachStep = true;
    int planted = -1;        // this rank takes
    double plantedPart = 0;  // so much of a step longer
    OwnPart plant = OwnPart::Host;
    std::uint32_t seed = 1;
};

inline std::vector<RankDigest> hostBoundDigests(const HostBoundJob& job)
{
    constexpr std::int64_t kGpuNs = 25 * kMs;
    constexpr std::int64_t kTransferNs = kMs;
    const auto count = static_cast<std::size_t>(job.ranks);
    std::mt19937 random(job.seed);
    std::normal_distribution<double> normal(0, 1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<double> pace(count, 1), phase(count, 0), slope(count, 0);
    for (std::size_t rank = 0; rank < count; ++rank) {
        phase[rank] = normal(random);
        slope[rank] = (uniform(random) - 0.5) * 0.2;
        if (job.jitter == Jitter::Unequal)
            pace[rank] = 1 + 0.015 * normal(random);
    }
    std::vector<RankDigest> digests(count);
    std::vector<std::int64_t> host(count, 0), gpu(count, 0);
    std::vector<std::vector<std::int64_t>> done(count);
    for (std::size_t rank = 0; rank < count; ++rank) {
        RankDigest& digest = digests[rank];
        digest.identity.rank = static_cast<int>(rank);
        digest.identity.worldSize = job.ranks;
        digest.identity.host = "node0";
        digest.startEpochNs = kMadeEpochNs;
        digest.deviceId = static_cast<std::int32_t>(rank);
        DigestGroup group;
        group.name = "0";
        group.sequenceIsGlobal = true;
        digest.groups.push_back(group);
    }
    for (int step = 0; step < job.steps; ++step) {
        const double shared = 1 + (job.jitter == Jitter::Shared ? 0.6 * uniform(random) : 0);
        std::vector<std::int64_t> begun = host, launched(count), came(count);
        std::int64_t lastNs = 0;
        for (std::size_t rank = 0; rank < count; ++rank) {
            double part = shared * pace[rank] * (1 + 0.02 * normal(random));
            phase[rank] = 0.85 * phase[rank] + std::sqrt(1 - 0.85 * 0.85) * normal(random);
            if (job.jitter == Jitter::Even)
                part *= 1 + 0.08 * normal(random);
            else if (job.jitter == Jitter::Skewed)
                part *= std::exp(0.3 * normal(random));
            else if (job.jitter == Jitter::Spikes)
                part *= uniform(random) < 1.0 / 30 ? 4 : 1;
            else if (job.jitter == Jitter::Pareto)
                part *= 0.8 + 0.2 * std::pow(1 - uniform(random), -1 / 1.8);
            else if (job.jitter == Jitter::Phases)
                part *= 1 + 0.1 * phase[rank];
            else if (job.jitter == Jitter::Drift)
                part *= 1 + slope[rank] * (static_cast<double>(step) / job.steps - 0.5);
            const auto hostNs = static_cast<std::int64_t>(std::max(0.1, part) * kMadeHostNs);
            const auto extraNs =
                static_cast<int>(rank) == job.planted ? static_cast<std::int64_t>(job.plantedPart * kMadeHostNs) : 0;
            const bool isOnGpu = job.plant == OwnPart::Compute;
            DigestStep made;
            made.number = step;
            made.hostNs = hostNs + (isOnGpu ? 0 : extraNs);
            made.hostLoaderNs = kMs + (job.plant == OwnPart::Loader ? extraNs : 0);
            // A slow GPU has to fill the step before it costs something.
            made.computeNs = static_cast<std::int64_t>(kGpuNs * (1 + 0.01 * normal(random)));
            if (isOnGpu && extraNs > 0)
                made.computeNs += static_cast<std::int64_t>(shared * kMadeHostNs) - kGpuNs + extraNs;
            launched[rank] = host[rank] + made.hostNs;
            came[rank] = std::max(gpu[rank], host[rank] + made.hostNs / 10) + made.computeNs;
            came[rank] = std::max(came[rank], launched[rank]);
            lastNs = std::max(lastNs, came[rank]);
            digests[rank].steps.push_back(made);
        }
        for (std::size_t rank = 0; rank < count; ++rank) {
            RankDigest& digest = digests[rank];
            DigestStep& made = digest.steps.back();
            const std::int64_t endNs = lastNs + kTransferNs + static_cast<std::int64_t>(random() % 3000);
            DigestCollective one;
            one.kind = CollectiveKind::AllReduce;
            one.bytes = 1 << 20;
            one.sequence = step;
            one.step = step;
            one.startNs = came[rank];
            one.durationNs = endNs - came[rank];
            one.exposedNs = one.durationNs;
            digest.collectives.push_back(one);
            gpu[rank] = endNs;
            done[rank].push_back(endNs);
            host[rank] = launched[rank];
            const int waitedFor = job.waitsEachStep ? step : step - 3;
            if (waitedFor >= 0)
                host[rank] = std::max(host[rank], done[rank][static_cast<std::size_t>(waitedFor)]);
            made.hostStepNs = host[rank] - begun[rank];
            made.interval = {begun[rank], host[rank]};
            // Blocked from `launched` on: of it, where an all-reduce of its GPU runs.
            for (std::size_t at = digest.collectives.size(); at-- > 0;) {
                const Interval of{digest.collectives[at].startNs,
                                  digest.collectives[at].startNs + digest.collectives[at].durationNs};
                if (of.endNs <= launched[rank])
                    break;
                made.heldNs +=
                    std::max<std::int64_t>(0, std::min(of.endNs, host[rank]) - std::max(of.startNs, launched[rank]));
            }
        }
    }
    return digests;
}

}  // namespace overlane::test
