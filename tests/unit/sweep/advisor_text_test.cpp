// An advice in words and as JSON: ranges wherever a time is given, and how sure it is.
#include "core/sweep/advisor_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/units.h"
#include "core/cli/advice_text.h"
#include "core/sweep/advisor_error.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

AdvisorCandidate candidateOf(double batchMs, std::int64_t pinnedBytes, std::int64_t workers)
{
    AdvisorCandidate candidate;
    candidate.scenario.pin = pinnedBytes > 0 ? PinStrategy::Thread : PinStrategy::None;
    candidate.scenario.workers = workers;
    candidate.batchNs = batchMs * 1e6;
    candidate.kernelNs = 1e6;
    candidate.pinnedPeakBytes = pinnedBytes;
    candidate.fits = true;
    return candidate;
}

Advice among(const std::vector<AdvisorCandidate>& tried)
{
    return adviseAmong(tried.front(), tried);
}

std::string remarkWith(const Advice& advice, const std::string& part)
{
    for (const std::string& remark : adviceRemarks(advice))
        if (remark.find(part) != std::string::npos)
            return remark;
    return {};
}

TEST(AdvisorRangeTest, IsInOneUnitWhereItCanBe)
{
    EXPECT_EQ(rangeText(candidateOf(9.72, 0, 4)), formatDuration(9'720'000) + " (8.75 to 13.5)");
    EXPECT_EQ(rangeText(candidateOf(0.9, 0, 4)),
              formatDuration(900'000) + " (" + formatDuration(900'000) + " to " + formatDuration(1'251'000) + ")")
        << "never less than its kernels";
    AdvisorCandidate streams = candidateOf(9.72, 0, 4);
    streams.kernelNs = 12e6;
    streams.scenario.streams = 2;
    test::expectText(rangeText(streams));
}

TEST(AdvisorRangeTest, IsThatOfTheMemory)
{
    test::expectText(rangeText(candidateOf(100, 0, 4)));
    test::expectText(rangeText(candidateOf(100, kMiB, 4)));
    test::expectText(rangeText(candidateOf(100, kMiB, 0)));
}

TEST(AdvisorCertaintyTest, AWinBeyondTheErrorIsSure)
{
    const Advice advice = among({candidateOf(20, 0, 4), candidateOf(9, 64 * kMiB, 4)});
    EXPECT_TRUE(isSure(advice));
    EXPECT_EQ(certaintySentence(advice),
              "Sure to be faster: " + formatDuration(16'740'000) + " at worst against " + formatDuration(18'000'000) +
                  " at best as it is. With a pin thread 8 of 10 measured runs took 0.93 to 1.21 times the simulated "
                  "time in Overlane's own loader, 1.17 to 1.86 in PyTorch's. With pageable memory it was 0.92 to 1.25 "
                  "and 0.90 to 1.39.");
    EXPECT_EQ(adviceRemarks(advice).front(), certaintySentence(advice));
    test::expectText(adviceSentence(advice));
}

TEST(AdvisorPinnedTest, PageableMemoryIsNotAdvisedWithoutTheFigureOfPinnedMemory)
{
    AdvisorCandidate side = candidateOf(10, 0, 4);
    side.scenario.nonBlocking = true;
    side.scenario.copyStream = CopyStream::Side;
    const AdvisorCandidate now = candidateOf(20, 0, 4);
    const Advice advice = among({now, side, candidateOf(9.95, 128 * kMiB, 4), candidateOf(9.95, 256 * kMiB, 8)});
    ASSERT_EQ(advice.kind, AdviceKind::PinningOff);
    ASSERT_TRUE(advice.pinned);
    EXPECT_EQ(advice.pinned->scenario.workers, 4);
    test::expectText(adviceSentence(advice));
    test::expectText(remarkWith(advice, "Pinned, "));
    test::expectText(remarkWith(advice, "verdict"));
    EXPECT_EQ(adviceRemarks(advice).front(), remarkWith(advice, "verdict")) << "right below the sentence it bounds";
    const Blocks blocks = adviceBlocks(advice);
    EXPECT_EQ(std::get<Sentence>(blocks[1]).tone, Tone::Plain);
    test::expectText(remarkWith(among({now, side, candidateOf(9.5, 128 * kMiB, 4)}), "Pinned, "));
    test::expectText(remarkWith(among({now, side, candidateOf(12, 128 * kMiB, 4)}), "Pinned, "));
    EXPECT_FALSE(among({now, side}).pinned);
}

