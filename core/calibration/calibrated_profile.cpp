#include "core/calibration/calibrated_profile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/calibration/calibration_figures.h"
#include "core/devices/embedded_device_profiles.h"
#include "core/devices/profile_figures.h"
#include "core/devices/user_profiles.h"

namespace overlane
{
namespace
{

// The first word with a digit: "H200", "A100", "4090".
std::string modelOf(const std::string& gpu)
{
    std::string word;
    for (const char letter : gpu + " ") {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
            word += letter;
            continue;
        }
        if (std::any_of(word.begin(), word.end(), [](unsigned char each) { return std::isdigit(each) != 0; }))
            return word;
        word.clear();
    }
    return {};
}

std::string slug(const std::string& text)
{
    std::string key;
    for (const unsigned char letter : text)
        if (std::isalnum(letter) != 0)
            key += static_cast<char>(std::tolower(letter));
        else if (!key.empty() && key.back() != '_')
            key += '_';
    while (!key.empty() && key.back() == '_')
        key.pop_back();
    return key;
}

std::string measuredOn(const CalibrationRecord& record)
{
    const MachineFacts& machine = record.machine;
    std::string place = machine.gpu;
    if (const std::string link = linkText(machine.link); !link.empty())
        place += ", " + link;
    return fmt::format("measured {} on {}, driver for CUDA {}.{}, {} host cores", record.date, place,
                       machine.driverVersion / 1000, machine.driverVersion % 1000 / 10, machine.cores);
}

// A document on the same GPU stays what it is; what was measured or estimated on another machine is an estimate here.
std::string keptFrom(const DeviceProfile& nearest, const std::string& key, bool sameGpu)
{
    const auto source = nearest.sources.find(key);
    std::string words = source != nearest.sources.end() ? source->second : std::string();
    const bool document =
        !words.starts_with("measured") && !words.starts_with("estimate") && !words.starts_with("fitted");
    if (sameGpu && document)
        return words;
    return fmt::format("estimate: not measured, the value of {} ({})", nearest.name, words);
}

void setFigure(CalibratedProfile& made, const FigureRule& rule, bool sameGpu, const std::string& where)
{
    const ProfileFigure* figure = findProfileFigure(rule.key);
    if (figure == nullptr || (rule.prefersDataSheet && sameGpu))
        return;
    const auto estimate = rule.estimate(made.record);
    DeviceProfile& profile = made.profile;
    profile.spreads.erase(rule.key);
    if (!estimate)
        return;
    figure->assign(profile, estimate->value);
    if (estimate->spread)
        profile.spreads[rule.key] = *estimate->spread;
    const bool byDefinition = estimate->how.starts_with("1 by definition");
    profile.sources[rule.key] = byDefinition ? estimate->how : where + ": " + estimate->how;
}

void setTable(CalibratedProfile& made, const ProfileTable& table, const DeviceProfile& nearest,
              const std::string& where)
{
    DeviceProfile& profile = made.profile;
    for (const auto& row : (profile.*table.member).rows())
        profile.spreads.erase(rowKey(table.key, row.first));
    std::vector<std::pair<std::int64_t, double>> rows;
    constexpr double kLeastNs = 1;  // a clock that did not move
    for (const MeasuredSeries* series : made.record.all(table.probe)) {
        const SampleStatistics& s = series->statistics;
        rows.emplace_back(series->bytes, std::max(kLeastNs, s.median));
        profile.spreads[rowKey(table.key, series->bytes)] = {s.low / 1000, s.high / 1000, s.samples};
    }
    if (rows.empty()) {
        profile.sources[table.key] = keptFrom(nearest, table.key, false);
        return;
    }
    profile.*table.member = CostTable(std::move(rows));
    profile.sources[table.key] = where + ": " + table.probe + ", medians by size";
}

}  // namespace

bool isSameGpu(const DeviceProfile& profile, const std::string& gpu)
{
    const std::string model = modelOf(gpu);
    return profile.name == gpu || (!model.empty() && modelOf(profile.name) == model);
}

