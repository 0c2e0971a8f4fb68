// What liboverlane answers is what the command line prints with --json.
#include <algorithm>
#include <gmock/gmock.h>
#include <sstream>
#include <vector>

#include "core/cli/cli.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/api/called_library.h"

namespace overlane::test
{
namespace
{

using testing::HasSubstr;

const std::string kSamples = OVERLANE_SOURCE_DIR "/resources/samples/";

LibraryJson printed(std::vector<std::string> arguments)
{
    std::ostringstream out;
    std::ostringstream err;
    arguments.emplace_back("--json");
    runCli(arguments, out, err);
    EXPECT_EQ(err.str(), "");
    return LibraryJson::parse(out.str());
}

TEST(Answers, AreThoseOfTheCommandLine)
{
    for (const std::string name :
         {"dataloader_pageable_blocking.overlane", "two_gpus.overlane", "dataloader_pinned_side_stream.overlane"}) {
        const OpenTrace trace = sample(name);
        const std::string file = kSamples + name;
        EXPECT_EQ(ask(trace, "info").json, printed({"info", file})) << name;
        EXPECT_EQ(ask(trace, "names").json, printed({"names", file})) << name;
        EXPECT_EQ(ask(trace, "names", R"({"of": "kernels", "whole": true})").json,
                  printed({"names", "--of", "kernels", "--whole", file}))
            << name;
        EXPECT_EQ(ask(trace, "whatif").json, printed({"whatif", file})) << name;
        EXPECT_EQ(ask(trace, "check", R"({"fail_on": ["hazard"]})").json,
                  printed({"check", "--fail-on", "hazard", file}))
            << name;
    }
}

TEST(Answers, OfIterationsAndStepsAreThoseOfTheCommandLine)
{
    const OpenTrace trace = sample("dataloader_pageable_blocking.overlane");
    const std::string file = kSamples + "dataloader_pageable_blocking.overlane";
    EXPECT_EQ(ask(trace, "info", R"({"iteration": "2"})").json, printed({"info", "--iteration", "2", file}));
    EXPECT_EQ(ask(trace, "whatif", R"({"changes": ["pin", "non_blocking"], "steps": "5-15"})").json,
              printed({"whatif", "--change", "pin", "--change", "non_blocking", "--steps", "5-15", file}));
}

TEST(Answers, OfTwoTracesAreThoseOfTheCommandLine)
{
    const OpenTrace a = sample("dataloader_pageable_blocking.overlane");
    const OpenTrace b = sample("dataloader_pinned_blocking.overlane");
    EXPECT_EQ(ask(a, "compare", nullptr, b).json,
              printed({"compare", kSamples + "dataloader_pageable_blocking.overlane",
                       kSamples + "dataloader_pinned_blocking.overlane"}));
}

TEST(Answers, OfTheLaboratoryAreThoseOfTheCommandLine)
{
    EXPECT_EQ(ask({}, "run", R"({"settings": {"pin": "thread", "workers": 4, "non_blocking": true}})").json,
              printed({"run", "--set", "pin=thread", "--set", "workers=4", "--set", "non_blocking=on"}));
    EXPECT_EQ(ask({}, "sweep", R"({"over": {"workers": "1..3"}, "repeats": 2})").json,
              printed({"sweep", "--over", "workers=1..3", "--repeat", "2"}));
    EXPECT_EQ(ask({}, "sweep", R"({"ready": "allocation_cost", "device": "h200"})").json,
              printed({"sweep", "--ready", "allocation_cost", "--device", "h200"}));
    EXPECT_EQ(ask({}, "advise", R"({"preset": "laptop_swaps", "pinned_limit": "2G"})").json,
              printed({"advise", "--preset", "laptop_swaps", "--pinned-limit", "2G"}));
}

TEST(Answers, ARunHandsOutItsTrace)
{
    overlane_trace* made = nullptr;
    char* text = nullptr;
    const int code = overlane_ask(nullptr, nullptr, "run", nullptr, nullptr, &made, &text);
    const LibraryAnswer run = taken(code, text);
    ASSERT_EQ(run.code, OVERLANE_OK);
    const OpenTrace trace(made);
    ASSERT_TRUE(trace);
    EXPECT_EQ(ask(trace, "info").json["span_ns"], run.json["wall_ns"]);
    EXPECT_EQ(ask(trace, "facts").json["format"], "simulated");
}

TEST(Answers, OverlapIsThatOfTheSummary)
{
    const OpenTrace trace = sample("pipeline_pinned.overlane");
    const LibraryJson device = ask(trace, "info").json["devices"][0];
    const LibraryJson whole = ask(trace, "overlap", R"({"whole": true})").json["all"];
    EXPECT_GT(whole["busy_ns"], 0);
    EXPECT_EQ(whole["busy_ns"], device["h2d_busy_ns"]);
    EXPECT_EQ(whole["hidden_ns"], device["h2d_hidden_ns"]);
    EXPECT_EQ(whole["exposed_ns"], device["exposed_copy_ns"]);
    EXPECT_EQ(whole["share"], device["overlap_share"]);
    EXPECT_EQ(whole["copies"], device["h2d"]);
    for (const char* by : {"role", "cause", "memory"}) {
        const LibraryJson rows =
            ask(trace, "overlap", (R"({"whole": true, "by": ")" + std::string(by) + "\"}").c_str()).json["rows"];
        std::int64_t copies = 0;
        for (const LibraryJson& row : rows)
            copies += row["copies"].get<std::int64_t>();
        EXPECT_EQ(copies, whole["copies"]) << by;
    }
}

TEST(Answers, ADigestNamesTheRankAndWhatLimitsIt)
{
    const OpenTrace trace = sample("dataloader_pageable_blocking.overlane");
    const LibraryJson digest = ask(trace, "digest").json;
    const LibraryJson info = ask(trace, "info").json;
    EXPECT_EQ(digest["bound"], info["verdict"]["main_loss_id"]);
    EXPECT_EQ(digest["step_ns"], info["step_ns"]);
    EXPECT_TRUE(digest["rank"].is_null());
    std::int64_t parts = 0;
    for (const LibraryJson& part : digest["parts"])
        parts += part.get<std::int64_t>();
    EXPECT_EQ(parts, digest["active_ns"][1].get<std::int64_t>() - digest["active_ns"][0].get<std::int64_t>());

    const OpenTrace compute = sample("dataloader_pinned_side_stream.overlane");
    EXPECT_EQ(ask(compute, "digest").json["bound"], "compute");
}

TEST(Answers, TheEasiestChangeIsThatOfInfo)
{
    const std::string place = OVERLANE_SOURCE_DIR "/tests/data/traces/programs/fourier_page.overlane";
    overlane_trace* opened = nullptr;
    char* text = nullptr;
    ASSERT_EQ(overlane_open(place.c_str(), nullptr, &opened, &text), OVERLANE_OK);
    overlane_text_free(text);
    const OpenTrace trace(opened);
    const std::string change = ask(trace, "easiest").json["change"];
    EXPECT_NE(change, "");
    std::ostringstream out, err;
    runCli({"info", place}, out, err);
    std::string printed = out.str();
    std::replace(printed.begin(), printed.end(), '\n', ' ');
    EXPECT_THAT(printed, HasSubstr(change));
    EXPECT_EQ(ask(sample("dataloader_pinned_side_stream.overlane"), "easiest").json["change"], "");
}

TEST(Answers, ARangeIsJudgedAsItsStepsAre)
{
    const OpenTrace trace = sample("dataloader_pinned_side_stream.overlane");
    const LibraryJson steps = ask(trace, "overlap", R"({"steps": "5-9"})").json;
    const LibraryJson range = ask(trace, "overlap", (R"({"range": )" + steps["range_ns"].dump() + "}").c_str()).json;
    EXPECT_GT(steps["all"]["busy_ns"], 0);
    EXPECT_EQ(range, steps);
    const LibraryJson info = ask(trace, "info", (R"({"range": )" + steps["range_ns"].dump() + "}").c_str()).json;
    EXPECT_EQ(info["findings"]["range_ns"], steps["range_ns"]);
    EXPECT_EQ(info["findings"]["steps"], 5);
}

TEST(Answers, AReportIsAPageOrAFile)
{
    const TempDir folder;
    const OpenTrace trace = sample("pipeline_pinned.overlane");
    const std::string file = (folder.path() / "page.html").string();
    const LibraryJson page = ask(trace, "report").json;
    EXPECT_THAT(page["page"].get<std::string>(), HasSubstr("</html>"));
    const LibraryJson written = ask(trace, "report", ("{\"output\": \"" + file + "\"}").c_str()).json;
    EXPECT_EQ(written["bytes"], page["bytes"]);
    EXPECT_EQ(std::filesystem::file_size(file), page["bytes"]);
}

TEST(Answers, NoFileReplacesTheTraceItComesFrom)
{
    const TempDir folder;
    const std::string file = (folder.path() / "trace.overlane").string();
    std::filesystem::copy_file(kSamples + "pipeline_pinned.overlane", file);
    OpenTrace trace;
    open(file, trace);
    for (const char* question : {"report", "convert"}) {
        EXPECT_EQ(ask(trace, question, ("{\"output\": \"" + file + "\"}").c_str()).code, OVERLANE_USAGE) << question;
        EXPECT_GT(std::filesystem::file_size(file), 1000U);
    }
}

TEST(Answers, ConvertWritesAPart)
{
    const TempDir folder;
    const OpenTrace trace = sample("dataloader_pageable_blocking.overlane");
    const std::string file = (folder.path() / "part.overlane").string();
    ASSERT_EQ(ask(trace, "convert", ("{\"steps\": \"2-4\", \"output\": \"" + file + "\"}").c_str()).code, OVERLANE_OK);
    OpenTrace part;
    open(file, part);
    EXPECT_EQ(ask(part, "info").json["steps"]["count"], 3);
}

TEST(Answers, WrongWordsAreTheCallersMistake)
{
    const OpenTrace trace = sample("pipeline_pinned.overlane");
    for (const auto& [question, arguments] : std::vector<std::pair<const char*, const char*>>{
             {"inf", nullptr},
             {"info", "[]"},
             {"info", R"({"iteratoin": "1"})"},
             {"info", R"({"iteration": ["1"]})"},
             {"names", R"({"of": "kernel"})"},
             {"names", R"({"whole": 1})"},
             {"overlap", R"({"kind": "h2h"})"},
             {"overlap", R"({"range": [5, 5]})"},
             {"overlap", R"({"range": [0, 5], "steps": "1"})"},
             {"info", R"({"range": [0, "5"]})"},
             {"overlap", R"({"kind": "communication", "by": "role"})"},
             {"whatif", R"({"changes": "pinn"})"},
             {"check", R"({"fail_on": "hazzard"})"},
             {"report", R"({"top": 0})"},
             {"convert", R"({"output": "/tmp/x.overlane", "steps": "4-2"})"},
             {"compare", nullptr},
             {"run", nullptr}}) {
        const LibraryAnswer answer = ask(trace, question, arguments);
        EXPECT_EQ(answer.code, OVERLANE_USAGE) << question << answer.json;
        for (const char* part : {"message", "what", "advice"})
            EXPECT_FALSE(answer.json[part].get<std::string>().empty()) << question << part << answer.json;
    }
    for (const auto& [question, arguments] : std::vector<std::pair<const char*, const char*>>{
             {"run", R"({"settings": {"workerz": 4}})"},
             {"run", R"({"settings": {"workers": [4]}})"},
             {"run", R"({"settings": {"workers": -4}})"},
             {"run", R"({"engine": "cpu"})"},
             {"run", R"({"device": "h2000"})"},
             {"sweep", nullptr},
             {"sweep", R"({"ready": "workrs"})"},
             {"sweep", R"({"over": {"workers": "1..."}})"},
             {"sweep", R"({"over": {"workers": "1..3"}, "repeats": 5000000000})"},
             {"advise", R"({"ram": "much"})"}}) {
        const LibraryAnswer answer = ask({}, question, arguments);
        EXPECT_EQ(answer.code, OVERLANE_USAGE) << question << arguments << answer.json;
    }
}

TEST(Answers, AFileThatIsNotThereSaysWhere)
{
    OpenTrace trace;
    const LibraryAnswer answer = open("/no/such/file.json", trace);
    EXPECT_EQ(answer.code, OVERLANE_FAILED);
    EXPECT_FALSE(trace);
    EXPECT_EQ(answer.json["where"], "/no/such/file.json");
    EXPECT_NE(answer.json["what"], answer.json["message"]);
    EXPECT_NE(answer.json["advice"], "");
}

TEST(Answers, ACancelIsAnsweredBeforeAndAfterOpening)
{
    overlane_progress* progress = overlane_progress_new();
    overlane_progress_cancel(progress);
    OpenTrace trace;
    EXPECT_EQ(open(kSamples + "two_gpus.overlane", trace, progress).code, OVERLANE_CANCELLED);
    EXPECT_FALSE(trace);
    trace = sample("two_gpus.overlane");
    EXPECT_EQ(ask(trace, "whatif", nullptr, {}, progress).code, OVERLANE_CANCELLED);
    EXPECT_EQ(ask({}, "advise", nullptr, {}, progress).code, OVERLANE_CANCELLED);
    EXPECT_EQ(ask(trace, "info").code, OVERLANE_OK);
    overlane_progress_free(progress);
}

}  // namespace
}  // namespace overlane::test
