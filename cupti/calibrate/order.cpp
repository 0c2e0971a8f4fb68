// What one thing after another costs on the device: a kernel after a copy, and kernels side by side.
#include <deque>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/kernel_launch.h"

namespace overlane
{
namespace
{

constexpr int kPairs = 32;
constexpr std::int64_t kHoldNs = 600'000;
constexpr std::int64_t kKernelNs = 100'000;
constexpr std::int64_t kCopyBytes = std::int64_t{4} << 20;
constexpr int kStreams = 64;
constexpr std::int64_t kSideNs = 2'000'000;

class Row
{
public:
    Row() : m_host(kCopyBytes), m_device(kCopyBytes) { touch(m_host.at(), kCopyBytes); }

    double perPairNs(bool copies, bool kernels)
    {
        check(launchSpin(kHoldNs, {}, m_stream), "a kernel launch");
        m_before.record(m_stream);
        for (int pair = 0; pair < kPairs; ++pair) {
            if (copies)
                check(cudaMemcpyAsync(m_device.at(), m_host.at(), static_cast<std::size_t>(kCopyBytes),
                                      cudaMemcpyHostToDevice, m_stream),
                      "cudaMemcpyAsync");
            if (kernels)
                check(launchSpin(kKernelNs, {}, m_stream), "a kernel launch");
        }
        m_after.record(m_stream);
        m_stream.wait();
        return betweenNs(m_before, m_after) / kPairs;
    }

private:
    PinnedBlock m_host;
    DeviceBlock m_device;
    DeviceStream m_stream;
    DeviceEvent m_before;
    DeviceEvent m_after;
};

double kernelsAtOnce(std::deque<DeviceStream>& streams)
{
    DeviceEvent before;
    DeviceEvent after;
    DeviceEvent ended;
    DeviceStream& first = streams.front();
    before.record(first);
    for (DeviceStream& stream : streams)
        check(launchSpin(kSideNs, {}, stream), "a kernel launch");
    for (DeviceStream& stream : streams) {
        ended.record(stream);
        check(cudaStreamWaitEvent(first, ended), "cudaStreamWaitEvent");
    }
    after.record(first);
    first.wait();
    return static_cast<double>(kStreams) * static_cast<double>(kSideNs) / betweenNs(before, after);
}

}  // namespace

void probeOrder(ProbeRun& run)
{
    {
        Row row;
        run.repeatOne({"dependency", {}, kCopyBytes}, [&] {
            const double pairNs = row.perPairNs(true, true);
            return (pairNs - row.perPairNs(true, false) - row.perPairNs(false, true)) / 2;
        });
    }
    std::deque<DeviceStream> streams;
    for (int each = 0; each < kStreams; ++each)
        streams.emplace_back();
    ProbeSeries series{"concurrent_kernels", {}, 0, kStreams};
    kernelsAtOnce(streams);
    for (int sample = 0; sample < 5; ++sample) {
        run.mayGoOn();
        series.samples.push_back(kernelsAtOnce(streams));
    }
    run.add(std::move(series));
}

}  // namespace overlane
