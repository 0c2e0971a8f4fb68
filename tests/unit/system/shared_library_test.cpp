#include "core/system/shared_library.h"

#include <gtest/gtest.h>
#include <utility>

namespace overlane
{
namespace
{

TEST(SharedLibrary, finds_a_function_of_a_loaded_library)
{
    Result<SharedLibrary> library = SharedLibrary::open("libm.so.6");
    ASSERT_TRUE(library.ok()) << library.error();
    const auto cosine = library.value().function<double(double)>("cos");
    ASSERT_NE(cosine, nullptr);
    EXPECT_DOUBLE_EQ(cosine(0.0), 1.0);
}

TEST(SharedLibrary, stays_loaded_when_moved)
{
    SharedLibrary first = SharedLibrary::open("libm.so.6").value();
    const SharedLibrary second = std::move(first);
    EXPECT_NE(second.function<double(double)>("sin"), nullptr);
}

TEST(SharedLibrary, answers_nullptr_for_an_unknown_symbol)
{
    const SharedLibrary library = SharedLibrary::open("libm.so.6").value();
    EXPECT_EQ(library.function<void()>("overlane_has_no_such_symbol"), nullptr);
}

TEST(SharedLibrary, names_the_library_that_is_missing)
{
    const Result<SharedLibrary> library = SharedLibrary::open("liboverlane-absent.so");
    ASSERT_FALSE(library.ok());
    EXPECT_NE(library.error().find("liboverlane-absent.so"), std::string::npos);
}

}  // namespace
}  // namespace overlane