const DeviceProfile& nearestProfile(const CalibrationRecord& record)
{
    const auto rateOf = [](const MeasuredSeries* series) {
        return series != nullptr ? static_cast<double>(series->bytes) * 1e9 / std::max(1.0, series->statistics.median)
                                 : 0;
    };
    const double link = rateOf(record.largest("copy_event", "h2d pinned warm"));
    const std::vector<const MeasuredSeries*> threads = record.all("memcpy");
    const double host = rateOf(threads.empty() ? nullptr : threads.front());
    const auto apart = [](double known, double found) { return found > 0 ? std::abs(std::log(known / found)) : 0; };
    const auto distance = [&](const DeviceProfile& profile) {
        constexpr double kAnotherGpu = 1000;  // nothing else counts as much
        return (isSameGpu(profile, record.machine.gpu) ? 0 : kAnotherGpu) +
               apart(static_cast<double>(profile.deviceMemoryBytes),
                     static_cast<double>(record.machine.deviceMemoryBytes)) +
               apart(profile.h2dBytesPerSecond, link) + apart(profile.hostMemcpyBytesPerSecond, host);
    };
    // What stands on another profile has nothing of its own to give.
    const DeviceProfile* nearest = nullptr;
    for (const DeviceProfile& profile : allDeviceProfiles())
        if (profile.basedOn.empty() && (nearest == nullptr || distance(profile) < distance(*nearest)))
            nearest = &profile;
    return *nearest;
}

std::string linkText(const PcieLink& link)
{
    if (link.generation <= 0 || link.width <= 0)
        return {};
    std::string text = fmt::format("PCIe {} x{}", link.generation, link.width);
    if (link.largestGeneration > link.generation || link.largestWidth > link.width)
        text += fmt::format(" (of {} x{})", std::max(link.generation, link.largestGeneration),
                            std::max(link.width, link.largestWidth));
    return text;
}

CalibratedProfile calibratedProfile(CalibrationRecord record)
{
    const DeviceProfile& nearest = nearestProfile(record);
    const bool sameGpu = isSameGpu(nearest, record.machine.gpu);
    CalibratedProfile made{nearest, std::move(record)};
    DeviceProfile& profile = made.profile;
    profile.basedOn = nearest.key;
    profile.spreads.clear();
    profile.key = slug(made.record.machine.gpu) + "_" + made.record.date;
    profile.name = fmt::format("{}, calibrated {}", made.record.machine.gpu, made.record.date);
    profile.about = fmt::format(
        "Medians of repeated measurements on one machine{}{}{}; another machine, or the same one on another day, "
        "differs.",
        made.record.machine.processor.empty() ? "" : " (" + made.record.machine.processor + ")",
        linkText(made.record.machine.link).empty() ? "" : ", " + linkText(made.record.machine.link),
        made.record.quick ? ", with few samples (--quick)" : "");
    const std::string where = measuredOn(made.record);
    for (const ProfileFigure& figure : profileFigures())
        profile.sources[figure.key] = keptFrom(nearest, figure.key, sameGpu);
    for (const FigureRule& rule : calibratedFigures())
        setFigure(made, rule, sameGpu, where);
    for (const ProfileTable& table : profileTables())
        setTable(made, table, nearest, where);
    // What is kept must fit the machine that was measured.
    profile.datasetBytes = std::min(profile.datasetBytes, profile.ramBytes / 2);
    return made;
}

std::string profileFileText(const CalibratedProfile& calibrated)
{
    std::string text = deviceProfileText(calibrated.profile);
    text.erase(text.find_last_of('}'));
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text + ",\n  \"calibration\": " + recordText(calibrated.record) + "\n}\n";
}

std::string profileFilePath(const DeviceProfile& profile)
{
    const std::string folder = userProfileFolder();
    return folder.empty() ? std::string() : folder + "/" + profile.key + ".json";
}

Result<void> saveProfile(const CalibratedProfile& calibrated, const std::string& file)
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (const fs::path folder = fs::path(file).parent_path(); !folder.empty())
        fs::create_directories(folder, error);
    if (const Result<void> written = writeWhole(file, profileFileText(calibrated)); !written.ok())
        return Error{fmt::format("The profile {} cannot be written: {} Is the folder there, and is there room?", file,
                                 written.error())};
    return {};
}

Result<std::optional<CalibrationRecord>> recordOf(const DeviceProfile& profile)
{
    for (const std::string_view text : embeddedDeviceProfiles())
        if (const auto embedded = parseDeviceProfile(text); embedded.ok() && embedded.value().key == profile.key)
            return recordIn(text);
    return recordIn(userProfileText(profile));
}

}  // namespace overlane
