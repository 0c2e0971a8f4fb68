#include "core/base/parallel.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <vector>

namespace overlane
{
namespace
{

TEST(ParallelTest, EveryPieceIsDoneOnce)
{
    std::vector<std::atomic<int>> done(1000);
    runInParallel(done.size(), 4, [&](std::size_t at) {
        ++done[at];
        return true;
    });
    for (const auto& times : done)
        EXPECT_EQ(times, 1);
}

TEST(ParallelTest, FalseAsksForNoMore)
{
    int calls = 0;
    runInParallel(1000, 1, [&](std::size_t at) {
        ++calls;
        return at < 9;
    });
    EXPECT_EQ(calls, 10);
}

TEST(ParallelTest, WhatAnyThreadThrowsReachesTheCaller)
{
    for (const unsigned threads : {1U, 4U}) {
        std::atomic<int> calls = 0;
        const auto work = [&](std::size_t) -> bool {
            ++calls;
            throw std::bad_alloc();
        };
        EXPECT_THROW(runInParallel(1000, threads, work), std::bad_alloc);
        EXPECT_LE(calls, static_cast<int>(threads));
    }
}

}  // namespace
}  // namespace overlane
