#include "core/job/rank_archive.h"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/job/archive_library.h"
#include "core/job/job.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

// A member of a ustar file.
std::string member(const std::string& name, const std::string& text, char type = '0')
{
    constexpr std::size_t kBlock = 512;
    std::string head(kBlock, '\0');
    const auto put = [&](std::size_t at, const std::string& field) { head.replace(at, field.size(), field); };
    put(0, name);
    put(100, "0000644");
    put(124, fmt::format("{:011o}", text.size()));
    put(136, "00000000000");
    put(148, "        ");
    head[156] = type;
    put(257, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char byte : head)
        sum += static_cast<unsigned char>(byte);
    put(148, fmt::format("{:06o}", sum) + '\0');
    return head + text + std::string((kBlock - text.size() % kBlock) % kBlock, '\0');
}

std::string trace(int events)
{
    std::string text = R"({"traceEvents": [)";
    for (int event = 0; event < events; ++event)
        text += fmt::format(R"({}{{"ph": "X", "name": "a", "ts": {}, "dur": 2, "pid": 1, "tid": 1}})",
                            event > 0 ? "," : "", event * 10);
    return text + "]}";
}

class RankArchiveTest : public testing::Test
{
protected:
    Job opened(const std::string& path)
    {
        JobRequest request;
        request.paths = {path};
        auto job = openJob(request, m_progress);
        EXPECT_TRUE(job.ok()) << (job.ok() ? "" : job.error());
        return job.ok() ? std::move(job).value() : Job();
    }
    test::TempDir m_folder;
    Progress m_progress;
};

TEST_F(RankArchiveTest, ItsTracesAreTheRanksWhereverTheirNamesLead)
{
    if (!ArchiveLibrary::get().ok())
        GTEST_SKIP() << "there is no libarchive here";
    const std::string path = m_folder.write(
        "ranks.tar", member("run/rank_1/trace.json", trace(3)) + member("../../../rank0.json", trace(4)) +
                         member("run/settings.json", "[1]") + member("rank2.json", "", '2') + member("readme", "text") +
                         member("rank3.json", "") + std::string(1024, '\0'));
    const Job job = opened(path);
    ASSERT_EQ(job.ranks.size(), 3u);
    EXPECT_EQ(job.ranks[0].identity.rank, 0);
    EXPECT_EQ(job.ranks[0].digest.events, 4);
    EXPECT_EQ(job.ranks[1].identity.rank, 1);
    EXPECT_EQ(job.ranks[1].file.member, path + ": run/rank_1/trace.json");
    EXPECT_THAT(job.ranks[2].problem, HasSubstr(path + ": rank3.json"));
    EXPECT_FALSE(std::filesystem::exists(job.ranks[0].file.path()));  // unpacked for a moment only
}

TEST_F(RankArchiveTest, OfOneThatIsCutOffTheMembersBeforeAreShown)
{
    if (!ArchiveLibrary::get().ok())
        GTEST_SKIP() << "there is no libarchive here";
    std::string bytes = member("rank0.json", trace(3)) + member("rank1.json", trace(100));
    bytes.resize(bytes.size() - 2000);
    const Job job = opened(m_folder.write("ranks.tar", bytes));
    ASSERT_EQ(job.ranks.size(), 2u);
    EXPECT_TRUE(job.ranks[0].isRead());
    EXPECT_THAT(job.notes, testing::SizeIs(1));
}

}  // namespace
}  // namespace overlane