TEST(AdvisorCertaintyTest, SaysThatAnErrorIsOfOneSetting)
{
    const Advice advice = among({candidateOf(10, 64 * kMiB, 0), candidateOf(10, 128 * kMiB, 4)});
    test::expectText(certaintySentence(advice));
}

TEST(AdvisorCertaintyTest, AWinInsideTheErrorIsNot)
{
    const Advice advice = among({candidateOf(20, 0, 4), candidateOf(17, 0, 6)});
    EXPECT_EQ(advice.kind, AdviceKind::PinningOff);
    EXPECT_FALSE(isSure(advice));
    test::expectText(certaintySentence(advice));
}

TEST(AdvisorCertaintyTest, WhatIsKeptTellsWhatWasPassedOver)
{
    const Advice advice = among({candidateOf(10, 64 * kMiB, 4), candidateOf(9.5, 0, 2)});
    EXPECT_EQ(advice.kind, AdviceKind::StayAsIs);
    EXPECT_FALSE(isSure(advice));
    test::expectText(certaintySentence(advice));
    const std::string passed = remarkWith(advice, "Passed over");
    EXPECT_THAT(passed, HasSubstr("num_workers=2"));
    test::expectText(passed);
    test::expectText(adviceSentence(advice));
}

TEST(AdvisorCertaintyTest, WhatAsksForMoreThanItWinsIsPassedOver)
{
    const Advice advice = among({candidateOf(12.5, 64 * kMiB, 8), candidateOf(12.1, 128 * kMiB, 16)});
    EXPECT_EQ(advice.kind, AdviceKind::StayAsIs);
    test::expectText(remarkWith(advice, "Passed over"));
}

TEST(AdvisorCertaintyTest, WhatNothingBeatsIsAsSureAsTheSimulation)
{
    const Advice advice = among({candidateOf(10, 0, 4), candidateOf(10, 64 * kMiB, 4)});
    EXPECT_TRUE(isSure(advice));
    test::expectText(certaintySentence(advice));
    EXPECT_EQ(remarkWith(advice, "Passed over"), "");
}

TEST(AdvisorCertaintyTest, SettingsThatDoNotFitAreChangedHoweverFast)
{
    AdvisorCandidate now = candidateOf(10, 512 * kMiB, 4);
    now.fits = false;
    const Advice advice = among({now, candidateOf(30, 0, 2)});
    EXPECT_TRUE(isSure(advice));
    test::expectText(certaintySentence(advice));
    const Advice nothing = among({now});
    EXPECT_FALSE(isSure(nothing));
    EXPECT_EQ(certaintySentence(nothing), "");
}

TEST(AdvisorCertaintyTest, SaysWhoseErrorItIs)
{
    Advice advice = among({candidateOf(20, 0, 4), candidateOf(10, 64 * kMiB, 4)});
    advice.profile = kHeldProfile;
    test::expectText(adviceRemarks(advice).back());
    advice.profile = "rtx4090_desktop";
    test::expectText(adviceRemarks(advice).back());
    advice.measured = AdviceMeasurement{"a GPU", 20e6, 11e6};
    test::expectText(adviceRemarks(advice).back());
    advice.measured->advisedNs = 19e6;
    test::expectText(adviceRemarks(advice).back());
}

TEST(AdvisorJsonTest, GivesRangesAndCertainty)
{
    const Advice advice = among({candidateOf(20, 64 * kMiB, 4), candidateOf(19, 0, 2), candidateOf(9, 64 * kMiB, 4)});
    const OrderedJson json = adviceJson(advice);
    EXPECT_EQ(json.at("advised").at("batch_ns"), 9'000'000);
    EXPECT_EQ(json.at("advised").at("batch_low_ns"), 8'370'000);
    EXPECT_EQ(json.at("advised").at("batch_high_ns"), 16'740'000);
    EXPECT_EQ(json.at("sure"), true);
    EXPECT_EQ(json.at("certainty"), certaintySentence(advice));
    EXPECT_TRUE(json.at("passed_over").is_null());
    EXPECT_EQ(json.at("simulation_error").at("pageable").at("most"), 1.39);
    const OrderedJson kept = adviceJson(among({candidateOf(10, 64 * kMiB, 4), candidateOf(9.5, 0, 2)}));
    EXPECT_EQ(kept.at("sure"), false);
    EXPECT_EQ(kept.at("passed_over").at("workers"), 2);
}

}  // namespace
}  // namespace overlane
