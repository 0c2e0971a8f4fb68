#include "core/watch/metric.h"

#include <algorithm>

#include "core/analysis/cause_table.h"

namespace overlane
{
namespace
{

double secondsOf(std::int64_t ns)
{
    return static_cast<double>(ns) * 1e-9;
}

class MetricList
{
public:
    void add(std::string_view name, MetricUnit unit, double value, std::string_view help)
    {
        m_metrics.push_back({name, help, unit, {{{}, value}}});
    }
    // `samples` adds those of one GPU, whose label is given.
    template <typename Samples>
    void addOfGpus(std::string_view name, MetricUnit unit, const std::vector<GpuFigures>& gpus, Samples samples,
                   std::string_view help)
    {
        Metric metric{name, help, unit, {}};
        for (const GpuFigures& gpu : gpus)
            samples(gpu, std::pair<std::string, std::string>("gpu", std::to_string(gpu.id)), metric.samples);
        if (!metric.samples.empty())
            m_metrics.push_back(std::move(metric));
    }
    std::vector<Metric> take() { return std::move(m_metrics); }

private:
    std::vector<Metric> m_metrics;
};

}  // namespace

MetricLabels WatchedProgram::labels() const
{
    MetricLabels labels{{"job", job}, {"host", host}};
    if (!rank.empty())
        labels.emplace_back("rank", rank);
    return labels;
}

std::vector<Metric> watchMetrics(const WindowFigures& window, const WindowChange& change, const WatchCounts& counts)
{
    using enum MetricUnit;
    MetricList list;
    list.add("overlane_windows", None, static_cast<double>(counts.windows),
             "Windows of the program that were recorded and judged since its start.");
    list.add("overlane_windows_failed", None, static_cast<double>(counts.failed),
             "Windows of the program that could not be judged since its start.");
    if (window.number == 0)
        return list.take();
    list.add("overlane_window_end_timestamp_seconds", Seconds, secondsOf(window.endUnixNs),
             "Unix time at which the last window ended.");
    list.add("overlane_window_duration_seconds", Seconds, secondsOf(window.rangeNs),
             "Length of the last window, as far as it was judged.");
    list.add("overlane_window_iterations", None, static_cast<double>(window.steps),
             "Whole iterations in the last window.");
    if (window.stepNs > 0)
        list.add("overlane_step_seconds", Seconds, secondsOf(window.stepNs),
                 "Time of an iteration in the last window.");
    if (change.medianNs > 0) {
        list.add("overlane_step_median_seconds", Seconds, secondsOf(change.medianNs),
                 "Median of the time of an iteration over the windows before the last one.");
        list.add("overlane_step_slower", None, change.isWorse() ? 1 : 0,
                 "1 where iterations of the last window are clearly slower than those of the windows before, else 0.");
    }
    const auto share = [&](std::string_view name, double GpuFigures::*figure, std::string_view help) {
        list.addOfGpus(
            name, Ratio, window.gpus,
            [figure](const GpuFigures& gpu, auto label, auto& samples) {
                samples.push_back({{label}, gpu.*figure});
            },
            help);
    };
    share("overlane_kernel_ratio", &GpuFigures::kernels, "Share of the window in which kernels compute.");
    share("overlane_gpu_idle_ratio", &GpuFigures::idle, "Share of the window in which no kernel, copy or memset runs.");
    list.addOfGpus(
        "overlane_copy_hidden_ratio", Ratio, window.gpus,
        [](const GpuFigures& gpu, auto label, auto& samples) {
            if (gpu.overlap)
                samples.push_back({{label}, *gpu.overlap});
        },
        "Share of the time of copies to the GPU that kernels hide.");
    share("overlane_copy_exposed_ratio", &GpuFigures::exposedCopies,
          "Share of the window in which copies run and no kernel.");
    list.addOfGpus(
        "overlane_copy_exposed_seconds", Seconds, window.gpus,
        [](const GpuFigures& gpu, auto label, auto& samples) {
            samples.push_back({{label}, secondsOf(gpu.exposedCopiesNs)});
        },
        "Time of an iteration in which copies run and no kernel.");
    list.addOfGpus(
        "overlane_copy_bytes", Bytes, window.gpus,
        [](const GpuFigures& gpu, auto label, auto& samples) {
            samples.push_back({{label, {"direction", "to_device"}}, static_cast<double>(gpu.toDeviceBytes)});
            samples.push_back({{label, {"direction", "to_host"}}, static_cast<double>(gpu.toHostBytes)});
        },
        "Bytes that an iteration copies.");
    share("overlane_communication_exposed_ratio", &GpuFigures::exposedCommunication,
          "Share of the window in which data moves between GPUs and no kernel computes.");
    list.addOfGpus(
        "overlane_loss_ratio", Ratio, window.gpus,
        [](const GpuFigures& gpu, auto label, auto& samples) {
            for (const auto& [cause, part] : gpu.losses)
                samples.push_back({{label, {"cause", std::string(rowOf(cause).id)}}, part});
        },
        "Share of the window in which no kernel computes, by its cause.");
    return list.take();
}

}  // namespace overlane
