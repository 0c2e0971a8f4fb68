// compare, check and report, called as functions: what they print and write, exit codes, and the
// sentence for each mistake.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "core/cli/cli.h"
#include "tests/support/expect_text.h"
#include "tests/support/golden.h"
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
using testing::Not;
using Json = nlohmann::json;

const std::string kTraces = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/";
const std::string kPageable = kTraces + "w8_page_nb_side_d16.pt.trace.json.gz";
const std::string kPinned = kTraces + "w8_pin_nb_side_d16.pt.trace.json.gz";

std::string withoutFolder(const std::string& text)
{
    return std::regex_replace(text, std::regex(kTraces), "");
}

TEST(CompareCommandTest, ThePageableAndThePinnedRun)
{
    const Outcome outcome = call({"compare", kPageable, kPinned, "--top", "5"});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    const std::string text = withoutFolder(outcome.out);
    expectNarrow(text);
    test::expectGolden("compare/h200_pageable_pinned.txt", text);
}

TEST(CompareCommandTest, JsonHoldsTheSameFigures)
{
    const Outcome outcome = call({"compare", kPageable, kPinned, "--json", "--top", "2"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_TRUE(json.at("per_step"));
    const Json& step = json.at("step_time_ns");
    EXPECT_TRUE(step.at("a").at("median").is_number_integer());
    EXPECT_GT(step.at("a").at("median"), step.at("b").at("median"));
    EXPECT_EQ(step.at("claim"), "lower");
    const Json& device = json.at("devices").at(0);
    EXPECT_EQ(device.at("kernels").size(), 2U);
    EXPECT_EQ(device.at("copies").at(0).at("memory_a"), "pageable");
    EXPECT_EQ(device.at("copies").at(0).at("memory_b"), "pinned");
    std::int64_t sum = device.at("kernels_a_ns");
    for (const Json& cause : device.at("idle_by_cause"))
        sum += cause.at("a_ns").get<std::int64_t>();
    EXPECT_NEAR(static_cast<double>(sum), json.at("wall_a_ns").get<double>(), 20);
    const auto averageOf = [](const std::string& file) {
        return Json::parse(call({"info", "--json", file}).out).at("step_ns");
    };
    EXPECT_EQ(json.at("average_step_a_ns"), averageOf(kPageable));
    EXPECT_EQ(json.at("average_step_b_ns"), averageOf(kPinned));
}

TEST(CompareCommandTest, TheOtherWayRoundItIsSlower)
{
    const Outcome outcome = call({"compare", kPinned, kPageable});
    EXPECT_EQ(outcome.code, kExitOk);
    EXPECT_THAT(outcome.out, HasSubstr("slower"));
    const Outcome same = call({"compare", kPinned, kPinned, "--align", "first-kernel"});
    test::expectText(same.out);
}

TEST(CompareCommandTest, MistakesAreNamed)
{
    expectFailure(call({"compare", kPinned, "/gone"}), kExitFailed, "/gone");
    expectFailure(call({"compare", kPinned, kPinned, "--align", "middle"}), kExitUsage, "step:K or first-kernel");
    expectFailure(call({"compare", kPinned, kPinned, "--align", "step:-1"}), kExitUsage, "step:K");
    expectFailure(call({"compare", kPinned, kPinned, "--align", "step:99"}), kExitFailed, "there is no step 99");
    expectFailure(call({"compare", kPinned}), kExitUsage, "B");
}

TEST(CheckCommandTest, TellsWhichRulesFired)
{
    const Outcome outcome = call({"check", kPageable, "--fail-on", "pageable-side-stream", "--fail-on", "step-time:1s",
                                  "--fail-on", "hazard", "--fail-on", "exposed-copy:1ms"});
    EXPECT_EQ(outcome.code, kExitFailed);
    const std::string text = withoutFolder(outcome.out);
    expectNarrow(text);
    test::expectGolden("report/check_h200_pageable.txt", text);
}

TEST(CheckCommandTest, PassesWhereNothingFires)
{
    const Outcome outcome = call({"check", kPinned, "--fail-on", "hazard", "--fail-on", "step-time:1s"});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.out;
    test::expectText(outcome.out);
    EXPECT_EQ(outcome.err, "");
}

// Two recordings of one program on an H200, from pinned memory on a stream of its own and from pageable memory.
TEST(CheckCommandTest, AgainstAnEarlierTraceOnlyALossFires)
{
    const std::string samples = OVERLANE_SOURCE_DIR "/resources/samples/dataloader_";
    const std::string fast = samples + "pinned_side_stream.overlane";
    const std::string slow = samples + "pageable_blocking.overlane";
    const Outcome lost = call({"check", slow, "--against", fast, "--json"});
    EXPECT_EQ(lost.code, kExitFailed);
    EXPECT_EQ(Json::parse(lost.out)["fired"], 2);
    EXPECT_EQ(call({"check", fast, "--against", slow}).code, kExitOk);
    EXPECT_EQ(call({"check", slow, "--against", slow}).code, kExitOk) << "what was there before is no loss";
    EXPECT_EQ(Json::parse(call({"check", slow, "--against", fast, "--tolerate", "30", "--json"}).out)["fired"], 1);
    expectFailure(call({"check", slow, "--against", "/gone"}), kExitFailed, "/gone");
}

TEST(CheckCommandTest, WhatATraceCannotTellPassesUnlessStrict)
{
    const std::vector<std::string> arguments{"check", kPinned, "--fail-on", "prefetch-too-deep"};
    const Outcome lenient = call(arguments);
    EXPECT_EQ(lenient.code, kExitOk);
    test::expectText(lenient.out);
    std::vector<std::string> strict = arguments;
    strict.emplace_back("--strict");
    EXPECT_EQ(call(strict).code, kExitFailed);
}

TEST(CheckCommandTest, RulesComeFromAFileToo)
{
    const TempDir dir;
    const std::string rules = dir.write("overlane.rules", "# budget\nhazard\nstep-time:1ms  # too tight\n");
    EXPECT_EQ(call({"check", kPinned, "--rules", rules}).code, kExitFailed);
    const std::string broken = dir.write("broken.rules", "hazard\nstep-time:1\n");
    expectFailure(call({"check", kPinned, "--rules", broken}), kExitUsage, "line 2");
    expectFailure(call({"check", kPinned, "--rules", dir.path("gone")}), kExitUsage, "gone cannot be read");
}

TEST(CheckCommandTest, StepsNarrowWhatIsJudged)
{
    const Outcome outcome = call({"check", kPinned, "--fail-on", "step-time:1s", "--steps", "2-4", "--json"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("files").at(0).at("steps"), 3);
    const Outcome beyond = call({"check", kPinned, "--fail-on", "hazard", "--steps", "2-400"});
    EXPECT_EQ(beyond.code, kExitFailed);
    test::expectText(beyond.err);
    EXPECT_EQ(call({"check", kPinned, "--fail-on", "hazard", "--steps", "4-2"}).code, kExitUsage);
}

TEST(CheckCommandTest, EveryFileIsCheckedThoughOneCannotBeRead)
{
    const TempDir dir;
    const Outcome outcome = call({"check", "/gone", kPinned, "--fail-on", "hazard", "--sarif", dir.path("a.sarif"),
                                  "--junit", dir.path("a.xml")});
    EXPECT_EQ(outcome.code, kExitFailed);
    EXPECT_THAT(outcome.err, HasSubstr("/gone"));
    test::expectText(outcome.out);
    const Json log = Json::parse(test::readFile(dir.path("a.sarif")));
    EXPECT_EQ(log.at("runs").at(0).at("artifacts").size(), 2U);
    EXPECT_EQ(log.at("runs").at(0).at("invocations").at(0).at("exitCode"), kExitFailed);
    EXPECT_THAT(test::readFile(dir.path("a.xml")), HasSubstr("errors=\"1\""));
}

TEST(CheckCommandTest, WithoutARuleItAsksForHazardsAndDearProblems)
{
    const Outcome slow = call({"check", kPageable});
    EXPECT_EQ(slow.code, kExitFailed) << slow.out;
    test::expectText(slow.out);
    const Outcome fine = call({"check", kPinned});
    EXPECT_EQ(fine.code, kExitOk) << fine.out;
    test::expectText(fine.out);
}

// A profiler that failed to record the GPU must not let a build pass.
TEST(CheckCommandTest, ATraceWithoutGpuWorkIsNoPass)
{
    const TempDir dir;
    const std::string trace = dir.write("cpu.json", R"json({"traceEvents": [
 {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":5,"args":{"correlation":3}},
 {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":9}]})json");
    const Outcome none = call({"check", trace, "--sarif", dir.path("a.sarif"), "--junit", dir.path("a.xml")});
    EXPECT_EQ(none.code, kExitDamaged) << none.out;
    test::expectText(none.err);
    test::expectText(none.out);
    EXPECT_THAT(none.out, Not(HasSubstr("passed")));
    EXPECT_THAT(test::readFile(dir.path("a.xml")), HasSubstr("no-gpu-work"));
    test::expectText(Json::parse(test::readFile(dir.path("a.sarif"))).at("runs").at(0).at("results").dump(1));

    for (const char* rule : {"any", "exposed-copy", "gpu-idle:5%", "late-copies"}) {
        EXPECT_EQ(call({"check", trace, "--fail-on", rule}).code, kExitDamaged) << rule;
        EXPECT_EQ(call({"check", trace, "--fail-on", rule, "--allow-no-gpu"}).code, kExitOk) << rule;
        EXPECT_EQ(call({"check", trace, "--fail-on", rule, "--allow-no-gpu", "--strict"}).code, kExitFailed) << rule;
    }
    const Outcome json = call({"check", trace, "--json"});
    test::expectText(Json::parse(json.out).at("files").at(0).at("without_gpu_work").get<std::string>());
}

// 372 us of 62.6 ms say as little of a program.
TEST(CheckCommandTest, NextToNoGpuWorkIsNoPass)
{
    const std::string trace =
        std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/kineto/hta_event_sync_multi_stream.json.gz";
    const Outcome little = call({"check", trace});
    EXPECT_EQ(little.code, kExitDamaged) << little.out;
    test::expectText(little.err);
    EXPECT_EQ(call({"check", trace, "--allow-no-gpu"}).code, kExitOk);
}

TEST(CheckCommandTest, MistakesAreNamed)
{
    const TempDir dir;
    expectFailure(call({"check", kPinned, "--rules", dir.write("empty.rules", "# later\n")}), kExitUsage,
                  "names no rule");
    expectFailure(call({"check", kPinned, "--fail-on", "pageable-asinc"}), kExitUsage, "did you mean 'pageable-async'");
    expectFailure(call({"check", kPinned, "--fail-on", "hazard:2"}), kExitUsage, "write a time per step (2ms)");
    const Outcome full = call({"check", kPinned, "--fail-on", "hazard", "--sarif", "/no/such/folder/a.sarif"});
    EXPECT_EQ(full.code, kExitFailed);
    test::expectText(full.err);
}

// Headings, heads of tables and counts of drawings: the page without its figures.
std::string structureOf(const std::string& page)
{
    std::string text;
    const std::regex part("<(h1|h2|h3|th|svg|li)[ >]");
    const std::regex words("<(?:h1|h2|h3|th)[^>]*>(?:<span[^>]*>[^<]*</span>)?([^<]*)<");
    for (std::sregex_iterator match(page.begin(), page.end(), part), end; match != end; ++match) {
        const std::string name = (*match)[1];
        if (name == "svg" || name == "li") {
            text += name == "li" ? "  item\n" : "";
            continue;
        }
        std::smatch label;
        const auto from = page.begin() + match->position();
        if (std::regex_search(from, page.end(), label, words))
            text += (name == "th" ? "    " : "") + name + ": " + std::string(label[1]) + "\n";
    }
    return text;
}

TEST(ReportCommandTest, WritesOnePage)
{
    const TempDir dir;
    const std::string path = dir.path("page.html");
    const Outcome outcome = call({"report", kPageable, "-o", path});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    test::expectText(outcome.out);
    const std::string page = test::readFile(path);
    EXPECT_LT(page.size(), 500'000U);
    EXPECT_THAT(page, HasSubstr("url(#hatch3)"));
    test::expectGolden("report/h200_pageable_structure.txt", structureOf(page));
}

TEST(ReportCommandTest, AgainstABaseline)
{
    const TempDir dir;
    const std::string path = dir.path("page.html");
    const Outcome outcome = call({"report", kPinned, "--against", kPageable, "-o", path, "--json"});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("bytes"), std::filesystem::file_size(path));
    test::expectText(test::pageText(test::readFile(path)));
}

TEST(ReportCommandTest, MistakesAreNamedAndNothingIsWritten)
{
    const TempDir dir;
    expectFailure(call({"report", "/gone", "-o", dir.path("page.html")}), kExitFailed, "/gone");
    expectFailure(call({"report", kPinned, "-o", "/no/such/folder/page.html"}), kExitFailed, "cannot be written");
    const std::string copy = dir.path("run.json.gz");
    std::filesystem::copy_file(kPinned, copy);
    expectFailure(call({"report", copy, "-o", copy}), kExitUsage, "is the trace itself");
    EXPECT_EQ(std::filesystem::file_size(copy), std::filesystem::file_size(kPinned));
    EXPECT_FALSE(std::filesystem::exists(dir.path("page.html")));
}

}  // namespace
}  // namespace overlane
