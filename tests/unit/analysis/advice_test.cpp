#include "core/analysis/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "core/analysis/steps.h"
#include "core/analysis/verdict.h"
#include "core/base/units.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;
using testing::Not;

ProgramTraits program(Framework framework, bool hasLoader = false)
{
    return {framework, "a name", hasLoader};
}

constexpr int kRemedyCount = 12;

TEST(Advice, NamesADataLoaderOnlyWhereThereIsOne)
{
    for (int framework = 0; framework < kFrameworkCount; ++framework)
        for (int role = 0; role < kCopyRoleCount; ++role) {
            const ProgramTraits traits = program(static_cast<Framework>(framework));
            for (int cause = 0; cause < kCopyCauseCount; ++cause)
                EXPECT_THAT(
                    std::string(causeAdvice(static_cast<CopyCause>(cause), static_cast<CopyRole>(role), traits)),
                    Not(HasSubstr("DataLoader")));
            for (int remedy = 0; remedy < kRemedyCount; ++remedy) {
                const std::string text(advice(static_cast<Remedy>(remedy), static_cast<CopyRole>(role), traits));
                EXPECT_FALSE(text.empty()) << "remedy " << remedy;
                EXPECT_THAT(text, Not(HasSubstr("DataLoader")));
                EXPECT_TRUE(traits.isPyTorch() || text.find("torch") == std::string::npos) << text;
            }
        }
    EXPECT_THAT(std::string(advice(Remedy::Pin, CopyRole::Batch, program(Framework::PyTorch, true))),
                HasSubstr("DataLoader(pin_memory=True)"));
}

TEST(Advice, WhatIsOffloadedIsNoLoadersBatch)
{
    const ProgramTraits torch = program(Framework::PyTorch, true);
    EXPECT_THAT(std::string(causeAdvice(CopyCause::PageableMemory, CopyRole::Parameter, torch)), HasSubstr("weights"));
    EXPECT_THAT(std::string(causeAdvice(CopyCause::PageableMemory, CopyRole::Activation, torch)),
                HasSubstr("save_on_cpu(pin_memory=True)"));
    EXPECT_THAT(std::string(causeAdvice(CopyCause::SameStream, CopyRole::Activation, torch)),
                HasSubstr("OffloadActivations"));
    for (const CopyRole role : {CopyRole::Parameter, CopyRole::Activation, CopyRole::Gradient, CopyRole::KvCache})
        for (int remedy = 0; remedy < 6; ++remedy)
            EXPECT_THAT(std::string(advice(static_cast<Remedy>(remedy), role, torch)), Not(HasSubstr("batch i")));
}

TEST(Advice, SpeaksTheFrameworksWords)
{
    EXPECT_THAT(std::string(advice(Remedy::Ahead, CopyRole::Batch, program(Framework::Jax))),
                HasSubstr("jax.device_put"));
    EXPECT_THAT(std::string(advice(Remedy::Pin, CopyRole::Batch, program(Framework::CuPy))),
                HasSubstr("cupyx.empty_pinned"));
    EXPECT_THAT(std::string(advice(Remedy::Pin, CopyRole::Batch, program(Framework::Cuda))),
                HasSubstr("cudaHostAlloc"));
    EXPECT_THAT(std::string(advice(Remedy::CopyStream, CopyRole::Parameter, program(Framework::Fsdp))),
                HasSubstr("forward_prefetch"));
    // A role without words of its own in a framework has those that fit everywhere.
    test::expectText(std::string(advice(Remedy::SendLess, CopyRole::KvCache, program(Framework::Cuda))));
}

// Layers whose weights come from pageable memory in every iteration, in a program of PyTorch without a loader.
// With `hostUs`, gradients go back at its end, and the host works on them for as long before the next one begins.
Trace offloadTrace(std::int64_t hostUs = 0)
{
    test::SampleTrace sample;
    std::int64_t nowNs = 0;
    std::uint32_t id = 0;
    const auto launch = [&] {
        sample.host(EventKind::RuntimeCall, nowNs, nowNs + kUs, "cudaLaunchKernel", ++id);
        sample.add(sample.stream(TrackKind::EngineCompute, 7), EventKind::Kernel, nowNs + 2 * kUs, nowNs + 30 * kUs,
                   "void at::native::gemm()", id);
        nowNs += 35 * kUs;
    };
    launch();
    for (int iteration = 0; iteration < 6; ++iteration) {
        const std::int64_t startNs = nowNs;
        for (int layer = 0; layer < 6; ++layer) {
            for (const std::int64_t bytes : {8 * kMiB, 8 * kMiB, 22 * kMiB}) {
                sample.host(EventKind::RuntimeCall, nowNs, nowNs + 1'050 * kUs, "cudaMemcpyAsync", ++id);
                sample.copy(EventKind::CopyH2D, nowNs + 5 * kUs, nowNs + 1'040 * kUs, MemoryKind::Pageable, bytes, 7,
                            AsyncFlag::Async, id);
                nowNs += 1'055 * kUs;
            }
            launch();
        }
        if (hostUs > 0) {
            for (int back = 0; back < 18; ++back) {
                sample.host(EventKind::RuntimeCall, nowNs, nowNs + 1'050 * kUs, "cudaMemcpyAsync", ++id);
                sample.copy(EventKind::CopyD2H, nowNs + 5 * kUs, nowNs + 1'040 * kUs, MemoryKind::Pageable,
                            back % 3 == 2 ? 22 * kMiB : 8 * kMiB, 7, AsyncFlag::Async, id);
                nowNs += 1'055 * kUs;
            }
            nowNs += hostUs * kUs;
        }
        sample.host(EventKind::Step, startNs, nowNs, "ProfilerStep#" + std::to_string(iteration));
    }
    sample.builder().addDevice({0, "NVIDIA H100 80GB HBM3", 0, 0});
    return sample.build();
}

TEST(Advice, AVerdictOnOffloadedWeightsSpeaksOfThem)
{
    const Trace trace = offloadTrace();
    const Analysis analysis(trace);
    const Verdict judged = verdictOfTrace(analysis, analysis.steps().steps);
    EXPECT_EQ(judged.carries, CopyRole::Parameter);
    test::expectText(judged.sentence);
    test::expectText(judged.advice);
    EXPECT_THAT(judged.advice, Not(HasSubstr("DataLoader")));
    // 6 x 38 MiB at 55 GB/s are 4.35 ms; 6 kernels of 28 us are less.
    test::expectText(judged.offload);
    EXPECT_THAT(judged.sentence, HasSubstr(judged.offload));
}

TEST(Advice, WhatTheHostMakesOfOffloadedDataBoundsTheIteration)
{
    const Trace trace = offloadTrace(8'000);
    const Analysis analysis(trace);
    const Verdict judged = verdictOfTrace(analysis, analysis.steps().steps);
    test::expectText(judged.offload);
    test::expectText(judged.advice);
}

TEST(Advice, ABatchHasNoCeilingOfOffload)
{
    const Trace trace = test::serialTrace();
    const Analysis analysis(trace);
    EXPECT_EQ(verdictOfTrace(analysis, analysis.steps().steps).offload, "");
}

}  // namespace
}  // namespace overlane
