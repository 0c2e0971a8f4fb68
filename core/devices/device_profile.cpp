#include "core/devices/device_profile.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/devices/embedded_device_profiles.h"
#include "core/devices/profile_figures.h"

namespace overlane
{
namespace
{

using Json = nlohmann::json;

// Beyond these a run would need more nanoseconds than an int64 holds.
constexpr double kLongestNs = 1e12;
constexpr double kSlowestBytesPerSecond = 1e6;
constexpr double kSmallestRatio = 1e-3;

// The member `field` of an object that also has a "source"; throws what Json throws.
const Json& sourced(const Json& section, const char* key, const char* field, DeviceProfile& profile)
{
    const Json& entry = section.at(key);
    profile.sources[key] = entry.at("source").get<std::string>();
    if (profile.sources[key].empty())
        throw std::runtime_error(fmt::format("'{}' has an empty source", key));
    return entry.at(field);
}

// "low" and "high" of a figure that was measured more than once, in the figure's unit.
void readSpread(const Json& entry, const char* key, DeviceProfile& profile)
{
    if (!entry.contains("samples"))
        return;
    const FigureSpread spread{entry.at("low").get<double>(), entry.at("high").get<double>(),
                              entry.at("samples").get<std::int64_t>()};
    if (!(spread.low <= spread.high) || spread.samples < 1)
        throw std::runtime_error(fmt::format("'{}' has a spread that runs backwards or has no samples", key));
    profile.spreads[key] = spread;
}

void readFigure(const Json& section, const ProfileFigure& figure, DeviceProfile& profile)
{
    const double value = sourced(section, figure.key, "value", profile).get<double>();
    const std::string_view key = figure.key;
    const auto* real = std::get_if<double DeviceProfile::*>(&figure.member);
    const double smallest = key.ends_with("_per_second") ? kSlowestBytesPerSecond
                            : real != nullptr            ? kSmallestRatio
                                                         : 1;
    const double largest = key.ends_with("_ns") ? kLongestNs : figure.largest;
    if (!(value >= smallest && value <= largest) && !(value == 0 && figure.mayBeZero))
        throw std::runtime_error(fmt::format("'{}' is {}, outside its range", figure.key, value));
    figure.assign(profile, value);
    readSpread(section.at(figure.key), figure.key, profile);
}

void readTable(const Json& section, const ProfileTable& table, DeviceProfile& profile)
{
    std::vector<std::pair<std::int64_t, double>> rows;
    for (const Json& row : sourced(section, table.key, "rows", profile)) {
        const std::int64_t bytes = row.at(0).get<std::int64_t>();
        const double costUs = row.at(1).get<double>();
        if (bytes <= (rows.empty() ? 0 : rows.back().first) || !(costUs > 0 && costUs < kLongestNs / 1000))
            throw std::runtime_error(fmt::format("'{}' needs ascending sizes and costs above 0", table.key));
        rows.emplace_back(bytes, costUs * 1000);
        if (row.size() >= 5)
            profile.spreads[rowKey(table.key, bytes)] = {row.at(2).get<double>(), row.at(3).get<double>(),
                                                         row.at(4).get<std::int64_t>()};
    }
    if (rows.empty())
        throw std::runtime_error(fmt::format("'{}' has no rows", table.key));
    profile.*table.member = CostTable(std::move(rows));
}

// The profile that gives what the file does not have; nullptr where it has to have everything.
const DeviceProfile* baseOf(const DeviceProfile& profile, std::span<const DeviceProfile> bases)
{
    const auto found = std::find_if(bases.begin(), bases.end(),
                                    [&](const DeviceProfile& base) { return base.key == profile.basedOn; });
    return profile.basedOn.empty() || found == bases.end() ? nullptr : &*found;
}

std::string takenFrom(const DeviceProfile& base, const std::string& key)
{
    return fmt::format("estimate: not in the profile's file, the value of {} ({})", base.name, base.sources.at(key));
}

void readProfile(const Json& root, DeviceProfile& profile, const DeviceProfile* base)
{
    const Json& figureSection = root.at("figures");
    for (const ProfileFigure& figure : profileFigures()) {
        if (base == nullptr || figureSection.contains(figure.key)) {
            readFigure(figureSection, figure, profile);
            continue;
        }
        figure.assign(profile, figure.valueIn(*base));
        profile.sources[figure.key] = takenFrom(*base, figure.key);
    }
    const Json& tableSection = root.at("tables");
    for (const ProfileTable& table : profileTables()) {
        if (base == nullptr || tableSection.contains(table.key)) {
            readTable(tableSection, table, profile);
            continue;
        }
        profile.*table.member = (*base).*table.member;
        profile.sources[table.key] = takenFrom(*base, table.key);
    }
}

Result<DeviceProfile> parse(std::string_view json, std::span<const DeviceProfile> (*bases)(),
                            std::span<const DeviceProfile> known)
{
    DeviceProfile profile;
    try {
        const Json root = Json::parse(json);
        profile.key = root.at("key").get<std::string>();
        profile.name = root.at("name").get<std::string>();
        profile.about = root.value("about", "");
        profile.basedOn = root.value("based_on", "");
        if (!profile.basedOn.empty() && bases != nullptr)
            known = bases();
        readProfile(root, profile, baseOf(profile, known));
    } catch (const std::exception& error) {
        return Error{fmt::format("The device profile cannot be read: {}.", error.what())};
    }
    return profile;
}

std::vector<DeviceProfile> readEmbedded()
{
    std::vector<DeviceProfile> profiles;
    std::vector<std::string_view> later;  // those that stand on others
    for (const std::string_view text : embeddedDeviceProfiles()) {
        if (text.find("\"based_on\"") != std::string_view::npos) {
            later.push_back(text);
            continue;
        }
        auto profile = parse(text, nullptr, {});
        assert(profile.ok());
        profiles.push_back(std::move(profile).value());
    }
    for (const std::string_view text : later) {
        auto profile = parse(text, nullptr, profiles);
        assert(profile.ok());
        profiles.push_back(std::move(profile).value());
    }
    std::stable_sort(profiles.begin(), profiles.end(), [](const DeviceProfile& left, const DeviceProfile& right) {
        return std::pair(left.key != "h200", left.key) < std::pair(right.key != "h200", right.key);
    });
    return profiles;
}

}  // namespace

std::span<const DeviceProfile> allDeviceProfiles()
{
    static const std::vector<DeviceProfile> profiles = readEmbedded();
    return profiles;
}

Result<DeviceProfile> parseDeviceProfile(std::string_view json)
{
    return parse(json, allDeviceProfiles, {});
}

}  // namespace overlane
