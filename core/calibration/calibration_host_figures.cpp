#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/calibration/calibration_estimates.h"

namespace overlane::estimates
{
namespace
{

constexpr const char* kOneNode = "1 by definition: with one NUMA node no memory is remote";

// The fastest number of threads.
const MeasuredSeries* fastest(const Record& record, const char* probe)
{
    const MeasuredSeries* best = nullptr;
    const auto rateOf = [](const MeasuredSeries& series) {
        return static_cast<double>(series.bytes) / series.statistics.median;
    };
    for (const MeasuredSeries* series : record.all(probe))
        if (series->statistics.median > 0 && (best == nullptr || rateOf(*series) > rateOf(*best)))
            best = series;
    return best;
}

}  // namespace

FigureSpread spreadOf(const SampleStatistics& s, double factor)
{
    return {s.low * factor, s.high * factor, s.samples};
}

// Bytes per second of a series of times; the slowest tenth is the lower end.
Estimate rate(const MeasuredSeries* series, std::string how, double bytesFactor)
{
    if (series == nullptr || !(series->statistics.low > 0))
        return {};
    const SampleStatistics& s = series->statistics;
    const double bytes = static_cast<double>(series->bytes) * bytesFactor * 1e9;
    return FigureEstimate{std::round(bytes / s.median),
                          FigureSpread{std::round(bytes / s.high), std::round(bytes / s.low), s.samples},
                          std::move(how)};
}

Estimate time(const MeasuredSeries* series, std::string how, double factor)
{
    if (series == nullptr)
        return {};
    return FigureEstimate{std::max(0.0, series->statistics.median * factor), spreadOf(series->statistics, factor),
                          std::move(how)};
}

Estimate fact(std::int64_t value, std::string how)
{
    if (value <= 0)
        return {};
    return FigureEstimate{static_cast<double>(value), std::nullopt, std::move(how)};
}

Estimate rateOfLargest(const Record& record, const char* variant, const char* words)
{
    const MeasuredSeries* series = record.largest("copy_event", variant);
    return series == nullptr ? Estimate()
                             : rate(series, fmt::format("{} of {}, between events", words, formatBytes(series->bytes)));
}

Estimate memcpyAlone(const Record& record)
{
    const std::vector<const MeasuredSeries*> threads = record.all("memcpy");
    if (threads.empty() || threads.front()->threads != 1)
        return {};
    return rate(threads.front(), "memcpy in main memory, one thread");
}
Estimate memcpyWarm(const Record& record)
{
    return rate(record.largest("memcpy_warm"), "memcpy into pinned memory of what another thread has just written");
}
Estimate hostWrite(const Record& record)
{
    return rate(record.largest("write"), "a block of touched memory filled by one thread");
}

Estimate freshPages(const Record& record)
{
    const MeasuredSeries* best = fastest(record, "fresh_pages");
    return best == nullptr
               ? Estimate()
               : rate(best, fmt::format("first touch by {} threads, the most of any number", best->threads));
}
Estimate hostMemory(const Record& record)
{
    const MeasuredSeries* best = fastest(record, "memcpy");
    if (best == nullptr)
        return {};
    const auto nodes = static_cast<double>(std::max<std::int64_t>(1, record.machine.nodes));
    return rate(best,
                fmt::format("memcpy by {} threads, bytes read and written{}", best->threads,
                            nodes > 1 ? ", by the number of nodes" : ""),
                2 / nodes);
}
Estimate handOver(const Record& record)
{
    return time(record.largest("hand_over"), "a value put into a queue until another thread's wait for it returned");
}

Estimate remoteMemory(const Record& record)
{
    if (record.machine.nodes < 2)
        return FigureEstimate{1, std::nullopt, kOneNode};
    std::vector<double> local;
    std::vector<double> remote;
    for (const MeasuredSeries& series : record.series)
        if (series.probe == "node_memcpy")
            (series.variant.substr(0, series.variant.find(' ')) == series.variant.substr(series.variant.find(' ') + 1)
                 ? local
                 : remote)
                .push_back(series.statistics.median);
    if (local.empty() || remote.empty())
        return {};
    const SampleStatistics far = statisticsOf(remote);
    const double near = statisticsOf(local).median;
    const auto ratio = [&](double ns) { return std::clamp(near / ns, 0.001, 1.0); };
    return FigureEstimate{ratio(far.median), FigureSpread{ratio(far.high), ratio(far.low), far.samples},
                          "memcpy in another node's memory, by that in its own"};
}

Estimate remoteDma(const Record& record)
{
    if (record.machine.nodes < 2)
        return FigureEstimate{1, std::nullopt, kOneNode};
    double slowest = 0;
    double fastestNs = 0;
    for (const MeasuredSeries& series : record.series)
        if (series.probe == "node_copy") {
            slowest = std::max(slowest, series.statistics.median);
            fastestNs = fastestNs == 0 ? series.statistics.median : std::min(fastestNs, series.statistics.median);
        }
    if (!(slowest > 0))
        return {};
    return FigureEstimate{fastestNs / slowest, std::nullopt,
                          "pinned copy from the farthest node, by that from the nearest"};
}

Estimate deviceMemoryBytes(const Record& record)
{
    return fact(record.machine.deviceMemoryBytes, "as the driver says");
}
Estimate cores(const Record& record)
{
    return fact(record.machine.cores, "processors that the process may use");
}
Estimate nodes(const Record& record)
{
    return fact(record.machine.nodes, "as the system says");
}
Estimate ram(const Record& record)
{
    return fact(record.machine.ramBytes, "MemTotal");
}
Estimate usedRam(const Record& record)
{
    return fact(record.machine.usedRamBytes, "MemTotal less MemAvailable before the calibration");
}
Estimate swap(const Record& record)
{
    if (record.machine.ramBytes <= 0)
        return {};
    return FigureEstimate{static_cast<double>(record.machine.swapBytes), std::nullopt, "SwapTotal"};
}
}  // namespace overlane::estimates
