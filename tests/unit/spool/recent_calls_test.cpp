#include "core/spool/recent_calls.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

std::int64_t found(const RecentCalls& calls, std::uint32_t correlation)
{
    const RecentCalls::Call* call = calls.find(correlation);
    return call == nullptr ? -1 : call->startNs;
}

TEST(RecentCalls, AllOfFewAreThereHoweverFarApart)
{
    for (const std::uint32_t stride : {1u, 3u, 16u, 4691u, 4096u, 65536u}) {
        RecentCalls calls;
        EXPECT_TRUE(calls.isEmpty());
        constexpr std::uint32_t kCalls = 20'000;
        for (std::uint32_t at = 1; at <= kCalls; ++at)
            calls.add({at * stride, 7, at});
        EXPECT_FALSE(calls.isEmpty());
        std::int64_t missing = 0;
        for (std::uint32_t at = 1; at <= kCalls; ++at)
            missing += found(calls, at * stride) != at;
        EXPECT_EQ(missing, 0) << stride;
        EXPECT_EQ(found(calls, 0), -1);
        EXPECT_EQ(found(calls, kCalls * stride + 1), -1);
    }
}

TEST(RecentCalls, TheLastOfManyAreThere)
{
    RecentCalls calls;
    constexpr std::uint32_t kCalls = 10 * RecentCalls::kAtLeast + 17;
    for (std::uint32_t at = 1; at <= kCalls; ++at)
        calls.add({5 * at, 7, at});
    std::int64_t missing = 0;
    for (std::uint32_t at = kCalls - RecentCalls::kAtLeast + 1; at <= kCalls; ++at)
        missing += found(calls, 5 * at) != at;
    EXPECT_EQ(missing, 0);
    EXPECT_EQ(found(calls, 5), -1) << "memory is bounded";
}

TEST(RecentCalls, OneOfTheSameCorrelationTakesItsPlace)
{
    RecentCalls calls;
    EXPECT_EQ(calls.find(3), nullptr);
    calls.add({3, 1, 10});
    calls.add({3, 2, 20});
    calls.add({0, 2, 30});
    EXPECT_EQ(found(calls, 3), 20);
    EXPECT_EQ(calls.find(3)->thread, 2u);
    EXPECT_EQ(calls.find(0), nullptr);
}

}  // namespace
}  // namespace overlane
