// Threads together: first touch of fresh memory, and the hand-over of a value.
#include <barrier>
#include <chrono>
#include <deque>
#include <thread>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/actor_queue.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kPart = std::int64_t{64} << 20;
constexpr int kHandOvers = 200;
constexpr auto kAsleepBy = std::chrono::microseconds(200);

double freshPagesNs(std::int64_t threads, std::int64_t bytes)
{
    std::deque<PageableBlock> blocks;
    for (std::int64_t each = 0; each < threads; ++each)
        blocks.emplace_back(bytes);
    std::int64_t startNs = 0;
    std::barrier start(threads, [&]() noexcept { startNs = probeNowNs(); });
    const auto touchOne = [&](PageableBlock& block) {
        start.arrive_and_wait();
        touch(block.at(), bytes);
    };
    std::vector<std::thread> touching;
    for (std::size_t each = 1; each < blocks.size(); ++each)
        touching.emplace_back(touchOne, std::ref(blocks[each]));
    touchOne(blocks.front());
    for (std::thread& thread : touching)
        thread.join();
    return static_cast<double>(probeNowNs() - startNs);
}

void handOver(ProbeRun& run)
{
    ActorQueue queue;
    ProbeSeries series{"hand_over", {}, 0, 2};
    std::thread taker([&] {
        while (const auto putNs = queue.wait()) {
            if (*putNs == kQueueClosed)
                return;
            series.samples.push_back(static_cast<double>(probeNowNs() - *putNs));
        }
    });
    const int count = run.quick() ? kHandOvers / 4 : kHandOvers;
    for (int each = 0; each < count; ++each) {
        std::this_thread::sleep_for(kAsleepBy);
        queue.put(probeNowNs());
    }
    queue.close();
    taker.join();
    run.mayGoOn();
    run.add(std::move(series));
}

}  // namespace

void probeThreads(ProbeRun& run)
{
    for (const std::int64_t threads : run.threadCounts()) {
        const std::int64_t part = std::min(run.quick() ? kPart / 4 : kPart, run.limits().walkBytes / threads);
        run.repeatOne({"fresh_pages", {}, part * threads, threads}, [&] { return freshPagesNs(threads, part); });
    }
    run.within(0.8);
    handOver(run);
}

}  // namespace overlane
