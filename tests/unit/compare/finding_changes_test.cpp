#include "core/compare/finding_changes.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

Finding finding(RuleId rule, std::int64_t perStepNs, FindingSeverity severity = FindingSeverity::Problem)
{
    Finding made;
    made.rule = rule;
    made.severity = severity;
    made.cost.gpuIdleNs = perStepNs * 10;
    made.cost.gpuIdlePerStepNs = perStepNs;
    return made;
}

FindingList list(std::vector<Finding> findings, std::int64_t steps = 10)
{
    FindingList made;
    made.steps = steps;
    made.findings = std::move(findings);
    return made;
}

TEST(FindingChangesTest, GoneNewChangedAndSame)
{
    const FindingList a = list({finding(RuleId::PageableAsync, 8'000), finding(RuleId::HostLate, 1'000),
                                finding(RuleId::SmallCopies, 3'000), finding(RuleId::SlowLink, 500)});
    const FindingList b =
        list({finding(RuleId::HostLate, 1'050), finding(RuleId::SmallCopies, 5'000), finding(RuleId::LaunchBound, 700),
              finding(RuleId::SlowLink, 500, FindingSeverity::Hint)});
    const std::vector<FindingChange> changes = findingChanges(a, b);
    ASSERT_EQ(changes.size(), 5U);
    EXPECT_EQ(changes[0].shown().rule, RuleId::PageableAsync);
    EXPECT_EQ(changes[0].fate, FindingFate::Gone);
    EXPECT_EQ(changes[0].aNs, 8'000);
    EXPECT_EQ(changes[0].b, nullptr);
    EXPECT_EQ(changes[1].shown().rule, RuleId::SmallCopies);
    EXPECT_EQ(changes[1].fate, FindingFate::Changed);
    EXPECT_EQ(changes[2].shown().rule, RuleId::LaunchBound);
    EXPECT_EQ(changes[2].fate, FindingFate::New);
    EXPECT_EQ(changes[3].shown().rule, RuleId::SlowLink);
    EXPECT_EQ(changes[3].fate, FindingFate::Changed);  // another severity
    EXPECT_EQ(changes[4].shown().rule, RuleId::HostLate);
    EXPECT_EQ(changes[4].fate, FindingFate::Same);  // 5 % more
}

TEST(FindingChangesTest, WithoutStepsOnASideTotalsAreCompared)
{
    const FindingList a = list({finding(RuleId::HostLate, 1'000)}, 0);
    const FindingList b = list({finding(RuleId::HostLate, 1'000)});
    EXPECT_EQ(findingChanges(a, b).at(0).aNs, 10'000);
    EXPECT_TRUE(findingChanges(list({}), list({})).empty());
}

}  // namespace
}  // namespace overlane
