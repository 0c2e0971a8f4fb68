// What the verdict says of every preset and of recorded traces.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/verdict.h"
#include "core/engine/device_profile.h"
#include "core/io/format.h"
#include "core/loader/run.h"
#include "core/loader/settings.h"
#include "tests/support/golden.h"

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

TEST(VerdictOfTraces, ReadsWellOnRecordedPrograms)
{
    std::string text;
    for (const char* name : {"h200/w4_page_b_main_d4.pt.trace.json.gz", "h200/w4_pin_nb_main_d4.pt.trace.json.gz",
                             "h200/w8_page_nb_side_d16.pt.trace.json.gz", "h200/w8_pin_nb_side_d16.pt.trace.json.gz",
                             "nsys/nsys_h100_2gpu.sqlite", "kineto/param_resnet_kineto.json.gz",
                             "kineto/hta_ns_resolution.pt.trace.json.gz", "kineto/hta_rank_non_gpu.json.gz"}) {
        Progress progress;
        const Result<Trace> trace =
            readTrace(fmt::format("{}/tests/data/traces/{}", OVERLANE_SOURCE_DIR, name), progress);
        ASSERT_TRUE(trace.ok()) << trace.error();
        const Verdict found = verdict(trace.value(), trace.value().span());
        EXPECT_LE(found.couldBeNs, found.nowNs);
        text += fmt::format("{}\n  {}\n  {}\n  now {} ns, could be {} ns\n", name, found.sentence, found.advice,
                            found.nowNs, found.couldBeNs);
    }
    test::expectGolden("analysis/verdict_recorded.txt", text);
}

}  // namespace
}  // namespace overlane
