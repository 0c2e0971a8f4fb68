#include "core/replay/rates.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "core/base/saturated.h"
#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// Smaller copies say more of latency than of rate.
constexpr std::int64_t kLargeCopyBytes = 1 << 20;
// Of a link's own figure, what copies reach (H200: 55.6 of 63 GB/s).
constexpr double kLinkShare = 0.88;
// Another machine of the same kind differs by so much.
constexpr double kProfileSpread = 0.05;
constexpr double kPinningSpread = 0.35;
// Staging writes to a small buffer that stays in the processor's cache, a pin thread to memory; and it hands
// batches over in Python. Fitted to pin threads of the matrix in docs/validation/whatif.md.
constexpr double kPinCopyFactor = 1.25;
constexpr std::int64_t kPinBatchNs = 400'000;
constexpr std::size_t kFewRates = 3;

Rate spread(double bytesPerSecond, double share, std::string origin)
{
    return {bytesPerSecond, bytesPerSecond * (1 - share), bytesPerSecond * (1 + share), std::move(origin)};
}

Rate quartiles(const std::vector<double>& rates, const std::string& origin)
{
    return {median(rates), quantile(rates, 0.25), quantile(rates, 0.75), origin};
}

Rate pinnedRate(const ReplayProgram& program, Lane lane, const Trace& trace, const DeviceProfile* profile)
{
    std::vector<double> rates;
    for (const GpuTask& task : program.tasks)
        if (task.lane == lane && task.hostMemory == MemoryKind::Pinned && task.bytes >= kLargeCopyBytes &&
            task.lengthNs > 0)
            rates.push_back(static_cast<double>(task.bytes) * 1e9 / static_cast<double>(task.lengthNs));
    if (rates.size() >= kFewRates) {
        const std::string origin = fmt::format("{} pinned copies of the trace itself", rates.size());
        return quartiles(rates, origin);
    }
    if (profile)
        return spread(lane == Lane::H2D ? profile->h2dBytesPerSecond : profile->d2hBytesPerSecond, kProfileSpread,
                      fmt::format("the device profile {}", profile->key));
    for (const DeviceInfo& device : trace.devices())
        if (device.linkBytesPerSecond > 0)
            return spread(device.linkBytesPerSecond * kLinkShare, kProfileSpread, "the link that the trace names");
    return {};
}

// One thread reading a batch in the loader's memory: the pin thread's own time where there is one, else
// what staging from that memory took.
Rate pinningRate(const ReplayProgram& program, const DeviceProfile* profile)
{
    std::vector<double> pinned, staged;
    std::vector<std::int64_t> stepBytes(program.steps.size() + 1, 0);
    for (const GpuTask& task : program.tasks) {
        if (task.lane != Lane::H2D || task.call == kNoIndex)
            continue;
        const std::int32_t step = program.calls[task.call].step;
        if (step >= 0 && program.loaderOf[program.calls[task.call].thread] == 0)
            stepBytes[static_cast<std::size_t>(step)] += task.bytes;
        if (task.bytes >= kLargeCopyBytes && task.lengthNs > 0 && task.hostMemory == MemoryKind::Pageable)
            staged.push_back(static_cast<double>(task.bytes) * 1e9 / static_cast<double>(task.lengthNs));
    }
    for (const LoaderBatch& batch : program.loader().batches) {
        const std::int32_t step = program.calls[batch.fetch].step;
        if (batch.pinEvent.valid() && batch.pinNs > 0 && step >= 0 && stepBytes[static_cast<std::size_t>(step)] > 0)
            pinned.push_back(static_cast<double>(stepBytes[static_cast<std::size_t>(step)]) * 1e9 /
                             static_cast<double>(batch.pinNs));
    }
    if (pinned.size() >= kFewRates)
        return quartiles(pinned, "the trace's own pin thread");
    if (staged.size() >= kFewRates) {
        Rate rate = quartiles(staged, "the rate at which the host read pageable sources in the trace");
        rate.low *= 1 - kPinningSpread;
        rate.high *= 1 + kPinningSpread;
        return rate;
    }
    if (profile)
        return spread(profile->hostMemcpyBytesPerSecond, kPinningSpread,
                      fmt::format("the device profile {}", profile->key));
    return {};
}

}  // namespace

