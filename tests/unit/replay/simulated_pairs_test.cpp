// Predictions against the simulation: the trace of scenario A, changed, must take the time of scenario B.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <random>

#include "core/loader/run.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"

namespace overlane
{
namespace
{

struct Pair {
    std::string name;
    std::function<void(Scenario&)> before;
    std::function<void(Scenario&)> after;
    std::vector<const char*> changes;
};

const std::vector<Pair>& pairs()
{
    const auto pinned = [](Scenario& s) {
        s.pin = PinStrategy::Thread;
        s.nonBlocking = true;
    };
    const auto side = [pinned](Scenario& s) {
        pinned(s);
        s.copyStream = CopyStream::Side;
    };
    static const std::vector<Pair> kPairs{
        {"pin", [](Scenario& s) { s.nonBlocking = true; }, pinned, {"pin"}},
        {"pin, non_blocking", [](Scenario&) {}, pinned, {"pin", "non_blocking"}},
        {"pin, non_blocking, side stream", [](Scenario&) {}, side, {"pin", "non_blocking", "side_stream"}},
        {"non_blocking", [](Scenario& s) { s.pin = PinStrategy::Thread; }, pinned, {"non_blocking"}},
        {"side stream", pinned, side, {"side_stream"}},
        {"drop syncs",
         [side](Scenario& s) {
             side(s);
             s.syncEveryStep = true;
         },
         [](Scenario& s) { s.syncEveryStep = false; },
         {"drop_syncs"}},
        {"twice the workers", [](Scenario& s) { s.workers = 2; }, [](Scenario& s) { s.workers = 4; }, {"workers=4"}},
        {"workers where there are none",
         [](Scenario& s) { s.workers = 0; },
         [](Scenario& s) { s.workers = 4; },
         {"workers=4"}},
        {"half the workers",
         [side](Scenario& s) {
             side(s);
             s.workers = 8;
         },
         [](Scenario& s) { s.workers = 4; },
         {"workers=4"}},
    };
    return kPairs;
}

Scenario randomPair(std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    const auto between = [&](double low, double high) {
        return low * std::pow(high / low, static_cast<double>(random() % 10000) / 10000);
    };
    Scenario scenario;
    scenario.batches = 64;
    scenario.batchBytes = std::llround(between(4 << 20, 128 << 20));
    scenario.tensors = 1 + static_cast<std::int64_t>(random() % 3);
    scenario.seed = random() % 1000000;
    scenario.workers = 2 << (random() % 3);
    scenario.produceUs = between(2000, 40000);
    scenario.computeUs = between(500, 20000);
    scenario.deviceBuffers = 2 + static_cast<std::int64_t>(random() % 3);
    return scenario;
}

Result<Replay> replayOf(const Scenario& scenario)
{
    Result<RunResult> run = simulate(scenario, *findDeviceProfile("h200"));
    if (!run.ok())
        return Error{run.error()};
    ReplayOptions options;
    options.firstStep = 24;  // after page-locked memory has been allocated and the first batches are gone
    options.lastStep = 62;
    return test::builtReplay(std::make_shared<const Trace>(std::move(run.value().trace)), options);
}

TEST(SimulatedPairs, APredictionIsWhatTheChangedScenarioTakes)
{
    constexpr int kEach = 16;
    std::vector<double> errors;
    int wrongDirections = 0, changed = 0, claimed = 0, claims = 0, wrongClaims = 0, emptyClaims = 0;
    double worstReplay = 0;
    for (const Pair& pair : pairs()) {
        std::vector<double> own;
        for (int seed = 0; seed < kEach; ++seed) {
            Scenario before = randomPair(static_cast<std::uint64_t>(seed));
            pair.before(before);
            Scenario after = before;
            pair.after(after);
            const Result<Replay> from = replayOf(before);
            const Result<Replay> to = replayOf(after);
            ASSERT_TRUE(from.ok()) << from.error();
            ASSERT_TRUE(to.ok()) << to.error();
            std::vector<Change> changes;
            for (const char* change : pair.changes)
                changes.push_back(parseChange(change).value());
            const Result<Prediction> prediction = from.value().predict(changes);
            ASSERT_TRUE(prediction.ok()) << prediction.error();
            const auto was = static_cast<double>(from.value().report().stepNsMeasured);
            const auto is = static_cast<double>(to.value().report().stepNsMeasured);
            const auto said = static_cast<double>(prediction.value().stepNsPredicted);
            own.push_back(std::abs(said / is - 1));
            worstReplay = std::max(worstReplay, std::abs(from.value().report().error()));
            const Direction real = is < was ? Direction::Faster : Direction::Slower;
            const Direction claim = prediction.value().direction();
            const bool hasChanged = std::abs(is - was) > 0.05 * was;
            changed += hasChanged;
            claimed += hasChanged && claim == real;
            claims += claim != Direction::Unclear;
            const bool notSo = claim != Direction::Unclear && claim != real;
            emptyClaims += notSo && std::abs(is - was) <= 0.01 * was;
            wrongClaims += notSo && std::abs(is - was) > 0.01 * was;
            wrongDirections +=
                (said - was) * (is - was) < 0 && std::abs(is - was) > 0.05 * was && std::abs(said - was) > 0.02 * was;
        }
        std::sort(own.begin(), own.end());
        fmt::print("{:<32} median {:5.1f} %, ninth decile {:5.1f} %, worst {:5.1f} %\n", pair.name,
                   100 * own[own.size() / 2], 100 * own[own.size() * 9 / 10], 100 * own.back());
        errors.insert(errors.end(), own.begin(), own.end());
    }
    std::sort(errors.begin(), errors.end());
    fmt::print("{:<32} median {:5.1f} %, ninth decile {:5.1f} %; replay without change {:.2f} % at worst\n",
               fmt::format("all {} pairs", errors.size()), 100 * errors[errors.size() / 2],
               100 * errors[errors.size() * 9 / 10], 100 * worstReplay);
    EXPECT_GE(errors.size(), 100U);
    EXPECT_LE(errors[errors.size() / 2], 0.05);
    EXPECT_LE(errors[errors.size() * 9 / 10], 0.15);
    EXPECT_EQ(wrongDirections, 0);
    fmt::print(
        "{} claims of a direction, {} of them wrong, {} where nothing changed; {} of the {} changes of more than "
        "5 % claimed\n",
        claims, wrongClaims, emptyClaims, claimed, changed);
    EXPECT_EQ(wrongClaims, 0);
    EXPECT_LE(emptyClaims, claims / 20);
    EXPECT_EQ(claimed, changed);
    EXPECT_LE(worstReplay, ReplayReport::kTrusted);
}

}  // namespace
}  // namespace overlane
