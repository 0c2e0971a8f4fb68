#include "core/job/job.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/content/terminal.h"
#include "core/io/format.h"
#include "core/job/job_figures.h"
#include "core/job/rank_digest_file.h"
#include "core/job/rank_reader.h"
#include "core/trace/rank_properties.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/job/rank_trace.h"
#include "tests/unit/job/two_devices.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JobTest : public testing::Test
{
protected:
    std::string folder() const { return m_folder.path().string(); }
    std::string writeRank(const std::string& name, std::uint32_t seed, int rank = -1) const
    {
        test::RankTraceOptions options;
        if (rank >= 0)
            options.properties = {{kRankProperty, std::to_string(rank)}, {kWorldSizeProperty, "4"}};
        Progress progress;
        EXPECT_TRUE(writeTrace(test::rankTrace(seed, options), m_folder.path(name), progress).ok());
        return m_folder.path(name);
    }
    Job opened(JobRequest request = {})
    {
        if (request.paths.empty())
            request.paths = {folder()};
        request.ready = [this](std::size_t place, std::size_t, const JobRank& rank) {
            m_told.push_back(std::to_string(place) + (rank.fromDigest ? " digest"
                                                      : rank.isRead() ? " trace"
                                                                      : " none"));
        };
        auto job = openJob(request, m_progress);
        EXPECT_TRUE(job.ok()) << (job.ok() ? "" : job.error());
        return job.ok() ? std::move(job).value() : Job();
    }

    test::TempDir m_folder;
    Progress m_progress;
    std::vector<std::string> m_told;
};

TEST_F(JobTest, RanksComeInTheirOrderEachWithItsDigest)
{
    writeRank("b.overlane", 1, 0);
    writeRank("a.overlane", 2, 3);
    writeRank("rank9.overlane", 3, 1);  // the trace knows better than its name
    const Job job = opened();
    ASSERT_EQ(job.ranks.size(), 3u);
    EXPECT_EQ(job.ranks[0].identity.rank, 0);
    EXPECT_EQ(job.ranks[1].identity.rank, 1);
    EXPECT_EQ(job.ranks[1].identity.source, "trace");
    EXPECT_EQ(job.ranks[2].identity.rank, 3);
    EXPECT_EQ(job.worldSize(), 4);
    EXPECT_THAT(job.missing(), ElementsAre(2));
    EXPECT_THAT(job.doubled(), IsEmpty());
    EXPECT_EQ(job.ranks[2].digest, digestOfFile(m_folder.path("a.overlane"), {}, m_progress).value());
    EXPECT_EQ(job.ranks[2].digest.file, "a.overlane");
    EXPECT_GT(job.ranks[2].digest.fileBytes, 0);
}

TEST_F(JobTest, DigestsAreReadFirstAndOnlyWhileTheirTraceIsTheSame)
{
    for (int rank = 0; rank < 4; ++rank)
        writeRank("rank" + std::to_string(rank) + ".overlane", static_cast<std::uint32_t>(rank) + 1, rank);
    const Job fresh = opened();
    EXPECT_THAT(m_told, testing::UnorderedElementsAre("0 trace", "1 trace", "2 trace", "3 trace"));
    for (const JobRank& rank : fresh.ranks)
        ASSERT_TRUE(writeDigest(rank.digest, digestPath(rank.file.trace)).ok());
    writeRank("rank1.overlane", 77, 1);                     // another trace than the digest's
    m_folder.write("rank0.overlane.digest", "OVLDIGSTno");  // broken, but there is the trace
    std::filesystem::remove(m_folder.path("rank3.overlane"));
    m_told.clear();
    const Job job = opened({.threads = 1});
    EXPECT_THAT(m_told, ElementsAre("2 digest", "3 digest", "0 trace", "1 trace"));
    EXPECT_EQ(job.ranks[2].digest, fresh.ranks[2].digest);
    EXPECT_EQ(job.ranks[3].digest, fresh.ranks[3].digest);
    EXPECT_EQ(job.ranks[0].digest, fresh.ranks[0].digest);
    EXPECT_NE(job.ranks[1].digest, fresh.ranks[1].digest);
    m_told.clear();
    opened({.useDigests = false});
    EXPECT_THAT(m_told, testing::UnorderedElementsAre("0 trace", "1 trace", "2 trace", "3 digest"));
}

