// What the findings say of every preset, of the samples, and of recorded traces.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/devices/device_profile.h"
#include "core/findings/findings.h"
#include "core/io/format.h"
#include "core/loader/presets.h"
#include "core/loader/run.h"
#include "tests/support/golden.h"

namespace overlane
{
namespace
{

std::string textOf(std::string_view name, const Trace& trace)
{
    const Analysis analysis(trace);
    const StepSequence& steps = analysis.steps();
    const ActiveRange active = activeRange(analysis, steps.steps);
    const FindingList list = findings(trace, analysis, steps.steps, active.range);
    EXPECT_LE(list.explainedNs, list.idleNs) << name;
    std::string text = fmt::format("{}\n", name);
    for (const Finding& finding : list.findings) {
        text += fmt::format("  {} {}: {}\n", severityName(finding.severity), finding.id, finding.sentence);
        text += fmt::format("    gpu {} ns, host {} ns, {} events\n", finding.cost.gpuIdleNs,
                            finding.cost.hostBlockedNs, finding.evidenceCount);
    }
    text += "  not checked:";
    for (const NotChecked& each : list.notChecked)
        text += fmt::format(" {}", each.id);
    return text + "\n";
}

std::string textOfFile(const std::string& path)
{
    Progress progress;
    const Result<Trace> trace = readTrace(fmt::format("{}/{}", OVERLANE_SOURCE_DIR, path), progress);
    EXPECT_TRUE(trace.ok()) << path << ": " << trace.error();
    return trace.ok() ? textOf(path, trace.value()) : std::string();
}

TEST(FindingsOfPresets, NameWhatThePresetIsAbout)
{
    std::string text;
    for (const Preset& preset : allPresets()) {
        const DeviceProfile* device = findDeviceProfile(preset.device);
        ASSERT_NE(device, nullptr) << preset.device;
        const Result<RunResult> run = simulate(preset.scenario, *device);
        ASSERT_TRUE(run.ok()) << preset.key << ": " << run.error();
        text += textOf(preset.key, run.value().trace);
    }
    test::expectGolden("findings/presets.txt", text);
}

TEST(FindingsOfTraces, ReadWellOnRecordedPrograms)
{
    std::string text;
    for (const char* name : {"h200/w4_page_b_main_d4.pt.trace.json.gz",
                             "h200/w4_pin_nb_main_d4.pt.trace.json.gz",
                             "h200/w8_page_nb_side_d16.pt.trace.json.gz",
                             "h200/w8_pin_nb_side_d16.pt.trace.json.gz",
                             "kineto/dlrm_4rank/worker0_step_12.1694128201545.pt.trace.json.gz",
                             "kineto/dlrm_4rank/worker1_step_12.1694128201556.pt.trace.json.gz",
                             "kineto/dlrm_4rank/worker2_step_12.1694128201554.pt.trace.json.gz",
                             "kineto/dlrm_4rank/worker3_step_12.1694128201557.pt.trace.json.gz",
                             "kineto/hta_alexnet.json.gz",
                             "kineto/hta_event_sync_multi_stream.json.gz",
                             "kineto/hta_large_integer.json.gz",
                             "kineto/hta_mi250_minitoy_rocm6.2.json.gz",
                             "kineto/hta_ns_resolution.pt.trace.json.gz",
                             "kineto/hta_rank_non_gpu.json.gz",
                             "kineto/hta_trace_diff_control.json.gz",
                             "kineto/kineto_resnet50_nw0_2020-12_array.pt.trace.json.gz",
                             "kineto/kineto_resnet50_nw4_2021-06.pt.trace.json.gz",
                             "kineto/kittibox_tf1_timeline.json.gz",
                             "kineto/param_resnet_kineto.json.gz",
                             "kineto/tracelens_h100_owlv2.json.gz",
                             "nsys/nsys_h100_2gpu.sqlite"})
        text += textOfFile(std::string("tests/data/traces/") + name);
    test::expectGolden("findings/recorded.txt", text);
}

TEST(FindingsOfSamples, ReadWell)
{
    std::string text;
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(OVERLANE_SOURCE_DIR) + "/resources/samples"))
        if (entry.path().extension() == ".overlane")
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    ASSERT_FALSE(names.empty());
    for (const std::string& name : names)
        text += textOfFile("resources/samples/" + name);
    test::expectGolden("findings/samples.txt", text);
}

}  // namespace
}  // namespace overlane
