#include "core/sweep/sweep_axis.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "core/base/number_text.h"
#include "core/loader/setting_value.h"

namespace overlane
{
namespace
{

constexpr std::string_view kForms =
    "write KEY=A..B:N for N values in equal steps, KEY=A..B*N for equal ratios, or KEY=A,B,C";

bool isNumber(const Setting& setting)
{
    return setting.kind != SettingKind::Choice && setting.kind != SettingKind::Switch;
}

// One value as the command line writes it, by the same rules as --set.
Result<double> valueOf(const Setting& setting, std::string_view text)
{
    Scenario scratch;
    RETURN_IF_ERROR(assignSetting(scratch, setting.key, text));
    return setting.get(scratch);
}

std::string exactText(const Setting& setting, double value)
{
    Scenario scratch;
    setting.set(scratch, value);
    return settingText(setting, scratch);
}

std::optional<std::size_t> countOf(std::string_view text)
{
    std::size_t count = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (code != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return count;
}

std::vector<std::string> splitList(std::string_view text)
{
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos)
            return parts;
        text.remove_prefix(comma + 1);
    }
}

Result<SweepAxis> parseRange(const Setting& setting, std::string_view text, std::size_t dots)
{
    const std::string_view behind = text.substr(dots + 2);
    const std::size_t mark = behind.find_last_of(":*");
    ASSIGN_OR_RETURN(const auto first, valueOf(setting, text.substr(0, dots)));
    ASSIGN_OR_RETURN(const auto last, valueOf(setting, behind.substr(0, mark)));
    if (mark == std::string_view::npos) {
        if (setting.kind != SettingKind::Integer)
            return Error{fmt::format("'{}={}' does not say how many values: {}.", setting.key, text, kForms)};
        const double steps = std::abs(last - first);
        if (steps >= static_cast<double>(kMostAxisValues))
            return Error{
                fmt::format("'{}={}' has more than {} values: {}.", setting.key, text, kMostAxisValues, kForms)};
        return axisBetween(setting, first, last, static_cast<std::size_t>(steps) + 1, AxisSpacing::Linear);
    }
    const auto count = countOf(behind.substr(mark + 1));
    if (!count)
        return Error{fmt::format("'{}' in '{}={}' is not a number of values: {}.", behind.substr(mark + 1), setting.key,
                                 text, kForms)};
    return axisBetween(setting, first, last, *count,
                       behind[mark] == '*' ? AxisSpacing::Logarithmic : AxisSpacing::Linear);
}

Result<SweepAxis> parseList(const Setting& setting, std::string_view text)
{
    if (text != "all")
        return axisOf(setting, splitList(text));
    if (setting.kind == SettingKind::Switch)
        return axisOf(setting, {"false", "true"});
    if (setting.kind == SettingKind::Choice)
        return axisOf(setting, std::vector<std::string>(setting.choices.begin(), setting.choices.end()));
    return Error{fmt::format("'{}=all' is for settings with choices: {}.", setting.key, kForms)};
}

}  // namespace

Result<SweepAxis> axisBetween(const Setting& setting, double first, double last, std::size_t count, AxisSpacing spacing)
{
    if (!isNumber(setting))
        return Error{fmt::format("'{}' has choices, not a range: write them as {}=A,B or {}=all.", setting.key,
                                 setting.key, setting.key)};
    if (count < 2 || count > kMostAxisValues)
        return Error{fmt::format("'{}' cannot take {} values over a range: 2 to {} are possible.", setting.key, count,
                                 kMostAxisValues)};
    for (const double end : {first, last})
        if (!(end >= setting.minimum && end <= setting.maximum))
            return Error{fmt::format("'{}' must lie between {} and {}.", setting.key,
                                     settingValueText(setting, setting.minimum),
                                     settingValueText(setting, setting.maximum))};
    const bool ratios = spacing == AxisSpacing::Logarithmic;
    if (ratios && (first <= 0 || last <= 0))
        return Error{fmt::format("'{}' cannot run in ratios from or to {}: start above 0 or use equal steps (A..B:N).",
                                 setting.key, settingValueText(setting, std::min(first, last)))};
    if (first == last)
        return Error{
            fmt::format("The range of '{}' begins and ends at {}.", setting.key, settingValueText(setting, first))};
    SweepAxis axis{std::string(setting.key), {}, ratios};
    for (std::size_t at = 0; at < count; ++at) {
        const double share = static_cast<double>(at) / static_cast<double>(count - 1);
        double value = ratios ? first * std::pow(last / first, share) : first + (last - first) * share;
        if (at + 1 == count)
            value = last;
        if (setting.kind != SettingKind::Real)
            value = std::round(value);
        else  // what a person could have written
            value = roundedToDigits(value, 6);
        if (axis.values.empty() || axis.values.back() != value)
            axis.values.push_back(value);
    }
    return axis;
}

Result<SweepAxis> axisOf(const Setting& setting, const std::vector<std::string>& values)
{
    SweepAxis axis{std::string(setting.key), {}, false};
    for (const std::string& text : values) {
        const auto value = valueOf(setting, text);
        if (!value.ok())
            return value.failure();
        if (std::find(axis.values.begin(), axis.values.end(), value.value()) != axis.values.end())
            return Error{fmt::format("'{}' takes the value {} twice.", setting.key, text)};
        axis.values.push_back(value.value());
    }
    if (axis.values.empty() || axis.values.size() > kMostAxisValues)
        return Error{fmt::format("'{}' needs 1 to {} values.", setting.key, kMostAxisValues)};
    // Values that lie in equal ratios are drawn so.
    axis.logarithmic = setting.logarithmic && axis.values.size() > 2 && isNumber(setting) &&
                       *std::min_element(axis.values.begin(), axis.values.end()) > 0;
    return axis;
}

Result<SweepAxis> parseSweepAxis(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size())
        return Error{fmt::format("'{}' names no values: {}.", text, kForms)};
    const std::string_view key = text.substr(0, equals);
    const std::string_view values = text.substr(equals + 1);
    const Setting* setting = findSetting(key);
    if (setting == nullptr) {  // the sentence names the nearest key
        Scenario scratch;
        return assignSetting(scratch, key, "0").failure();
    }
    const std::size_t dots = values.find("..");
    return dots == std::string_view::npos ? parseList(*setting, values) : parseRange(*setting, values, dots);
}

std::string axisText(const SweepAxis& axis)
{
    std::string text = axis.key + "=";
    for (std::size_t at = 0; at < axis.values.size(); ++at)
        text += (at > 0 ? "," : "") + exactText(axis.setting(), axis.values[at]);
    return text;
}

}  // namespace overlane