TEST_F(JobTest, EachGpuOfAProcessAloneIsARow)
{
    const std::string path = m_folder.path("two.overlane");
    ASSERT_TRUE(writeTrace(test::twoDevices(), path, m_progress).ok());
    const Job job = opened();
    ASSERT_EQ(job.ranks.size(), 2u);
    EXPECT_TRUE(job.isOfGpus());
    EXPECT_EQ(job.ranks[0].label(), "GPU 0");
    EXPECT_EQ(job.ranks[0].digest.device, "first");
    EXPECT_EQ(job.ranks[1].digest.device, "second");
    EXPECT_EQ(job.ranks[0].digest.steps[1].computeNs, 200);
    EXPECT_EQ(job.ranks[1].digest.steps[1].computeNs, 400);
    EXPECT_THAT(m_told, ElementsAre("0 trace", "1 trace"));
    EXPECT_TRUE(analyzeJob(job).clocks.isOneClock);
    test::expectText(terminalText(jobBlocks(job)));
    EXPECT_TRUE(job.ranks[0].digest.steps.isPacked()) << "what looks at a job unpacks nothing";

    // A digest has one of them.
    ASSERT_TRUE(writeDigest(digestOfFile(path, {}, m_progress).value(), digestPath(path)).ok());
    EXPECT_EQ(opened().ranks.size(), 2u);
}

TEST_F(JobTest, ARankOfSeveralStaysOneRowWhateverItsTraceHolds)
{
    const std::string path = m_folder.path("two.overlane");
    ASSERT_TRUE(writeTrace(test::twoDevices({{kRankProperty, "1"}, {kWorldSizeProperty, "2"}}), path, m_progress).ok());
    const Job job = opened();
    ASSERT_EQ(job.ranks.size(), 1u);
    EXPECT_EQ(job.ranks[0].label(), "rank 1");
    EXPECT_EQ(job.ranks[0].digest.deviceId, 1);
}

TEST_F(JobTest, ABrokenRankDoesNotEndTheRest)
{
    writeRank("rank0.overlane", 1);
    m_folder.write("rank1.overlane", "");
    m_folder.write("rank2.overlane", "no trace at all");
    m_folder.write("rank3.json.gz.digest", "no digest");
    m_folder.write("rank4.json", R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "t)");
    writeRank("rank5.overlane", 2);
    writeRank("rank05.overlane", 2);
    const Job job = opened();
    ASSERT_EQ(job.ranks.size(), 7u);
    EXPECT_TRUE(job.ranks[0].isRead());
    EXPECT_THAT(job.ranks[1].problem, HasSubstr("rank1.overlane"));
    EXPECT_THAT(job.ranks[2].problem, HasSubstr("rank2.overlane"));
    EXPECT_THAT(job.ranks[3].problem, HasSubstr("rank3.json.gz.digest"));
    EXPECT_TRUE(job.ranks[5].isRead());
    EXPECT_THAT(job.doubled(), ElementsAre(5));
    EXPECT_THAT(job.missing(), IsEmpty());
    EXPECT_EQ(job.readRanks(), job.ranks[4].isRead() ? 4u : 3u);
}

TEST_F(JobTest, ReadersThatShareLittleMemoryComeOneAfterAnother)
{
    for (int rank = 0; rank < 6; ++rank)
        writeRank("rank" + std::to_string(rank) + ".overlane", 1);
    const Job job = opened({.threads = 4, .mostBytes = 1});
    EXPECT_EQ(job.readRanks(), 6u);
}

TEST_F(JobTest, ACancelEndsIt)
{
    for (int rank = 0; rank < 3; ++rank)
        writeRank("rank" + std::to_string(rank) + ".overlane", 1);
    JobRequest request;
    request.paths = {folder()};
    request.threads = 1;
    int told = 0;
    request.ready = [&](std::size_t, std::size_t, const JobRank&) {
        ++told;
        m_progress.cancel();
    };
    EXPECT_TRUE(openJob(request, m_progress).isCancelled());
    EXPECT_EQ(told, 1);
}

TEST(RankReader, ALargerFileTakesMoreMemory)
{
    EXPECT_EQ(memoryToRead("a.overlane", 0), memoryToRead("a.overlane", 1));
    EXPECT_GT(memoryToRead("a.overlane", 1 << 30), memoryToRead("a.json.gz", 1 << 30));
    EXPECT_GT(memoryToRead("a.json.gz", 1 << 30), memoryToRead("a.json", 1 << 30));
    EXPECT_GT(memoryToRead("a.overlane", std::numeric_limits<std::int64_t>::max()), 0);
}

}  // namespace
}  // namespace overlane
