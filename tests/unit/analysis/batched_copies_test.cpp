// One call that asks for many copies (cudaMemcpyBatchAsync): each is judged as a copy of that call.
#include <gtest/gtest.h>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_judge.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// Kernels on stream 7, and in each step one call that asks for three copies on stream 13, which run under the kernel
// or, all but the first, behind it.
Trace batched(std::string_view call, AsyncFlag async, std::int64_t firstNs)
{
    SampleTrace sample;
    std::uint32_t id = 0;
    for (std::int64_t step = 0; step < 4; ++step) {
        const std::int64_t atNs = step * 2000 * kUs;
        sample.host(EventKind::RuntimeCall, atNs, atNs + 5 * kUs, "cudaLaunchKernel", ++id);
        sample.kernel(atNs + 5 * kUs, atNs + 1005 * kUs, 7, id);
        sample.host(EventKind::RuntimeCall, atNs + 10 * kUs, atNs + 20 * kUs, call, ++id);
        for (std::int64_t copy = 0; copy < 3; ++copy)
            sample.copy(EventKind::CopyH2D, atNs + firstNs + copy * 200 * kUs, atNs + firstNs + (copy + 1) * 200 * kUs,
                        MemoryKind::Pinned, 8 << 20, 13, async, id);
    }
    sample.host(EventKind::RuntimeCall, 8000 * kUs, 8005 * kUs, "cudaLaunchKernel", ++id);
    sample.kernel(8005 * kUs, 9005 * kUs, 7, id);
    return sample.build();
}

TEST(BatchedCopiesTest, EachHasTheCallAndItsFlag)
{
    const Trace trace = batched("cudaMemcpyBatchAsync", AsyncFlag::Async, 100 * kUs);
    const Analysis analysis(trace);
    const DeviceActivity& device = analysis.devices().at(0);
    ASSERT_EQ(device.h2dCopies.size(), 12u);
    for (const CopyRecord& copy : device.h2dCopies) {
        ASSERT_TRUE(copy.call.valid());
        EXPECT_EQ(trace.name(copy.call), "cudaMemcpyBatchAsync");
        EXPECT_EQ(copy.async, AsyncFlag::Async);
        EXPECT_EQ(copy.cause, CopyCause::Hidden);
        EXPECT_EQ(trace.linkedWork(copy.call).size(), 3u);
    }
    EXPECT_TRUE(analysis.host().blocked.empty());
}

TEST(BatchedCopiesTest, ExposedOnesAreNotJudgedAsSynchronous)
{
    for (const char* call : {"cudaMemcpyBatchAsync", "cudaMemcpy3DBatchAsync", "cuMemcpyBatchAsync_v2"}) {
        const Trace trace = batched(call, AsyncFlag::Async, 1000 * kUs);
        const Analysis analysis(trace);
        for (const CopyRecord& copy : analysis.devices().at(0).h2dCopies)
            EXPECT_EQ(copy.causes & causeBit(CopyCause::SynchronousCall), 0) << call;
        EXPECT_TRUE(analysis.host().blocked.empty()) << call;
    }
    const Trace held = batched("cudaMemcpy", AsyncFlag::Sync, 1000 * kUs);
    const Analysis analysis(held);
    for (const CopyRecord& copy : analysis.devices().at(0).h2dCopies)
        EXPECT_NE(copy.causes & causeBit(CopyCause::SynchronousCall), 0);
}

// A batch may mix kinds of memory: pageable memory in any of its copies holds the host.
TEST(BatchedCopiesTest, APageableCopyAmongThemHoldsTheHost)
{
    SampleTrace sample;
    sample.kernel(0, 100 * kUs);
    sample.host(EventKind::RuntimeCall, 10 * kUs, 60 * kUs, "cudaMemcpyBatchAsync", 1);
    sample.copy(EventKind::CopyH2D, 20 * kUs, 30 * kUs, MemoryKind::Pinned, 1 << 20, 13, AsyncFlag::Async, 1);
    sample.copy(EventKind::CopyH2D, 30 * kUs, 60 * kUs, MemoryKind::Pageable, 1 << 20, 13, AsyncFlag::Async, 1);
    const Analysis analysis(sample.build());
    EXPECT_EQ(analysis.host().blocked, IntervalSet({{10 * kUs, 60 * kUs}}));
}

}  // namespace
}  // namespace overlane
