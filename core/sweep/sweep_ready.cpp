#include "core/sweep/sweep_ready.h"

#include <algorithm>
#include <cmath>

#include "core/sweep/advisor_candidates.h"

namespace overlane
{
namespace
{

constexpr double kMuchLonger = 4;

SweepAxis listed(std::string_view key, const std::vector<double>& values, bool logarithmic = false)
{
    const Setting& setting = *findSetting(key);
    SweepAxis axis{std::string(key), {}, logarithmic};
    for (double value : values) {
        value = std::clamp(value, setting.minimum, setting.maximum);
        if (setting.kind != SettingKind::Real)
            value = std::round(value);
        if (axis.values.empty() || axis.values.back() != value)
            axis.values.push_back(value);
    }
    return axis;
}

SweepAxis ratios(std::string_view key, double first, double last, std::size_t count)
{
    std::vector<double> values;
    for (std::size_t at = 0; at < count; ++at)
        values.push_back(first * std::pow(last / first, static_cast<double>(at) / static_cast<double>(count - 1)));
    return listed(key, values, true);
}

// Counts up to the machine's cores.
SweepAxis workerCounts(const Scenario& base, const DeviceProfile& device, double first)
{
    const auto cores = static_cast<double>(base.cores > 0 ? base.cores : device.hostCores);
    std::vector<double> values;
    for (const double count : {0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0})
        if (count >= first && (count <= cores || count <= 4))
            values.push_back(count);
    return listed("workers", values);
}

SweepAxis pageableAndPinned()
{
    return listed("pin", {static_cast<double>(PinStrategy::None), static_cast<double>(PinStrategy::Thread)});
}

// As many batches as show the pace of a long run at every point.
std::int64_t longEnough(const SweepPlan& plan)
{
    std::int64_t batches = plan.base.batches;
    for (std::size_t point = 0; point < plan.points(); ++point)
        batches = std::max(batches, longRun(scenarioOf(plan, point, 0)).batches);
    return batches;
}

// Kernels so long that every batch in flight is pinned and waits: the most that pinned memory comes to.
double longerThanLoading(const SweepPlan& plan, const DeviceProfile& device)
{
    double longest = 0;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const Scenario scenario = scenarioOf(plan, point, 0);
        const double loadUs =
            scenario.produceUs + static_cast<double>(scenario.samples) * (scenario.readUs + scenario.transformUs);
        const double copyUs = static_cast<double>(scenario.batchBytes) * 1e6 / device.hostMemcpyBytesPerSecond;
        longest = std::max(longest, kMuchLonger * (loadUs + copyUs));
    }
    return longest;
}

auto planOf(std::function<std::vector<SweepAxis>(const Scenario&, const DeviceProfile&)> axes, bool pinned = false)
{
    return [axes = std::move(axes), pinned](const Scenario& base, const DeviceProfile& device) {
        SweepPlan plan;
        plan.base = base;
        if (pinned && plan.base.pin == PinStrategy::None)
            plan.base.pin = PinStrategy::Thread;
        plan.deviceKey = device.key;
        plan.axes = axes(base, device);
        if (pinned)
            plan.base.computeUs = std::max(plan.base.computeUs, longerThanLoading(plan, device));
        plan.base.batches = longEnough(plan);
        return plan;
    };
}

using Axes = std::vector<SweepAxis>;

std::vector<ReadySweep> makeSweeps()
{
    std::vector<ReadySweep> sweeps;
    const auto add = [&sweeps](std::string_view key, std::string_view title, std::string_view hint,
                               std::string_view metric,
                               std::function<SweepPlan(const Scenario&, const DeviceProfile&)> plan) {
        sweeps.push_back({key, title, hint, metric, std::move(plan), {}});
    };
    sweeps.push_back({"allocation_cost",
                      "What a buffer costs: allocate, first touch, transfer, free",
                      "Pinning costs far more than the copy it speeds up, once: compare 'pinned, allocate' with "
                      "'pageable, transfer' and see after how many uses it has paid.",
                      metric_key::kBatch,
                      {},
                      [](const DeviceProfile& device) { return allocationCurves(device, curveSizes()); }});
    sweeps.push_back({"copy_rate",
                      "Copy rate against size, by kind and direction",
                      "Below some hundred KiB a copy is all latency; above, pageable copies stay at the driver's "
                      "staging rate and pinned ones at the link's.",
                      metric_key::kBatch,
                      {},
                      [](const DeviceProfile& device) { return copyRateCurves(device, curveSizes()); }});
    add("batch_bytes", "Step time against batch size, pageable and pinned",
        "Compute and loading stay as they are: where the line leaves the floor, copies stop hiding.",
        metric_key::kBatch, planOf([](const Scenario& base, const DeviceProfile&) {
            const auto bytes = static_cast<double>(base.batchBytes);
            return Axes{ratios("batch_bytes", bytes / 32, bytes * 4, 15), pageableAndPinned()};
        }));
    add("compute", "Step time against compute per batch, pageable and pinned",
        "To the right kernels are the longest part and pinning wins nothing: that is compute-bound.",
        metric_key::kBatch, planOf([](const Scenario& base, const DeviceProfile&) {
            const double us = base.computeUs > 0 ? base.computeUs : 1000;
            return Axes{ratios("compute_us", us / 10, us * 10, 17), pageableAndPinned()};
        }));
    add("workers", "Step time against workers",
        "The line falls while the loader is the bottleneck; where it is flat, more workers only take memory.",
        metric_key::kBatch,
        planOf([](const Scenario& base, const DeviceProfile& device) { return Axes{workerCounts(base, device, 0)}; }));
    add("prefetch_factor", "Step time against prefetch factor",
        "Prefetching evens out batches that take long now and then; it cannot make a slow loader fast.",
        metric_key::kBatch, planOf([](const Scenario&, const DeviceProfile&) {
            return Axes{listed("prefetch_factor", {1, 2, 3, 4, 6, 8, 12, 16})};
        }));
    add("streams", "Step time against compute streams, by copy stream",
        "Streams help where copies sit in the compute stream and the next batch may go round it.", metric_key::kBatch,
        planOf([](const Scenario&, const DeviceProfile&) {
            return Axes{listed("streams", {1, 2, 3, 4, 6, 8}), listed("copy_stream", {0, 1})};
        }));
    add("tensors", "Step time against tensors per batch",
        "The same bytes in more copies: where the line rises, calls and latencies cost more than the bytes.",
        metric_key::kBatch, planOf([](const Scenario& base, const DeviceProfile&) {
            Axes axes{listed("tensors", {1, 2, 4, 8, 16, 32, 64, 128, 256}, true)};
            std::erase_if(axes[0].values,
                          [&base](double count) { return count > static_cast<double>(base.batchBytes); });
            return axes;
        }));
    add("pinned_workers", "Pinned memory against workers and prefetch factor",
        "Kernels are made so long that every batch in flight, workers times prefetch factor, waits in pinned memory: "
        "the most it can come to.",
        metric_key::kPinnedPeak,
        planOf(
            [](const Scenario& base, const DeviceProfile& device) {
                return Axes{workerCounts(base, device, 1), listed("prefetch_factor", {1, 2, 3, 4, 6, 8})};
            },
            true));
    add("pinned_batch", "Pinned memory against workers and batch size",
        "Blocks are rounded up to a power of two: a batch just above one costs nearly twice as much.",
        metric_key::kPinnedPeak,
        planOf(
            [](const Scenario& base, const DeviceProfile& device) {
                const auto bytes = static_cast<double>(base.batchBytes);
                return Axes{workerCounts(base, device, 1), ratios("batch_bytes", bytes / 8, bytes * 4, 11)};
            },
            true));
    return sweeps;
}

}  // namespace

std::span<const ReadySweep> allSweeps()
{
    static const std::vector<ReadySweep> sweeps = makeSweeps();
    return sweeps;
}

const ReadySweep* findReadySweep(std::string_view key)
{
    for (const ReadySweep& sweep : allSweeps())
        if (sweep.key == key)
            return &sweep;
    return nullptr;
}

}  // namespace overlane
