#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

TEST(TemporaryFolderTest, IsGoneWithItsObjectAndAllThatIsInIt)
{
    std::string path;
    {
        auto made = TemporaryFolder::make("test");
        ASSERT_TRUE(made.ok());
        path = made.value().path();
        std::ofstream(made.value().file("a")) << "text";
        EXPECT_TRUE(fs::is_regular_file(path + "/a"));
        EXPECT_EQ(fs::status(path).permissions() & fs::perms::others_all, fs::perms::none);
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolderTest, TheOneThatIsMovedToKeepsIt)
{
    auto made = TemporaryFolder::make("test");
    ASSERT_TRUE(made.ok());
    const std::string path = made.value().path();
    {
        const TemporaryFolder kept = std::move(made).value();
        made = Error{"moved"};
        EXPECT_TRUE(fs::is_directory(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolderTest, WithoutAPlaceForItThatIsSaid)
{
    const char* usual = std::getenv("TMPDIR");
    const std::string before = usual != nullptr ? usual : "";
    setenv("TMPDIR", "/dev/null/nowhere", 1);
    const auto made = TemporaryFolder::make("test");
    if (usual != nullptr)
        setenv("TMPDIR", before.c_str(), 1);
    else
        unsetenv("TMPDIR");
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.error().find("TMPDIR"), std::string::npos);
}

}  // namespace
}  // namespace overlane
