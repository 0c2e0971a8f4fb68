#include "core/base/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(TextFileTest, WhatWasWrittenIsRead)
{
    const test::TempDir folder;
    const std::string file = folder.path("a.txt");
    const std::string text(200'000, 'x');
    ASSERT_TRUE(writeTextFile(file, text).ok());
    EXPECT_EQ(readTextFile(file).value(), text);
    EXPECT_EQ(textOfFile(file), text);
    EXPECT_EQ(textOfFile(file, 3), "xxx");
    EXPECT_EQ(readTextFile(file, text.size()).value(), text);
}

TEST(TextFileTest, AFileThatIsTooLargeIsRefusedWithItsName)
{
    const test::TempDir folder;
    const std::string file = folder.path("a.txt");
    ASSERT_TRUE(writeTextFile(file, "12345").ok());
    EXPECT_THAT(readTextFile(file, 4).error(), StartsWith(file + " is too large"));
}

TEST(TextFileTest, WhatCannotBeReadIsAnErrorOrNothing)
{
    const test::TempDir folder;
    test::expectText(readTextFile(folder.path("none")).error());
    EXPECT_EQ(textOfFile(folder.path("none")), "");
    EXPECT_THAT(readTextFile(folder.path()).error(), HasSubstr("directory"));
    EXPECT_EQ(textOfFile(folder.path()), "");
}

// It says that it has no bytes.
TEST(TextFileTest, AFileOfTheKernelIsReadToItsEnd)
{
    EXPECT_THAT(textOfFile("/proc/self/status"), HasSubstr("VmRSS"));
    EXPECT_THAT(readTextFile("/proc/self/status").value(), HasSubstr("VmRSS"));
}

}  // namespace
}  // namespace overlane
