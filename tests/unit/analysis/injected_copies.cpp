// Copies with one known reason, and with two.
#include "tests/unit/analysis/injected_steps.h"

namespace overlane::test
{
namespace
{

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
        const TrackId lane = sample.track(sample.device(), TrackKind::Group, 0, "sync calls", 0);
        const TrackId row = sample.track(lane, TrackKind::Stream, 20, "stream 20", 0);
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
    all.push_back({"after a synchronization", {CopyCause::HostSync}, [](Random& random) {
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
    all.push_back({"pageable + after a synchronization",
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
        {"same stream + after a synchronization", {CopyCause::SameStream, CopyCause::HostSync}, [](Random& random) {
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

}  // namespace overlane::test