std::int64_t nsAtRate(std::int64_t bytes, double bytesPerSecond)
{
    return saturatedRound(static_cast<double>(bytes) * 1e9 / bytesPerSecond);
}

const DeviceProfile* profileOf(const Trace& trace)
{
    static constexpr std::array<std::string_view, 4> kModels{"H200", "A100", "4090", "3060"};
    for (const DeviceInfo& device : trace.devices())
        for (const DeviceProfile& profile : allDeviceProfiles()) {
            if (device.name == profile.name)
                return &profile;
            for (const std::string_view model : kModels)
                if (device.name.find(model) != std::string::npos && profile.name.find(model) != std::string::npos)
                    return &profile;
        }
    return nullptr;
}

const DeviceProfile* nearestProfile(const Trace& trace)
{
    struct Near {
        std::string_view part;
        std::string_view profile;
    };
    static constexpr std::array<Near, 15> kNear{{
        {"H100", "h200"},
        {"H800", "h200"},
        {"H20", "h200"},
        {"B200", "h200"},
        {"A800", "a100_pcie4"},
        {"A6000", "a100_pcie4"},
        {"A40", "a100_pcie4"},
        {"A30", "a100_pcie4"},
        {"A10", "a100_pcie4"},
        {"RTX 40", "rtx4090_desktop"},
        {"RTX 50", "rtx4090_desktop"},
        {"L40", "rtx4090_desktop"},
        {"L4", "rtx4090_desktop"},
        {"RTX 30", "rtx3060_laptop"},
        {"RTX A", "a100_pcie4"},
    }};
    for (const DeviceInfo& device : trace.devices())
        for (const Near& near : kNear)
            if (device.name.find(near.part) != std::string::npos)
                return findDeviceProfile(near.profile);
    return nullptr;
}

std::string missingRateText(const Trace& trace)
{
    const std::string name = trace.devices().empty() ? "" : trace.devices().front().name;
    const std::string whose =
        name.empty() ? "the trace does not name its GPU" : fmt::format("no device profile is of its GPU ({})", name);
    const DeviceProfile* near = nearestProfile(trace);
    const std::string like = near ? fmt::format("--device {}, which is of about its age", near->key)
                                  : "--device PROFILE (listed by `overlane run --list`)";
    return fmt::format(
        "How fast pinned copies go is not known: the trace has none, and {}. Name a machine like it with {}, or "
        "the "
        "link's rate with --change link=GB/S next to pin: about 12 on PCIe 3 x16, 25 on PCIe 4, 50 on PCIe 5.",
        whose, like);
}

Rates ratesOf(const Trace& trace, const ReplayProgram& program, const DeviceProfile* profile)
{
    Rates rates;
    rates.pinnedH2d = pinnedRate(program, Lane::H2D, trace, profile);
    rates.pinnedD2h = pinnedRate(program, Lane::D2H, trace, profile);
    // What is simulated is known. Measured: docs/validation/whatif.md.
    const bool simulated = trace.origin().isSimulated && profile;
    rates.pinning = simulated ? spread(profile->hostMemcpyBytesPerSecond, 0, "the simulated machine")
                              : pinningRate(program, profile);
    rates.pinCopyFactor = simulated ? 1 : kPinCopyFactor;
    rates.pinBatchNs = simulated ? 0 : kPinBatchNs;
    rates.copyLatencyNs = profile ? profile->copyLatencyNs : 2500;
    rates.copyCallNs = std::max(program.typicalCallNs, profile ? profile->copyCallNs : 0);
    rates.eventCallNs = profile ? profile->eventCallNs : 500;
    rates.dependencyNs = profile ? profile->dependencyLatencyNs : 5000;
    return rates;
}

}  // namespace overlane
