#include "core/replay/prediction_blocks.h"

#include <gtest/gtest.h>
#include <string>
#include <variant>
#include <vector>

#include "core/content/terminal.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

const Facts& needsOf(const Blocks& blocks)
{
    for (const Block& block : blocks)
        if (const auto* facts = std::get_if<Facts>(&block))
            return *facts;
    static const Facts none;
    return none;
}

TEST(PredictionBlocksTest, PinnedMemoryStandsBesideThatOfTheMachine)
{
    Prediction prediction;
    prediction.pinnedBytes = 3 << 20;
    prediction.ramBytes = 4 << 20;
    prediction.ramOrigin = "of the traced machine";
    const Facts facts = needsOf(predictionBlocks(prediction));
    ASSERT_EQ(facts.rows.size(), 2U);
    EXPECT_EQ(facts.rows[0].second.tone, Tone::Warning) << "more than half";
    EXPECT_EQ(std::get<std::int64_t>(facts.rows[1].second.value), 4 << 20);
}

TEST(PredictionBlocksTest, MemoryThatTheTraceDoesNotTellIsSaidToBeMissing)
{
    Prediction prediction;
    prediction.pinnedBytes = 3 << 20;
    const Facts facts = needsOf(predictionBlocks(prediction));
    ASSERT_EQ(facts.rows.size(), 2U);
    EXPECT_EQ(facts.rows[0].second.tone, Tone::Plain);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(facts.rows[1].second.value));
}

Prediction predicted(ChangeKind kind, std::int64_t stepNs, std::int64_t noiseNs)
{
    Prediction prediction;
    prediction.changes = {Change{kind}};
    prediction.action = changeAction(Change{kind}, CopyRole::Batch, {});
    prediction.stepNsReplayed = 10'000'000;
    prediction.stepNsPredicted = stepNs;
    prediction.noise.ns = noiseNs;
    return prediction;
}

std::string shown(const std::vector<Prediction>& suggestions, const ReplayReport& report)
{
    return terminalText(suggestionBlocks(suggestions, report));
}

TEST(PredictionBlocksTest, TheEasiestChangeIsOneLineAndWinsATenth)
{
    Prediction pin = predicted(ChangeKind::Pin, 5'000'000, 0);
    EXPECT_TRUE(isEasyAndClear(pin));
    test::expectText(easiestChangeText(pin));  // without a range that says no more
    test::expectText(easiestChangeForms(pin));
    EXPECT_FALSE(isEasyAndClear(predicted(ChangeKind::SideStream, 4'500'000, 0)));
    EXPECT_FALSE(isEasyAndClear(predicted(ChangeKind::Pin, 9'100'000, 0))) << "less than a tenth";
    EXPECT_FALSE(isEasyAndClear(predicted(ChangeKind::Pin, 8'000'000, 3'000'000))) << "within the noise";
    pin.changes.push_back(Change{ChangeKind::NonBlocking});
    EXPECT_FALSE(isEasyAndClear(pin)) << "two changes";
}

TEST(PredictionBlocksTest, ASuggestionIsAboveTheNoiseOrBesideIt)
{
    const Prediction clear = predicted(ChangeKind::Pin, 5'000'000, 0);
    const Prediction unclear = predicted(ChangeKind::NonBlocking, 9'900'000, 1'000'000);
    const std::string both = shown({clear, unclear}, {});
    EXPECT_LT(both.find("pin  "), both.find("non_blocking"));
    test::expectText(both);
    test::expectText(shown({unclear}, {}));
}

TEST(PredictionBlocksTest, WhatCouldNotBeTriedIsNotHeldAgainstTheChanges)
{
    ReplayReport report;
    test::expectText(shown({}, report));
    report.missing = {"The trace lacks a rate."};
    test::expectText(shown({}, report));
}

}  // namespace
}  // namespace overlane
