#include "core/sweep/sweep_curves.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "core/base/units.h"
#include "core/devices/profile_figures.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kSmallest = 4 << 10;
constexpr std::int64_t kLargest = 1 << 30;
constexpr std::int64_t kStep = 4;
constexpr double kNsPerTableUnit = 1000;  // tables of a profile are in microseconds

double nsAtRate(std::int64_t bytes, double bytesPerSecond)
{
    return static_cast<double>(bytes) * 1e9 / bytesPerSecond;
}

SizeCurve curve(std::string group, std::string name, const std::vector<std::int64_t>& sizes,
                const std::function<double(std::int64_t)>& value)
{
    SizeCurve made{std::move(group), std::move(name), {}};
    for (const std::int64_t bytes : sizes) {
        const double at = value(bytes);
        made.points.push_back({bytes, at, at, at});
    }
    return made;
}

// A table of the profile; measured sizes have the spread of their measurement.
SizeCurve tableCurve(std::string group, std::string name, const DeviceProfile& device, const char* key,
                     const std::vector<std::int64_t>& sizes)
{
    const auto tables = profileTables();
    const auto table = std::find_if(tables.begin(), tables.end(),
                                    [key](const ProfileTable& entry) { return std::string_view(entry.key) == key; });
    SizeCurve made = curve(std::move(group), std::move(name), sizes, [&](std::int64_t bytes) {
        return static_cast<double>((device.*table->member).costNs(bytes));
    });
    for (CurvePoint& point : made.points) {
        const auto spread = device.spreads.find(rowKey(key, point.bytes));
        if (spread == device.spreads.end())
            continue;
        point.low = std::min(point.value, spread->second.low * kNsPerTableUnit);
        point.high = std::max(point.value, spread->second.high * kNsPerTableUnit);
    }
    return made;
}

double linkNs(const DeviceProfile& device, std::int64_t bytes, double rate)
{
    return static_cast<double>(device.copyCallNs + device.submitLatencyNs + device.copyLatencyNs) +
           nsAtRate(bytes, rate) + static_cast<double>(device.syncReturnNs);
}

double stagedNs(const DeviceProfile& device, std::int64_t bytes, double rate)
{
    return static_cast<double>(device.copyCallNs + device.copyLatencyNs) + nsAtRate(bytes, rate);
}

}  // namespace

std::vector<std::int64_t> curveSizes()
{
    std::vector<std::int64_t> sizes;
    for (std::int64_t bytes = kSmallest; bytes <= kLargest; bytes *= kStep)
        sizes.push_back(bytes);
    return sizes;
}

CurveSheet allocationCurves(const DeviceProfile& device, const std::vector<std::int64_t>& sizes)
{
    CurveSheet sheet;
    sheet.title = "What a buffer costs, part by part";
    sheet.valueLabel = "Time";
    sheet.unit = kTimeUnit;
    const char* const parts[] = {"allocate", "first touch", "transfer", "free"};
    const auto staged = [&](std::int64_t bytes) { return stagedNs(device, bytes, device.stagingColdBytesPerSecond); };
    const auto direct = [&](std::int64_t bytes) { return linkNs(device, bytes, device.h2dBytesPerSecond); };

    sheet.curves.push_back(tableCurve("pageable", parts[0], device, "malloc_us", sizes));
    sheet.curves.push_back(tableCurve("pageable", parts[1], device, "first_touch_us", sizes));
    sheet.curves.push_back(curve("pageable", parts[2], sizes, staged));
    sheet.curves.push_back(tableCurve("pageable", parts[3], device, "give_back_us", sizes));

    sheet.curves.push_back(tableCurve("pinned", parts[0], device, "host_alloc_us", sizes));
    sheet.curves.push_back(curve("pinned", parts[1], sizes,
                                 [&](std::int64_t bytes) { return nsAtRate(bytes, device.hostWriteBytesPerSecond); }));
    sheet.curves.push_back(curve("pinned", parts[2], sizes, direct));
    sheet.curves.push_back(tableCurve("pinned", parts[3], device, "host_free_us", sizes));

    // Beside its malloc, first touch and free, which are those of pageable memory.
    sheet.curves.push_back(tableCurve("registered", "lock", device, "host_register_us", sizes));
    sheet.curves.push_back(curve("registered", parts[2], sizes, direct));
    sheet.curves.push_back(tableCurve("registered", "unlock", device, "host_unregister_us", sizes));
    sheet.notes = {
        "pageable: malloc, the first write of fresh pages, a staged copy from main memory, pages freed.",
        "pinned: cudaHostAlloc, which makes and locks the pages, so that the first write finds them there.",
        "registered: what cudaHostRegister adds to pageable memory, which is allocated, touched and freed as such.",
        "PyTorch's pool pays allocate and free once per block and then neither; lists of buffers pay each time.",
    };
    return sheet;
}

CurveSheet copyRateCurves(const DeviceProfile& device, const std::vector<std::int64_t>& sizes)
{
    CurveSheet sheet;
    sheet.title = "Copy rate by size, kind of memory and direction";
    sheet.valueLabel = "Rate";
    sheet.unit = kRateUnit;
    const auto rate = [](std::int64_t bytes, double ns) { return static_cast<double>(bytes) / ns; };
    const auto direct = [&](double link) {
        return [&device, rate, link](std::int64_t bytes) { return rate(bytes, linkNs(device, bytes, link)); };
    };
    const auto staged = [&](double staging) {
        return [&device, rate, staging](std::int64_t bytes) { return rate(bytes, stagedNs(device, bytes, staging)); };
    };
    sheet.curves.push_back(curve("to the device", "pinned", sizes, direct(device.h2dBytesPerSecond)));
    sheet.curves.push_back(
        curve("to the device", "pageable, in the cache", sizes, staged(device.stagingWarmBytesPerSecond)));
    sheet.curves.push_back(
        curve("to the device", "pageable, from main memory", sizes, staged(device.stagingColdBytesPerSecond)));
    sheet.curves.push_back(curve("to the host", "pinned", sizes, direct(device.d2hBytesPerSecond)));
    sheet.curves.push_back(curve("to the host", "pageable", sizes, staged(device.stagingD2hBytesPerSecond)));
    sheet.notes = {
        "From the call until the data is there: small copies are all latency, large ones run at the link's rate.",
        "Pageable copies are staged by the driver while the calling thread waits.",
    };
    return sheet;
}

double curveColumnFactor(const CurveSheet& sheet)
{
    return sheet.unit == kRateUnit ? static_cast<double>(kNsPerS) : 1;
}

std::string_view curveColumnUnit(const CurveSheet& sheet)
{
    return sheet.unit == kRateUnit ? "bytes_per_second" : "ns";
}

std::string curvesCsv(const CurveSheet& sheet)
{
    std::string text = "bytes";
    const double factor = curveColumnFactor(sheet);
    for (const SizeCurve& one : sheet.curves)
        text += fmt::format(",\"{0} [{1}]\",\"{0}, low\",\"{0}, high\"", one.fullName(), curveColumnUnit(sheet));
    text += "\r\n";
    const std::size_t rows = sheet.curves.empty() ? 0 : sheet.curves.front().points.size();
    for (std::size_t row = 0; row < rows; ++row) {
        text += fmt::format("{}", sheet.curves.front().points[row].bytes);
        for (const SizeCurve& one : sheet.curves) {
            const CurvePoint& point = one.points[row];
            text += fmt::format(",{:.0f},{:.0f},{:.0f}", point.value * factor, point.low * factor, point.high * factor);
        }
        text += "\r\n";
    }
    return text;
}

}  // namespace overlane
