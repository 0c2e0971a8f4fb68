// That a verdict and the first finding of a trace are about the same thing: over every preset, sample
// and recorded trace of the repository.
#include "core/findings/cause_family.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/analysis/cause_table.h"
#include "core/devices/device_profile.h"
#include "core/findings/findings.h"
#include "core/findings/rule.h"
#include "core/io/format.h"
#include "core/loader/presets.h"
#include "core/loader/run.h"
#include "tests/support/golden.h"

namespace overlane
{
namespace
{

std::string nameOf(const Verdict& verdict)
{
    if (verdict.computeBound)
        return "compute-bound";
    if (!verdict.mainLoss)
        return "nothing named";
    std::string name(lostCauseName(*verdict.mainLoss));
    if (*verdict.mainLoss == LostCause::Copies && verdict.linkBound)
        name += ", the link";
    else if (*verdict.mainLoss == LostCause::Copies && verdict.cause)
        name += fmt::format(", {}", causeName(*verdict.cause));
    return verdict.tone == VerdictTone::Problem ? name : name + " (no problem)";
}

// The first finding that is no hazard: a hazard is about results, a verdict about time.
const Finding* firstOfTime(const FindingList& list)
{
    const auto found = std::find_if(list.findings.begin(), list.findings.end(),
                                    [](const Finding& finding) { return finding.severity != FindingSeverity::Hazard; });
    return found == list.findings.end() ? nullptr : &*found;
}

// Whether the finding is of the verdict's family, or there is none and the verdict names nothing that a rule could.
bool agree(const Verdict& verdict, const Finding* first)
{
    const std::span<const RuleId> rules = rulesOf(verdict);
    if (rules.empty())
        return !first || first->severity != FindingSeverity::Problem;
    return first && std::find(rules.begin(), rules.end(), first->rule) != rules.end();
}

// One line, and a failure where the two disagree.
std::string lineOf(std::string_view name, const Trace& trace)
{
    const Analysis analysis(trace);
    const StepSequence& steps = analysis.steps();
    const Verdict verdict = verdictOfTrace(analysis, steps.steps);
    const FindingList list = findings(trace, analysis, steps.steps, verdict.range);
    const Finding* first = firstOfTime(list);
    EXPECT_TRUE(agree(verdict, first)) << name << "\n  " << verdict.sentence << "\n  "
                                       << (first ? first->sentence : std::string("no finding"));
    return fmt::format("{}: {} -> {}\n", name, nameOf(verdict),
                       first ? fmt::format("{} {}", severityName(first->severity), first->id) : "none");
}

std::vector<std::string> traceFiles()
{
    std::vector<std::string> files;
    const std::filesystem::path root(OVERLANE_SOURCE_DIR);
    for (const char* folder : {"tests/data/traces", "resources/samples"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const std::string name = entry.path().filename().string();
            if (entry.is_regular_file() && !name.ends_with(".md") && !name.ends_with(".jsonl"))
                files.push_back(std::filesystem::relative(entry.path(), root).string());
        }
    std::sort(files.begin(), files.end());
    return files;
}

TEST(CauseFamilies, HoldTheRulesWhoseRowsListTheCause)
{
    std::vector<bool> spoken(kRuleCount, false);
    for (const LostCauseRow& row : lostCauses()) {
        const std::span<const RuleId> rules = rulesOf(row.cause);
        for (const RuleId rule : rules) {
            EXPECT_TRUE(rowOf(rule).causes.has(row.cause)) << row.id;
            spoken[static_cast<std::size_t>(rule)] = true;
        }
        // Nobody can change what the trace does not tell, or what lies at its ends.
        EXPECT_EQ(rules.empty(), row.cause == LostCause::Ends || row.cause == LostCause::Unknown) << row.id;
    }
    for (const CopyCauseRow& row : copyCauses())
        for (const RuleId rule : rulesOf(row.cause)) {
            EXPECT_TRUE(rowOf(rule).copyCauses.has(row.cause)) << row.id;
            EXPECT_TRUE(rowOf(rule).causes.has(LostCause::Copies)) << row.id << ": " << rowOf(rule).id;
        }
    // All rules but those about results, and the one that says that nothing is lost.
    for (int rule = 0; rule < kRuleCount; ++rule) {
        const auto id = static_cast<RuleId>(rule);
        const bool aboutNoTime =
            id == RuleId::SourceRewritten || id == RuleId::ResultReadEarly || id == RuleId::NothingToWin;
        EXPECT_NE(spoken[static_cast<std::size_t>(rule)], aboutNoTime) << rowOf(id).id;
    }
}

TEST(VerdictAndFindings, SayTheSameOfPresetsSamplesAndRecordedTraces)
{
    std::string text;
    for (const Preset& preset : allPresets()) {
        const DeviceProfile* device = findDeviceProfile(preset.device);
        ASSERT_NE(device, nullptr) << preset.device;
        const Result<RunResult> run = simulate(preset.scenario, *device);
        ASSERT_TRUE(run.ok()) << preset.key << ": " << run.error();
        text += lineOf(preset.key, run.value().trace);
    }
    for (const std::string& file : traceFiles()) {
        Progress progress;
        const Result<Trace> trace = readTrace(fmt::format("{}/{}", OVERLANE_SOURCE_DIR, file), progress);
        ASSERT_TRUE(trace.ok()) << file << ": " << trace.error();
        text += lineOf(file, trace.value());
    }
    test::expectGolden("findings/agreement.txt", text);
}

}  // namespace
}  // namespace overlane
