#include "core/trial/trial_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace overlane
{
namespace
{

using nlohmann::json;

TrialSite siteOf(const json& value)
{
    return {value.at("file"), value.at("line"), value.at("function"), value.at("code"), value.at("library")};
}

// None of these is set where PyTorch has no word of it.
template <typename T>
T setting(const json& settings, const char* name, T otherwise)
{
    const auto found = settings.find(name);
    return found == settings.end() || found->is_null() ? otherwise : found->get<T>();
}

TrialReport reportOf(const json& value)
{
    TrialReport report;
    report.loader = value.at("loader");
    report.site = siteOf(value.at("site"));
    const json& settings = value.at("settings");
    report.settings.workers = setting<std::int64_t>(settings, "num_workers", 0);
    report.settings.pinMemory = setting(settings, "pin_memory", false);
    report.settings.prefetchFactor = setting<std::int64_t>(settings, "prefetch_factor", 2);
    report.settings.persistentWorkers = setting(settings, "persistent_workers", false);
    report.iterable = value.at("iterable");
    report.batchSize = value.at("batch_size");
    report.batchesPerEpoch = value.at("batches_per_epoch");
    report.epochs = value.at("epochs");
    report.batches = value.at("batches");
    report.stretchNs = std::llround(value.at("seconds").get<double>() * 1e9);
    report.ended = value.at("ended");
    report.cuda = value.at("cuda");
    for (const json& copies : value.at("copies"))
        report.copies.push_back(
            {siteOf(copies.at("site")), copies.at("copies"), copies.at("bytes"), copies.at("waits")});
    std::stable_sort(report.copies.begin(), report.copies.end(),
                     [](const TrialCopies& a, const TrialCopies& b) { return a.bytes > b.bytes; });
    report.settings.nonBlocking = !report.copies.empty() && !report.copiesWait();
    return report;
}

}  // namespace

std::string TrialSite::place() const
{
    return line > 0 ? fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line) : std::string();
}

bool TrialReport::copiesWait() const
{
    return std::any_of(copies.begin(), copies.end(), [](const TrialCopies& one) { return one.waits > 0; });
}

Result<TrialReport> parseTrialReport(std::string_view text)
{
    try {
        return reportOf(json::parse(text));
    } catch (const json::exception& error) {
        return Error{fmt::format("The report of a run cannot be read: {}.", error.what())};
    }
}

}  // namespace overlane
