// Calls that wait for the device although they are not called so.
#include "core/analysis/implicit_wait.h"

#include <gtest/gtest.h>
#include <string>

#include "core/analysis/analysis.h"
#include "core/analysis/verdict.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
constexpr Interval kRange{0, 4000 * kUs};

TEST(ImplicitWaitTest, IsToldByTheNameOfTheCall)
{
    for (const char* name : {"cudaFree", "cudaFree_v3020", "cuMemFree_v2", "hipFree", "cudaFreeArray"})
        EXPECT_EQ(implicitWaitOf(name), ImplicitWait::Free) << name;
    for (const char* name : {"cudaMalloc", "cudaMalloc_v3020", "cuMemAlloc_v2", "cudaMallocManaged", "hipMalloc"})
        EXPECT_EQ(implicitWaitOf(name), ImplicitWait::Allocate) << name;
    for (const char* name : {"cudaHostAlloc", "cudaMallocHost", "cudaFreeHost", "cudaHostRegister"})
        EXPECT_EQ(implicitWaitOf(name), ImplicitWait::PageLock) << name;
    for (const char* name : {"cuModuleLoadDataEx", "cuLibraryLoadData", "module loading", "lazy kernel loading",
                             "Runtime Triggered Module Loading", "Lazy Function Loading"})
        EXPECT_EQ(implicitWaitOf(name), ImplicitWait::LoadModule) << name;
    for (const char* name : {"", "cudaFreeAsync", "cudaFreeAsync_v11020", "cudaMallocAsync", "cudaMallocFromPoolAsync",
                             "cuMemFreeAsync", "cuMemAllocAsync", "cudaLaunchKernel", "cudaMemcpy", "hipFreeAsync"})
        EXPECT_EQ(implicitWaitOf(name), ImplicitWait::None) << name;
}

// Kernels of 600 us in steps of 1 ms; a call is in progress from a time of the step to another.
Trace called(std::string_view name, std::int64_t fromUs, std::int64_t toUs, EventKind kind = EventKind::RuntimeCall)
{
    SampleTrace sample;
    for (std::uint32_t step = 0; step < 4; ++step) {
        const std::int64_t atNs = std::int64_t{step} * 1000 * kUs;
        sample.host(EventKind::RuntimeCall, atNs, atNs + 5 * kUs, "cudaLaunchKernel", step + 1);
        sample.host(kind, atNs + fromUs * kUs, atNs + toUs * kUs, name);
        sample.kernel(atNs + 5 * kUs, atNs + 605 * kUs, 7, step + 1);
    }
    return sample.build();
}

std::int64_t lostTo(const Trace& trace, LostCause cause)
{
    return Analysis(trace).summarize().devices.at(0).lostNs[static_cast<std::size_t>(cause)];
}

TEST(ImplicitWaitTest, ACallThatEndsAsTheDeviceRunsEmptyIsASynchronization)
{
    // Three gaps of 400 us, each no dearer than the call of 310 us.
    EXPECT_EQ(lostTo(called("cudaFree", 300, 610), LostCause::Sync), 3 * (310 * kUs));
    EXPECT_EQ(lostTo(called("cudaFreeAsync", 300, 610), LostCause::Sync), 0);
    EXPECT_EQ(lostTo(called("module loading", 300, 610, EventKind::Overhead), LostCause::Sync), 3 * (310 * kUs));
    // The device ran empty early in it, or before it: the call itself took long.
    EXPECT_EQ(lostTo(called("cudaMalloc", 600, 950), LostCause::Sync), 0);
    EXPECT_EQ(lostTo(called("cudaMalloc", 700, 950), LostCause::Sync), 0);
    // It was over while the device still worked.
    EXPECT_EQ(lostTo(called("cudaFree", 100, 200), LostCause::Sync), 0);
}

TEST(ImplicitWaitTest, TheVerdictNamesTheCallAndWhatToDo)
{
    const Verdict frees = verdict(called("cudaFree", 300, 610), kRange);
    EXPECT_EQ(frees.mainLoss, LostCause::Sync);
    test::expectText(frees.sentence);
    EXPECT_NE(frees.advice.find("cudaMallocAsync"), std::string::npos) << frees.advice;
    const Verdict waits = verdict(called("cudaDeviceSynchronize", 300, 610), kRange);
    EXPECT_EQ(waits.mainLoss, LostCause::Sync);
    EXPECT_EQ(waits.sentence.find("Implicit"), std::string::npos) << waits.sentence;
    const Verdict loads = verdict(called("lazy kernel loading", 300, 610, EventKind::Overhead), kRange);
    EXPECT_NE(loads.advice.find("CUDA_MODULE_LOADING=EAGER"), std::string::npos) << loads.advice;
    // Where no work is to be waited for, a library begins.
    EXPECT_EQ(verdict(called("cudaFree", 600, 990), kRange).sentence.find("cudaFree"), std::string::npos);
    const Verdict late = verdict(called("cudaMalloc", 600, 990), kRange);
    EXPECT_EQ(late.mainLoss, LostCause::Host);
    test::expectText(late.sentence);
    EXPECT_NE(late.advice.find("once"), std::string::npos) << late.advice;
}

}  // namespace
}  // namespace overlane
