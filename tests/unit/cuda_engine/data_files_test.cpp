#include "cupti/engine/data_files.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statfs.h>
#include <thread>
#include <vector>

#include "core/base/units.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

constexpr long kTmpfs = 0x01021994;  // linux/magic.h

bool never()
{
    return false;
}

bool liesInMemory(const std::string& folder)
{
    struct statfs status {
    };
    return statfs(folder.c_str(), &status) == 0 && status.f_type == kTmpfs;
}

TEST(DataFilesTest, NothingIsLeftInTheFolder)
{
    const test::TempDir folder;
    auto files = DataFiles::create(folder.path(""), op::FileRead::Cached, 3 * kMiB, kMiB);
    ASSERT_TRUE(files.ok()) << files.error();
    EXPECT_EQ(files.value().sizeBytes(), 3 * kMiB);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

TEST(DataFilesTest, PartsComeAgainAfterTheLastOne)
{
    const test::TempDir folder;
    auto files = DataFiles::create(folder.path(""), op::FileRead::Cached, 5 * kMiB / 2, kMiB);
    ASSERT_TRUE(files.ok()) << files.error();
    for (int part = 0; part < 7; ++part)  // the half at the end is no part
        EXPECT_TRUE(files.value().read(kMiB, never).ok()) << part;
}

TEST(DataFilesTest, ThreadsReadAtOnce)
{
    const test::TempDir folder;
    auto files = DataFiles::create(folder.path(""), op::FileRead::Cached, 8 * kMiB, kMiB);
    ASSERT_TRUE(files.ok()) << files.error();
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([&files] {
            for (int part = 0; part < 8; ++part)
                EXPECT_TRUE(files.value().read(kMiB, never).ok());
        });
    for (std::thread& thread : threads)
        thread.join();
}

TEST(DataFilesTest, AStoppedReadEndsWithoutAnError)
{
    const test::TempDir folder;
    auto files = DataFiles::create(folder.path(""), op::FileRead::Cached, kMiB, kMiB);
    ASSERT_TRUE(files.ok()) << files.error();
    EXPECT_TRUE(files.value().read(kMiB, [] { return true; }).ok());
}

TEST(DataFilesTest, OffTheDriveWorksWhereThereIsOne)
{
    const test::TempDir folder;
    if (liesInMemory(folder.path("")))
        GTEST_SKIP() << "the temporary folder lies in memory";
    auto files = DataFiles::create(folder.path(""), op::FileRead::Drive, 4 * kMiB, kMiB);
    ASSERT_TRUE(files.ok()) << files.error();
    for (int part = 0; part < 6; ++part)
        EXPECT_TRUE(files.value().read(kMiB, never).ok());
}

TEST(DataFilesTest, AFolderInMemoryHasNoDrive)
{
    if (!liesInMemory("/dev/shm"))
        GTEST_SKIP() << "no folder in memory here";
    const auto files = DataFiles::create("/dev/shm", op::FileRead::Drive, kMiB, kMiB);
    ASSERT_FALSE(files.ok());
    EXPECT_THAT(files.error(), testing::HasSubstr("TMPDIR"));
    EXPECT_TRUE(DataFiles::create("/dev/shm", op::FileRead::Cached, kMiB, kMiB).ok());
}

TEST(DataFilesTest, MoreThanTheFolderHoldsIsRefusedWithTheNumbers)
{
    const test::TempDir folder;
    const auto files = DataFiles::create(folder.path(""), op::FileRead::Cached, 64ll << 40, 16ll << 40);
    ASSERT_FALSE(files.ok());
    EXPECT_THAT(files.error(), testing::AllOf(testing::HasSubstr("TiB"), testing::HasSubstr("file_bytes")));
}

TEST(DataFilesTest, AFolderThatIsNotThereIsNamed)
{
    const auto files = DataFiles::create("/no/such/folder", op::FileRead::Cached, kMiB, kMiB);
    ASSERT_FALSE(files.ok());
    EXPECT_THAT(files.error(), testing::HasSubstr("/no/such/folder"));
}

}  // namespace
}  // namespace overlane
