// A seeded digest with as many steps and collectives as a test asks for.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "core/job/rank_digest.h"

namespace overlane::test
{

// Steps of 10 ms one after another, numbered from 0; the collectives evenly over them, in two groups.
inline RankDigest madeUpDigest(std::uint32_t seed, std::int64_t steps, std::int64_t collectives)
{
    constexpr std::int64_t kStepNs = 10'000'000;
    std::mt19937 random(seed);
    const auto upTo = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit + 1));
    };
    RankDigest made;
    made.identity = {static_cast<int>(seed % 8), 8, static_cast<int>(seed % 4), "node" + std::to_string(seed), "trace"};
    made.file = "rank.json.gz";
    made.format = "kineto";
    made.device = "a GPU";
    made.deviceId = 0;
    made.headline = "Compute-bound.";
    made.bound = "compute";
    made.findings = {"small-copies", "host-late"};
    made.startEpochNs = 1'700'000'000'000'000'000 + upTo(1000);
    made.fileBytes = 1000;
    made.fileChangedNs = made.startEpochNs + 7;
    made.span = {0, steps * kStepNs};
    made.active = made.span;
    made.events = upTo(1'000'000);
    made.stepNs = kStepNs;
    const auto times = [&](Interval range) {
        DigestStep step;
        step.interval = range;
        step.computeNs = upTo(range.lengthNs() / 2);
        step.communicationNs = upTo(range.lengthNs() / 4);
        step.lostNs[static_cast<std::size_t>(LostCause::Communication)] = upTo(range.lengthNs() / 8);
        step.lostNs[static_cast<std::size_t>(LostCause::Batches)] = upTo(range.lengthNs() / 8);
        step.hostNs = upTo(range.lengthNs() / 2);
        step.hostLoaderNs = upTo(step.hostNs / 2);
        step.hostCopyNs = upTo(step.hostNs / 2);
        step.hostStepNs = range.lengthNs();
        step.heldNs = upTo(step.hostStepNs);
        return step;
    };
    made.whole = times(made.active);
    for (std::int64_t at = 0; at < steps; ++at) {
        made.steps.push_back(times({at * kStepNs, (at + 1) * kStepNs}));
        made.steps.back().number = at;
        made.steps.back().warmUp = at == 0;
    }
    made.groups = {{.name = "0", .description = "default_pg", .ranks = {0, 1, 2, 3, 4, 5, 6, 7}, .size = 8},
                   {.name = "1", .size = 4}};
    made.groups.front().sequenceIsGlobal = true;
    made.groups.front().self = 3;
    for (std::int64_t at = 0; at < collectives; ++at) {
        const std::int64_t apartNs = steps * kStepNs / collectives;
        const std::int64_t durationNs = upTo(apartNs / 2);
        made.collectives.push_back({.group = static_cast<std::uint32_t>(at % 2),
                                    .kind = CollectiveKind::AllReduce,
                                    .receives = at % 3 == 0,
                                    .peer = static_cast<std::int16_t>(at % 5 - 1),
                                    .sequence = at / 2,
                                    .step = at / 7,
                                    .startNs = at * apartNs,
                                    .durationNs = durationNs,
                                    .bytes = 1 << 20,
                                    .exposedNs = durationNs / 3});
    }
    for (int at = 0; at < 240; ++at)
        made.strip.push_back({static_cast<std::uint8_t>(upTo(255)), static_cast<std::uint8_t>(upTo(255)), 0});
    return made;
}

}  // namespace overlane::test
