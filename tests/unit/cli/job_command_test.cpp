#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/io/format.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"
#include "tests/unit/job/rank_trace.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

class JobCommandTest : public testing::Test
{
protected:
    JobCommandTest()
    {
        for (std::uint32_t rank = 0; rank < 3; ++rank) {
            Progress progress;
            test::RankTraceOptions options;
            options.scale = 1000;
            options.properties = {{"rank", std::to_string(rank)}, {"world size", "4"}};
            const std::string path = m_folder.path("rank" + std::to_string(rank) + ".overlane");
            EXPECT_TRUE(writeTrace(test::rankTrace(rank + 1, options), path, progress).ok());
        }
    }
    std::string folder() const { return m_folder.path().string(); }
    nlohmann::json json(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), {"job", "--json"});
        const test::Outcome outcome = test::call(arguments);
        m_error = outcome.err;
        return nlohmann::json::parse(outcome.out);
    }

    test::TempDir m_folder;
    mutable std::string m_error;
};

TEST_F(JobCommandTest, ShowsATableOfTheRanks)
{
    const test::Outcome outcome = test::call({"job", folder()});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    test::expectNarrow(outcome.out);
    test::expectText(outcome.out);
}

TEST_F(JobCommandTest, FourOfEightRanksOfPyTorch)
{
    const test::Outcome outcome =
        test::call({"job", std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/kineto/dlrm_4rank"});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    test::expectNarrow(outcome.out);
    test::expectText(outcome.out);
}

TEST_F(JobCommandTest, NamesThatAreNoTextAreMadeText)
{
    std::filesystem::rename(m_folder.path("rank1.overlane"), m_folder.path("rank1\xff\xfe.overlane"));
    EXPECT_EQ(json({folder()})["read"], 3);
    EXPECT_EQ(test::call({"job", folder()}).code, kExitOk);
}

TEST_F(JobCommandTest, JsonHasTheFiguresOfEachRank)
{
    const nlohmann::json job = json({folder()});
    EXPECT_EQ(job["world_size"], 4);
    EXPECT_THAT(job["missing"].get<std::vector<int>>(), ElementsAre(3));
    ASSERT_EQ(job["ranks"].size(), 3u);
    for (const nlohmann::json& rank : job["ranks"]) {
        std::int64_t sum = 0;
        for (const char* part : {"compute_ns", "exposed_communication_ns", "exposed_copies_ns", "loader_wait_ns",
                                 "host_bound_ns", "idle_ns"}) {
            sum += rank[part].get<std::int64_t>();
            EXPECT_EQ(rank["off_median"][part],
                      rank[part].get<std::int64_t>() - job["median"][part].get<std::int64_t>());
        }
        EXPECT_NEAR(double(sum), rank["step_ns"].get<double>(), 4);
        EXPECT_EQ(rank["rank_from"], "trace");
        EXPECT_EQ(rank["problem"], nullptr);
    }
    std::string keys;
    for (const auto& [key, value] : job.items())
        keys += key + "\n";
    for (const auto& [key, value] : job["ranks"][0].items())
        keys += "ranks[]." + key + "\n";
    test::expectText(keys);
}

TEST_F(JobCommandTest, DigestsAnswerTheSameAsTheirTraces)
{
    const nlohmann::json before = json({folder()});
    const test::Outcome made = test::call({"digest", folder()});
    EXPECT_EQ(made.code, kExitOk) << made.err;
    EXPECT_THAT(made.out, HasSubstr("rank2.overlane.digest\n"));
    nlohmann::json after = json({folder()});
    for (nlohmann::json& rank : after["ranks"]) {
        EXPECT_EQ(rank["from_digest"], true);
        rank["from_digest"] = false;
    }
    EXPECT_EQ(after, before);
    // In a folder of their own, away from the traces.
    const std::string apart = m_folder.path("apart/digests");
    EXPECT_EQ(test::call({"digest", "-o", apart, folder()}).code, kExitOk);
    test::expectFailure(test::call({"info", m_folder.path("rank0.overlane.digest")}), kExitFailed, "is the digest of");
    const nlohmann::json alone = json({apart});
    EXPECT_EQ(alone["median"], before["median"]);
    EXPECT_EQ(alone["ranks"][1]["rank"], 1);
    test::expectFailure(test::call({"digest", apart}), kExitFailed, "digests already");
}

TEST_F(JobCommandTest, TracesOfOneNameGetDigestsOfTheirOwn)
{
    for (const char* rank : {"rank0", "rank1"}) {
        std::filesystem::create_directories(m_folder.path() / "run" / rank);
        std::filesystem::copy_file(m_folder.path(std::string(rank) + ".overlane"),
                                   m_folder.path() / "run" / rank / "trace.overlane");
    }
    const std::string digests = m_folder.path("digests");
    EXPECT_EQ(test::call({"digest", "-o", digests, m_folder.path("run")}).code, kExitOk);
    EXPECT_EQ(json({digests})["read"], 2);
    EXPECT_THAT(json({digests})["doubled"].get<std::vector<int>>(), testing::IsEmpty());
}

TEST_F(JobCommandTest, ABrokenRankIsNamedAndTheRestShown)
{
    m_folder.write("rank3.overlane", "broken");
    const test::Outcome outcome = test::call({"job", folder()});
    EXPECT_EQ(outcome.code, kExitDamaged);
    EXPECT_THAT(outcome.out, HasSubstr("rank 2"));
    EXPECT_THAT(outcome.out, HasSubstr("rank3.overlane"));
    test::expectText(outcome.err);
    const test::Outcome made = test::call({"digest", folder()});
    EXPECT_EQ(made.code, kExitDamaged);
    EXPECT_THAT(made.err, HasSubstr("rank3.overlane"));
    EXPECT_EQ(test::call({"job", m_folder.path("rank3.overlane")}).code, kExitFailed);
}

TEST_F(JobCommandTest, WhatIsNoJobIsSaidInOneSentence)
{
    std::filesystem::create_directory(m_folder.path("empty"));
    test::expectFailure(test::call({"job", m_folder.path("empty")}), kExitFailed, "holds no traces");
    test::expectFailure(test::call({"job", m_folder.path("none")}), kExitFailed, "There is no file");
    test::expectFailure(test::call({"job", ""}), kExitFailed, "A file has no name");
    test::expectFailure(test::call({"digest", "-o", m_folder.path("rank0.overlane"), folder()}), kExitFailed,
                        "is no folder; -o names the folder of the digests");
    test::expectFailure(test::call({"info", folder()}), kExitFailed, "overlane job " + folder());
}

TEST_F(JobCommandTest, ManyRanksAreShownByWhatDiffersMost)
{
    for (int rank = 3; rank < 40; ++rank)
        std::filesystem::copy_file(m_folder.path("rank0.overlane"),
                                   m_folder.path("rank" + std::to_string(rank) + ".overlane"));
    const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    const test::Outcome some = test::call({"job", folder()});
    const test::Outcome all = test::call({"job", "--all", folder()});
    EXPECT_LT(lines(some.out), lines(all.out));
}

}  // namespace
}  // namespace overlane
