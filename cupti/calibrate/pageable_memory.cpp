// malloc, first touch and freeing of pageable memory, by size.
#include <algorithm>
#include <cstdlib>
#include <deque>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLargestShared = std::int64_t{1} << 30;

// Blocks stay for a while, so that each is a new one and not the one just freed.
class Blocks
{
public:
    ~Blocks()
    {
        for (void* block : m_blocks)
            std::free(block);
    }
    double takeNs(std::int64_t bytes)
    {
        if (static_cast<std::int64_t>(m_blocks.size()) >= std::max<std::int64_t>(1, kHeldBytes / bytes)) {
            std::free(m_blocks.front());
            m_blocks.pop_front();
        }
        const std::int64_t startNs = probeNowNs();
        void* const block = std::malloc(static_cast<std::size_t>(bytes));
        const std::int64_t endNs = probeNowNs();
        if (block == nullptr)
            throw ProbeFailure("malloc failed: no memory");
        m_blocks.push_back(block);
        return static_cast<double>(endNs - startNs);
    }

private:
    static constexpr std::int64_t kHeldBytes = std::int64_t{1} << 30;  // none of it touched
    std::deque<void*> m_blocks;
};

void touchAndFree(std::int64_t bytes, bool shared, std::vector<double>& row)
{
    PageableBlock block(bytes, shared);
    const std::int64_t startNs = probeNowNs();
    touch(block.at(), bytes);
    const std::int64_t touchedNs = probeNowNs();
    block.free();
    row[0] = static_cast<double>(touchedNs - startNs);
    row[1] = static_cast<double>(probeNowNs() - touchedNs);
}

}  // namespace

void probePageableMemory(ProbeRun& run)
{
    const std::vector<std::int64_t> sizes = run.sizes(run.limits().largestBlockBytes);
    for (std::size_t at = 0; at < sizes.size(); ++at) {
        const std::int64_t bytes = sizes[at];
        {
            Blocks blocks;
            run.repeatOne({"malloc", {}, bytes}, [&] { return blocks.takeNs(bytes); });
        }
        run.repeat(
            {{"first_touch", {}, bytes}, {"give_back", {}, bytes}},
            [&](std::vector<double>& row) { touchAndFree(bytes, false, row); }, bytes < kLargestShared ? 1 : 0);
        if (bytes <= kLargestShared)
            run.repeat(
                {{"shared_touch", {}, bytes}, {"shared_give_back", {}, bytes}},
                [&](std::vector<double>& row) { touchAndFree(bytes, true, row); }, bytes < kLargestShared ? 1 : 0);
        run.within(static_cast<double>(bytes) / static_cast<double>(sizes.back()));
    }
}

}  // namespace overlane
