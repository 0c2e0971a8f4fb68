#include "core/base/short_name.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(ShortName, OfAKernelGoesWithoutReturnTypeNamespacesAndParameters)
{
    EXPECT_EQ(shortName("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                        "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)"),
              "vectorized_elementwise_kernel<4, FillFunctor<float>, array<char*, 1ul> >");
    EXPECT_EQ(shortName("void cudnn::cnn::wgrad_alg0_engine<float, 128, false>(int, float const*)"),
              "wgrad_alg0_engine<float, 128, false>");
    EXPECT_EQ(shortName("at::native::(anonymous namespace)::cat_batched(int)"), "cat_batched");
    EXPECT_EQ(shortName("fill(float*, int)"), "fill(float*, int)") << "no namespace: perhaps no C++";
    EXPECT_EQ(shortName("void fill(float*, int)"), "fill");
}

TEST(ShortName, OfAFunctionInATemplatesArgumentsGoesWithoutItsLambdas)
{
    EXPECT_EQ(
        shortName("void at::native::unrolled_kernel<at::native::copy_cuda(at::Iterator&)::{lambda()#3}::operator()"
                  "() const::{lambda(bool)#1}, std::array<char*, 2ul>, 4>(int)"),
        "unrolled_kernel<copy_cuda, array<char*, 2ul>, 4>");
}

TEST(ShortName, OfAMemberKeepsItsTemplate)
{
    EXPECT_EQ(shortName("cub::Dispatch<int, long>::Kernel(int)"), "Dispatch<int, long>::Kernel");
}

TEST(ShortName, OfAPythonFunctionGoesWithoutItsFile)
{
    EXPECT_EQ(shortName("torch/nn/modules/module.py(1773): _call_impl"), "_call_impl");
    EXPECT_EQ(shortName("<built-in method resize of ImagingCore object at 0x7ce279c59fe0>"), "resize");
    EXPECT_EQ(shortName("<built-in function _cuda_getDevice>"), "_cuda_getDevice");
    EXPECT_EQ(shortName("zoom_shift (loader.py:84)"), "zoom_shift");
    EXPECT_EQ(shortName("nn.Module: Linear_226"), "Linear_226");
    EXPECT_EQ(shortName("autograd::engine::evaluate_function: SumBackward0"), "SumBackward0");
}

TEST(ShortName, OfAnythingElseIsTheName)
{
    for (const char* name :
         {"", "ProfilerStep#104", "aten::mse_loss_backward", "ampere_sgemm_64x64_nn", "aten", "## forward ##",
          "[memory]", "()", "a (b)", "<built-in ", "(): ", "x(): y", "cudaMemcpyAsync", "Validation/decoder/mul_3/x"})
        EXPECT_EQ(shortName(name), name);
}

TEST(ShortName, OfBrokenNamesIsNeverEmpty)
{
    for (const char* name : {"::", "void ", "a::", "void (", "at::native::<", "::{lambda()#1}", "void ((((", "x::>>>>"})
        EXPECT_FALSE(shortName(name).empty()) << name;
}

}  // namespace
}  // namespace overlane
