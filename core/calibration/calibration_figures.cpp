#include "core/calibration/calibration_figures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/calibration/calibration_estimates.h"

namespace overlane
{
namespace
{

using namespace estimates;

Estimate h2d(const Record& record)
{
    return rateOfLargest(record, "h2d pinned warm", "pinned copy to the device");
}
Estimate d2h(const Record& record)
{
    return rateOfLargest(record, "d2h pinned", "pinned copy to the host");
}
Estimate bothDirections(const Record& record)
{
    return rate(record.largest("both_directions"), "pinned copies both ways at once, sum, between events");
}

// What a copy of a row takes beyond its bytes: the line through rows of copies of several sizes, at size 0.
Estimate copyLatency(const Record& record)
{
    constexpr std::int64_t kLargest = 4 * kMiB;  // above, a thousandth of the rate is more than the latency
    std::vector<std::pair<double, double>> points;
    for (const MeasuredSeries* series : record.all("copy_train", "h2d"))
        if (series->bytes <= kLargest)
            points.emplace_back(series->bytes, series->statistics.median);
    if (points.size() < 2)
        return {};
    const MedianLine line = medianLine(points);
    std::vector<double> rests;
    rests.reserve(points.size());
    for (const auto& [bytes, tookNs] : points)
        rests.push_back(tookNs - line.slope * bytes);
    const auto [low, high] = std::minmax_element(rests.begin(), rests.end());
    return FigureEstimate{std::max(0.0, line.intercept),
                          FigureSpread{*low, *high, static_cast<std::int64_t>(points.size())},
                          "32 pinned copies in a row, of several sizes: the line through their times, at size 0"};
}

// There is no clock on both sides: the two ways are taken as equally long.
Estimate submitLatency(const Record& record)
{
    return time(record.largest("round_trip"),
                "half of what lies between the end of a launch and the return of the wait for it beyond the kernel's "
                "own time",
                0.5);
}
Estimate syncReturn(const Record& record)
{
    return time(record.largest("round_trip"), "the other half of that, from the end of the work to the host", 0.5);
}
Estimate dependency(const Record& record)
{
    return time(record.largest("dependency"),
                "copy and kernel in turns in one stream, less both by themselves, for each change");
}

Estimate slowdown(const Record& record)
{
    const MeasuredSeries* alone = record.largest("kernel_alone");
    const MeasuredSeries* beside = record.largest("kernel_beside_copies");
    if (alone == nullptr || beside == nullptr || !(alone->statistics.median > 0))
        return {};
    const double base = alone->statistics.median;
    const auto ratio = [&](double ns) { return std::max(1.0, ns / base); };
    const SampleStatistics& s = beside->statistics;
    return FigureEstimate{ratio(s.median), FigureSpread{ratio(s.low), ratio(s.high), s.samples},
                          "memory-bound kernel with pinned copies, by the same kernel alone"};
}

// Kernels of many streams end in waves; launching them takes a part of the first wave, so that the number of waves is
// rounded, not that of kernels.
Estimate concurrentKernels(const Record& record)
{
    const MeasuredSeries* series = record.largest("concurrent_kernels");
    if (series == nullptr || !(series->statistics.median > 0))
        return {};
    const auto streams = static_cast<double>(series->threads);
    const auto inWaves = [&](double kernels) {
        return std::round(streams / std::max(1.0, std::round(streams / std::max(1.0, kernels))));
    };
    const SampleStatistics& s = series->statistics;
    return FigureEstimate{inWaves(s.median), FigureSpread{inWaves(s.low), inWaves(s.high), s.samples},
                          fmt::format("spin kernels on {} streams: how many ran at the same time, at least", streams)};
}

Estimate deviceMemory(const Record& record)
{
    return rate(record.largest("device_copy"), "copy within the device, bytes read and written, between events");
}
Estimate copyCall(const Record& record)
{
    return time(record.largest("copy_call", "h2d pinned warm", 16 * kMiB),
                "cudaMemcpyAsync of pinned memory, time of the call");
}
Estimate launchCall(const Record& record)
{
    return time(record.largest("launch_call"), "kernel launch while the GPU has work, time of the call");
}
Estimate eventCall(const Record& record)
{
    const MeasuredSeries* recorded = record.largest("event_record");
    const MeasuredSeries* waited = record.largest("stream_wait");
    if (recorded == nullptr || waited == nullptr)
        return {};
    const SampleStatistics& a = recorded->statistics;
    const SampleStatistics& b = waited->statistics;
    return FigureEstimate{(a.median + b.median) / 2,
                          FigureSpread{std::min(a.low, b.low), std::max(a.high, b.high), a.samples + b.samples},
                          "mean of cudaEventRecord and cudaStreamWaitEvent, times of the calls"};
}
Estimate syncCall(const Record& record)
{
    return time(record.largest("idle_sync"), "cudaStreamSynchronize of an idle stream, time of the call");
}

Estimate runAhead(const Record& record)
{
    const MeasuredSeries* series = record.largest("run_ahead");
    if (series == nullptr || series->statistics.median < 1)
        return {};
    return FigureEstimate{std::round(series->statistics.median), spreadOf(series->statistics),
                          "launches behind a long kernel until one blocked"};
}

// A pageable call returns when its last chunk is staged: what is left then takes as long as a chunk on the link.
Estimate stagingChunk(const Record& record)
{
    const Estimate link = h2d(record);
    const Estimate returned = syncReturn(record);
    std::vector<double> chunks;
    for (const MeasuredSeries* call : record.all("copy_call", "h2d pageable warm")) {
        const MeasuredSeries* total = record.find("copy_total", "h2d pageable warm", call->bytes);
        if (!link || !returned || total == nullptr || call->bytes < 4 * kMiB || call->bytes > 64 * kMiB)
            continue;
        const double restNs = total->statistics.median - call->statistics.median - returned->value;
        if (restNs > 0)
            chunks.push_back(restNs * link->value / 1e9);
    }
    if (chunks.empty())
        return {};
    const SampleStatistics s = statisticsOf(chunks);
    const double chunk =
        static_cast<double>(std::clamp<std::int64_t>(nearestPowerOfTwo(s.median), 64 << 10, 64 * kMiB));
    return FigureEstimate{chunk, spreadOf(s),
                          "what is left of a pageable copy when its call returns, times the link's rate; the power of "
                          "two nearest to it"};
}

Estimate stagingWarm(const Record& record)
{
    const MeasuredSeries* series = record.largest("copy_event", "h2d pageable warm", 16 * kMiB);
    return series == nullptr ? Estimate()
                             : rate(series, fmt::format("pageable copy of {}, source in the last level cache, between "
                                                        "events",
                                                        formatBytes(series->bytes)));
}
Estimate stagingCold(const Record& record)
{
    return rateOfLargest(record, "h2d pageable cold", "pageable copy to the device, source in main memory,");
}
Estimate stagingD2h(const Record& record)
{
    return rateOfLargest(record, "d2h pageable", "copy to pageable memory");
}

// Where a copy repeated from the same place is half-way between the rates of a source in a cache and of one in memory.
Estimate lastLevelCache(const Record& record)
{
    const Estimate warm = stagingWarm(record);
    const Estimate cold = stagingCold(record);
    const std::string system =
        record.machine.lastLevelCacheBytes > 0
            ? fmt::format("; the system says {}", formatBytes(record.machine.lastLevelCacheBytes))
            : std::string();
    if (warm && cold && warm->value > cold->value * 1.1) {
        const double between = std::sqrt(warm->value * cold->value);
        const MeasuredSeries* before = nullptr;
        for (const MeasuredSeries* series : record.all("copy_event", "h2d pageable warm")) {
            const double now = static_cast<double>(series->bytes) * 1e9 / series->statistics.median;
            if (before != nullptr && series->bytes > 16 * kMiB && now < between) {
                const double then = static_cast<double>(before->bytes) * 1e9 / before->statistics.median;
                const double share = std::clamp(std::log(then / between) / std::log(then / now), 0.0, 1.0);
                const double bytes =
                    static_cast<double>(before->bytes) *
                    std::pow(static_cast<double>(series->bytes) / static_cast<double>(before->bytes), share);
                return FigureEstimate{
                    std::round(bytes / kMiB) * kMiB,
                    FigureSpread{static_cast<double>(before->bytes), static_cast<double>(series->bytes), 2},
                    "where the rate of a pageable copy repeated from one place falls half-way from that "
                    "of a cached source to that of main memory" +
                        system};
            }
            before = series;
        }
    }
    return fact(record.machine.lastLevelCacheBytes, "as the system says");
}

Estimate products(const Record& record)
{
    const MeasuredSeries* series = record.largest("matrix_products");
    if (series == nullptr || !(series->statistics.low > 0))
        return {};
    const SampleStatistics& s = series->statistics;
    return FigureEstimate{s.median, FigureSpread{s.low, s.high, s.samples},
                          "matrix products of half precision that stay in registers (WMMA); the share below is then 1"};
}
Estimate allOfIt(const Record& record)
{
    if (!products(record))
        return {};
    return FigureEstimate{1, std::nullopt, "1 by definition: the rate above is itself measured"};
}

}  // namespace

std::span<const FigureRule> calibratedFigures()
{
    static constexpr FigureRule kRules[] = {
        {"device_memory_bytes", deviceMemoryBytes},
        {"h2d_bytes_per_second", h2d},
        {"d2h_bytes_per_second", d2h},
        {"bidirectional_bytes_per_second", bothDirections},
        {"copy_latency_ns", copyLatency},
        {"submit_latency_ns", submitLatency},
        {"dependency_latency_ns", dependency},
        {"device_memory_bytes_per_second", deviceMemory, true},
        {"peak_flops_per_second", products, true},
        {"sustained_flops_share", allOfIt, true},
        {"copy_kernel_slowdown", slowdown},
        {"concurrent_kernels", concurrentKernels},
        {"copy_call_ns", copyCall},
        {"launch_call_ns", launchCall},
        {"event_call_ns", eventCall},
        {"sync_call_ns", syncCall},
        {"sync_return_ns", syncReturn},
        {"run_ahead_launches", runAhead},
        {"staging_chunk_bytes", stagingChunk},
        {"staging_warm_bytes_per_second", stagingWarm},
        {"staging_cold_bytes_per_second", stagingCold},
        {"staging_d2h_bytes_per_second", stagingD2h},
        {"last_level_cache_bytes", lastLevelCache},
        {"host_memcpy_bytes_per_second", memcpyAlone},
        {"host_memcpy_warm_bytes_per_second", memcpyWarm},
        {"host_write_bytes_per_second", hostWrite},
        {"fresh_pages_bytes_per_second", freshPages},
        {"hand_over_ns", handOver},
        {"host_cores", cores},
        {"numa_nodes", nodes},
        {"host_memory_bytes_per_second", hostMemory},
        {"remote_memory_ratio", remoteMemory},
        {"remote_dma_ratio", remoteDma},
        {"ram_bytes", ram},
        {"used_ram_bytes", usedRam},
        {"swap_bytes", swap},
    };
    return kRules;
}

}  // namespace overlane
