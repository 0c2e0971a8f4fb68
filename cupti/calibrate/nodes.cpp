// Pairs of NUMA nodes, and the GPU from memory of each.
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <thread>

#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/node_binding.h"
#include "cupti/engine/node_rates.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kPart = std::int64_t{128} << 20;
constexpr int kSamples = 5;

// On a thread of its own, which keeps its node until it ends; what fails there is thrown here.
template <typename Work>
void onNode(int node, const Work& work)
{
    std::exception_ptr failure;
    std::thread([&] {
        try {
            if (const auto bound = bindThreadToNode(node); !bound.ok())
                throw ProbeFailure(bound.error());
            work();
        } catch (...) {
            failure = std::current_exception();
        }
    }).join();
    if (failure)
        std::rethrow_exception(failure);
}

void pair(ProbeRun& run, int processors, int memory, std::int64_t bytes)
{
    std::optional<PageableBlock> from;
    std::optional<PageableBlock> to;
    onNode(memory, [&] {
        from.emplace(bytes);
        to.emplace(bytes);
        std::memset(from->at(), 1, static_cast<std::size_t>(bytes));
        std::memset(to->at(), 1, static_cast<std::size_t>(bytes));
    });
    ProbeSeries series{"node_memcpy", fmt::format("{} {}", processors, memory), bytes};
    onNode(processors, [&] {
        for (int sample = 0; sample < kSamples; ++sample) {
            const std::int64_t startNs = probeNowNs();
            std::memcpy(to->at(), from->at(), static_cast<std::size_t>(bytes));
            series.samples.push_back(static_cast<double>(probeNowNs() - startNs));
        }
    });
    run.mayGoOn();
    run.add(std::move(series));
}

}  // namespace

void probeNodes(ProbeRun& run)
{
    const auto nodes = static_cast<int>(run.machine().nodes);
    if (nodes < 2)
        return;
    const std::int64_t bytes = std::min(kPart, run.limits().walkBytes / 4);
    for (int processors = 0; processors < nodes; ++processors)
        for (int memory = 0; memory < nodes; ++memory)
            pair(run, processors, memory, bytes);
    constexpr double kProbed = 64 << 20;
    std::vector<ProbeSeries> series;
    series.reserve(static_cast<std::size_t>(nodes));
    for (int node = 0; node < nodes; ++node)
        series.push_back({"node_copy", fmt::format("{}", node), static_cast<std::int64_t>(kProbed)});
    for (int sample = 0; sample < kSamples; ++sample) {
        run.mayGoOn();
        const auto rates = copyRatesOfNodes(run.options().device, nodes);
        if (!rates.ok())
            throw ProbeFailure(rates.error());
        for (std::size_t node = 0; node < series.size(); ++node)
            series[node].samples.push_back(kProbed * 1e9 / rates.value()[node]);
    }
    for (ProbeSeries& each : series)
        run.add(std::move(each));
}

}  // namespace overlane
