// How fast the host reads and writes its memory: memcpy alone and by threads, from a cache, and the writing
// of batches.
#include <barrier>
#include <cstring>
#include <thread>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/pattern.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLargestPart = std::int64_t{64} << 20;
constexpr std::int64_t kBatch = std::int64_t{16} << 20;

void fill(char* block, std::int64_t bytes, std::uint64_t seed)
{
    auto* words = reinterpret_cast<std::uint64_t*>(block);
    const std::uint64_t count = static_cast<std::uint64_t>(bytes) / sizeof(std::uint64_t);
    for (std::uint64_t at = 0; at < count; ++at)
        words[at] = patternWord(seed, at);
}

// All threads copy at once, each `bytes` of its own; from the first start to the last end.
double memcpyNs(char* from, char* to, std::int64_t threads, std::int64_t bytes)
{
    std::int64_t startNs = 0;
    std::barrier start(threads, [&]() noexcept { startNs = probeNowNs(); });
    std::vector<std::thread> copying;
    const auto copyPart = [&](std::int64_t part) {
        start.arrive_and_wait();
        std::memcpy(to + part * bytes, from + part * bytes, static_cast<std::size_t>(bytes));
    };
    for (std::int64_t part = 1; part < threads; ++part)
        copying.emplace_back(copyPart, part);
    copyPart(0);
    for (std::thread& thread : copying)
        thread.join();
    return static_cast<double>(probeNowNs() - startNs);
}

}  // namespace

void probeHostRates(ProbeRun& run)
{
    const std::int64_t half = run.limits().walkBytes / 2;
    PageableBlock from(half);
    PageableBlock to(half);
    std::memset(from.at(), 1, static_cast<std::size_t>(half));
    std::memset(to.at(), 1, static_cast<std::size_t>(half));
    const std::vector<std::int64_t> counts = run.threadCounts();
    for (const std::int64_t threads : counts) {
        const std::int64_t part = std::min(kLargestPart, half / threads / 4096 * 4096);
        // Rounds walk through the blocks, so that few threads do not find their own bytes in the cache.
        const std::int64_t rounds = half / (part * threads);
        std::int64_t round = 0;
        run.repeatOne({"memcpy", {}, part * threads, threads}, [&] {
            const std::int64_t at = (round++ % rounds) * part * threads;
            return memcpyNs(from.at(at), to.at(at), threads, part);
        });
    }
    run.within(0.6);

    const std::int64_t batch = std::min(kBatch, half / 4);
    const std::int64_t places = half / batch;
    std::int64_t place = 0;
    run.repeatOne({"write", {}, batch}, [&] {
        char* const block = to.at((place++ % places) * batch);
        const std::int64_t startNs = probeNowNs();
        fill(block, batch, static_cast<std::uint64_t>(startNs));
        return static_cast<double>(probeNowNs() - startNs);
    });
    run.within(0.7);

    PinnedBlock pinned(std::min(half, std::int64_t{256} << 20));
    const std::int64_t pinnedPlaces = std::min(half, std::int64_t{256} << 20) / batch;
    for (const std::int64_t bytes : {batch / 16, batch / 4, batch})
        run.repeatOne({"memcpy_warm", {}, bytes}, [&] {
            const std::int64_t at = (place++ % pinnedPlaces) * batch;
            std::thread([&] { fill(from.at(), bytes, static_cast<std::uint64_t>(place)); }).join();
            const std::int64_t startNs = probeNowNs();
            std::memcpy(pinned.at(at), from.at(), static_cast<std::size_t>(bytes));
            return static_cast<double>(probeNowNs() - startNs);
        });
}

}  // namespace overlane
