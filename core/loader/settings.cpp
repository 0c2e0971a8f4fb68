#include "core/loader/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <optional>

#include "core/base/units.h"
#include "core/loader/settings_table.h"

namespace overlane
{
namespace
{

// Copies in a run, so that a slip of the finger does not fill the memory with events.
constexpr std::int64_t kMostCopies = 2'000'000;

std::size_t editDistance(std::string_view left, std::string_view right)
{
    std::vector<std::size_t> row(right.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= left.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (left[i - 1] != right[j - 1])});
            diagonal = above;
        }
    }
    return row.back();
}

Error unknownKey(std::string_view key)
{
    const auto settings = allSettings();
    const auto nearest = std::min_element(settings.begin(), settings.end(), [key](const Setting& a, const Setting& b) {
        return editDistance(a.key, key) < editDistance(b.key, key);
    });
    return Error{fmt::format("There is no setting '{}'; did you mean '{}'?", key, nearest->key)};
}

struct ByteUnit {
    std::string_view suffix;
    double factor;
};
constexpr ByteUnit kByteUnits[] = {
    {"TiB", kTiB},
    {"GiB", kGiB},
    {"MiB", kMiB},
    {"KiB", kKiB},
    {"TB", 1e12},
    {"GB", 1e9},
    {"MB", 1e6},
    {"kB", 1e3},
    {"KB", 1e3},
    {"B", 1},
    // Alone they are what `dd` and `ulimit` take them for.
    {"T", kTiB},
    {"G", kGiB},
    {"M", kMiB},
    {"K", kKiB},
    {"k", kKiB},
};

std::optional<double> parseNumber(std::string_view text, bool bytes)
{
    double factor = 1;
    if (bytes) {
        for (const ByteUnit& unit : kByteUnits) {
            if (!text.ends_with(unit.suffix))
                continue;
            text.remove_suffix(unit.suffix.size());
            while (text.ends_with(' '))
                text.remove_suffix(1);
            factor = unit.factor;
            break;
        }
    }
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value * factor;
}

std::string bytesText(double value)
{
    if (value > 0)
        for (const ByteUnit& unit : kByteUnits)
            if (unit.suffix.ends_with("iB") && std::fmod(value, unit.factor) == 0)
                return fmt::format("{:.0f}{}", value / unit.factor, unit.suffix);
    return fmt::format("{:.0f}", value);
}

std::string limitText(const Setting& setting, double value)
{
    return setting.kind == SettingKind::Bytes ? bytesText(value) : fmt::format("{}", value);
}

Error outsideLimits(const Setting& setting, std::string_view text)
{
    return Error{fmt::format("'{}' is {}: it must be between {} and {}{}{}.", setting.key, text,
                             limitText(setting, setting.minimum), limitText(setting, setting.maximum),
                             setting.unit.empty() ? "" : " ", setting.unit)};
}

std::optional<double> parseSwitch(std::string_view text)
{
    for (const std::string_view word : {"true", "on", "1", "yes"})
        if (text == word)
            return 1;
    for (const std::string_view word : {"false", "off", "0", "no"})
        if (text == word)
            return 0;
    return std::nullopt;
}

}  // namespace

std::span<const Setting> allSettings()
{
    static const std::vector<Setting> settings = makeSettings();
    return settings;
}

const Setting* findSetting(std::string_view key)
{
    for (const Setting& setting : allSettings())
        if (setting.key == key)
            return &setting;
    return nullptr;
}

