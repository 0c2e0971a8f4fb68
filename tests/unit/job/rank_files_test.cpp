#include "core/job/rank_files.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTraceText =
    R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]})";

class RankFilesTest : public testing::Test
{
protected:
    RankFiles found(const std::vector<std::string>& paths) const
    {
        auto files = findRanks(paths, m_progress);
        EXPECT_TRUE(files.ok()) << (files.ok() ? "" : files.error());
        return files.ok() ? std::move(files).value() : RankFiles();
    }
    std::string error(const std::string& path) const
    {
        std::string text = findRanks({path}, m_progress).error();
        // Its place is another each time.
        for (std::size_t at = text.find(folder()); at != std::string::npos; at = text.find(folder()))
            text.replace(at, folder().size(), "FOLDER");
        return text;
    }
    std::string folder() const { return m_folder.path().string(); }
    std::vector<std::string> names(const RankFiles& files) const
    {
        std::vector<std::string> made;
        for (const RankFile& file : files.files)
            made.push_back(std::filesystem::relative(file.path(), m_folder.path()).string() +
                           (file.digest.empty() || file.trace.empty() ? "" : "+") +
                           (file.identity.rank ? " " + std::to_string(*file.identity.rank) : ""));
        return made;
    }
    void write(const std::string& name, std::string_view text = kTraceText) const
    {
        std::filesystem::create_directories((m_folder.path() / name).parent_path());
        m_folder.write(name, text);
    }

    test::TempDir m_folder;
    Progress m_progress;
};

// Results and settings beside the traces, thousands of them.
TEST_F(RankFilesTest, JsonWithoutEventsIsLeftOutAndCounted)
{
    write("rank0.json");
    write("rank1.json");
    write("rank2.json", R"({"schemaVersion": 1})");  // a rank by its name: broken, and said so
    for (int at = 0; at < 300; ++at)
        write("result" + std::to_string(at) + ".json", R"({"loss": 1.5})");
    const RankFiles files = found({folder()});
    EXPECT_THAT(names(files), ElementsAre("rank0.json 0", "rank1.json 1", "rank2.json 2"));
    EXPECT_THAT(files.notes, ElementsAre(HasSubstr("297")));
}

TEST_F(RankFilesTest, OfAFolderItsTracesInTheOrderOfRanks)
{
    for (const char* name : {"rank10.json", "rank2.json", "rank1.json", "below/rank3.json"})
        write(name);
    write("rank0.overlane", "broken");
    write("settings.json", "[1, 2]");
    write(".hidden.json");
    write("notes.txt", "text");
    write("rank2.json.digest", "no matter");
    write("rank7.json.gz.digest", "its trace is elsewhere");
    const RankFiles files = found({folder()});
    EXPECT_THAT(names(files), ElementsAre("rank0.overlane 0", "rank1.json 1", "rank2.json+ 2", "rank7.json.gz.digest 7",
                                          "rank10.json 10"));
    ASSERT_EQ(files.notes.size(), 1u);
    test::expectText(files.notes.front());
}

TEST_F(RankFilesTest, OfAFolderWithoutTracesThoseOfTheFoldersInIt)
{
    write("rank_1/trace.json");
    write("rank_0/trace.json");
    write("rank_0/deep/rank9.json");
    EXPECT_THAT(names(found({folder()})), ElementsAre("rank_0/trace.json 0", "rank_1/trace.json 1"));
}

TEST_F(RankFilesTest, FilesAndPatternsAreTakenEachOnce)
{
    for (const char* name : {"trace_0.json", "trace_1.json", "trace_2.json"})
        write(name);
    write("trace_1.json.digest", "beside");
    EXPECT_THAT(names(found({m_folder.path("trace_[12].json"), m_folder.path("trace_1.json")})),
                ElementsAre("trace_1.json+ 1", "trace_2.json 2"));
    EXPECT_THAT(names(found({folder(), m_folder.path("trace_0.json")})),
                ElementsAre("trace_0.json 0", "trace_1.json+ 1", "trace_2.json 2"));
}

TEST_F(RankFilesTest, WhatHoldsNoTracesIsSaid)
{
    std::filesystem::create_directories(m_folder.path() / "empty");
    test::expectText(error(m_folder.path("empty")));
    test::expectText(error(m_folder.path("none.json")));
    write("ranks.tar", std::string(1024, '\0'));
    EXPECT_FALSE(findRanks({m_folder.path("ranks.tar")}, m_progress).ok());
    EXPECT_FALSE(findRanks({m_folder.path("*.json")}, m_progress).ok());
    m_progress.cancel();
    write("a.json");
    EXPECT_TRUE(findRanks({folder()}, m_progress).isCancelled());
}

TEST_F(RankFilesTest, NamesOfAnyBytesAreTaken)
{
    write("rank1_\xff\xfe.json");
    const RankFiles files = found({folder()});
    ASSERT_EQ(files.files.size(), 1u);
    EXPECT_THAT(files.files[0].trace, HasSubstr("rank1_\xff\xfe.json"));
    EXPECT_EQ(files.files[0].identity.rank, 1);
}

TEST_F(RankFilesTest, OfTooManyTheFirstAreTaken)
{
    // One folder under a hundred names, since files are dear to make.
    for (int rank = 0; rank < 100; ++rank)
        write("0/rank" + std::to_string(rank) + ".overlane", "");
    for (int name = 1; name < 100; ++name)
        std::filesystem::create_directory_symlink(m_folder.path() / "0", m_folder.path() / std::to_string(name));
    const RankFiles files = found({folder()});
    ASSERT_EQ(files.files.size(), kMostRanksOfJob);
    EXPECT_EQ(files.files.back().identity.rank, 40);
    EXPECT_THAT(files.notes, testing::SizeIs(1));
    test::expectText(files.notes.front());
}

}  // namespace
}  // namespace overlane
