#include "tests/unit/analysis/injected_traces.h"

#include <algorithm>
#include <stdexcept>

#include "core/engine/device_profile.h"
#include "core/loader/run.h"
#include "tests/support/sample_traces.h"

namespace overlane::test
{
namespace
{

constexpr std::int64_t kUs = 1000;
constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kMiB = 1 << 20;

std::int64_t between(Random& random, std::int64_t low, std::int64_t high)
{
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

bool either(Random& random)
{
    return between(random, 0, 1) == 1;
}

Trace run(const Scenario& scenario, std::string_view device = "h200")
{
    Result<RunResult> result = simulate(scenario, *findDeviceProfile(device));
    if (!result.ok())
        throw std::runtime_error(result.error());
    return std::move(result).value().trace;
}

// Batches come fast enough, and kernels are as long as copies or longer.
Scenario randomScenario(Random& random)
{
    Scenario scenario;
    scenario.batches = between(random, 12, 24);
    scenario.batchBytes = between(random, 4, 64) * kMiB;
    scenario.tensors = between(random, 1, 4);
    scenario.seed = static_cast<std::uint64_t>(between(random, 1, 1'000'000));
    scenario.workers = between(random, 4, 8);
    scenario.produceUs = static_cast<double>(between(random, 100, 2000));
    scenario.produceSpread = 0.01 * static_cast<double>(between(random, 0, 20));
    scenario.computeUs = static_cast<double>(between(random, 4000, 12'000));
    scenario.deviceBuffers = between(random, 2, 4);
    return scenario;
}

Scenario pinned(Random& random)
{
    Scenario scenario = randomScenario(random);
    scenario.pin = either(random) ? PinStrategy::Ring : PinStrategy::Thread;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Side;
    return scenario;
}

// A pin thread that falls behind would make the loader late now and then.
Scenario neverLate(Random& random)
{
    Scenario scenario = pinned(random);
    scenario.pin = PinStrategy::Ring;
    scenario.workers = 8;
    return scenario;
}

// Hand-built steps. Each has one copy and one kernel; calls come before the work they ask for.
class Steps
{
public:
    explicit Steps(Random& random) : m_random(random), m_steps(between(random, 8, 16)) {}

    SampleTrace& sample() { return m_sample; }
    std::int64_t count() const { return m_steps; }
    std::int64_t random(std::int64_t low, std::int64_t high) { return between(m_random, low, high); }
    bool either() { return test::either(m_random); }
    std::uint32_t call(std::int64_t startNs, std::int64_t endNs, std::string_view name)
    {
        m_sample.host(EventKind::RuntimeCall, startNs, endNs, name, ++m_correlation);
        return m_correlation;
    }
    void plainCall(std::int64_t startNs, std::int64_t endNs, std::string_view name)
    {
        m_sample.host(EventKind::RuntimeCall, startNs, endNs, name);
    }
    void kernel(std::int64_t callNs, std::int64_t startNs, std::int64_t endNs, std::int64_t stream = 7)
    {
        m_sample.kernel(startNs, endNs, stream, call(callNs, callNs + 4 * kUs, "cudaLaunchKernel"));
    }
    void copy(std::int64_t callNs, std::int64_t startNs, std::int64_t endNs, std::int64_t stream,
              MemoryKind memory = MemoryKind::Pinned, EventKind direction = EventKind::CopyH2D)
    {
        m_sample.copy(direction, startNs, endNs, memory, 8 * kMiB, stream, AsyncFlag::Async,
                      call(callNs, callNs + 4 * kUs, "cudaMemcpyAsync"));
    }

private:
    Random& m_random;
    std::int64_t m_steps;
    SampleTrace m_sample;
    std::uint32_t m_correlation = 0;
};

// The copy of each step is asked for while the kernel of the step before runs, and starts behind it:
// what makes it wait is up to `before`, which gets the time of the call.
Trace copyBehindKernel(Random& random, std::int64_t copyStream, std::int64_t kernelStream,
                       const std::function<void(Steps&, std::int64_t)>& before,
                       const std::function<void(SampleTrace&)>& prepare = {}, bool withCall = true,
                       MemoryKind memory = MemoryKind::Pinned)
{
    Steps steps(random);
    if (prepare)
        prepare(steps.sample());
    steps.kernel(0, 10 * kUs, 5 * kMs, kernelStream);
    std::int64_t kernelEndNs = 5 * kMs;
    for (std::int64_t step = 0; step < steps.count(); ++step) {
        const std::int64_t callNs = kernelEndNs - steps.random(2, 4) * kMs;
        const std::int64_t startNs = kernelEndNs + steps.random(1, 5) * kUs;
        const std::int64_t endNs = startNs + steps.random(200, 1500) * kUs;
        if (before)
            before(steps, callNs);
        if (withCall)
            steps.copy(callNs, startNs, endNs, copyStream, memory);
        else
            steps.sample().copy(EventKind::CopyH2D, startNs, endNs, memory, 8 * kMiB, copyStream);
        kernelEndNs = endNs + steps.random(4500, 9000) * kUs;
        steps.kernel(callNs + 10 * kUs, endNs + 5 * kUs, kernelEndNs, kernelStream);
    }
    return steps.sample().build();
}

Trace eventDependency(Random& random)
{
    const bool asRow = either(random);
    return copyBehindKernel(random, 20, 7, [asRow](Steps& steps, std::int64_t callNs) {
        if (!asRow)
            return steps.plainCall(callNs - 6 * kUs, callNs - 3 * kUs, "cudaStreamWaitEvent");
        SampleTrace& sample = steps.sample();
        const TrackId lane = sample.builder().findOrAddTrack(sample.device(), TrackKind::Group, 0, "sync calls", 0);
        const TrackId row = sample.builder().findOrAddTrack(lane, TrackKind::Stream, 20, "stream 20", 0);
        sample.add(row, EventKind::Sync, callNs - 6 * kUs, callNs - 3 * kUs, "Stream Wait Event");
    });
}

Trace legacyDefaultStream(Random& random)
{
    // Either the kernels or the copies sit in the default stream.
    const bool kernelsOnDefault = either(random);
    return copyBehindKernel(random, kernelsOnDefault ? 20 : 7, kernelsOnDefault ? 7 : 13, {}, [](SampleTrace& sample) {
        for (const TrackKind engine : {TrackKind::EngineCompute, TrackKind::EngineH2D})
            sample.builder().renameTrack(sample.stream(engine, 7), "stream 7 (default)", 0);
    });
}

// A large copy on another stream holds the engine while the kernel runs; the batch comes behind it.
Trace engineBusy(Random& random)
{
    Steps steps(random);
    std::int64_t nowNs = 0;
    for (std::int64_t step = 0; step < steps.count(); ++step) {
        const std::int64_t kernelNs = steps.random(4000, 8000) * kUs;
        const std::int64_t otherNs = kernelNs - steps.random(0, 200) * kUs + 400 * kUs;
        const std::int64_t copyNs = steps.random(200, 1500) * kUs;
        steps.kernel(nowNs, nowNs + 10 * kUs, nowNs + 10 * kUs + kernelNs);
        steps.copy(nowNs + 12 * kUs, nowNs + 20 * kUs, nowNs + 20 * kUs + otherNs, 30);
        const std::int64_t startNs = nowNs + 21 * kUs + otherNs;
        steps.copy(nowNs + 30 * kUs, startNs, startNs + copyNs, 20);
        nowNs = startNs + copyNs + steps.random(5, 50) * kUs;
    }
    steps.kernel(nowNs, nowNs + 10 * kUs, nowNs + kMs);
    return steps.sample().build();
}

Trace managedMemory(Random& random, bool sameStream)
{
    return copyBehindKernel(random, sameStream ? 7 : 20, 7, {}, {}, true, MemoryKind::Managed);
}

// Weights before the first kernel, or results behind the last one.
Trace outsideKernels(Random& random)
{
    Steps steps(random);
    const bool before = steps.either();
    std::int64_t nowNs = before ? 0 : 20 * kMs;
    for (std::int64_t copy = 0; copy < steps.count(); ++copy) {
        const std::int64_t endNs = nowNs + steps.random(50, 2000) * kUs;
        steps.copy(nowNs, nowNs + 6 * kUs, endNs, steps.either() ? 7 : 20,
                   steps.either() ? MemoryKind::Pinned : MemoryKind::Pageable);
        nowNs = endNs + steps.random(1, 200) * kUs;
    }
    const std::int64_t kernelsNs = before ? nowNs : 0;
    for (std::int64_t kernel = 0; kernel < 4; ++kernel)
        steps.kernel(kernelsNs + kernel * kMs, kernelsNs + kernel * kMs + 10 * kUs, kernelsNs + (kernel + 1) * kMs);
    return steps.sample().build();
}

Scenario starved(Random& random)
{
    Scenario scenario = pinned(random);
    scenario.workers = between(random, 1, 2);
    scenario.computeUs = static_cast<double>(between(random, 500, 2000));
    scenario.produceUs = static_cast<double>(between(random, 12'000, 30'000));
    scenario.batchBytes = between(random, 4, 16) * kMiB;
    return scenario;
}

Trace inlineCopies(Random& random, CopyStream stream)
{
    Scenario scenario = randomScenario(random);
    scenario.tensors = between(random, 1, 4);
    scenario.batchBytes = scenario.tensors * between(random, 1, 64) * 1024;
    scenario.nonBlocking = true;
    scenario.copyStream = stream;
    return run(scenario);
}

Trace pageable(Random& random, bool blocking, bool syncEveryStep)
{
    Scenario scenario = randomScenario(random);
    scenario.nonBlocking = !blocking;
    scenario.syncEveryStep = syncEveryStep;
    scenario.batchBytes = between(random, 4, 24) * kMiB;
    return run(scenario);
}

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

std::vector<CopyInjection> copyInjections()
{
    std::vector<CopyInjection> all;
    all.push_back({"pageable memory", {CopyCause::PageableMemory}, [](Random& random) {
                       Scenario scenario = randomScenario(random);
                       scenario.nonBlocking = either(random);
                       scenario.copyStream = either(random) ? CopyStream::Side : CopyStream::Compute;
                       if (scenario.copyStream == CopyStream::Side)
                           scenario.deviceBuffers = 1;  // else most of them hide, pageable or not
                       return run(scenario);
                   }});
    all.push_back({"synchronous call", {CopyCause::SynchronousCall}, [](Random& random) {
                       Scenario scenario = pinned(random);
                       scenario.nonBlocking = false;
                       scenario.deviceBuffers = 1;
                       return run(scenario);
                   }});
    // PyTorch's blocking copy: an asynchronous call, then a wait.
    all.push_back({"asynchronous call, then a wait", {CopyCause::SynchronousCall}, [](Random& random) {
                       Steps steps(random);
                       std::int64_t nowNs = 0;
                       steps.kernel(nowNs, nowNs + 10 * kUs, nowNs + kMs);
                       nowNs = kMs + 50 * kUs;
                       for (std::int64_t step = 0; step < steps.count(); ++step) {
                           const std::int64_t endNs = nowNs + steps.random(200, 2000) * kUs;
                           steps.copy(nowNs, nowNs + 6 * kUs, endNs, 20);
                           steps.plainCall(nowNs + 5 * kUs, endNs + 4 * kUs, "cudaStreamSynchronize");
                           const std::int64_t kernelEndNs = endNs + steps.random(500, 4000) * kUs;
                           steps.kernel(endNs + 6 * kUs, endNs + 20 * kUs, kernelEndNs);
                           nowNs = kernelEndNs + steps.random(5, 100) * kUs;
                       }
                       return steps.sample().build();
                   }});
    all.push_back({"same stream", {CopyCause::SameStream}, [](Random& random) {
                       Scenario scenario = pinned(random);
                       scenario.copyStream = CopyStream::Compute;
                       return run(scenario);
                   }});
    all.push_back({"event dependency", {CopyCause::EventDependency}, eventDependency});
    all.push_back({"legacy default stream", {CopyCause::LegacyDefaultStream}, legacyDefaultStream});
    all.push_back({"engine busy", {CopyCause::EngineBusy}, engineBusy});
    all.push_back({"after a synchronisation", {CopyCause::HostSync}, [](Random& random) {
                       Scenario scenario = neverLate(random);
                       scenario.syncEveryStep = true;
                       return run(scenario);
                   }});
    all.push_back(
        {"loader late, no kernel runs", {CopyCause::NoCompute}, [](Random& random) { return run(starved(random)); }});
    all.push_back({"first or last batch", {CopyCause::OutsideKernels}, outsideKernels});
    all.push_back({"staged inline", {CopyCause::StagedInline}, [](Random& random) {
                       return inlineCopies(random, CopyStream::Compute);
                   }});
    all.push_back({"managed memory", {CopyCause::UnifiedMemory}, [](Random& random) {
                       return managedMemory(random, either(random));
                   }});
    all.push_back({"memory kind not recorded", {CopyCause::UnknownMemory}, [](Random& random) {
                       Steps steps(random);
                       std::int64_t nowNs = 0;
                       steps.kernel(nowNs, nowNs + 10 * kUs, nowNs + kMs);
                       for (std::int64_t step = 0; step < steps.count(); ++step) {
                           nowNs += steps.random(2000, 6000) * kUs;
                           const std::int64_t endNs = nowNs + steps.random(200, 900) * kUs;
                           steps.copy(nowNs, nowNs + 6 * kUs, endNs, 20, MemoryKind::Unknown);
                           steps.kernel(endNs, endNs + 10 * kUs, endNs + kMs);
                           nowNs = endNs + kMs;
                       }
                       return steps.sample().build();
                   }});
    all.push_back({"call not recorded", {CopyCause::Unknown}, [](Random& random) {
                       return copyBehindKernel(random, 20, 7, {}, {}, false);
                   }});
    all.push_back({"results on the kernels' stream",
                   {CopyCause::SameStream},
                   [](Random& random) {
                       Scenario scenario = pinned(random);
                       scenario.resultBytes = between(random, 2, 16) * kMiB;
                       return run(scenario);
                   },
                   EventKind::CopyD2H});
    all.push_back({"results into pageable memory",
                   {CopyCause::PageableMemory},
                   [](Random& random) {
                       Scenario scenario = randomScenario(random);
                       scenario.resultBytes = between(random, 2, 16) * kMiB;
                       return run(scenario);
                   },
                   EventKind::CopyD2H});
    return all;
}

std::vector<CopyInjection> copyPairInjections()
{
    std::vector<CopyInjection> all;
    all.push_back({"pageable + synchronous",
                   {CopyCause::PageableMemory, CopyCause::SynchronousCall},
                   [](Random& random) { return pageable(random, true, false); }});
    all.push_back({"pageable + same stream", {CopyCause::PageableMemory, CopyCause::SameStream}, [](Random& random) {
                       return pageable(random, false, false);
                   }});
    all.push_back({"pageable + after a synchronisation",
                   {CopyCause::PageableMemory, CopyCause::HostSync},
                   [](Random& random) { return pageable(random, either(random), true); }});
    all.push_back(
        {"synchronous + same stream", {CopyCause::SynchronousCall, CopyCause::SameStream}, [](Random& random) {
             Scenario scenario = pinned(random);
             scenario.nonBlocking = false;
             scenario.copyStream = CopyStream::Compute;
             return run(scenario);
         }});
    all.push_back(
        {"same stream + after a synchronisation", {CopyCause::SameStream, CopyCause::HostSync}, [](Random& random) {
             Scenario scenario = neverLate(random);
             scenario.copyStream = CopyStream::Compute;
             scenario.syncEveryStep = true;
             return run(scenario);
         }});
    all.push_back({"same stream + loader late", {CopyCause::SameStream, CopyCause::NoCompute}, [](Random& random) {
                       Scenario scenario = starved(random);
                       scenario.workers = 1;  // two bring batches in pairs
                       scenario.copyStream = CopyStream::Compute;
                       return run(scenario);
                   }});
    all.push_back({"inline + pageable", {CopyCause::StagedInline, CopyCause::PageableMemory}, [](Random& random) {
                       return inlineCopies(random, CopyStream::Compute);
                   }});
    all.push_back({"managed + same stream", {CopyCause::UnifiedMemory, CopyCause::SameStream}, [](Random& random) {
                       return managedMemory(random, true);
                   }});
    all.push_back({"unknown memory + event dependency",
                   {CopyCause::EventDependency, CopyCause::UnknownMemory},
                   [](Random& random) {
                       return copyBehindKernel(
                           random, 20, 7,
                           [](Steps& steps, std::int64_t callNs) {
                               steps.plainCall(callNs - 6 * kUs, callNs - 3 * kUs, "cudaStreamWaitEvent");
                           },
                           {}, true, MemoryKind::Unknown);
                   }});
    return all;
}

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
                       scenario.syncEveryStep = true;
                       scenario.batchBytes = between(random, 32, 64) * kMiB;
                       return run(scenario);
                   }});
    all.push_back({"a sync, then work", LostCause::Sync, [](Random& random) {
                       return hostSteps(random, between(random, 500, 4000) * kUs,
                                        [](Steps& steps, std::int64_t startNs, std::int64_t endNs) {
                                            steps.plainCall(
                                                startNs + 10 * kUs, endNs + 8 * kUs,
                                                steps.either() ? "cudaStreamSynchronize" : "cudaDeviceSynchronize");
                                            const std::int64_t workNs = steps.random(300, 2000) * kUs;
                                            steps.sample().host(EventKind::HostWork, endNs + 10 * kUs,
                                                                endNs + 10 * kUs + workNs, "aten::item");
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
