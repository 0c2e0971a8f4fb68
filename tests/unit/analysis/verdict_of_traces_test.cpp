// What the verdict says of every preset and of recorded traces.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/idle_attribution.h"
#include "core/analysis/verdict.h"
#include "core/devices/device_profile.h"
#include "core/io/format.h"
#include "core/loader/presets.h"
#include "core/loader/run.h"
#include "tests/support/golden.h"
#include "tests/support/lost_by_name.h"

namespace overlane
{
namespace
{

// Main loss, else "compute-bound"; beside it the cause of the copies.
std::string findingOf(const Verdict& verdict)
{
    std::string text(verdict.mainLoss ? lostCauseName(*verdict.mainLoss) : "compute-bound");
    if (verdict.cause)
        text += fmt::format("; copies: {}", causeName(*verdict.cause));
    return text;
}

TEST(VerdictOfPresets, NamesWhatThePresetIsAbout)
{
    std::string text;
    for (const Preset& preset : allPresets()) {
        const DeviceProfile* device = findDeviceProfile(preset.device);
        ASSERT_NE(device, nullptr) << preset.device;
        const Result<RunResult> run = simulate(preset.scenario, *device);
        ASSERT_TRUE(run.ok()) << preset.key << ": " << run.error();
        const Trace& trace = run.value().trace;
        const Verdict found = verdict(trace, trace.span());
        EXPECT_LE(found.couldBeNs, found.nowNs) << preset.key;
        EXPECT_EQ(found.tone == VerdictTone::Problem, found.mainLoss.has_value()) << preset.key;
        text += fmt::format("{}: {}\n", preset.key, findingOf(found));
    }
    test::expectGolden("analysis/verdict_presets.txt", text);
}

// Copies of both directions by their first reason: "14 x pageable memory, 46 ns exposed".
std::string copiesOf(const DeviceActivity& device)
{
    std::string text;
    for (const auto& [label, copies] :
         {std::pair("to the device", &device.h2dCopies), std::pair("back", &device.d2hCopies)}) {
        std::map<CopyCause, std::pair<std::int64_t, std::int64_t>> sums;
        std::map<CopyCause, std::int64_t> holds;
        for (const CopyRecord& copy : *copies) {
            ++sums[copy.cause].first;
            sums[copy.cause].second += copy.exposedNs();
            for (const CopyCause cause : rankedCauses(copy.causes))
                ++holds[cause];
        }
        for (const auto& [cause, sum] : sums)
            text += fmt::format("    {} {}: {}, {} ns exposed\n", sum.first, label, causeName(cause), sum.second);
        for (const auto& [cause, count] : holds)
            if (sums.find(cause) == sums.end())
                text += fmt::format("      and for {}: {}\n", count, causeName(cause));
    }
    return text;
}

std::string stepsOf(const StepSequence& steps)
{
    const StepStatistics& of = steps.statistics;
    std::string text =
        fmt::format("  {} steps, {}, confidence {:.2f}", of.steps, stepOriginName(steps.origin), steps.confidence);
    if (of.steps > 0)
        text += fmt::format(": {} ns, quartiles {} {}, deviation {}, range {} {}, warm-up {}, outliers {}", of.medianNs,
                            of.lowerQuartileNs, of.upperQuartileNs, of.deviationNs, of.minNs, of.maxNs, of.warmUps,
                            of.outliers);
    return text + "\n";
}

TEST(VerdictOfTraces, ReadsWellOnEveryRecordedProgram)
{
    const std::filesystem::path folder = std::filesystem::path(OVERLANE_SOURCE_DIR) / "tests/data/traces";
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (const std::filesystem::path ending = entry.path().extension();
            entry.is_regular_file() && (ending == ".gz" || ending == ".sqlite" || ending == ".overlane"))
            names.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
    std::sort(names.begin(), names.end());
    EXPECT_GE(names.size(), 29u);
    std::string text;
    for (const std::string& name : names) {
        Progress progress;
        const Result<Trace> read = readTrace((folder / name).string(), progress);
        ASSERT_TRUE(read.ok()) << name << ": " << read.error();
        const Trace& trace = read.value();
        const Analysis analysis(trace);
        const StepSequence& steps = analysis.steps();
        const Verdict found = verdictOfTrace(analysis, steps.steps);
        EXPECT_LE(found.couldBeNs, found.nowNs) << name;
        text += fmt::format("{}\n  {}\n  {}\n  now {} ns, could be {} ns\n", name, found.sentence, found.advice,
                            found.nowNs, found.couldBeNs);
        text += stepsOf(steps);
        const Summary summary = analysis.summarize(found.range);
        for (std::size_t at = 0; at < summary.devices.size(); ++at) {
            const DeviceActivity& device = analysis.devices()[at];
            const DeviceSummary& of = summary.devices[at];
            text += fmt::format("  GPU {}: {} ns without kernels\n", device.id, of.wallNs - of.kernelBusyNs);
            std::int64_t sumNs = 0;
            for (int cause = 0; cause < kLostCauseCount; ++cause) {
                const std::int64_t lostNs = of.lostNs[static_cast<std::size_t>(cause)];
                sumNs += lostNs;
                if (lostNs == 0)
                    continue;
                text += fmt::format("    {}: {} ns", lostCauseName(static_cast<LostCause>(cause)), lostNs);
                const auto late =
                    test::lostByName(trace, analysis, device.id, static_cast<LostCause>(cause), found.range);
                text += late.empty() || late.front().first.empty()
                            ? "\n"
                            : fmt::format(", most: {}, {} ns\n", late.front().first.substr(0, 60), late.front().second);
            }
            EXPECT_EQ(sumNs, of.wallNs - of.kernelBusyNs) << name;
            text += copiesOf(device);
        }
    }
    test::expectGolden("analysis/verdict_recorded.txt", text);
}

}  // namespace
}  // namespace overlane
