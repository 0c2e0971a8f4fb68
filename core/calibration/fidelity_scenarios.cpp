#include "core/calibration/fidelity_scenarios.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/simulation/spread.h"

namespace overlane
{
namespace
{

constexpr double kRunUs = 120'000;  // what a run is meant to take
constexpr std::int64_t kFewestBatches = 8, kMostBatches = 96;
constexpr std::int64_t kMostBytesInFlight = std::int64_t{3} << 30;
constexpr std::int64_t kMostBytesReady = std::int64_t{512} << 20;
// A guess of what moves a batch, only to choose how many there are.
constexpr double kBytesPerUs = 8'000;
constexpr double kFlopsPerUs = 5e8;

class Draw
{
public:
    explicit Draw(std::uint64_t seed) : m_state(seed) {}

    double uniform(double low, double high) { return low + (high - low) * part(); }
    double logarithmic(double low, double high) { return low * std::pow(high / low, part()); }
    std::int64_t whole(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(part() * static_cast<double>(high - low + 1));
    }
    bool oneIn(double number) { return part() < 1 / number; }
    template <typename T, std::size_t Count>
    T of(const std::array<T, Count>& choices)
    {
        return choices[static_cast<std::size_t>(part() * Count)];
    }

private:
    double part() { return static_cast<double>(splitMix(m_state) >> 11) * 0x1p-53; }

