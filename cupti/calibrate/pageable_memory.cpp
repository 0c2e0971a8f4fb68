// malloc, first touch and giving back of pageable memory, by size.
#include <cstdlib>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLargestShared = std::int64_t{1} << 30;

double mallocNs(std::int64_t bytes)
{
    const std::int64_t startNs = probeNowNs();
    void* volatile block = std::malloc(static_cast<std::size_t>(bytes));
    const std::int64_t endNs = probeNowNs();
    if (block == nullptr)
        throw ProbeFailure("malloc failed: no memory");
    std::free(block);
    return static_cast<double>(endNs - startNs);
}

void touchAndGiveBack(std::int64_t bytes, bool shared, std::vector<double>& row)
{
    PageableBlock block(bytes, shared);
    const std::int64_t startNs = probeNowNs();
    touch(block.at(), bytes);
    const std::int64_t touchedNs = probeNowNs();
    block.giveBack();
    row[0] = static_cast<double>(touchedNs - startNs);
    row[1] = static_cast<double>(probeNowNs() - touchedNs);
}

}  // namespace

void probePageableMemory(ProbeRun& run)
{
    const std::vector<std::int64_t> sizes = run.sizes(run.limits().largestBlockBytes);
    for (std::size_t at = 0; at < sizes.size(); ++at) {
        const std::int64_t bytes = sizes[at];
        run.repeatOne({"malloc", {}, bytes}, [&] { return mallocNs(bytes); });
        run.repeat(
            {{"first_touch", {}, bytes}, {"give_back", {}, bytes}},
            [&](std::vector<double>& row) { touchAndGiveBack(bytes, false, row); }, bytes < kLargestShared ? 1 : 0);
        if (bytes <= kLargestShared)
            run.repeat(
                {{"shared_touch", {}, bytes}, {"shared_give_back", {}, bytes}},
                [&](std::vector<double>& row) { touchAndGiveBack(bytes, true, row); }, bytes < kLargestShared ? 1 : 0);
        run.within(static_cast<double>(bytes) / static_cast<double>(sizes.back()));
    }
}

}  // namespace overlane
