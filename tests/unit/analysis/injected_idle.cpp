// Idle times with one known cause.
#include <algorithm>

#include "tests/unit/analysis/injected_steps.h"

namespace overlane::test
{
namespace
{

// Work of the launching thread between kernels: `then` gets the time at which the kernel ends and
// returns when the next step begins.
Trace hostSteps(Random& random, std::int64_t kernelNs,
                const std::function<std::int64_t(Steps&, std::int64_t startNs, std::int64_t endNs)>& then,
                std::int64_t count = 0, const std::function<void(Steps&)>& prepare = {})
{
    Steps steps(random);
    if (prepare)
        prepare(steps);
    std::int64_t nowNs = 0;
    const std::int64_t all = count > 0 ? count : steps.count();
    for (std::int64_t step = 0; step < all; ++step) {
        steps.kernel(nowNs, nowNs + 5 * kUs, nowNs + 5 * kUs + kernelNs);
        nowNs = then(steps, nowNs, nowNs + 5 * kUs + kernelNs);
    }
    steps.kernel(nowNs, nowNs + 5 * kUs, nowNs + 5 * kUs + kernelNs);
    return steps.sample().build();
}

}  // namespace

std::vector<IdleInjection> idleInjections()
{
    std::vector<IdleInjection> all;
    all.push_back({"copies on the kernels' stream", LostCause::Copies, [](Random& random) {
                       Scenario scenario = neverLate(random);
                       scenario.batches = 40;
                       scenario.produceUs = 200;
                       scenario.copyStream = CopyStream::Compute;
                       scenario.batchBytes = between(random, 32, 64) * kMiB;
                       return run(scenario);
                   }});
    all.push_back({"slow workers", LostCause::Batches, [](Random& random) { return run(starved(random)); }, "worker"});
    all.push_back({"slow pin thread", LostCause::Batches,
                   [](Random& random) {
                       Scenario scenario = pinned(random);
                       scenario.pin = PinStrategy::Thread;
                       scenario.allocator = Allocator::Fresh;
                       scenario.batchBytes = between(random, 32, 64) * kMiB;
                       scenario.produceUs = static_cast<double>(between(random, 100, 1000));
                       scenario.computeUs = static_cast<double>(between(random, 500, 1500));
                       scenario.workers = 8;
                       return run(scenario);
                   },
                   "pin"});
    all.push_back({"no workers", LostCause::MakingBatches, [](Random& random) {
                       Scenario scenario = pinned(random);
                       scenario.pin = PinStrategy::Ring;
                       scenario.workers = 0;
                       scenario.computeUs = static_cast<double>(between(random, 500, 2000));
                       scenario.produceUs = static_cast<double>(between(random, 6000, 20'000));
                       return run(scenario);
                   }});
    all.push_back({"pins in the training thread", LostCause::Pinning, [](Random& random) {
                       Scenario scenario = pinned(random);
                       scenario.pin = PinStrategy::Consumer;
                       scenario.allocator = Allocator::Fresh;
                       scenario.syncEveryStep = true;
                       scenario.batchBytes = between(random, 32, 64) * kMiB;
                       return run(scenario);
                   }});
    all.push_back({"a sync, then work", LostCause::Sync, [](Random& random) {
                       return hostSteps(
                           random, between(random, 500, 4000) * kUs,
                           [](Steps& steps, std::int64_t startNs, std::int64_t endNs) {
                               steps.plainCall(startNs + 10 * kUs, endNs + 8 * kUs,
                                               steps.either() ? "cudaStreamSynchronize" : "cudaDeviceSynchronize");
                               // Longer than the wait, it would be late without it.
                               const std::int64_t workNs = std::min(steps.random(300, 2000) * kUs, endNs - startNs);
                               steps.sample().host(EventKind::HostWork, endNs + 10 * kUs, endNs + 10 * kUs + workNs,
                                                   "aten::item");
                               return endNs + 12 * kUs + workNs;
                           });
                   }});
    all.push_back({"an operator is late",
                   LostCause::Host,
                   [](Random& random) {
                       return hostSteps(random, between(random, 500, 4000) * kUs,
                                        [](Steps& steps, std::int64_t startNs, std::int64_t endNs) {
                                            const std::int64_t lateNs = steps.random(200, 3000) * kUs;
                                            steps.sample().host(EventKind::HostWork, startNs + 20 * kUs, endNs + lateNs,
                                                                "aten::unique");
                                            return endNs + lateNs + 5 * kUs;
                                        });
                   },
                   {},
                   "aten::unique"});
    all.push_back({"short kernels", LostCause::LaunchBound, [](Random& random) {
                       return hostSteps(
                           random, between(random, 2, 6) * kUs,
                           [](Steps& steps, std::int64_t startNs, std::int64_t) {
                               steps.sample().host(EventKind::HostWork, startNs + 4 * kUs, startNs + 15 * kUs, "op");
                               return startNs + steps.random(16, 40) * kUs;
                           },
                           100);
                   }});
    all.push_back({"kernels wait for an event", LostCause::Dependency, [](Random& random) {
                       Steps steps(random);
                       std::int64_t nowNs = 0;
                       std::int64_t callNs = -40 * kUs;
                       for (std::int64_t step = 0; step < steps.count(); ++step) {
                           const std::int64_t kernelNs = steps.random(500, 3000) * kUs;
                           steps.plainCall(callNs - 6 * kUs, callNs - 3 * kUs, "cudaStreamWaitEvent");
                           steps.kernel(callNs, nowNs, nowNs + kernelNs);
                           callNs = nowNs + steps.random(10, 400) * kUs;
                           nowNs += kernelNs + steps.random(200, 2000) * kUs;
                       }
                       return steps.sample().build();
                   }});
    all.push_back({"results read back alone", LostCause::ReadBack, [](Random& random) {
                       return hostSteps(random, between(random, 500, 4000) * kUs,
                                        [](Steps& steps, std::int64_t startNs, std::int64_t endNs) {
                                            const std::int64_t copyNs = steps.random(300, 3000) * kUs;
                                            steps.copy(startNs + 6 * kUs, endNs + kUs, endNs + kUs + copyNs, 7,
                                                       MemoryKind::Pinned, EventKind::CopyD2H);
                                            return endNs + copyNs + steps.random(1, 30) * kUs;
                                        });
                   }});
    all.push_back(
        {"staging of pageable copies", LostCause::Staging, [](Random& random) {
             return hostSteps(
                 random, between(random, 500, 4000) * kUs, [](Steps& steps, std::int64_t, std::int64_t endNs) {
                     const std::int64_t stagingNs = steps.random(600, 2000) * kUs;
                     const std::int64_t copyNs = steps.random(100, 400) * kUs;
                     const std::uint32_t id = steps.call(endNs, endNs + stagingNs + copyNs, "cudaMemcpyAsync");
                     steps.sample().copy(EventKind::CopyH2D, endNs + stagingNs, endNs + stagingNs + copyNs,
                                         MemoryKind::Pageable, 8 * kMiB, 20, AsyncFlag::Async, id);
                     return endNs + stagingNs + copyNs + 2 * kUs;
                 });
         }});
    all.push_back(
        {"swap", LostCause::Swap, [](Random& random) {
             return hostSteps(
                 random, between(random, 500, 4000) * kUs,
                 [](Steps& steps, std::int64_t startNs, std::int64_t endNs) {
                     const std::int64_t waitNs = steps.random(500, 4000) * kUs;
                     steps.sample().host(EventKind::LoaderWait, startNs + 20 * kUs, endNs + waitNs, "wait for a batch");
                     return endNs + waitNs + 5 * kUs;
                 },
                 0,
                 [](Steps& steps) {
                     const TrackId gauge =
                         steps.sample().builder().addCounter({}, "Swap traffic", CounterUnit::BytesPerSecond);
                     steps.sample().builder().addSample(gauge, 0, 1e8 * static_cast<double>(steps.random(1, 20)));
                 });
         }});
    all.push_back({"nothing recorded", LostCause::Unknown, [](Random& random) {
                       Steps steps(random);
                       std::int64_t nowNs = 0;
                       for (std::int64_t step = 0; step < steps.count(); ++step) {
                           steps.sample().kernel(nowNs, nowNs + kMs);
                           nowNs += kMs + steps.random(300, 2000) * kUs;
                       }
                       return steps.sample().build();
                   }});
    return all;
}

}  // namespace overlane::test
