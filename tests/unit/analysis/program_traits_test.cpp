#include "core/analysis/program_traits.h"

#include <gtest/gtest.h>
#include <string_view>
#include <vector>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

ProgramTraits traitsWith(const std::vector<std::string_view>& kernels, const std::vector<std::string_view>& ranges = {},
                         std::string_view process = "python3.12 (17)")
{
    test::SampleTrace sample;
    sample.builder().renameTrack(sample.process(), process, 0);
    std::int64_t nowNs = 0;
    for (const std::string_view kernel : kernels)
        sample.add(sample.stream(TrackKind::EngineCompute, 7), EventKind::Kernel, nowNs, nowNs + 1, kernel);
    for (const std::string_view range : ranges)
        sample.host(EventKind::Annotation, nowNs, nowNs + 1, range);
    sample.host(EventKind::RuntimeCall, nowNs, nowNs + 1, "cudaLaunchKernel");
    return programTraits(sample.build());
}

TEST(ProgramTraits, AFrameworkIsToldByTheNamesItWrites)
{
    EXPECT_EQ(traitsWith({"void at::native::vectorized_elementwise_kernel<4>()"}).framework, Framework::PyTorch);
    EXPECT_EQ(traitsWith({}, {"aten::linear, op_id = 4"}).framework, Framework::PyTorch);
    EXPECT_EQ(traitsWith({}, {"aten::mm", "FSDP::pre_forward (layers.0)"}).framework, Framework::Fsdp);
    EXPECT_EQ(traitsWith({}, {"[pl][profile][Strategy]SingleDeviceStrategy.training_step"}).framework,
              Framework::Lightning);
    EXPECT_EQ(traitsWith({"input_reduce_fusion_1", "gemm_fusion_dot_general_3"}).framework, Framework::Jax);
    EXPECT_EQ(traitsWith({}, {"TSL: Thunk:#hlo_op=command_buffer_1#"}).framework, Framework::Jax);
    EXPECT_EQ(traitsWith({"cupy_multiply__float32_float32_float32"}).framework, Framework::CuPy);
    EXPECT_TRUE(traitsWith({}, {"aten::mm", "FSDP::pre_forward"}).isPyTorch());
    EXPECT_FALSE(traitsWith({"cupy_add"}).isPyTorch());
}

TEST(ProgramTraits, AProgramThatIsNoPythonIsCuda)
{
    EXPECT_EQ(traitsWith({"saxpy"}, {}, "simulation (17)").framework, Framework::Cuda);
    EXPECT_EQ(traitsWith({"saxpy"}).framework, Framework::Unknown) << "Python: Numba, or anything else";
    EXPECT_EQ(traitsWith({"saxpy"}, {}, "").framework, Framework::Unknown) << "the process has no name";
}

TEST(ProgramTraits, WhatWasOnlyImportedDidNotRun)
{
    const auto withStack = [](std::string_view function) { return traitsWith({"void at::native::a()"}, {function}); };
    EXPECT_EQ(withStack("lightning/pytorch/loops/fit_loop.py:460 _FitLoop.advance").framework, Framework::Lightning);
    EXPECT_EQ(withStack("lightning/pytorch/loops/fit_loop.py:1 <module>").framework, Framework::PyTorch);
    EXPECT_EQ(withStack("cupy/_core/__init__.py:3 <module>").framework, Framework::PyTorch);
    EXPECT_TRUE(withStack("torch/utils/data/dataloader.py:715 _BaseDataLoaderIter.__next__").hasLoader);
    EXPECT_FALSE(withStack("torch/utils/data/dataloader.py:140 DataLoader").hasLoader);
}

TEST(ProgramTraits, XlaBelowTensorFlowIsNotJax)
{
    EXPECT_EQ(traitsWith({"input_reduce_fusion_1"}, {"tensorflow::BaseGPUDevice::Compute"}).framework,
              Framework::Unknown);
    EXPECT_EQ(traitsWith({"my_gemm_fusion", "loop_body"}).framework, Framework::Unknown);
}

TEST(ProgramTraits, OfTwoLibrariesTheOneWithMoreNamesIsTheProgram)
{
    EXPECT_EQ(traitsWith({"void at::native::a()", "void at::native::b()", "cupy_add"}).framework, Framework::PyTorch);
    EXPECT_EQ(traitsWith({"void at::native::a()", "cupy_mul", "cupy_add"}).framework, Framework::CuPy);
}

TEST(ProgramTraits, ALoaderIsThereWhereItIsRecorded)
{
    EXPECT_FALSE(traitsWith({"void at::native::a()"}).hasLoader);
    EXPECT_TRUE(traitsWith({}, {"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"}).hasLoader);
    test::SampleTrace sample;
    sample.kernel(0, 10);
    sample.add(sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "worker 0"), EventKind::Loader, 0, 5,
               "batch 0");
    EXPECT_TRUE(programTraits(sample.build()).hasLoader);
}

}  // namespace
}  // namespace overlane
