// whatif, called as a function: what it claims, what it does not, and how wide it writes.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "core/content/terminal.h"
#include "tests/support/expect_text.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using test::call;
using test::expectFailure;
using test::expectNarrow;
using test::Outcome;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

const std::string kTraceFolder = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/";
const std::string kPageableTrace = kTraceFolder + "w8_page_nb_side_d16.pt.trace.json.gz";
const std::string kPinnedTrace = kTraceFolder + "w8_pin_nb_side_d16.pt.trace.json.gz";

// As a person sees it: the thin spaces of figures are spaces.
std::string textOf(const std::vector<std::string>& arguments)
{
    return std::regex_replace(call(arguments).out, std::regex("\u2009"), " ");
}

class WhatIfCommandTest : public testing::Test
{
protected:
    void TearDown() override { setTextColumns(0); }
};

TEST_F(WhatIfCommandTest, ADirectionIsClaimedBeyondTheNoise)
{
    const Outcome outcome = call({"whatif", kPageableTrace, "--change", "pin", "--json"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json.at("direction"), "faster");
    const auto noiseNs = json.at("noise_ns").get<std::int64_t>();
    const auto replayedNs = json.at("step_ns_replayed").get<std::int64_t>();
    EXPECT_GT(replayedNs - json.at("step_ns_predicted").get<std::int64_t>(), noiseNs);
    EXPECT_NEAR(json.at("noise").get<double>(), static_cast<double>(noiseNs) / static_cast<double>(replayedNs), 1e-9);
    const std::string text = textOf({"whatif", kPageableTrace, "--change", "pin"});
    test::expectText(text);
    expectNarrow(text);
}

TEST_F(WhatIfCommandTest, WithinTheNoiseNothingIsClaimed)
{
    const Outcome outcome = call({"whatif", kPageableTrace, "--change", "device=a100_pcie4", "--json"});
    EXPECT_EQ(Json::parse(outcome.out).at("direction"), "no clear change");
    test::expectText(textOf({"whatif", kPageableTrace, "--change", "device=a100_pcie4"}));
}

TEST_F(WhatIfCommandTest, AChangeThatIsMadeAlreadyIsNoAdvice)
{
    const std::string text = textOf({"whatif", kPinnedTrace, "--change", "pin"});
    test::expectText(text);
    EXPECT_THAT(text, Not(HasSubstr("pin_memory=True")));
    test::expectText(textOf({"whatif", kPageableTrace, "--change", "pin"}));
}

TEST_F(WhatIfCommandTest, WhatFewerChangesDoAsWellIsSaidOnce)
{
    const std::string text = textOf({"whatif", kPageableTrace});
    test::expectText(text);
}

// None of its changes could be tried: that is not that none would help.
TEST_F(WhatIfCommandTest, ARateThatIsMissingIsNamedAndNotHeldAgainstTheChange)
{
    const std::string trace = OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/param_resnet_kineto.json.gz";
    const std::string text = textOf({"whatif", trace});
    test::expectText(text);
    EXPECT_EQ(Json::parse(call({"whatif", trace, "--json"}).out).at("replay").at("missing").size(), 1U);
    EXPECT_EQ(call({"whatif", trace, "--change", "pin", "--change", "link=12"}).code, kExitOk);
    test::expectText(textOf({"whatif", trace, "--device", "a100_pcie4"}));
    expectNarrow(text);
}

TEST_F(WhatIfCommandTest, WithoutIterationsTheRangeIsPredicted)
{
    const std::string trace =
        OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/dlrm_4rank/worker0_step_12.1694128201545.pt.trace.json.gz";
    const std::string text = textOf({"whatif", trace, "--change", "non_blocking"});
    test::expectText(text);
    EXPECT_THAT(text, Not(HasSubstr("step")));
    const Outcome outcome = call({"whatif", trace, "--json"});
    ASSERT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_TRUE(Json::parse(outcome.out).at("replay").at("whole_range"));
}

TEST_F(WhatIfCommandTest, MistakesAreNamed)
{
    expectFailure(call({"whatif", kPageableTrace, "--change", "pinn"}), kExitUsage, "There is no change 'pinn'");
    expectFailure(call({"whatif", kPageableTrace, "--change", "pin", "--change", "pin"}), kExitUsage, "given twice");
    expectFailure(call({"whatif", kPageableTrace, "--steps", "99-100"}), kExitFailed, "numbered from 0");
    expectFailure(call({"whatif", "/nowhere.json"}), kExitFailed, "no file /nowhere.json");
    expectFailure(call({"whatif", kPageableTrace, "-o", "x.overlane"}), kExitUsage, "-o needs a change");
}

TEST_F(WhatIfCommandTest, TextsAreAsWideAsTheTerminal)
{
    const auto widest = [] {
        std::istringstream lines(textOf({"info", kPageableTrace}));
        std::size_t columns = 0;
        for (std::string line; std::getline(lines, line);)
            columns = std::max(columns, line.size());
        return columns;
    };
    EXPECT_EQ(textColumns(), 100U);
    EXPECT_THAT(widest(), testing::AllOf(testing::Gt(90U), testing::Le(100U)));
    setTextColumns(72);
    EXPECT_EQ(wrapText(std::string(200, 'x') + " a b", ""), std::string(200, 'x') + "\na b\n");
    EXPECT_THAT(widest(), testing::AllOf(testing::Gt(64U), testing::Le(80U)));  // tables keep their columns
    std::istringstream lines(wrapText(std::string(40, 'a') + " " + std::string(40, 'b'), "  "));
    std::string first;
    std::getline(lines, first);
    EXPECT_EQ(first, "  " + std::string(40, 'a'));
    setTextColumns(400);
    EXPECT_EQ(textColumns(), 120U);
    setTextColumns(8);
    EXPECT_EQ(textColumns(), 40U);
}

}  // namespace
}  // namespace overlane
