#include "core/job/packed_list.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "core/job/digest_rows.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

PackedRows packedOf(const std::vector<std::int64_t>& values, std::size_t columns)
{
    return {values.size() / columns, columns, [&](std::size_t row, std::int64_t* into) {
                std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * columns), columns, into);
            }};
}

// A column as wide as each of 0 to 64 bits, between others, at every bit of a byte.
TEST(PackedRows, HoldsEveryWidthExactly)
{
    std::mt19937_64 random(1);
    for (int bits = 0; bits <= 64; ++bits)
        for (std::int64_t besides = 1; besides < 256; besides = besides * 2 + 1) {
            constexpr std::size_t kRows = 9;
            const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
            std::vector<std::int64_t> values;
            for (std::size_t row = 0; row < kRows; ++row) {
                const std::uint64_t added = row == 0 ? 0 : row == 1 ? most : random() & most;
                values.push_back(static_cast<std::int64_t>(random() & static_cast<std::uint64_t>(besides)));
                values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(kLeast) + added));
                values.push_back(-7);
                values.push_back(static_cast<std::int64_t>(added) / 2);
            }
            const PackedRows packed = packedOf(values, 4);
            ASSERT_EQ(packed.rows(), kRows);
            for (std::size_t at = 0; at < values.size(); ++at)
                ASSERT_EQ(packed.at(at / 4, at % 4), values[at]) << bits << " bits, " << besides;
        }
}

TEST(PackedRows, TakesTheBitsThatValuesNeed)
{
    std::vector<std::int64_t> values;
    for (std::int64_t row = 0; row < 1000; ++row) {
        values.push_back(kMost - row % 4);  // 2 bits
        values.push_back(5);                // none
        values.push_back(row % 1000);       // 10
    }
    const PackedRows packed = packedOf(values, 3);
    EXPECT_LE(packed.bytes(), 1000 * 12 / 8 + 8 + 3 * 24u);
    EXPECT_EQ(packedOf({}, 3).rows(), 0u);
}

DigestCollective madeCollective(std::mt19937_64& random)
{
    const auto number = [&] { return static_cast<std::int64_t>(random()); };
    return {.group = static_cast<std::uint32_t>(random()),
            .kind = static_cast<CollectiveKind>(random() % kCollectiveKindCount),
            .receives = random() % 2 == 0,
            .peer = static_cast<std::int16_t>(random()),
            .sequence = number(),
            .step = number(),
            .startNs = number(),
            .durationNs = number(),
            .bytes = number(),
            .exposedNs = number()};
}

DigestStep madeStep(std::mt19937_64& random)
{
    const auto number = [&] { return static_cast<std::int64_t>(random()); };
    DigestStep step;
    step.number = number();
    step.interval = {number(), number()};
    step.computeNs = number();
    step.communicationNs = number();
    for (std::int64_t& ns : step.lostNs)
        ns = number();
    step.warmUp = random() % 2 == 0;
    step.hostNs = number();
    step.hostLoaderNs = number();
    step.hostCopyNs = number();
    step.hostStepNs = number();
    step.heldNs = number();
    return step;
}

// No member of a row is forgotten, and none is cut off.
TEST(PackedList, LosesNothingOfTheRowsOfADigest)
{
    std::mt19937_64 random(2);
    std::vector<DigestCollective> collectives;
    std::vector<DigestStep> steps;
    for (int at = 0; at < 50; ++at) {
        collectives.push_back(madeCollective(random));
        steps.push_back(madeStep(random));
    }
    collectives.push_back({.sequence = kLeast, .step = kMost, .startNs = kLeast, .durationNs = kMost});
    steps.emplace_back().interval = {kLeast, kMost};
    PackedList<DigestCollective> packed(collectives);
    packed.pack();
    ASSERT_TRUE(packed.isPacked());
    EXPECT_EQ(packed, PackedList<DigestCollective>(collectives));
    PackedList<DigestStep> packedSteps(steps);
    packedSteps.pack();
    EXPECT_EQ(packedSteps, PackedList<DigestStep>(steps));
    EXPECT_TRUE(packedSteps.isPacked()) << "comparing changes nothing";
}

TEST(PackedList, CopiesShareUntilOneIsChanged)
{
    PackedList<DigestCollective> first;
    first.pack();
    EXPECT_TRUE(std::as_const(first).empty());
    for (std::int64_t at = 0; at < 5; ++at)
        first.push_back({.startNs = 10 * at});
    first.pack();
    PackedList<DigestCollective> second = first;
    EXPECT_TRUE(second.isPacked());
    second[1].startNs = 12;
    EXPECT_FALSE(second.isPacked());
    EXPECT_TRUE(first.isPacked());
    EXPECT_EQ(std::as_const(first)[1].startNs, 10);
    EXPECT_NE(first, second);
    second.pack();
    EXPECT_EQ(std::as_const(second)[1].startNs, 12);
    const PackedList<DigestCollective>& searched = first;
    const auto after = std::upper_bound(searched.begin(), searched.end(), std::int64_t{25},
                                        [](std::int64_t ns, const DigestCollective& one) { return ns < one.startNs; });
    EXPECT_EQ(after - searched.begin(), 3);
    EXPECT_EQ((*(after - 1)).startNs, searched.begin()[2].startNs);
    second.clear();
    EXPECT_TRUE(std::as_const(second).empty());
    EXPECT_EQ(searched.size(), 5u);
}

}  // namespace
}  // namespace overlane
