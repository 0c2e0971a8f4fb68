// overlane sweep and overlane advise, called as functions; their texts from figures that are given.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/units.h"
#include "core/cli/advice_text.h"
#include "core/cli/cli.h"
#include "core/cli/sweep_text.h"
#include "core/sweep/sweep_file.h"
#include "tests/support/expect_text.h"
#include "tests/support/golden.h"
#include "tests/support/made_up_advice.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using test::expectNarrow;
using test::Outcome;
using test::TempDir;
using testing::HasSubstr;
using Json = nlohmann::json;

// Figures that follow from the point's number, so that a golden text changes with the text alone.
SweepResult madeUp(std::initializer_list<const char*> axes, int repeats)
{
    SweepResult result;
    result.plan.base.batches = 50;
    result.plan.deviceKey = "h200";
    result.plan.repeats = repeats;
    for (const char* text : axes)
        result.plan.axes.push_back(parseSweepAxis(text).value());
    for (std::size_t point = 0; point < result.plan.points(); ++point)
        for (int repeat = 0; repeat < repeats; ++repeat) {
            SweepRun run{point, repeat, {}, {}, {}};
            const double batch = 6e6 + 1e6 * static_cast<double>(point) + 2e5 * repeat;
            const std::pair<std::string_view, double> figures[] = {{"batch", batch},
                                                                   {"batch_ideal", 5.5e6},
                                                                   {"wall", batch * 52},
                                                                   {"overlap", 0.9 - 0.05 * static_cast<double>(point)},
                                                                   {"exposed", batch * 5},
                                                                   {"idle", batch * 3},
                                                                   {"pinned_peak", static_cast<double>(point << 26)},
                                                                   {"swap_peak", point == 3 ? 1e9 : 0}};
            run.figures.assign(allRunMetrics().size(), std::nan(""));
            for (const auto& [key, value] : figures)
                run.figures[static_cast<std::size_t>(&runMetric(key) - allRunMetrics().data())] = value;
            result.runs.push_back(run);
        }
    return result;
}

TEST(SweepTextTest, OneSetting)
{
    const std::string text = sweepText(madeUp({"batch_bytes=1M..16M*5"}, 3), runMetric(metric_key::kBatch));
    expectNarrow(text);
    test::expectGolden("sweep/sweep_one.txt", text);
}

TEST(SweepTextTest, TwoSettings)
{
    SweepResult result = madeUp({"workers=1,2,4", "pin=none,thread"}, 1);
    result.runs.back().error = "64 batches on the device need 512 GiB.";
    const std::string text = sweepText(result, runMetric(metric_key::kPinnedPeak));
    expectNarrow(text);
    test::expectGolden("sweep/sweep_two.txt", text);
}

TEST(AdviceTextTest, AnAdvice)
{
    const std::string text = adviceText(test::madeUpAdvice());
    expectNarrow(text);
    test::expectGolden("sweep/advice.txt", text);
}

