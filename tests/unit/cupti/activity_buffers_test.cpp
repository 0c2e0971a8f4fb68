#include "cupti/collector/activity_buffers.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

namespace overlane
{
namespace
{

using Buffer = ActivityBuffers::Buffer;

bool isZero(const Buffer& buffer)
{
    return std::all_of(buffer.data, buffer.data + buffer.size, [](std::uint8_t byte) { return byte == 0; });
}

TEST(ActivityBuffers, AreAlignedAndZeroedAlsoWhenUsedAgain)
{
    ActivityBuffers buffers;
    Buffer buffer = buffers.request();
    ASSERT_NE(buffer.data, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data) % ActivityBuffers::kAlignment, 0u);
    EXPECT_TRUE(isZero(buffer));
    std::fill(buffer.data, buffer.data + buffer.size, std::uint8_t{0xAB});
    buffers.complete(buffer.data, buffer.size, 100);
    const Buffer taken = buffers.take();
    ASSERT_EQ(taken.data, buffer.data);
    EXPECT_EQ(taken.valid, 100u);
    EXPECT_EQ(taken.data[99], 0xAB) << "what is taken is not touched";
    buffers.recycle(taken);
    const Buffer again = buffers.request();
    EXPECT_EQ(again.data, buffer.data);
    EXPECT_TRUE(isZero(again));
    buffers.complete(again.data, again.size, 0);
}

TEST(ActivityBuffers, ComeBackInOrder)
{
    ActivityBuffers buffers;
    const Buffer first = buffers.request();
    const Buffer second = buffers.request();
    buffers.complete(second.data, second.size, 1);
    buffers.complete(first.data, first.size, 1);
    EXPECT_EQ(buffers.take().data, second.data);
    const Buffer last = buffers.take();
    EXPECT_EQ(last.data, first.data);
    EXPECT_EQ(buffers.take().data, nullptr);
    buffers.recycle(last);
    buffers.complete(second.data, second.size, 1);
}

TEST(ActivityBuffers, StayWithinTheirBound)
{
    constexpr std::size_t kBound = 1u << 20;
    ActivityBuffers buffers(kBound);
    std::vector<Buffer> given;
    for (;;) {
        const Buffer buffer = buffers.request();
        if (buffer.data == nullptr)
            break;
        given.push_back(buffer);
        ASSERT_LE(buffers.totalBytes(), kBound);
    }
    EXPECT_EQ(given.back().size, ActivityBuffers::kSmallest) << "small near the bound";
    EXPECT_GT(given.front().size, ActivityBuffers::kSmallest);
    EXPECT_EQ(buffers.refusals(), 1u);
    for (const Buffer& buffer : given)
        buffers.complete(buffer.data, buffer.size, 0);
    for (Buffer buffer = buffers.take(); buffer.data != nullptr; buffer = buffers.take())
        buffers.recycle(buffer);
    const Buffer again = buffers.request();
    EXPECT_NE(again.data, nullptr) << "free again";
    buffers.complete(again.data, again.size, 0);
}

TEST(ActivityBuffers, FollowTheRate)
{
    ActivityBuffers buffers;
    buffers.setRate(100);
    EXPECT_EQ(buffers.bufferBytes(), ActivityBuffers::kSmallest);
    buffers.setRate(1e6);
    EXPECT_EQ(buffers.bufferBytes(), std::size_t{256} << 10);
    buffers.setRate(1e12);
    EXPECT_EQ(buffers.bufferBytes(), ActivityBuffers::kLargest);
    const Buffer buffer = buffers.request();
    EXPECT_EQ(buffer.size, ActivityBuffers::kLargest);
    buffers.complete(buffer.data, buffer.size, 0);
}

TEST(ActivityBuffers, LieReadyBeforeTheProgramAsks)
{
    ActivityBuffers buffers;
    buffers.prepare();
    const std::size_t ready = buffers.totalBytes();
    EXPECT_EQ(ready, 2 * buffers.bufferBytes());
    const Buffer first = buffers.request();
    const Buffer second = buffers.request();
    EXPECT_EQ(buffers.totalBytes(), ready) << "the program allocates nothing";
    buffers.prepare();
    buffers.prepare();
    EXPECT_EQ(buffers.totalBytes(), 2 * ready);
    for (const Buffer& buffer : {first, second})
        buffers.complete(buffer.data, buffer.size, 0);
    ActivityBuffers few(1u << 20);
    few.setRate(1e12);
    few.prepare();
    EXPECT_EQ(few.totalBytes(), 0u) << "the bound holds for these too";
}

TEST(ActivityBuffers, OnceClosedHoldNothing)
{
    ActivityBuffers buffers;
    buffers.prepare();
    const Buffer outside = buffers.request();
    const Buffer taken = buffers.request();
    const Buffer waiting = buffers.request();
    buffers.complete(taken.data, taken.size, 1);
    EXPECT_EQ(buffers.take().data, taken.data);
    buffers.complete(waiting.data, waiting.size, 1);
    buffers.close();
    EXPECT_EQ(buffers.totalBytes(), outside.size + taken.size) << "those that others have";
    EXPECT_EQ(buffers.request().data, nullptr);
    buffers.prepare();
    buffers.recycle(taken);
    buffers.complete(outside.data, outside.size, 1);
    EXPECT_EQ(buffers.take().data, nullptr);
    EXPECT_EQ(buffers.totalBytes(), 0u);
}

TEST(ActivityBuffers, ServeManyThreads)
{
    ActivityBuffers buffers(8u << 20);
    std::vector<std::thread> program;
    constexpr int kRounds = 2'000;
    program.reserve(4);
    for (int thread = 0; thread < 4; ++thread)
        program.emplace_back([&] {
            for (int round = 0; round < kRounds; ++round) {
                const Buffer buffer = buffers.request();
                if (buffer.data == nullptr)
                    continue;
                buffer.data[0] = 1;
                buffers.complete(buffer.data, buffer.size, 1);
            }
        });
    std::size_t taken = 0;
    const auto collect = [&] {
        for (Buffer buffer = buffers.take(); buffer.data != nullptr; buffer = buffers.take()) {
            EXPECT_EQ(buffer.data[0], 1);
            ++taken;
            buffers.recycle(buffer);
        }
    };
    for (int round = 0; round < 1'000; ++round) {
        collect();
        buffers.setRate(round % 2 == 0 ? 100 : 1e6);
    }
    for (std::thread& thread : program)
        thread.join();
    collect();
    EXPECT_EQ(taken + buffers.refusals(), 4u * kRounds);
    EXPECT_LE(buffers.totalBytes(), 8u << 20);
}

}  // namespace
}  // namespace overlane
