// What the injected traces are built with: loader scenarios with random knobs, and steps built by hand.
// Any thread; nanoseconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "core/base/units.h"
#include "core/devices/device_profile.h"
#include "core/loader/run.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"
#include "tests/unit/analysis/injected_traces.h"

namespace overlane::test
{

inline std::int64_t between(Random& random, std::int64_t low, std::int64_t high)
{
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

inline bool either(Random& random)
{
    return between(random, 0, 1) == 1;
}

inline Trace run(const Scenario& scenario, std::string_view device = "h200")
{
    Result<RunResult> result = simulate(scenario, *findDeviceProfile(device));
    if (!result.ok())
        throw std::runtime_error(result.error());
    return std::move(result).value().trace;
}

// Batches come fast enough, and kernels are as long as copies or longer.
inline Scenario randomScenario(Random& random)
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

inline Scenario pinned(Random& random)
{
    Scenario scenario = randomScenario(random);
    scenario.pin = either(random) ? PinStrategy::Ring : PinStrategy::Thread;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Side;
    return scenario;
}

// A pin thread that falls behind would make the loader late now and then.
inline Scenario neverLate(Random& random)
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

inline Scenario starved(Random& random)
{
    Scenario scenario = pinned(random);
    scenario.workers = between(random, 1, 2);
    scenario.computeUs = static_cast<double>(between(random, 500, 2000));
    scenario.produceUs = static_cast<double>(between(random, 12'000, 30'000));
    scenario.batchBytes = between(random, 4, 16) * kMiB;
    return scenario;
}

}  // namespace overlane::test