Result<void> assignSetting(Scenario& scenario, std::string_view key, std::string_view text)
{
    const Setting* setting = findSetting(key);
    if (!setting)
        return unknownKey(key);
    if (setting->kind == SettingKind::Choice) {
        const auto found = std::find(setting->choices.begin(), setting->choices.end(), text);
        if (found == setting->choices.end())
            return Error{
                fmt::format("'{}' cannot be '{}'; choose one of {}.", key, text, fmt::join(setting->choices, ", "))};
        setting->set(scenario, static_cast<double>(found - setting->choices.begin()));
        return {};
    }
    if (setting->kind == SettingKind::Switch) {
        const auto value = parseSwitch(text);
        if (!value)
            return Error{fmt::format("'{}' cannot be '{}'; write true or false.", key, text)};
        setting->set(scenario, *value);
        return {};
    }
    const bool bytes = setting->kind == SettingKind::Bytes;
    const auto value = parseNumber(text, bytes);
    if (!value)
        return Error{fmt::format("'{}' cannot be '{}'; write a number{}.", key, text,
                                 bytes ? ", with a unit if you like, as in 48MiB" : "")};
    if (*value < setting->minimum || *value > setting->maximum)
        return outsideLimits(*setting, text);
    if (setting->kind == SettingKind::Integer && *value != std::floor(*value))
        return Error{fmt::format("'{}' cannot be '{}'; write a whole number.", key, text)};
    setting->set(scenario, *value);
    return {};
}

std::string settingText(const Setting& setting, const Scenario& scenario)
{
    const double value = setting.get(scenario);
    switch (setting.kind) {
        case SettingKind::Choice:
            return std::string(setting.choices[static_cast<std::size_t>(value)]);
        case SettingKind::Switch:
            return value != 0 ? "true" : "false";
        case SettingKind::Bytes:
            return bytesText(value);
        case SettingKind::Integer:
            return fmt::format("{:.0f}", value);
        case SettingKind::Real:
            break;
    }
    return fmt::format("{}", value);
}

Result<void> checkScenario(const Scenario& scenario)
{
    for (const Setting& setting : allSettings()) {
        const double value = setting.get(scenario);
        if (!(value >= setting.minimum && value <= setting.maximum))
            return outsideLimits(setting, limitText(setting, value));
    }
    for (const auto& [key, count] : {std::pair("tensors", scenario.tensors), std::pair("samples", scenario.samples)})
        if (count > scenario.batchBytes)
            return Error{
                fmt::format("'{}' is {}, more than the {} bytes of a batch.", key, count, scenario.batchBytes)};
    if (scenario.batches * scenario.tensors > kMostCopies)
        return Error{fmt::format("'batches' times 'tensors' is {}: at most {} copies fit in one run.",
                                 scenario.batches * scenario.tensors, kMostCopies)};
    if (scenario.computeFlops > 0 && scenario.kernel != KernelKind::Gemm)
        return Error{
            "'compute_flops' is the work of a matrix product, which only the kernel 'gemm' does: set kernel=gemm, or "
            "compute_flops=0 and the kernel's time as compute_us."};
    return {};
}

Result<void> checkScenario(const Scenario& scenario, const DeviceProfile& device)
{
    if (auto checked = checkScenario(scenario); !checked.ok())
        return checked;
    for (const char* key : {"worker_node", "main_node", "gpu_node"}) {
        const auto node = static_cast<std::int64_t>(findSetting(key)->get(scenario));
        if (node >= device.numaNodes)
            return Error{device.numaNodes == 1
                             ? fmt::format("'{}' is {}, but the machine of {} has one NUMA node: write 0, or choose a "
                                           "device whose machine has more.",
                                           key, node, device.name)
                             : fmt::format("'{}' is {}, but the machine of {} has NUMA nodes 0 to {}.", key, node,
                                           device.name, device.numaNodes - 1)};
    }
    const std::int64_t onDevice = (scenario.batchBytes + scenario.resultBytes) * scenario.deviceBuffers;
    if (onDevice > device.deviceMemoryBytes)
        return Error{fmt::format(
            "{} batches on the device need {}, but {} has {}. Lower device_buffers or batch_bytes.",
            scenario.deviceBuffers, formatBytes(onDevice), device.name, formatBytes(device.deviceMemoryBytes))};
    return {};
}

}  // namespace overlane
