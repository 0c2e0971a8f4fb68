// Memory-bound kernels and copies alone and beside each other, and matrix products.
#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/kernels.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kKernelNs = 5'000'000;
constexpr std::int64_t kCopyBytes = std::int64_t{64} << 20;
constexpr int kCopiesBeside = 12;  // longer than the kernel on any link of today
constexpr int kKernelsBeside = 8;
constexpr double kProducts = 2e12;

struct Bench {
    explicit Bench(Kernels& of) : kernels(of), host(kCopyBytes), device(kCopyBytes) { touch(host.at(), kCopyBytes); }
    Kernels& kernels;
    PinnedBlock host;
    DeviceBlock device;
    DeviceStream compute;
    DeviceStream link;
    DeviceEvent before;
    DeviceEvent after;

    void launch() { check(kernels.launch(op::KernelLoad::Memory, kKernelNs, {}, compute), "a kernel launch"); }
    void copy()
    {
        check(
            cudaMemcpyAsync(device.at(), host.at(), static_cast<std::size_t>(kCopyBytes), cudaMemcpyHostToDevice, link),
            "cudaMemcpyAsync");
    }
    double kernelNs(bool beside)
    {
        if (beside)
            for (int each = 0; each < kCopiesBeside; ++each)
                copy();
        before.record(compute);
        launch();
        after.record(compute);
        compute.wait();
        const double tookNs = betweenNs(before, after);
        link.wait();
        return tookNs;
    }
    double copyNs()
    {
        for (int each = 0; each < kKernelsBeside; ++each)
            launch();
        before.record(link);
        copy();
        after.record(link);
        link.wait();
        const double tookNs = betweenNs(before, after);
        compute.wait();
        return tookNs;
    }
    double productsPerSecond()
    {
        before.record(compute);
        check(kernels.launchFlops(kProducts, {}, compute), "a kernel launch");
        after.record(compute);
        compute.wait();
        return kProducts * 1e9 / betweenNs(before, after);
    }
};

}  // namespace

void probeKernels(ProbeRun& run)
{
    auto kernels = Kernels::create(run.options().device);
    if (!kernels.ok())
        throw ProbeFailure(kernels.error());
    Bench bench(kernels.value());
    run.repeatOne(
        {"kernel_alone", {}, 0}, [&] { return bench.kernelNs(false); }, 2);
    run.repeatOne({"kernel_beside_copies", {}, 0}, [&] { return bench.kernelNs(true); });
    run.repeatOne({"copy_beside_kernels", "h2d", kCopyBytes}, [&] { return bench.copyNs(); });
    run.repeatOne(
        {"matrix_products", {}, 0}, [&] { return bench.productsPerSecond(); }, 2);
}

}  // namespace overlane