TEST(SweepCommandTest, PrintsAndKeeps)
{
    const TempDir folder;
    const std::string file = folder.path("s.jsonl");
    const std::string csv = folder.path("s.csv");
    const Outcome outcome =
        call({"sweep", "--over", "workers=1..3", "--over", "pin=none,thread", "--set", "batches=24", "--repeat", "2",
              "-o", file, "--csv", csv, "--traces", folder.path("traces"), "--json"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_TRUE(json.at("complete"));
    ASSERT_EQ(json.at("points").size(), 6U);
    EXPECT_EQ(json.at("points").at(3).at("at").at("pin"), "thread");
    EXPECT_EQ(json.at("points").at(3).at("batch_ns").at("runs"), 2);
    EXPECT_TRUE(json.at("points").at(0).at("wall_ns").at("median").is_number());
    EXPECT_EQ(readSweep(file).value().result.runs.size(), 12U);
    EXPECT_TRUE(std::filesystem::exists(csv));
    EXPECT_TRUE(std::filesystem::exists(folder.path("traces/point-5.overlane")));

    // A whole sweep has nothing left to run; half of one has.
    const Outcome again = call({"sweep", "--resume", file, "--json"});
    ASSERT_EQ(again.code, kExitOk) << again.err;
    EXPECT_EQ(Json::parse(again.out).at("points"), json.at("points"));
    expectFailure(call({"sweep", "--over", "workers=1,2", "-o", file}), kExitFailed, "--resume");
    EXPECT_EQ(readSweep(file).value().result.runs.size(), 12U);
}

TEST(SweepCommandTest, HalfASweepGoesOn)
{
    const TempDir folder;
    const std::string file = folder.path("half.jsonl");
    ASSERT_EQ(call({"sweep", "--over", "workers=1..4", "--set", "batches=24", "-o", file}).code, kExitOk);
    const std::string whole = test::readFile(file);
    std::size_t cut = 0;
    for (int line = 0; line < 3; ++line)
        cut = whole.find('\n', cut) + 1;
    std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, cut + 20);
    const Outcome outcome = call({"sweep", "--resume", file});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_TRUE(readSweep(file).value().result.complete());
}

TEST(SweepCommandTest, ReadyMadeOnes)
{
    const Outcome curves = call({"sweep", "--ready", "allocation_cost"});
    EXPECT_EQ(curves.code, kExitOk) << curves.err;
    for (const std::string& part : {std::string("first touch"), std::string("transfer"), std::string("free"),
                                    std::string("allocate"), formatBytes(1 << 30)})
        EXPECT_THAT(curves.out, HasSubstr(part));
    expectNarrow(curves.out);
    const Outcome workers = call({"sweep", "--ready", "workers", "--preset", "loader_starved"});
    EXPECT_EQ(workers.code, kExitOk) << workers.err;
    test::expectText(workers.out);
    const Outcome list = call({"sweep", "--list"});
    EXPECT_THAT(list.out, HasSubstr("pinned_workers"));
    EXPECT_THAT(list.out, HasSubstr("pinned_peak"));
    expectNarrow(list.out);
    expectNarrow(call({"sweep", "--help"}).out);
    expectNarrow(call({"advise", "--help"}).out);
}

TEST(SweepCommandTest, MistakesAreNamed)
{
    expectFailure(call({"sweep"}), kExitUsage, "--over");
    expectFailure(call({"sweep", "--over", "wrkers=1..2"}), kExitUsage, "'workers'");
    expectFailure(call({"sweep", "--over", "workers=1..3", "--metric", "walls"}), kExitUsage, "'wall'");
    expectFailure(call({"sweep", "--ready", "worker"}), kExitUsage, "workers");
    expectFailure(call({"sweep", "--ready", "workers", "--over", "pin=all"}), kExitUsage, "--over");
    expectFailure(call({"sweep", "--over", "workers=1,2", "--repeat", "0"}), kExitUsage, "1 to 100");
    expectFailure(call({"sweep", "--resume", "/gone.jsonl"}), kExitFailed, "/gone.jsonl");
    expectFailure(call({"sweep", "--resume", "x", "--over", "workers=1,2"}), kExitFailed, "--resume takes everything");
    expectFailure(call({"sweep", "--over", "workers=1,2", "-o", "/gone/x.jsonl"}), kExitFailed, "/gone/x.jsonl");
    expectFailure(call({"sweep", "--over", "workers=1,2", "--csv", "/gone/x.csv"}), kExitFailed, "/gone/x.csv");
    expectFailure(call({"advise", "--ram", "much"}), kExitUsage, "--ram");
    expectFailure(call({"advise", "--preset", "gone"}), kExitUsage, "preset");
}

TEST(AdviseCommandTest, AnswersInTextAndJson)
{
    const Outcome text = call({"advise", "--set", "produce_us=2000", "--set", "sync_every_step=true", "--ram", "64G"});
    EXPECT_EQ(text.code, kExitOk) << text.err;
    test::expectText(text.out);
    EXPECT_THAT(text.out, HasSubstr("DataLoader("));
    expectNarrow(text.out);
    const Outcome outcome = call({"advise", "--set", "produce_us=2000", "--set", "sync_every_step=true", "--ram", "64G",
                                  "--cores", "4", "--json"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json.at("advice"), "change");
    EXPECT_EQ(json.at("limits").at("ram_bytes"), 64ll << 30);
    EXPECT_LT(json.at("advised").at("batch_ns"), json.at("now").at("batch_ns"));
    EXPECT_TRUE(json.at("measured").is_null());
}

}  // namespace
}  // namespace overlane
