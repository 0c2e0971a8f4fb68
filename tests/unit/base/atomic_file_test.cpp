#include "core/base/atomic_file.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/base/file_stamp.h"
#include "core/base/temporary_folder.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test
{
protected:
    AtomicFileTest() : m_folder(TemporaryFolder::make("atomic").value()) {}
    std::string file(const std::string& name) const { return m_folder.file(name); }
    std::string text(const std::string& name) const
    {
        std::ifstream stream(file(name));
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(m_folder.path()), {}); }

private:
    TemporaryFolder m_folder;
};

TEST_F(AtomicFileTest, ReplacesAsAWholeOrNotAtAll)
{
    ASSERT_TRUE(writeWhole(file("a"), "old").ok());
    {
        Result<AtomicFile> dropped = AtomicFile::beside(file("a"));
        ASSERT_TRUE(dropped.ok() && dropped.value().write("half").ok());
        EXPECT_EQ(text("a"), "old");
        EXPECT_EQ(files(), 2);
    }
    EXPECT_EQ(text("a"), "old");
    EXPECT_EQ(files(), 1);
    ASSERT_TRUE(writeWhole(file("a"), "new").ok());
    EXPECT_EQ(text("a"), "new");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, EveryNameThatAFileMayHaveCanBeWritten)
{
    for (const std::size_t length : {1u, 200u, 240u, 255u}) {
        const Result<void> written = writeWhole(file(std::string(length, 'n')), "x");
        EXPECT_TRUE(written.ok()) << length << ": " << written.error();
    }
    EXPECT_FALSE(writeWhole(file(std::string(256, 'n')), "x").ok());
    EXPECT_EQ(files(), 4);
}

TEST_F(AtomicFileTest, KeepsLinksAndPermissions)
{
    ASSERT_TRUE(writeWhole(file("real"), "old").ok());
    fs::permissions(file("real"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real", file("link"));
    ASSERT_TRUE(writeWhole(file("link"), "new").ok());
    EXPECT_TRUE(fs::is_symlink(file("link")));
    EXPECT_EQ(text("real"), "new");
    EXPECT_EQ(fs::status(file("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// As root too, whom the system would let replace it.
TEST_F(AtomicFileTest, AReadOnlyFileIsNotReplaced)
{
    ASSERT_TRUE(writeWhole(file("kept"), "old").ok());
    fs::permissions(file("kept"), fs::perms::owner_read | fs::perms::group_read);
    const Result<void> refused = writeWhole(file("kept"), "new");
    ASSERT_FALSE(refused.ok());
    test::expectText(refused.error());
    EXPECT_EQ(text("kept"), "old");
    EXPECT_EQ(files(), 1);
    fs::create_symlink("kept", file("link"));
    EXPECT_FALSE(writeWhole(file("link"), "new").ok());
    EXPECT_EQ(text("kept"), "old");
}

TEST_F(AtomicFileTest, AFileInAReadOnlyFolderIsNotReplaced)
{
    const fs::path folder = file("folder");
    fs::create_directory(folder);
    ASSERT_TRUE(writeWhole(file("folder/kept"), "old").ok());
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    const Result<void> refused = writeWhole(file("folder/kept"), "new");
    fs::permissions(folder, fs::perms::owner_all);
    ASSERT_FALSE(refused.ok());
    test::expectText(refused.error());
    EXPECT_EQ(text("folder/kept"), "old");
}

TEST_F(AtomicFileTest, WhatAKilledProgramLeftGoesWithTheNextOne)
{
    Result<AtomicFile> living = AtomicFile::beside(file("living"));
    ASSERT_TRUE(living.ok());
    std::ofstream(file(".overlane-notes.tmp")) << "not one of ours";
    const pid_t child = ::fork();
    if (child == 0) {
        Result<AtomicFile> cut = AtomicFile::beside(file("cut"));
        (void)cut.value().write("half");
        ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(files(), 3);
    ASSERT_TRUE(writeWhole(file("next"), "x").ok());
    EXPECT_EQ(files(), 3);  // the living one, the stranger's, the next
    EXPECT_TRUE(fs::exists(living.value().temporary()));
    EXPECT_TRUE(living.value().commit().ok());
    EXPECT_TRUE(fs::exists(file(".overlane-notes.tmp")));
}

TEST_F(AtomicFileTest, AFullDiskLeavesTheOldFileAndNothingElse)
{
    ASSERT_TRUE(writeWhole(file("a"), "old").ok());
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit full = before;
    full.rlim_cur = 1000;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &full);
    const Result<void> written = writeWhole(file("a"), std::string(5000, 'x'));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(written.ok());
    test::expectText(written.error());
    EXPECT_EQ(text("a"), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, ManyAtOnceInOneFolderDoNotTakeEachOthersForAbandoned)
{
    std::atomic<int> failed = 0;
    {
        std::vector<std::jthread> writers;
        for (int writer = 0; writer < 8; ++writer)
            writers.emplace_back([&, writer] {
                for (int turn = 0; turn < 100; ++turn)
                    failed += AtomicFile::beside(this->file(std::to_string(writer))).ok() ? 0 : 1;
            });
    }
    EXPECT_EQ(failed, 0);
}

TEST_F(AtomicFileTest, SaysWhyItCannotWrite)
{
    fs::create_directory(file("folder"));
    EXPECT_FALSE(writeWhole(file("folder"), "x").ok());
    EXPECT_FALSE(writeWhole("", "x").ok());
    const Result<void> nowhere = writeWhole(file("no/such/folder/a"), "x");
    ASSERT_FALSE(nowhere.ok());
    test::expectText(nowhere.error());
}

TEST_F(AtomicFileTest, AStampTellsAFileFromItsSuccessor)
{
    EXPECT_FALSE(stampOf(file("a")).has_value());
    ASSERT_TRUE(writeWhole(file("a"), "one").ok());
    const auto before = stampOf(file("a"));
    ASSERT_TRUE(before.has_value());
    EXPECT_EQ(stampOf(file("a")), before);
    Result<AtomicFile> next = AtomicFile::beside(file("a"));
    ASSERT_TRUE(next.ok() && next.value().write("two").ok());
    const auto promised = stampOf(next.value().descriptor());
    ASSERT_TRUE(next.value().commit().ok());
    EXPECT_NE(stampOf(file("a")), before);
    EXPECT_EQ(stampOf(file("a")), promised);
}

}  // namespace
}  // namespace overlane
