#include "core/replay/prediction_blocks.h"

#include <gtest/gtest.h>
#include <variant>

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

}  // namespace
}  // namespace overlane
