// A check against an earlier trace, on comparisons made by hand: what fires, what passes, what cannot be told.
#include "core/report/baseline_check.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

Comparison compared(Pace pace, std::int64_t aNs, std::int64_t bNs)
{
    Comparison comparison;
    comparison.perStep = true;
    comparison.stepTime.claim = pace == Pace::Slower   ? Claim::Higher
                                : pace == Pace::Faster ? Claim::Lower
                                                       : Claim::WithinSpread;
    comparison.speed = {aNs, bNs, pace, ClaimBy::Steps};
    comparison.wallANs = aNs;
    comparison.wallBNs = bNs;
    return comparison;
}

Finding finding(RuleId rule, FindingSeverity severity)
{
    Finding made;
    made.rule = rule;
    made.severity = severity;
    return made;
}

CheckOutcome slower(const Comparison& comparison, double tolerance = 0)
{
    return checkAgainst({"old", tolerance}, comparison, {}, {}).front().outcome;
}

TEST(BaselineCheck, OnlyAClaimedLossFires)
{
    EXPECT_EQ(slower(compared(Pace::Slower, 100, 110)), CheckOutcome::Fired);
    EXPECT_EQ(slower(compared(Pace::NotSure, 100, 110)), CheckOutcome::Passed) << "within the spread";
    EXPECT_EQ(slower(compared(Pace::Faster, 110, 100)), CheckOutcome::Passed);
}

TEST(BaselineCheck, ALossWithinTheTolerancePasses)
{
    EXPECT_EQ(slower(compared(Pace::Slower, 100, 110), 0.10), CheckOutcome::Passed);
    EXPECT_EQ(slower(compared(Pace::Slower, 100, 111), 0.10), CheckOutcome::Fired);
}

TEST(BaselineCheck, WhereNothingMayBeClaimedItIsNotChecked)
{
    Comparison few = compared(Pace::NotSure, 100, 200);
    few.stepTime.claim = Claim::TooFew;
    EXPECT_EQ(slower(few), CheckOutcome::NotChecked);
    Comparison uneven = compared(Pace::NotSure, 100, 200);
    uneven.uneven = true;
    EXPECT_EQ(slower(uneven), CheckOutcome::NotChecked);
    Comparison whole = compared(Pace::NotSure, 100, 200);
    whole.perStep = false;
    EXPECT_EQ(slower(whole), CheckOutcome::NotChecked);
}

TEST(BaselineCheck, NewHazardsAlwaysFireAndNewProblemsFromFivePercentOn)
{
    FindingList findings;
    findings.findings = {finding(RuleId::PageableAsync, FindingSeverity::Problem),
                         finding(RuleId::SyncPerStep, FindingSeverity::Hazard),
                         finding(RuleId::PrefetchTooDeep, FindingSeverity::Hint)};
    const auto fired = [&](std::size_t index, FindingFate fate, std::int64_t costNs) {
        const std::vector<FindingChange> changes{{fate, nullptr, &findings.findings[index], 0, costNs}};
        const auto results = checkAgainst({"old", 0}, compared(Pace::NotSure, 100, 100), changes, findings);
        EXPECT_EQ(results.size(), 2u);
        return results.back().outcome == CheckOutcome::Fired;
    };
    EXPECT_TRUE(fired(0, FindingFate::New, 5));
    EXPECT_FALSE(fired(0, FindingFate::New, 4));
    EXPECT_FALSE(fired(0, FindingFate::Changed, 50)) << "the steps tell whether that cost anything";
    EXPECT_TRUE(fired(1, FindingFate::New, 0));
    EXPECT_FALSE(fired(2, FindingFate::New, 50)) << "a hint";
}

}  // namespace
}  // namespace overlane
