#include "core/base/result.h"

#include <gtest/gtest.h>
#include <memory>
#include <type_traits>

namespace overlane
{
namespace
{

TEST(ResultTest, KeepsAValue)
{
    Result<int> result = 7;
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.value(), 7);
    result.value() = 8;
    EXPECT_EQ(result.value(), 8);
}

TEST(ResultTest, KeepsAnError)
{
    const Result<int> result = Error{"The file is empty."};
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.error(), "The file is empty.");
}

TEST(ResultTest, TellsAnErrorFromAStringValue)
{
    const Result<std::string> value = std::string("text");
    const Result<std::string> error = Error{"text"};
    EXPECT_TRUE(value.ok());
    EXPECT_FALSE(error.ok());
}

TEST(ResultTest, MovesAValueOut)
{
    Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
    const std::unique_ptr<int> taken = std::move(result).value();
    EXPECT_EQ(*taken, 3);
}

TEST(ResultTest, VoidIsSuccessUnlessGivenAnErrorEvenAnEmptyOne)
{
    EXPECT_TRUE(Result<void>().ok());
    const Result<void> failed = Error{""};
    EXPECT_FALSE(failed.ok());
    EXPECT_EQ(failed.error(), "");
}

// A Result<bool> in a condition would be read two ways.
static_assert(!std::is_convertible_v<Result<bool>, bool>);
static_assert(!std::is_constructible_v<bool, Result<int>>);

}  // namespace
}  // namespace overlane
