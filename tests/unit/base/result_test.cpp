#include "core/base/result.h"

#include <gtest/gtest.h>
#include <memory>
#include <type_traits>

#include "tests/support/expect_text.h"

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
    test::expectText(result.error());
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

TEST(ResultTest, TellsACancelFromAFailure)
{
    EXPECT_TRUE(Result<int>(Error::cancelled()).isCancelled());
    EXPECT_TRUE(Result<void>(Error::cancelled()).isCancelled());
    EXPECT_FALSE(Result<int>(Error{"Cancelled."}).isCancelled());
    EXPECT_FALSE(Result<int>(1).isCancelled());
    EXPECT_FALSE(Result<void>().isCancelled());
}

TEST(ResultTest, AFailureHasAPlaceAndACancelNone)
{
    EXPECT_EQ(Error{"no such table"}.in("a.sqlite").message, "a.sqlite: no such table");
    EXPECT_EQ(Error::cancelled().in("a.sqlite").message, Error::cancelled().message);
    EXPECT_TRUE(Error::cancelled().in("a.sqlite").isCancelled());
}

Result<int> half(int number)
{
    return number % 2 == 0 ? Result<int>(number / 2) : Error{"odd"};
}

Result<std::unique_ptr<int>> quarter(int number, int& reached)
{
    ASSIGN_OR_RETURN(const int halved, half(number));
    reached = 1;
    int quartered = 0;
    ASSIGN_OR_RETURN(quartered, half(halved));
    reached = 2;
    return std::make_unique<int>(quartered);
}

Result<void> eighth(int number)
{
    int reached = 0;
    ASSIGN_OR_RETURN(const std::unique_ptr<int> quartered, quarter(number, reached));
    RETURN_IF_ERROR(half(*quartered));
    return number == 0 ? Error::cancelled() : Result<void>();
}

TEST(ResultTest, AnErrorIsHandedOnAndAValueTaken)
{
    int reached = 0;
    EXPECT_EQ(*quarter(12, reached).value(), 3);
    EXPECT_EQ(reached, 2);
    EXPECT_EQ(quarter(10, reached = 0).error(), "odd");
    EXPECT_EQ(reached, 1);
    EXPECT_TRUE(eighth(16).ok());
    EXPECT_EQ(eighth(12).error(), "odd");
    EXPECT_TRUE(eighth(0).isCancelled());
}

// A Result<bool> in a condition would be read two ways.
static_assert(!std::is_convertible_v<Result<bool>, bool>);
static_assert(!std::is_constructible_v<bool, Result<int>>);

}  // namespace
}  // namespace overlane
