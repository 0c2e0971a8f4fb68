#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/cli/cli.h"
#include "tests/support/expect_text.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

const std::string kIterated = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/w8_page_nb_side_d16.pt.trace.json.gz";

TEST(InfoIterationTest, TakesTheLoopThatIsAskedFor)
{
    const auto steps = [](const std::vector<std::string>& arguments) {
        return nlohmann::json::parse(test::call(arguments).out).at("steps");
    };
    const nlohmann::json found = steps({"info", "--json", kIterated});
    EXPECT_EQ(found.at("origin"), "profiler steps");
    ASSERT_EQ(found.at("levels").size(), 2u);
    EXPECT_TRUE(found.at("levels")[0].at("taken"));
    const nlohmann::json second = steps({"info", "--json", "--iteration", "2", kIterated});
    EXPECT_EQ(second.at("origin"), "repeating GPU work");
    EXPECT_EQ(second.at("count"), 8);
    EXPECT_EQ(steps({"info", "--json", "--iteration", "profilerstep", kIterated}).at("count"), found.at("count"));
    EXPECT_THAT(test::call({"info", kIterated}).out, testing::HasSubstr("(taken)"));
    test::expectFailure(test::call({"info", "--iteration", "epoch", kIterated}), kExitFailed, "shows no loop epoch");
}

TEST(InfoIterationTest, WhatCopiesCarryGoesByItToo)
{
    const std::string recorded = OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/tracelens_h100_owlv2.json.gz";
    const auto unknown = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"info", "--json", recorded};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const nlohmann::json info = nlohmann::json::parse(test::call(arguments).out);
        std::int64_t copies = 0;
        for (const nlohmann::json& role : info.at("roles"))
            copies += role.at("role") == "unknown" ? role.at("copies").get<std::int64_t>() : 0;
        return copies;
    };
    EXPECT_GT(unknown({}), 0);
    EXPECT_EQ(unknown({"--iteration", "2"}), 0);
}

TEST(InfoIterationTest, EveryCommandThatJudgesTakesIt)
{
    const auto json = [](const std::vector<std::string>& arguments) {
        const test::Outcome outcome = test::call(arguments);
        EXPECT_EQ(outcome.err, "") << outcome.out;
        return nlohmann::json::parse(outcome.out);
    };
    const std::string origin = json({"info", "--json", "--iteration", "2", kIterated}).at("steps").at("origin");
    EXPECT_EQ(origin, "repeating GPU work");
    const auto stepNs = json({"info", "--json", "--iteration", "2", kIterated}).at("step_ns").get<std::int64_t>();
    EXPECT_NE(stepNs, json({"info", "--json", kIterated}).at("step_ns"));
    const nlohmann::json check =
        nlohmann::json::parse(
            test::call({"check", "--json", "--fail-on", "step-time:1us", "--iteration", "2", kIterated}).out)
            .at("files")[0];
    EXPECT_EQ(check.at("step_ns"), stepNs);
    EXPECT_EQ(json({"whatif", "--json", "--iteration", "2", kIterated}).at("replay").at("step_ns_average"), stepNs);
    const std::string page = testing::TempDir() + "iteration.html";
    const nlohmann::json report = json({"report", "--json", "--iteration", "2", kIterated, "-o", page});
    EXPECT_EQ(report.at("verdict").at("now_ns"), stepNs);
    const nlohmann::json plain = json({"compare", "--json", kIterated, kIterated});
    const nlohmann::json other = json({"compare", "--json", "--iteration", "2", kIterated, kIterated});
    EXPECT_NE(other.at("a").at("first_step"), plain.at("a").at("first_step"));
    for (const std::vector<std::string>& command : {std::vector<std::string>{"whatif", kIterated},
                                                    {"compare", kIterated, kIterated},
                                                    {"report", kIterated, "-o", page}}) {
        std::vector<std::string> arguments = command;
        arguments.insert(arguments.end(), {"--iteration", "epoch"});
        test::expectFailure(test::call(arguments), kExitFailed, "shows no loop epoch");
    }
    const test::Outcome unchecked = test::call({"check", "--fail-on", "hazard", "--iteration", "epoch", kIterated});
    EXPECT_EQ(unchecked.code, kExitFailed);
    test::expectText(unchecked.err);
}

TEST(InfoRoles, SaysWhatTheCopiesCarryAndWhichFrameworkRan)
{
    const nlohmann::json all = nlohmann::json::parse(test::call({"info", "--json", kIterated}).out);
    EXPECT_EQ(all.at("program").at("framework"), "PyTorch");
    EXPECT_EQ(all.at("program").at("has_loader"), true);
    const nlohmann::json& batches = all.at("roles").at(0);
    EXPECT_EQ(batches.at("role"), "batch");
    EXPECT_EQ(batches.at("way"), "to the device");
    EXPECT_EQ(batches.at("copies"), 16);
    EXPECT_EQ(batches.at("bytes_per_iteration"), batches.at("bytes").get<std::int64_t>() / 8);
    EXPECT_GT(batches.at("exposed_per_iteration_ns"), 0);
    EXPECT_EQ(all.at("verdict").at("carries"), "batch");
    EXPECT_THAT(test::call({"info", kIterated}).out, testing::ContainsRegex("batch +to the device +16 "));
}

}  // namespace
}  // namespace overlane
