// Which pageable copies return before the work queued ahead of them has ended.
#include <cstring>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/kernel_launch.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kHoldNs = 3'000'000;
constexpr std::int64_t kLargest = std::int64_t{4} << 20;
constexpr int kSamples = 5;

}  // namespace

void probeStaging(ProbeRun& run)
{
    PageableBlock host(kLargest);
    std::memset(host.at(), 1, static_cast<std::size_t>(kLargest));
    DeviceBlock device(kLargest);
    DeviceStream stream;
    for (std::int64_t bytes = 4096; bytes <= kLargest; bytes *= 2) {
        ProbeSeries series{"inline_copy", "h2d pageable", bytes};
        for (int sample = 0; sample < kSamples; ++sample) {
            run.mayGoOn();
            check(launchSpin(kHoldNs, {}, stream), "a kernel launch");
            const std::int64_t startNs = probeNowNs();
            check(cudaMemcpyAsync(device.at(), host.at(), static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice,
                                  stream),
                  "cudaMemcpyAsync");
            series.samples.push_back(probeNowNs() - startNs < kHoldNs / 2 ? 1 : 0);
            stream.wait();
        }
        run.add(std::move(series));
    }
}

}  // namespace overlane
