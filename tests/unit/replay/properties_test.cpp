// What must hold for every prediction, whatever the trace: over random simulations and recorded samples.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <string_view>

#include "core/io/format.h"
#include "core/loader/run.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

// Steps at the ends of what is judged are cut at times that a change may move a little.
constexpr double kRounding = 0.01;

Scenario randomScenario(std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    const auto between = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
    };
    Scenario scenario;
    scenario.batches = 48;
    scenario.batchBytes = between(1, 64) << 20;
    scenario.tensors = between(1, 3);
    scenario.seed = random() % 1000000;
    scenario.workers = between(1, 8);
    scenario.produceUs = static_cast<double>(between(1000, 30000));
    scenario.computeUs = static_cast<double>(between(300, 15000));
    scenario.deviceBuffers = between(1, 4);
    scenario.syncEveryStep = random() % 2 == 0;
    scenario.nonBlocking = random() % 2 == 0;
    scenario.pin = random() % 2 == 0 ? PinStrategy::Thread : PinStrategy::None;
    scenario.copyStream = random() % 2 == 0 ? CopyStream::Side : CopyStream::Compute;
    return scenario;
}

bool changesNothing(const Prediction& prediction)
{
    return std::any_of(prediction.notes.begin(), prediction.notes.end(), [](const std::string& note) {
        return note.find("nothing in this trace to change") != std::string::npos;
    });
}

// Whatever is changed: a range around a time that is no shorter than what the GPU does in it.
void expectSane(const Prediction& prediction, const std::string& what)
{
    const auto stepNs = static_cast<double>(prediction.stepNsPredicted);
    EXPECT_GT(prediction.stepNsPredicted, 0) << what;
    EXPECT_GE(prediction.lowNs, 0) << what;
    EXPECT_LE(prediction.lowNs, prediction.stepNsPredicted) << what;
    EXPECT_GE(prediction.highNs, prediction.stepNsPredicted) << what;
    for (const Bottleneck lane : {Bottleneck::Compute, Bottleneck::H2D, Bottleneck::D2H, Bottleneck::Host})
        EXPECT_LE(static_cast<double>(prediction.busyNs[static_cast<std::size_t>(lane)]), stepNs * (1 + kRounding))
            << what << ": " << bottleneckName(lane);
    EXPECT_GE(prediction.pinnedBytes, 0) << what;
    if (changesNothing(prediction)) {
        EXPECT_EQ(prediction.stepNsPredicted, prediction.stepNsReplayed) << what;
    }
}

// Changes that take a wait away or make something faster, and so never cost time.
bool onlyHelps(std::string_view change)
{
    return change == "drop_syncs" || change == "non_blocking" || change == "link=1000";
}

void expectSaneWithEveryChange(std::shared_ptr<const Trace> trace, const std::string& name)
{
    ReplayOptions options;
    options.range = trace->span();
    const Result<Replay> replay = test::builtReplay(std::move(trace), options);
    if (!replay.ok()) {
        EXPECT_FALSE(replay.error().empty());
        return;
    }
    for (const char* text : {"pin", "non_blocking", "side_stream", "side_stream=1", "side_stream=2", "side_stream=4",
                             "drop_syncs", "merge_small", "read_later", "workers=1", "workers=2", "workers=16",
                             "device=a100_pcie4", "link=6", "link=1000"}) {
        const Result<Prediction> made = replay.value().predict(std::vector<Change>{parseChange(text).value()});
        if (!made.ok()) {
            EXPECT_GT(made.error().size(), 20U) << "says why";
            continue;
        }
        const std::string what = name + ", " + text;
        expectSane(made.value(), what);
        if (onlyHelps(text)) {
            EXPECT_LE(static_cast<double>(made.value().stepNsPredicted),
                      static_cast<double>(made.value().stepNsReplayed) * (1 + kRounding))
                << what;
        }
    }
}

TEST(Properties, OfPredictionsForRandomPrograms)
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Result<RunResult> run = simulate(randomScenario(seed), *findDeviceProfile("h200"));
        ASSERT_TRUE(run.ok()) << run.error();
        expectSaneWithEveryChange(std::make_shared<const Trace>(std::move(run.value().trace)),
                                  "seed " + std::to_string(seed));
    }
}

TEST(Properties, OfPredictionsForRecordings)
{
    int files = 0;
    for (const char* folder : {"/resources/samples", "/tests/data/traces/h200", "/tests/data/traces/kineto",
                               "/tests/data/traces/nsys", "/tests/data/traces/programs"}) {
        for (const fs::directory_entry& entry : fs::directory_iterator(std::string(OVERLANE_SOURCE_DIR) + folder)) {
            const std::string path = entry.path().string();
            if (!entry.is_regular_file() || path.ends_with(".md") || path.ends_with(".txt"))
                continue;
            Progress progress;
            Result<Trace> read = readTrace(path, progress);
            if (!read.ok())
                continue;  // what cannot be read is of other tests
            constexpr std::size_t kManyEvents = 100'000;
            if (read.value().eventCount() > kManyEvents)
                continue;  // as long as all others together, and no other kind of program
            ++files;
            expectSaneWithEveryChange(std::make_shared<const Trace>(std::move(read.value())),
                                      entry.path().filename().string());
        }
    }
    EXPECT_GE(files, 10);
}

// A source that is page-locked already stays as it is, and a program that was given a change has no more use
// for the same change.
TEST(Properties, PinningWhatIsPinnedChangesNothing)
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Scenario scenario = randomScenario(seed);
        scenario.pin = PinStrategy::Thread;
        Result<RunResult> run = simulate(scenario, *findDeviceProfile("h200"));
        ASSERT_TRUE(run.ok()) << run.error();
        const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(std::move(run.value().trace)));
        ASSERT_TRUE(replay.ok()) << replay.error();
        const Result<Prediction> made = replay.value().predict(std::vector<Change>{parseChange("pin").value()});
        ASSERT_TRUE(made.ok()) << made.error();
        EXPECT_EQ(made.value().stepNsPredicted, replay.value().report().stepNsReplayed) << seed;
        EXPECT_TRUE(changesNothing(made.value())) << seed;
    }
}

// What waits less on top of another change is no slower than that alone.
TEST(Properties, NotWaitingCostsNothingOnTopOfPinning)
{
    const auto stepNs = [](const Replay& replay, std::initializer_list<const char*> texts) {
        std::vector<Change> changes;
        for (const char* text : texts)
            changes.push_back(parseChange(text).value());
        const Result<Prediction> made = replay.predict(changes);
        EXPECT_TRUE(made.ok()) << made.error();
        return made.ok() ? static_cast<double>(made.value().stepNsPredicted) : 0;
    };
    Progress progress;
    Result<Trace> read = readTrace(
        std::string(OVERLANE_SOURCE_DIR) + "/resources/samples/dataloader_pageable_blocking.overlane", progress);
    ASSERT_TRUE(read.ok()) << read.error();
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(std::move(read.value())));
    ASSERT_TRUE(replay.ok()) << replay.error();
    const double pinnedNs = stepNs(replay.value(), {"pin"});
    EXPECT_LE(stepNs(replay.value(), {"pin", "non_blocking"}), pinnedNs * (1 + kRounding));
    EXPECT_LE(stepNs(replay.value(), {"pin", "drop_syncs"}), pinnedNs * (1 + kRounding));
}

}  // namespace
}  // namespace overlane
