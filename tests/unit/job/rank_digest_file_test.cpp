#include "core/job/rank_digest_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "core/job/byte_record.h"
#include "core/job/rank_digest_body.h"
#include "core/job/rank_digest_maker.h"
#include "core/job/rank_digest_thinning.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/job/made_up_digest.h"
#include "tests/unit/job/rank_trace.h"

namespace overlane
{
namespace
{

using test::madeUpDigest;

TEST(RankDigestFile, ComesBackAsItWas)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        RankDigest digest = madeUpDigest(seed, 50, 200);
        const auto again = unpackedDigest(packedDigest(digest));
        ASSERT_TRUE(again.ok()) << again.error();
        EXPECT_EQ(again.value(), digest);
        EXPECT_TRUE(again.value().steps.isPacked() && again.value().collectives.isPacked());
    }
    RankDigest real = digestOf(*test::judgedRank(test::rankTrace(5)), {.rank = 2, .worldSize = 8, .source = "trace"});
    const auto again = unpackedDigest(packedDigest(real));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value(), real);
    EXPECT_EQ(unpackedDigest(packedDigest({})).value(), RankDigest());
}

TEST(RankDigestFile, IsThinnedUntilItFitsAndCountsWhatIsLeftOut)
{
    const RankDigest large = madeUpDigest(3, 6000, 90'000);
    const PackedBytes file = packedDigest(large);
    EXPECT_LE(file.size(), kMostDigestBytes);
    const RankDigest small = unpackedDigest(file).value();
    EXPECT_EQ(static_cast<std::int64_t>(small.steps.size()) + small.stepsLeftOut, 6000);
    EXPECT_EQ(static_cast<std::int64_t>(small.collectives.size()) + small.collectivesLeftOut, 90'000);
    EXPECT_EQ(small.whole, large.whole);
    ASSERT_GT(small.steps.size(), 100u);
    // Evenly, and alike in every rank.
    const std::int64_t apart = small.steps[1].number - small.steps[0].number;
    for (std::size_t at = 1; at < small.steps.size(); ++at)
        EXPECT_EQ(small.steps[at].number - small.steps[at - 1].number, apart);
    EXPECT_EQ(small.steps.front().number % apart, 0);
    ASSERT_FALSE(small.collectives.empty());
    for (std::size_t at = 0; at < small.collectives.size(); ++at)
        EXPECT_EQ(small.collectives[at], large.collectives[at]);
}

TEST(RankDigestFile, WhatCannotBeThinnedGivesWayLast)
{
    RankDigest digest = madeUpDigest(5, 300, 3000);
    std::mt19937 random(5);
    for (int group = 0; group < 400; ++group) {
        DigestGroup made{.name = "group " + std::to_string(group)};
        for (int rank = static_cast<int>(random() % 50); rank < 20'000; rank += 1 + static_cast<int>(random() % 90))
            made.ranks.push_back(rank);
        digest.groups.push_back(made);
    }
    const PackedBytes file = packedDigest(digest);
    EXPECT_LE(file.size(), kMostDigestBytes);
    const RankDigest small = unpackedDigest(file).value();
    EXPECT_LT(small.groups.size(), digest.groups.size());
    EXPECT_EQ(small.collectivesLeftOut, 3000);
    EXPECT_EQ(small.whole, digest.whole);
}

TEST(RankDigestFile, CollectivesAreCutWhereAStepEnds)
{
    RankDigest digest = madeUpDigest(4, 10, 100);  // ten a step
    cutCollectives(digest, 37);
    EXPECT_EQ(digest.collectives.size(), 30u);
    EXPECT_EQ(digest.collectivesLeftOut, 70);
    cutCollectives(digest, 7);  // less than a step
    EXPECT_EQ(digest.collectives.size(), 7u);
    EXPECT_EQ(digest.collectivesLeftOut, 93);
}

TEST(RankDigestFile, StepsWithoutUsefulNumbersAreThinnedByPlace)
{
    RankDigest digest = madeUpDigest(4, 100, 0);
    for (DigestStep& step : digest.steps)
        step.number = 7;
    thinSteps(digest, 25);
    EXPECT_EQ(digest.steps.size(), 25u);
    EXPECT_EQ(digest.stepsLeftOut, 75);
    EXPECT_EQ(digest.steps[1].interval, madeUpDigest(4, 100, 0).steps[4].interval);
}

TEST(RankDigestFile, WhatIsNoDigestIsSaidInOneSentence)
{
    const PackedBytes whole = packedDigest(madeUpDigest(1, 5, 5));
    const auto errorOf = [](PackedBytes bytes) { return unpackedDigest(bytes).error(); };
    PackedBytes cut = whole, flipped = whole, newer = whole;
    cut.resize(cut.size() / 2);
    flipped[flipped.size() - 9] ^= 0x40;
    newer[8] = 9;
    std::string said;
    for (const PackedBytes& bytes :
         {PackedBytes{'x'}, PackedBytes(whole.begin(), whole.begin() + 12), cut, flipped, newer})
        said += errorOf(bytes) + "\n";
    test::expectText(said);
}

TEST(RankDigestFile, SectionsThatAreNewPassUnread)
{
    ByteRecord later;
    later.text("what this version has not");
    const RankDigest expected = madeUpDigest(2, 4, 4);
    ByteRecord body;
    body.number(99);
    body.bytes(later.all());
    PackedBytes bytes = body.all();
    const PackedBytes known = digestBody(expected);
    bytes.insert(bytes.end(), known.begin(), known.end());
    body = {};
    body.number(4000);
    body.bytes(later.all());
    bytes.insert(bytes.end(), body.all().begin(), body.all().end());
    const auto again = digestOfBody(bytes);
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again.value(), expected);
}

TEST(RankDigestFile, IsWrittenAndReadByName)
{
    const test::TempDir folder;
    const RankDigest digest = madeUpDigest(9, 20, 20);
    const std::string path = folder.path("rank.digest");
    ASSERT_TRUE(writeDigest(digest, path).ok());
    EXPECT_EQ(readDigest(path).value(), digest);
    EXPECT_THAT(readDigest(folder.path("none")).error(), testing::HasSubstr("none"));
}

}  // namespace
}  // namespace overlane
