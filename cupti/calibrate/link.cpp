// The link: rows of copies, both directions at once, two streams in one, what it is while it works, and copies
// within the device.
#include "core/system/pcie_link.h"
#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/kernel_launch.h"

namespace overlane
{
namespace
{

constexpr int kCopiesInRow = 32;
constexpr std::int64_t kHoldNs = 400'000;  // longer than queueing the row takes
constexpr std::int64_t kLargestInRow = std::int64_t{16} << 20;
constexpr std::int64_t kSmallestInRow = std::int64_t{64} << 10;

void copy(char* to, const char* from, std::int64_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, stream), "cudaMemcpyAsync");
}

struct Ends {
    DeviceEvent before;
    DeviceEvent after;
};

// Both streams begin once a kernel on a third lets them, so that neither has a start on the other.
template <typename First, typename Second>
double bothNs(const First& first, const Second& second)
{
    DeviceStream gate;
    DeviceStream one;
    DeviceStream two;
    DeviceEvent opened;
    Ends ends;
    DeviceEvent other;
    check(launchSpin(kHoldNs, {}, gate), "a kernel launch");
    opened.record(gate);
    check(cudaStreamWaitEvent(one, opened), "cudaStreamWaitEvent");
    check(cudaStreamWaitEvent(two, opened), "cudaStreamWaitEvent");
    ends.before.record(one);
    first(one);
    second(two);
    other.record(two);
    check(cudaStreamWaitEvent(one, other), "cudaStreamWaitEvent");
    ends.after.record(one);
    one.wait();
    return betweenNs(ends.before, ends.after);
}

}  // namespace

void probeLink(ProbeRun& run)
{
    const std::int64_t large = std::min(std::int64_t{256} << 20, run.limits().largestBlockBytes);
    PinnedBlock host(2 * large);
    DeviceBlock device(2 * large);
    touch(host.at(), 2 * large);
    DeviceStream stream;
    Ends ends;

    for (const std::int64_t bytes : run.sizes(kLargestInRow))
        if (bytes >= kSmallestInRow)
            run.repeatOne({"copy_train", "h2d", bytes}, [&] {
                check(launchSpin(kHoldNs, {}, stream), "a kernel launch");
                ends.before.record(stream);
                for (int each = 0; each < kCopiesInRow; ++each)
                    copy(device.at(), host.at(), bytes, cudaMemcpyHostToDevice, stream);
                ends.after.record(stream);
                stream.wait();
                return betweenNs(ends.before, ends.after) / kCopiesInRow;
            });
    run.within(0.4);

    for (int each = 0; each < 8; ++each)
        copy(device.at(), host.at(), large, cudaMemcpyHostToDevice, stream);
    run.machine().link = pcieLink(run.machine().pciAddress);
    stream.wait();

    run.repeatOne({"both_directions", {}, 2 * large}, [&] {
        return bothNs(
            [&](cudaStream_t to) { copy(device.at(), host.at(), large, cudaMemcpyHostToDevice, to); },
            [&](cudaStream_t from) { copy(host.at(large), device.at(large), large, cudaMemcpyDeviceToHost, from); });
    });
    run.within(0.6);
    run.repeatOne({"two_streams", "h2d", 2 * large}, [&] {
        return bothNs(
            [&](cudaStream_t one) { copy(device.at(), host.at(), large, cudaMemcpyHostToDevice, one); },
            [&](cudaStream_t two) { copy(device.at(large), host.at(large), large, cudaMemcpyHostToDevice, two); });
    });
    run.within(0.8);
    run.repeatOne({"device_copy", {}, 2 * large}, [&] {  // each byte is read and written
        ends.before.record(stream);
        copy(device.at(large), device.at(), large, cudaMemcpyDeviceToDevice, stream);
        ends.after.record(stream);
        stream.wait();
        return betweenNs(ends.before, ends.after);
    });
}

}  // namespace overlane
