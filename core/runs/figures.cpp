#include "core/runs/figures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "core/loader/settings.h"
#include "core/runs/run_metrics.h"

namespace overlane
{
namespace
{

constexpr double kNsPerSecond = 1e9;

DeviceFigure table(std::string_view key, std::string_view description, CostTable DeviceProfile::*member)
{
    return {key, description, kTimeUnit, true, [member](const DeviceProfile& device, double bytes) {
                return static_cast<double>((device.*member).costNs(std::llround(bytes)));
            }};
}

DeviceFigure rate(std::string_view key, std::string_view description, double DeviceProfile::*member)
{
    return {key, description, kRateUnit, false,
            [member](const DeviceProfile& device, double) { return device.*member / kNsPerSecond; }};
}

template <typename T>
DeviceFigure plain(std::string_view key, std::string_view description, const FigureUnit& unit, T DeviceProfile::*member)
{
    return {key, description, unit, false,
            [member](const DeviceProfile& device, double) { return static_cast<double>(device.*member); }};
}

std::vector<DeviceFigure> makeDeviceFigures()
{
    using P = DeviceProfile;
    return {
        table("malloc", "malloc of a size.", &P::mallocCost),
        table("first_touch", "Writing to fresh ordinary memory for the first time.", &P::firstTouchCost),
        table("pinned_alloc", "cudaHostAlloc of a size.", &P::hostAllocCost),
        table("pinned_free", "cudaFreeHost of a size.", &P::hostFreeCost),
        table("register", "cudaHostRegister of memory that was touched before.", &P::hostRegisterCost),
        table("unregister", "cudaHostUnregister of a size.", &P::hostUnregisterCost),
        {"transfer", "Engine time of a copy to the device from pinned memory.", kTimeUnit, true,
         [](const P& device, double bytes) {
             return static_cast<double>(device.copyLatencyNs) + bytes * kNsPerSecond / device.h2dBytesPerSecond;
         }},
        {"memcpy", "Copying a size within the host, on one core.", kTimeUnit, true,
         [](const P& device, double bytes) { return bytes * kNsPerSecond / device.hostMemcpyBytesPerSecond; }},
        rate("h2d_rate", "Copies to the device from pinned memory.", &P::h2dBytesPerSecond),
        rate("d2h_rate", "Copies to the host into pinned memory.", &P::d2hBytesPerSecond),
        rate("both_rate", "Both directions at once, in sum.", &P::bidirectionalBytesPerSecond),
        rate("staging_warm_rate", "Pageable copies to the device, source in the processor's cache.",
             &P::stagingWarmBytesPerSecond),
        rate("staging_cold_rate", "Pageable copies to the device, source in main memory.",
             &P::stagingColdBytesPerSecond),
        rate("memcpy_rate", "Copying within the host, on one core.", &P::hostMemcpyBytesPerSecond),
        plain("copy_call", "The call for an asynchronous copy.", kTimeUnit, &P::copyCallNs),
        plain("launch_call", "The call that launches a kernel.", kTimeUnit, &P::launchCallNs),
        plain("run_ahead", "Operations that may be queued before a call blocks.", kNumberUnit, &P::runAheadLaunches),
        plain("inline_copy", "Pageable copies up to this size return before their transfer.", kSizeUnit,
              &P::inlineCopyBytes),
        plain("staging_chunk", "Piece in which pageable copies are staged.", kSizeUnit, &P::stagingChunkBytes),
        plain("remote_dma_ratio", "Rate of copies from another node's memory to that of the near one.", kNumberUnit,
              &P::remoteDmaRatio),
        plain("ram", "Main memory of the machine.", kSizeUnit, &P::ramBytes),
        plain("swap", "Swap space of the machine.", kSizeUnit, &P::swapBytes),
        plain("cores", "Cores of the machine.", kNumberUnit, &P::hostCores),
        plain("nodes", "NUMA nodes of the machine.", kNumberUnit, &P::numaNodes),
    };
}

FigureUnit unitOf(const Setting& setting)
{
    if (setting.kind == SettingKind::Bytes)
        return kSizeUnit;
    return setting.unit == "us" ? kTimeUnit : kNumberUnit;
}

// The name that shares the longest beginning, for a hint.
template <typename List, typename Key>
void nearest(const List& list, std::string_view wanted, Key key, std::string_view& best, std::size_t& most)
{
    for (const auto& one : list) {
        const std::string_view name = key(one);
        const auto same = static_cast<std::size_t>(
            std::mismatch(name.begin(), name.end(), wanted.begin(), wanted.end()).first - name.begin());
        if (same > most) {
            most = same;
            best = name;
        }
    }
}

}  // namespace

std::span<const DeviceFigure> allDeviceFigures()
{
    static const std::vector<DeviceFigure> figures = makeDeviceFigures();
    return figures;
}

Result<FigureKind> findFigure(bool ofDevice, std::string_view key)
{
    std::string_view best;
    std::size_t most = 0;
    if (ofDevice) {
        for (const DeviceFigure& figure : allDeviceFigures())
            if (figure.key == key)
                return FigureKind{figure.unit, figure.takesBytes};
        nearest(
            allDeviceFigures(), key, [](const DeviceFigure& one) { return one.key; }, best, most);
    } else {
        if (const RunMetric* metric = findRunMetric(key))
            return FigureKind{metric->unit, false};
        if (const Setting* setting = findSetting(key)) {
            if (setting->kind == SettingKind::Choice)
                return Error{fmt::format("'{}' is a choice, not a number", key)};
            return FigureKind{unitOf(*setting), false};
        }
        nearest(
            allRunMetrics(), key, [](const RunMetric& one) { return std::string_view(one.key); }, best, most);
        nearest(
            allSettings(), key, [](const Setting& one) { return one.key; }, best, most);
    }
    return Error{fmt::format("there is no figure '{}'{}{}", key, ofDevice ? " of the device" : "",
                             best.empty() ? std::string() : fmt::format("; did you mean '{}'?", best))};
}

double settingFigure(const Scenario& scenario, std::string_view key)
{
    const Setting* setting = findSetting(key);
    if (setting == nullptr)
        return 0;
    const double value = setting->get(scenario);
    return setting->unit == "us" ? value * 1000 : value;
}

Result<double> runFigure(const JudgedRun& run, std::string_view key)
{
    if (const RunMetric* metric = findRunMetric(key)) {
        const double value = metric->value(run);
        if (!std::isnan(value))
            return value;
        return Error{fmt::format("{} is not known of this run", key)};
    }
    return settingFigure(run.scenario, key);
}

Result<double> deviceFigure(const DeviceProfile& device, const FigureName& name)
{
    for (const DeviceFigure& figure : allDeviceFigures())
        if (figure.key == name.figure)
            return figure.value(device, name.argument);
    return Error{fmt::format("there is no figure '{}' of the device", name.figure)};
}

}  // namespace overlane
