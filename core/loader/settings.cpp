#include "core/loader/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <optional>

namespace overlane
{
namespace
{

constexpr double kKiB = 1024;
constexpr double kGiB = kKiB * kKiB * kKiB;
constexpr double kTiB = kGiB * kKiB;
// Copies in a run, so that a slip of the finger does not fill the memory with events.
constexpr std::int64_t kMostCopies = 2'000'000;

template <typename T>
void bindMember(Setting& setting, T Scenario::*member)
{
    setting.get = [member](const Scenario& scenario) { return static_cast<double>(scenario.*member); };
    setting.set = [member](Scenario& scenario, double value) {
        if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>)
            scenario.*member = static_cast<T>(static_cast<int>(value));
        else if constexpr (std::is_integral_v<T>)
            scenario.*member = static_cast<T>(std::llround(value));
        else
            scenario.*member = value;
    };
}

struct Texts {
    std::string_view key, label, group, description, unit = "";
};

struct Limits {
    double minimum, maximum;
    bool logarithmic = false;
};

template <typename T>
Setting number(SettingKind kind, T Scenario::*member, const Texts& texts, const Limits& limits)
{
    Setting setting;
    setting.key = texts.key;
    setting.label = texts.label;
    setting.group = texts.group;
    setting.description = texts.description;
    setting.unit = texts.unit;
    setting.kind = kind;
    setting.minimum = limits.minimum;
    setting.maximum = limits.maximum;
    setting.logarithmic = limits.logarithmic;
    bindMember(setting, member);
    return setting;
}

Setting toggle(bool Scenario::*member, const Texts& texts)
{
    return number(SettingKind::Switch, member, texts, {0, 1});
}

template <typename T>
Setting choice(T Scenario::*member, const Texts& texts, std::vector<std::string_view> names)
{
    Setting setting = number(SettingKind::Choice, member, texts, {0, static_cast<double>(names.size()) - 1});
    setting.choices = std::move(names);
    return setting;
}

std::vector<Setting> makeSettings()
{
    using S = Scenario;
    using K = SettingKind;
    return {
        number(K::Integer, &S::batches, {"batches", "Batches", "Data", "Batches in the run."}, {1, 100'000, true}),
        number(K::Bytes, &S::batchBytes,
               {"batch_bytes", "Batch size", "Data", "Bytes of one batch, all tensors together."},
               {kKiB, 16 * kGiB, true}),
        number(K::Integer, &S::tensors, {"tensors", "Tensors per batch", "Data", "Tensors, and so copies, per batch."},
               {1, 256, true}),
        number(K::Integer, &S::seed, {"seed", "Seed", "Data", "Seed of the spread of the produce time."},
               {0, 4'294'967'295.0}),

        number(
            K::Integer, &S::workers,
            {"workers", "Workers", "Loader", "Loader processes; with 0 the training thread produces batches itself."},
            {0, 128}),
        number(K::Integer, &S::prefetchFactor,
               {"prefetch_factor", "Prefetch factor", "Loader", "Batches in flight per worker."}, {1, 64}),
        number(K::Real, &S::produceUs,
               {"produce_us", "Produce time", "Loader", "Read and transform time of one batch in one worker.", "us"},
               {0, 1e7, true}),
        number(K::Real, &S::produceSpread,
               {"produce_spread", "Spread", "Loader", "Relative standard deviation of the produce time."}, {0, 1}),

        choice(&S::pin,
               {"pin", "Pinned memory", "Host memory",
                "Where page-locked memory comes from: nowhere, the pin thread (pin_memory=True), pin_memory() in the "
                "training thread, a ring pinned once, or cudaHostRegister on each batch."},
               {"none", "thread", "consumer", "ring", "register"}),
        choice(&S::allocator,
               {"allocator", "Allocator", "Host memory",
                "Pinned blocks allocated fresh for each batch, or reused from a pool of power-of-two blocks."},
               {"fresh", "pool"}),

        toggle(&S::nonBlocking,
               {"non_blocking", "non_blocking", "Copy", "Copy with cudaMemcpyAsync instead of cudaMemcpy."}),
        choice(&S::copyStream,
               {"copy_stream", "Copy stream", "Copy",
                "Copies go into the stream of the kernel that needs them, or into a stream of their own."},
               {"compute", "side"}),
        number(K::Integer, &S::streams,
               {"streams", "Compute streams", "Copy", "Batch i runs on stream i modulo this number."}, {1, 32}),
        number(K::Integer, &S::deviceBuffers,
               {"device_buffers", "Device buffers", "Copy", "Batches in flight on the device (prefetch depth)."},
               {1, 64}),

        number(K::Real, &S::computeUs,
               {"compute_us", "Compute time", "Compute", "Kernel time of one batch on an idle device.", "us"},
               {0, 1e7, true}),
        choice(&S::kernel,
               {"kernel", "Kernel", "Compute",
                "Spin: small, several run at once. Memory: fills the device's memory system. Gemm: fills its cores."},
               {"spin", "memory", "gemm"}),
        number(K::Bytes, &S::resultBytes,
               {"result_bytes", "Result size", "Compute", "Bytes copied back after each batch; 0 for no result."},
               {0, 16 * kGiB, true}),
        toggle(&S::readResultEarly, {"read_result_early", "Read result early", "Compute",
                                     "The host reads each result before it has waited for its copy: a hazard."}),
        toggle(&S::syncEveryStep, {"sync_every_step", "Sync every step", "Compute",
                                   "The host waits for the device after each batch, as .item() does."}),

        number(K::Bytes, &S::ramBytes,
               {"ram_bytes", "RAM", "Machine", "Main memory; 0 for that of the device profile's machine."},
               {0, 4 * kTiB, true}),
        number(K::Bytes, &S::swapBytes,
               {"swap_bytes", "Swap", "Machine", "Swap space; -1 for that of the device profile's machine."},
               {-1, 4 * kTiB, true}),
    };
}

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
    {"TiB", kTiB}, {"GiB", kGiB}, {"MiB", kKiB* kKiB}, {"KiB", kKiB}, {"TB", 1e12},
    {"GB", 1e9},   {"MB", 1e6},   {"kB", 1e3},         {"KB", 1e3},   {"B", 1},
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
    if (scenario.tensors > scenario.batchBytes)
        return Error{
            fmt::format("'tensors' is {}, more than the {} bytes of a batch.", scenario.tensors, scenario.batchBytes)};
    if (scenario.batches * scenario.tensors > kMostCopies)
        return Error{fmt::format("'batches' times 'tensors' is {}: at most {} copies fit in one run.",
                                 scenario.batches * scenario.tensors, kMostCopies)};
    return {};
}

}  // namespace overlane
