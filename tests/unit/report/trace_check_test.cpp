#include "core/report/trace_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/junit.h"
#include "core/report/sarif.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

RuleLimit limit(std::string_view text)
{
    const Result<RuleLimit> parsed = parseRuleLimit(text);
    EXPECT_TRUE(parsed.ok()) << text;
    return parsed.ok() ? parsed.value() : RuleLimit{};
}

Finding finding(RuleId rule, std::string_view id, FindingSeverity severity, std::int64_t idlePerStepNs,
                std::int64_t heldPerStepNs)
{
    Finding made;
    made.rule = rule;
    made.id = id;
    made.title = id;
    made.severity = severity;
    made.sentence = "It <costs>.";
    made.cost.gpuIdlePerStepNs = idlePerStepNs;
    made.cost.gpuIdleNs = idlePerStepNs * 10;
    made.cost.hostBlockedPerStepNs = heldPerStepNs;
    made.cost.hostBlockedNs = heldPerStepNs * 10;
    made.cost.shareOfWall = static_cast<double>(idlePerStepNs) / 10'000'000;
    made.change = made.changePyTorch = "pin_memory=True";
    return made;
}

// Ten steps of 10 ms: a problem of 3 ms idle and 2 ms held each, a hazard without cost, a hint.
FindingList sampleList()
{
    FindingList list;
    list.range = {0, 100'000'000};
    list.steps = 10;
    list.findings = {finding(RuleId::SourceRewritten, "source-rewritten", FindingSeverity::Hazard, 0, 0),
                     finding(RuleId::PageableAsync, "pageable-async", FindingSeverity::Problem, 3'000'000, 2'000'000),
                     finding(RuleId::SmallCopies, "small-copies", FindingSeverity::Hint, 0, 50'000),
                     finding(RuleId::NothingToWin, "nothing-to-win", FindingSeverity::Good, 0, 0)};
    list.notChecked.push_back({RuleId::PrefetchTooDeep, "prefetch-too-deep", "Prefetch", "no gauges"});
    return list;
}

CheckOutcome outcome(std::string_view text, const FindingList& list)
{
    CheckedRange range;
    range.findings = &list;
    range.summary.range = list.range;
    range.stepNs = 10'000'000;
    const std::vector<RuleLimit> limits{limit(text)};
    return checkTrace(range, limits).at(0).outcome;
}

TEST(RuleLimitTest, CostsAreTimesPerStepInAllOrShares)
{
    EXPECT_EQ(limit("pageable-async").unit, LimitUnit::Any);
    EXPECT_EQ(limit("pageable-async:2ms").limitNs, 2'000'000);
    EXPECT_EQ(limit("pageable-async:2ms").unit, LimitUnit::PerStep);
    EXPECT_EQ(limit("x: 1.5 us /step").limitNs, 1'500);
    EXPECT_EQ(limit("x:500\u00b5s").limitNs, 500'000);
    EXPECT_EQ(limit("x:40ms/run").unit, LimitUnit::Total);
    EXPECT_EQ(limit("x:1s/run").limitNs, 1'000'000'000);
    EXPECT_DOUBLE_EQ(limit("x:5%").share, 0.05);
    EXPECT_EQ(limit(" pageable-async : 5 % ").name, "pageable-async");
}

TEST(RuleLimitTest, BadCostsSayWhatIsExpected)
{
    for (const char* text : {"x:", "x:ms", "x:2", "x:2 h", "x:-2ms", "x:nan%", "x:inf ms", "x:2ms/epoch", "x:1e3ms",
                             "x:99999999999999999999s", "x:2ms/run/run"}) {
        const Result<RuleLimit> parsed = parseRuleLimit(text);
        ASSERT_FALSE(parsed.ok()) << text;
        EXPECT_THAT(parsed.error(), HasSubstr("2ms"));
    }
    EXPECT_FALSE(parseRuleLimit(":2ms").ok());
}

TEST(RuleLimitTest, FilesHoldOneALineWithComments)
{
    const auto limits = parseRuleLimits("# budget\nhazard\r\n\n  pageable-async:2ms  # per step\n");
    ASSERT_TRUE(limits.ok());
    ASSERT_EQ(limits.value().size(), 2U);
    EXPECT_EQ(limits.value()[0].text, "hazard");
    EXPECT_EQ(limits.value()[1].text, "pageable-async:2ms");
    const auto broken = parseRuleLimits("hazard\n\nproblem:2\n");
    ASSERT_FALSE(broken.ok());
    test::expectText(broken.error());
}

TEST(TraceCheckTest, RulesFireFromTheirCostOn)
{
    const FindingList list = sampleList();
    EXPECT_EQ(outcome("pageable-async", list), CheckOutcome::Fired);
    EXPECT_EQ(outcome("pageable-async:3ms", list), CheckOutcome::Fired);
    EXPECT_EQ(outcome("pageable-async:3.01ms", list), CheckOutcome::Passed);
    EXPECT_EQ(outcome("pageable-async:30ms/run", list), CheckOutcome::Fired);
    EXPECT_EQ(outcome("pageable-async:30.1ms/run", list), CheckOutcome::Passed);
    EXPECT_EQ(outcome("pageable-async:30%", list), CheckOutcome::Fired);
    EXPECT_EQ(outcome("pageable-async:31%", list), CheckOutcome::Passed);
    EXPECT_EQ(outcome("small-copies:50us", list), CheckOutcome::Fired);  // what it holds the host
    EXPECT_EQ(outcome("sync-copies", list), CheckOutcome::Passed);
    EXPECT_EQ(outcome("prefetch-too-deep", list), CheckOutcome::NotChecked);
}

TEST(TraceCheckTest, SeveritiesStandForAllThatAreAsBadOrWorse)
{
    const FindingList list = sampleList();
    CheckedRange range;
    range.findings = &list;
    const std::vector<RuleLimit> any{limit("any")};
    EXPECT_EQ(checkTrace(range, any).size(), 3U);  // not what is good
    const std::vector<RuleLimit> problem{limit("problem")};
    EXPECT_EQ(checkTrace(range, problem).size(), 2U);
    EXPECT_EQ(outcome("hazard", list), CheckOutcome::Fired);
    EXPECT_EQ(outcome("problem:4ms", list), CheckOutcome::Passed);
    EXPECT_EQ(outcome("hazard", FindingList()), CheckOutcome::Passed);
}

TEST(TraceCheckTest, FiguresAreHeldAgainstTheirLimit)
{
    const FindingList list = sampleList();
    EXPECT_EQ(outcome("step-time:10ms", list), CheckOutcome::Fired);
    EXPECT_EQ(outcome("step-time:10.1ms", list), CheckOutcome::Passed);
    FindingList noSteps = list;
    noSteps.steps = 0;
    EXPECT_EQ(outcome("step-time:10ms", noSteps), CheckOutcome::NotChecked);

    CheckedRange range;
    range.findings = &list;
    range.summary.range = list.range;
    range.stepNs = 10'000'000;
    range.summary.devices.resize(2);
    range.summary.devices[1].exposedCopyNs = 50'000'000;
    const std::vector<RuleLimit> limits{limit("exposed-copy:5ms"), limit("exposed-copy:51%"), limit("gpu-idle:1ns")};
    const std::vector<CheckResult> results = checkTrace(range, limits);
    EXPECT_EQ(results.at(0).outcome, CheckOutcome::Fired);
    EXPECT_EQ(results.at(0).costNs, 5'000'000);
    EXPECT_EQ(results.at(1).outcome, CheckOutcome::Passed);
    EXPECT_EQ(results.at(2).outcome, CheckOutcome::Passed);
}

TEST(TraceCheckTest, WithoutStepsATimePerStepIsHeldAgainstTheWhole)
{
    FindingList list = sampleList();
    list.steps = 0;
    EXPECT_EQ(outcome("pageable-async:20ms", list), CheckOutcome::Fired);
    EXPECT_EQ(outcome("pageable-async:31ms", list), CheckOutcome::Passed);
}

TEST(TraceCheckTest, EveryNameIsKnownOnce)
{
    const std::vector<std::string_view> names = limitNames();
    EXPECT_THAT(names, Contains("pageable-async"));
    EXPECT_THAT(names, Contains("step-time"));
    for (const std::string_view name : names)
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

// Two files: one with answers, one that could not be read.
std::vector<FileCheck> sampleFiles()
{
    std::vector<FileCheck> files(2);
    files[0].file = "runs/a b%.json";
    files[0].findings = sampleList();
    CheckedRange range;
    range.findings = &files[0].findings;
    range.summary.range = files[0].findings.range;
    const std::vector<RuleLimit> limits{limit("pageable-async:2ms"), limit("sync-copies"), limit("prefetch-too-deep")};
    files[0].results = checkTrace(range, limits);
    files[1].file = "/gone.json";
    files[1].error = "/gone.json cannot be read: <no such file>.";
    return files;
}

TEST(SarifTest, HoldsResultsLocationsAndWhatWasNotChecked)
{
    const nlohmann::json log = nlohmann::json::parse(sarifText(sampleFiles(), "1.2.3", 1));
    EXPECT_EQ(log.at("version"), "2.1.0");
    const nlohmann::json& run = log.at("runs").at(0);
    const nlohmann::json& driver = run.at("tool").at("driver");
    EXPECT_EQ(driver.at("name"), "Overlane");
    EXPECT_EQ(driver.at("rules").size(), limitNames().size());

    const nlohmann::json& fired = run.at("results").at(0);
    EXPECT_EQ(fired.at("ruleId"), "pageable-async");
    EXPECT_EQ(driver.at("rules").at(fired.at("ruleIndex").get<std::size_t>()).at("id"), "pageable-async");
    EXPECT_EQ(fired.at("level"), "error");
    EXPECT_EQ(fired.at("properties").at("limit"), "pageable-async:2ms");
    const nlohmann::json& artifact = fired.at("locations").at(0).at("physicalLocation").at("artifactLocation");
    EXPECT_EQ(artifact.at("uri"), "runs/a%20b%25.json");
    EXPECT_EQ(run.at("artifacts").at(1).at("location").at("uri"), "file:///gone.json");

    // One per finding: none twice, none above "warning" but what fired, none a failure where it is good.
    ASSERT_EQ(run.at("results").size(), 4U);
    EXPECT_EQ(run.at("results").at(1).at("level"), "warning");
    EXPECT_EQ(run.at("results").at(3).at("level"), "none");
    EXPECT_EQ(run.at("results").at(3).at("kind"), "informational");
    const nlohmann::json& invocation = run.at("invocations").at(0);
    EXPECT_EQ(invocation.at("executionSuccessful"), false);
    EXPECT_EQ(invocation.at("toolExecutionNotifications").size(), 2U);
}

TEST(JunitTest, OneSuiteAFileAndOneTestALimit)
{
    const std::string xml = junitText(sampleFiles());
    test::expectText(xml);
}

}  // namespace
}  // namespace overlane