    std::uint64_t m_state;
};

constexpr std::array kPins = {PinStrategy::None, PinStrategy::Thread, PinStrategy::Ring, PinStrategy::Register,
                              PinStrategy::Consumer};
constexpr std::array kKernels = {KernelKind::Spin, KernelKind::Memory, KernelKind::Gemm};
constexpr std::array<std::int64_t, 6> kTensors = {1, 1, 2, 4, 8, 16};

std::int64_t batchSize(Draw& draw)
{
    return static_cast<std::int64_t>(draw.logarithmic(64 << 10, 128 << 20)) / 4096 * 4096;
}

double microseconds(Draw& draw, double low, double high)
{
    return std::round(draw.logarithmic(low, high) * 10) / 10;
}

void drawCompute(Draw& draw, Scenario& scenario)
{
    const double copyUs = static_cast<double>(scenario.batchBytes) / kBytesPerUs;
    const double computeUs = std::clamp(copyUs * draw.logarithmic(0.1, 5), 10.0, 8'000.0);
    scenario.kernel = draw.of(kKernels);
    scenario.computeUs = std::round(computeUs * 10) / 10;
    scenario.computeFlops = 0;
    if (scenario.kernel == KernelKind::Gemm && draw.oneIn(3))
        scenario.computeFlops = std::round(computeUs * kFlopsPerUs / 1e6) * 1e6;
}

void drawProduction(Draw& draw, Scenario& scenario)
{
    scenario.readUs = scenario.transformUs = scenario.produceUs = 0;
    scenario.files = Files::Timed;
    scenario.fileBytes = 0;
    if (draw.oneIn(scenario.workers == 0 ? 2.5 : 6))
        return;  // data that lies in memory
    const double workerUs = microseconds(draw, 30, scenario.workers == 0 ? 3'000 : 20'000);
    scenario.samples = draw.whole(1, 64);
    if (draw.oneIn(2)) {
        scenario.transformUs = std::round(workerUs * 10 / static_cast<double>(scenario.samples)) / 10;
        if (draw.oneIn(2))
            scenario.readUs = std::round(scenario.transformUs * draw.uniform(1, 10)) / 10;
    } else {
        scenario.produceUs = workerUs;
    }
    if (draw.oneIn(7)) {
        scenario.files = Files::Cached;
        scenario.fileBytes = static_cast<std::int64_t>(draw.logarithmic(64 << 10, 32 << 20)) / 4096 * 4096;
    }
    scenario.produceSpread = draw.oneIn(3) ? 0 : std::round(draw.uniform(0, 0.4) * 100) / 100;
}

void drawResult(Draw& draw, Scenario& scenario)
{
    scenario.resultBytes = 0;
    scenario.readResultEarly = false;
    if (!draw.oneIn(3))
        return;
    scenario.resultBytes = static_cast<std::int64_t>(draw.logarithmic(4 << 10, 16 << 20)) / 4096 * 4096;
    scenario.readResultEarly = draw.oneIn(5);
}

// What a scenario is, whatever was drawn: settings that say nothing are as by default, the run is short.
void fit(Scenario& scenario)
{
    if (scenario.workers == 0)
        scenario.prefetchFactor = 2;
    const auto perBatch = scenario.workers * scenario.prefetchFactor + scenario.deviceBuffers + 2;
    scenario.batchBytes = std::min(scenario.batchBytes, kMostBytesInFlight / perBatch / 4096 * 4096);
    const auto samples = static_cast<double>(scenario.samples);
    const double workUs = scenario.produceUs + samples * (scenario.readUs + scenario.transformUs) +
                          static_cast<double>(scenario.fileBytes) / kBytesPerUs;
    const double writeUs = static_cast<double>(scenario.batchBytes) / 2'500;
    const double workerUs =
        std::max(workUs, workUs > 0 ? writeUs : 0) / static_cast<double>(std::max<std::int64_t>(1, scenario.workers));
    const double mainUs = static_cast<double>(scenario.batchBytes) / kBytesPerUs +
                          (scenario.computeFlops > 0 ? scenario.computeFlops / kFlopsPerUs : scenario.computeUs) + 30;
    const double batchUs = scenario.workers == 0 ? workerUs + mainUs : std::max(workerUs, mainUs);
    scenario.batches = std::clamp(static_cast<std::int64_t>(kRunUs / batchUs), kFewestBatches, kMostBatches);
    if (workUs == 0)
        scenario.batches = std::clamp(kMostBytesReady / scenario.batchBytes, std::int64_t{4}, scenario.batches);
}

Scenario drawScenario(Draw& draw)
{
    Scenario scenario;
    scenario.seed = static_cast<std::uint64_t>(draw.whole(1, 1000));
    scenario.workers = draw.oneIn(3) ? 0 : draw.whole(1, 8);
    scenario.prefetchFactor = draw.whole(1, 4);
    scenario.deviceBuffers = draw.whole(1, 4);
    scenario.batchBytes = batchSize(draw);
    scenario.tensors = draw.of(kTensors);
    drawProduction(draw, scenario);
    scenario.pin = draw.of(kPins);
    scenario.allocator = draw.oneIn(6) ? Allocator::Fresh : Allocator::Pool;
    scenario.nonBlocking = !draw.oneIn(3);
    scenario.copyStream = draw.oneIn(2) ? CopyStream::Side : CopyStream::Compute;
    scenario.streams = draw.oneIn(2) ? 1 : draw.whole(2, 4);
    drawCompute(draw, scenario);
    drawResult(draw, scenario);
    scenario.syncEveryStep = draw.oneIn(4);
    return scenario;
}

// One knob drawn anew.
Scenario turned(Draw& draw, const Scenario& from)
{
    Scenario to = from;
    while (to == from) {
        switch (draw.whole(0, 11)) {
            case 0:
                to.pin = draw.of(kPins);
                break;
            case 1:
                to.nonBlocking = !to.nonBlocking;
                break;
            case 2:
                to.copyStream = to.copyStream == CopyStream::Side ? CopyStream::Compute : CopyStream::Side;
                break;
            case 3:
                to.workers = draw.whole(from.workers == 0 ? 1 : 0, 8);
                break;
            case 4:
                to.prefetchFactor = from.workers == 0 ? to.prefetchFactor : draw.whole(1, 4);
                break;
            case 5:
                to.deviceBuffers = draw.whole(1, 4);
                break;
            case 6:
                to.streams = draw.whole(1, 4);
                break;
            case 7:
                to.tensors = draw.of(kTensors);
                break;
            case 8:
                to.syncEveryStep = !to.syncEveryStep;
                break;
            case 9:
                drawCompute(draw, to);
                break;
            case 10:
                to.allocator = to.allocator == Allocator::Pool ? Allocator::Fresh : Allocator::Pool;
                break;
            default:
                drawResult(draw, to);
        }
    }
    return to;
}

}  // namespace

std::vector<Scenario> fidelityScenarios(std::int64_t count, std::uint64_t seed)
{
    Draw draw(seed);
    std::vector<Scenario> scenarios;
    while (static_cast<std::int64_t>(scenarios.size()) < count) {
        Scenario first = drawScenario(draw);
        Scenario second = turned(draw, first);
        fit(first);
        fit(second);
        first.batches = second.batches = std::min(first.batches, second.batches);
        first.batchBytes = second.batchBytes = std::min(first.batchBytes, second.batchBytes);
        scenarios.push_back(first);
        scenarios.push_back(second);
    }
    scenarios.resize(static_cast<std::size_t>(count));
    for (std::size_t index = 0; index < scenarios.size(); ++index)
        scenarios[index].name = fmt::format("fidelity {}.{}", seed, index);
    return scenarios;
}

}  // namespace overlane
