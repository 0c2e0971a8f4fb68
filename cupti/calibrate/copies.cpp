// Copies by size, direction, kind of memory, and whether the source is in a cache: the time of the call, the
// time until done, and the time on the GPU's clock.
#include <cstring>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLargestCopy = std::int64_t{1} << 30;

class CopyTimer
{
public:
    void time(char* to, const char* from, std::int64_t bytes, cudaMemcpyKind kind, std::vector<double>& row)
    {
        m_before.record(m_stream);
        const std::int64_t startNs = probeNowNs();
        check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, m_stream), "cudaMemcpyAsync");
        const std::int64_t calledNs = probeNowNs();
        m_after.record(m_stream);
        m_stream.wait();
        row[2] = betweenNs(m_before, m_after);
        row[0] = static_cast<double>(calledNs - startNs);
        // Without events in the way.
        const std::int64_t againNs = probeNowNs();
        check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, m_stream), "cudaMemcpyAsync");
        m_stream.wait();
        row[1] = static_cast<double>(probeNowNs() - againNs);
    }

private:
    DeviceStream m_stream;
    DeviceEvent m_before;
    DeviceEvent m_after;
};

// Walks through a region, so that what it hands out was not touched for a while.
class Walk
{
public:
    Walk(char* start, std::int64_t bytes) : m_start(start), m_bytes(bytes) {}
    char* next(std::int64_t bytes)
    {
        if (m_at + bytes > m_bytes)
            m_at = 0;
        char* place = m_start + m_at;
        m_at += bytes;
        return place;
    }

private:
    char* m_start;
    std::int64_t m_bytes;
    std::int64_t m_at = 0;
};

enum class Direction : bool { ToDevice, ToHost };

std::vector<ProbeSeries> seriesOf(const std::string& variant, std::int64_t bytes)
{
    return {{"copy_call", variant, bytes}, {"copy_total", variant, bytes}, {"copy_event", variant, bytes}};
}

struct Copier {
    ProbeRun& run;
    CopyTimer timer;
    DeviceBlock device;
    Copier(ProbeRun& of, std::int64_t bytes) : run(of), device(bytes) {}

    void bySize(const std::string& variant, Direction direction, Walk host, bool warm, std::int64_t largest)
    {
        for (const std::int64_t bytes : run.sizes(largest)) {
            char* const still = host.next(bytes);
            if (warm)
                std::memset(still, 1, static_cast<std::size_t>(bytes));
            run.repeat(seriesOf(variant, bytes), [&](std::vector<double>& row) {
                char* const place = warm ? still : host.next(bytes);
                if (direction == Direction::ToDevice)
                    timer.time(device.at(), place, bytes, cudaMemcpyHostToDevice, row);
                else
                    timer.time(place, device.at(), bytes, cudaMemcpyDeviceToHost, row);
            });
        }
    }
};

}  // namespace

void probeCopies(ProbeRun& run)
{
    const std::int64_t largest = std::min({kLargestCopy, run.limits().largestBlockBytes, run.limits().walkBytes});
    const std::int64_t walkBytes = run.limits().walkBytes;
    Copier copier(run, largest);
    {
        PinnedBlock pinned(walkBytes);
        std::memset(pinned.at(), 1, static_cast<std::size_t>(walkBytes));
        copier.bySize("h2d pinned cold", Direction::ToDevice, {pinned.at(), walkBytes}, false, largest);
        copier.bySize("h2d pinned warm", Direction::ToDevice, {pinned.at(), walkBytes}, true, largest);
        run.within(0.2);
        copier.bySize("d2h pinned", Direction::ToHost, {pinned.at(), walkBytes}, true, largest);
        run.within(0.3);
    }
    PageableBlock pageable(walkBytes);
    std::memset(pageable.at(), 1, static_cast<std::size_t>(walkBytes));
    copier.bySize("h2d pageable cold", Direction::ToDevice, {pageable.at(), walkBytes}, false, largest);
    run.within(0.6);
    copier.bySize("h2d pageable warm", Direction::ToDevice, {pageable.at(), walkBytes}, true, largest);
    run.within(0.75);
    copier.bySize("d2h pageable", Direction::ToHost, {pageable.at(), walkBytes}, true, largest);
    run.within(0.9);
    const Registration locked(pageable.at(), walkBytes);
    copier.bySize("h2d registered", Direction::ToDevice, {pageable.at(), walkBytes}, true, largest);
}

}  // namespace overlane
