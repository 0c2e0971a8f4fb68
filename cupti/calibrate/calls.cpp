// Calls of the CUDA runtime: launches, events, waits, and how many launches run ahead.
#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/kernel_launch.h"

namespace overlane
{
namespace
{

constexpr int kCallsInRow = 64;
constexpr std::int64_t kHoldNs = 1'000'000;
constexpr std::int64_t kWaitedForNs = 20'000;
constexpr std::int64_t kLongHoldNs = 40'000'000;
constexpr std::int64_t kBlockedNs = 1'000'000;
constexpr int kMostAhead = 8192;
constexpr int kRunAheadSamples = 5;

template <typename Call>
double callNs(const Call& call)
{
    const std::int64_t startNs = probeNowNs();
    check(call(), "a call");
    return static_cast<double>(probeNowNs() - startNs);
}

// Many calls of one kind behind a kernel, each timed; the rows together are the samples.
template <typename Call>
void inRow(ProbeRun& run, const char* probe, DeviceStream& stream, const Call& call)
{
    ProbeSeries series{probe, {}, 0};
    const int rows = run.quick() ? 2 : 6;
    for (int row = -1; row < rows; ++row) {
        run.mayGoOn();
        check(launchSpin(kHoldNs, {}, stream), "a kernel launch");
        for (int each = 0; each < kCallsInRow; ++each) {
            const double tookNs = callNs(call);
            if (row >= 0)  // the first row warms up
                series.samples.push_back(tookNs);
        }
        stream.wait();
    }
    run.add(std::move(series));
}

double launchesAhead(DeviceStream& stream)
{
    check(launchSpin(kLongHoldNs, {}, stream), "a kernel launch");
    const std::int64_t endNs = probeNowNs() + kLongHoldNs * 3 / 4;
    int ahead = 0;
    while (ahead < kMostAhead && probeNowNs() < endNs) {
        const std::int64_t startNs = probeNowNs();
        check(launchSpin(0, {}, stream), "a kernel launch");
        if (probeNowNs() - startNs > kBlockedNs)
            break;
        ++ahead;
    }
    stream.wait();
    return ahead;
}

}  // namespace

void probeCalls(ProbeRun& run)
{
    DeviceStream stream;
    DeviceStream other;
    DeviceEvent event;
    event.record(other);
    inRow(run, "launch_call", stream, [&] { return launchSpin(0, {}, stream); });
    inRow(run, "event_record", stream, [&] { return cudaEventRecord(event, stream); });
    inRow(run, "stream_wait", stream, [&] { return cudaStreamWaitEvent(stream, event); });
    stream.wait();
    run.repeatOne({"idle_sync", {}, 0}, [&] { return callNs([&] { return cudaStreamSynchronize(stream); }); });
    run.within(0.3);

    DeviceEvent before;
    DeviceEvent after;
    run.repeatOne({"round_trip", {}, 0}, [&] {
        // The kernel's own time, with that of its launch on the device, from a row of them.
        check(launchSpin(kHoldNs / 4, {}, stream), "a kernel launch");
        before.record(stream);
        for (int each = 0; each < 8; ++each)
            check(launchSpin(kWaitedForNs, {}, stream), "a kernel launch");
        after.record(stream);
        stream.wait();
        const double kernelNs = betweenNs(before, after) / 8;
        check(launchSpin(kWaitedForNs, {}, stream), "a kernel launch");
        const std::int64_t calledNs = probeNowNs();
        stream.wait();
        return static_cast<double>(probeNowNs() - calledNs) - kernelNs;
    });
    run.within(0.5);

    ProbeSeries ahead{"run_ahead", {}, 0};
    for (int sample = 0; sample < kRunAheadSamples; ++sample) {
        run.mayGoOn();
        ahead.samples.push_back(launchesAhead(stream));
    }
    run.add(std::move(ahead));
}

}  // namespace overlane
