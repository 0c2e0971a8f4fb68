// What a trace says: comparison, prediction, findings.
#include <gtest/gtest.h>
#include <memory>

#include "core/base/progress.h"
#include "core/compare/comparison_tables.h"
#include "core/findings/finding_blocks.h"
#include "core/io/format.h"
#include "core/judgement/copy_parts.h"
#include "core/judgement/judged_trace.h"
#include "core/judgement/time_parts.h"
#include "core/replay/prediction_blocks.h"
#include "tests/widget/content/same_figures.h"

namespace overlane
{
namespace
{

// Of a few of the sample traces, with every block that the core makes of them.
class SampleBlocksTest : public testing::TestWithParam<const char*>
{
protected:
    SampleBlocksTest()
    {
        Progress progress;
        const std::string folder = OVERLANE_SOURCE_DIR "/tests/data/traces/h200/";
        const auto judged = [&](const std::string& name) -> std::shared_ptr<const JudgedTrace> {
            return JudgedTrace::make(std::move(readTrace(folder + name, progress).value()), name).value();
        };
        const auto a = judged(GetParam());
        const auto b = judged("w8_pin_nb_side_d16.pt.trace.json.gz");
        const Comparison comparison =
            compare({&a->trace, &a->analysis, &a->steps}, {&b->trace, &b->analysis, &b->steps}).value();
        const std::vector<FindingChange> findings = findingChanges(a->judgement.findings, b->judgement.findings);
        m_blocks = {allFigures(comparison), allKernels(comparison), allCopies(comparison),
                    findingTable(findings, comparison.perStep)};
        for (const DeviceComparison& device : comparison.devices) {
            m_blocks.emplace_back(meanTable(comparison, device));
            m_blocks.emplace_back(medianTable(comparison, device));
        }
        const Replay replay = Replay::build(std::shared_ptr<const Trace>(a, &a->trace), a->analysis).value();
        const std::vector<Change> pin{Change{ChangeKind::Pin}};
        add(replayBlocks(replay.report()));
        add(predictionBlocks(replay.predict(pin).value()));
        add(suggestionBlocks(replay.suggestions().value(), replay.report()));
        for (const DeviceSummary& device : a->judgement.summary.devices)
            m_blocks.emplace_back(timeTable(a->judgement, device));
        for (const DeviceJudgement& device : a->judgement.devices)
            m_blocks.emplace_back(
                copyTable(copyParts(device, CopyChoice::All), a->judgement.verdict.carries, a->analysis.program()));
        for (const Finding& finding : a->judgement.findings.findings)
            add(findingBlocks(finding, &a->trace));
        add(findingOverview(a->judgement.findings));
        add({notCheckedList(a->judgement.findings)});
    }

    void add(const Blocks& said) { m_blocks.insert(m_blocks.end(), said.begin(), said.end()); }

    Blocks m_blocks;
};

TEST_P(SampleBlocksTest, TerminalPageAndWindowShowTheSameFigures)
{
    EXPECT_GE(test::expectTheSameFigures(m_blocks), 6);
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleBlocksTest,
                         testing::Values("w8_page_nb_side_d16.pt.trace.json.gz", "w4_page_b_main_d4.pt.trace.json.gz",
                                         "w4_pin_nb_main_d4.pt.trace.json.gz"));

}  // namespace
}  // namespace overlane
