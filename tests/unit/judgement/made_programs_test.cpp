// Programs that train nothing, or pause, or only copy: what is said of each, whole.
#include <gtest/gtest.h>

#include "core/analysis/verdict_text.h"
#include "core/judgement/judged_trace.h"
#include "core/judgement/time_parts.h"
#include "tests/support/expect_text.h"
#include "tests/support/made_program.h"

namespace overlane
{
namespace
{

using test::expectText;
using test::MadeProgram;

constexpr std::string_view kLayer = "void at::native::vectorized_elementwise_kernel<4>";

std::unique_ptr<const JudgedTrace> judgedProgram(MadeProgram program)
{
    return JudgedTrace::make(program.build(), "program", {}).value();
}

std::vector<std::string> textsOf(const JudgedTrace& judged)
{
    const Verdict& verdict = judged.judgement.verdict;
    std::vector<std::string> texts{verdict.sentence, nowAndWithoutSentence(verdict), verdict.advice};
    for (const Finding& finding : judged.judgement.findings.findings) {
        texts.push_back(std::string(finding.id) + ": " + finding.sentence);
        texts.push_back(finding.change);
    }
    return texts;
}

// Eighty steps of ten kernels of a millisecond, and behind every twentieth results of 2 GB for a file.
MadeProgram checkpoints()
{
    MadeProgram made("python3 train.py", "python3");
    MadeProgram::Stream stream;
    for (int step = 0; step < 80; ++step) {
        made.copy(EventKind::CopyH2D, 8 * kMiB, MemoryKind::Pinned, stream);
        for (int kernel = 0; kernel < 10; ++kernel)
            made.launch(stream, kMs, kLayer);
        made.copy(EventKind::CopyD2H, 4, MemoryKind::Pageable, stream);
        made.synchronize(stream);
        if (step % 20 != 19)
            continue;
        for (int part = 0; part < 40; ++part)
            made.copy(EventKind::CopyD2H, 50 * kMiB, MemoryKind::Pageable, stream);
        made.hostFor(400 * kMs);
    }
    return made;
}

TEST(MadePrograms, PausesBetweenStepsAreNotToldPerStep)
{
    const auto judged = judgedProgram(checkpoints());
    const Judgement& judgement = judged->judgement;
    EXPECT_EQ(judgement.steps, 80);
    EXPECT_NEAR(static_cast<double>(judgement.stepNs), 10.2e6, 0.1e6);
    EXPECT_FALSE(judgement.verdict.perStep);
    EXPECT_EQ(judgement.verdict.nowNs, judgement.range.lengthNs());
    // Per step nothing is more than what is lost in all, each step's part of it.
    for (const Finding& finding : judgement.findings.findings)
        EXPECT_EQ(finding.cost.gpuIdlePerStepNs, finding.cost.gpuIdleNs / 80);
    for (const Column& column : timeTable(judgement, judgement.devices.front().figures).columns)
        EXPECT_NE(column.id, "step_ns");
    expectText(textsOf(*judged));
}

TEST(MadePrograms, AFewPausesLeaveStepsTheUnit)
{
    MadeProgram made("./solver", "solver");
    MadeProgram::Stream stream;
    for (int step = 0; step < 80; ++step) {
        made.copy(EventKind::CopyH2D, 8 * kMiB, MemoryKind::Pageable, stream, true);
        made.launch(stream, 4 * kMs, "sweep(double*)");
        if (step == 40)
            made.hostFor(25 * kMs);
    }
    EXPECT_TRUE(judgedProgram(std::move(made))->judgement.verdict.perStep);
}

TEST(MadePrograms, CopiesWithoutAnyKernelHaveNothingToHideBehind)
{
    MadeProgram made("./bandwidth", "bandwidth");
    MadeProgram::Stream stream;
    for (int copy = 0; copy < 40; ++copy)
        made.copy(EventKind::CopyH2D, 32 * kMiB, MemoryKind::Pinned, stream);
    made.synchronize(stream);
    for (int copy = 0; copy < 40; ++copy)
        made.copy(EventKind::CopyD2H, 32 * kMiB, MemoryKind::Pinned, stream);
    made.synchronize(stream);
    const auto judged = judgedProgram(std::move(made));
    EXPECT_EQ(judged->judgement.verdict.tone, VerdictTone::Neutral);
    EXPECT_EQ(judged->judgement.findings.find(RuleId::LateCopies), nullptr);
    expectText(textsOf(*judged));
}

TEST(MadePrograms, ManySmallCopiesAreNoModel)
{
    const auto judged = judgedProgram(test::madeParticles(100));
    EXPECT_NE(judged->judgement.verdict.carries, CopyRole::Parameter);
    EXPECT_EQ(judged->judgement.verdict.offload, "");
    expectText(textsOf(*judged));
}

TEST(MadePrograms, AProgramOfNoFrameworkHasNoTensorsAndNoGradients)
{
    MadeProgram made("./transpose", "transpose");
    MadeProgram::Stream stream;
    for (int step = 0; step < 40; ++step) {
        for (int copy = 0; copy < 5; ++copy)
            made.copy(EventKind::CopyD2D, 256 * kMiB, MemoryKind::Device, stream);
        made.launch(stream, 100 * kUs, "transpose(float*)");
        made.synchronize(stream);
    }
    expectText(textsOf(*judgedProgram(std::move(made))));
}

MadeProgram shortKernels(bool trains)
{
    MadeProgram made("python3 predict.py", "python3");
    MadeProgram::Stream stream;
    for (int step = 0; step < 40; ++step) {
        made.copy(EventKind::CopyH2D, 600 << 10, MemoryKind::Pinned, stream);
        for (int kernel = 0; kernel < 60; ++kernel)
            made.launch(stream, 3 * kUs,
                        trains && kernel > 50 ? "void at::native::multi_tensor_apply_kernel<Adam>" : kLayer, 6 * kUs);
        made.copy(EventKind::CopyD2H, 4000, MemoryKind::Pageable, stream);
        made.synchronize(stream);
    }
    return made;
}

TEST(MadePrograms, AnOptimizerIsNamedWhereThereIsOne)
{
    expectText(textsOf(*judgedProgram(shortKernels(false))));
    expectText(textsOf(*judgedProgram(shortKernels(true))));
}

MadeProgram frames(bool paced)
{
    MadeProgram made("./renderer", "renderer");
    MadeProgram::Stream stream;
    std::int64_t frameNs = made.nowNs();
    for (int frame = 0; frame < 60; ++frame) {
        made.launch(stream, 5 * kMs + std::int64_t{200} * (frame % 7) * kUs, "shade(Params)");
        made.copy(EventKind::CopyD2H, 8 * kMiB, MemoryKind::Pinned, stream);
        made.synchronize(stream);
        frameNs += 16'667 * kUs;
        paced ? made.waitUntil(frameNs) : made.hostFor(11 * kMs);
    }
    return made;
}

TEST(MadePrograms, ADisplayThatSetsThePaceIsNoLateHost)
{
    const auto paced = judgedProgram(frames(true));
    EXPECT_EQ(paced->judgement.verdict.tone, VerdictTone::Neutral);
    EXPECT_EQ(paced->judgement.verdict.couldBeNs, paced->judgement.verdict.nowNs);
    EXPECT_EQ(judgedProgram(frames(false))->judgement.verdict.tone, VerdictTone::Problem);
    expectText(textsOf(*paced));
}

TEST(MadePrograms, OneCopyIsIt)
{
    MadeProgram made("python3 once.py", "python3");
    MadeProgram::Stream stream;
    made.copy(EventKind::CopyH2D, 64 * kMiB, MemoryKind::Pageable, stream);
    for (int kernel = 0; kernel < 20; ++kernel)
        made.launch(stream, kMs, kLayer);
    made.synchronize(stream);
    expectText(textsOf(*judgedProgram(std::move(made))));
}

}  // namespace
}  // namespace overlane
