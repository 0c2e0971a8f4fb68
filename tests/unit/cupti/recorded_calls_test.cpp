#include "cupti/collector/recorded_calls.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

struct Case {
    CallDomain domain;
    const char* name;
    bool light;
    bool standard;
};

TEST(RecordedCalls, AreThoseThatCopyWaitAllocateOrLaunch)
{
    constexpr CallDomain kRuntime = CallDomain::Runtime;
    constexpr CallDomain kDriver = CallDomain::Driver;
    constexpr Case kCases[] = {
        {kRuntime, "cudaMemcpyAsync_v3020", true, true},
        {kRuntime, "cudaMemcpyAsync_ptsz_v7000", true, true},
        {kRuntime, "cudaMemcpyBatchAsync_v13000", true, true},
        {kRuntime, "cudaMemcpy3DBatchAsync_ptsz_v13000", true, true},
        {kRuntime, "cudaMemset_v3020", true, true},
        {kRuntime, "cudaMemPrefetchAsync_v8000", true, true},
        {kRuntime, "cudaStreamSynchronize_v3020", true, true},
        {kRuntime, "cudaDeviceSynchronize_v3020", true, true},
        {kRuntime, "cudaEventSynchronize_v3020", true, true},
        {kRuntime, "cudaStreamWaitEvent_v3020", true, true},
        {kRuntime, "cudaHostAlloc_v3020", true, true},
        {kRuntime, "cudaHostRegister_v4000", true, true},
        {kRuntime, "cudaFreeHost_v3020", true, true},
        {kRuntime, "cudaMalloc_v3020", true, true},
        {kRuntime, "cudaLaunchKernel_v7000", false, true},
        {kRuntime, "cudaLaunchKernelExC_v11060", false, true},
        {kRuntime, "cudaGraphLaunch_v10000", false, true},
        {kRuntime, "cudaEventRecord_v3020", false, true},
        {kRuntime, "cudaGetDevice_v3020", false, false},
        {kRuntime, "cudaSetDevice_v3020", false, false},
        {kRuntime, "cudaPeekAtLastError_v3020", false, false},
        {kRuntime, "cudaStreamIsCapturing_v10000", false, false},
        {kRuntime, "cudaEventQuery_v3020", false, false},
        {kRuntime, "cudaGraphAddMemcpyNode_v10000", false, false},
        {kRuntime, "cudaPointerGetAttributes_v4000", false, false},
        {kDriver, "cuMemcpyHtoDAsync_v2", true, true},
        {kDriver, "cuMemcpyBatchAsync_v2", true, true},
        {kDriver, "cuMemcpy3DBatchAsync", true, true},
        {kDriver, "cuMemsetD8Async", true, true},
        {kDriver, "cuMemAlloc_v2", true, true},
        {kDriver, "cuMemHostAlloc", true, true},
        {kDriver, "cuCtxSynchronize", true, true},
        {kDriver, "cuStreamSynchronize", true, true},
        {kDriver, "cuLaunchKernel", false, true},
        {kDriver, "cuLaunchKernelEx", false, true},
        {kDriver, "cuGraphLaunch", false, true},
        {kDriver, "cuMemGetInfo_v2", false, false},
        {kDriver, "cuGetProcAddress_v2", false, false},
        {kDriver, "cuDriverGetVersion", false, false},
        {kDriver, "cuGraphAddMemcpyNode", false, false},
        {kDriver, "", false, false},
    };
    for (const Case& expected : kCases) {
        EXPECT_EQ(isRecordedCall(expected.domain, expected.name, RecordKinds::light()), expected.light)
            << expected.name;
        EXPECT_EQ(isRecordedCall(expected.domain, expected.name, RecordKinds::standard()), expected.standard)
            << expected.name;
        EXPECT_TRUE(isRecordedCall(expected.domain, expected.name, RecordKinds::all())) << expected.name;
    }
}

TEST(RecordedCalls, FollowTheKindsOneByOne)
{
    const RecordKinds copies = RecordKinds().with(RecordKind::Copies);
    EXPECT_TRUE(isRecordedCall(CallDomain::Runtime, "cudaMemcpy_v3020", copies));
    EXPECT_FALSE(isRecordedCall(CallDomain::Runtime, "cudaMalloc_v3020", copies));
    EXPECT_FALSE(isRecordedCall(CallDomain::Runtime, "cudaStreamSynchronize_v3020", copies));
}

}  // namespace
}  // namespace overlane
