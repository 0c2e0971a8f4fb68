#include "core/sweep/sweep_runner.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

constexpr auto kCancelPeriod = std::chrono::milliseconds(20);

struct Due {
    std::size_t point;
    int repeat;
};

std::vector<Due> dueRuns(const SweepPlan& plan, std::span<const SweepRun> done)
{
    std::vector<bool> ran(plan.runs(), false);
    const auto repeats = static_cast<std::size_t>(plan.repeats);
    for (const SweepRun& run : done)
        if (run.point < plan.points() && run.repeat >= 0 && run.repeat < plan.repeats && run.error.empty())
            ran[run.point * repeats + static_cast<std::size_t>(run.repeat)] = true;
    std::vector<Due> due;
    // Repeats of all points after the first of all: a sweep that is cancelled has seen every point.
    for (int repeat = 0; repeat < plan.repeats; ++repeat)
        for (std::size_t point = 0; point < plan.points(); ++point)
            if (!ran[point * repeats + static_cast<std::size_t>(repeat)])
                due.push_back({point, repeat});
    return due;
}

// While it lives, a cancel of one piece of work reaches another.
class PassOnCancel
{
public:
    PassOnCancel(const Progress& from, Progress& to)
        : m_thread([this, &from, &to] {
              std::unique_lock lock(m_mutex);
              while (!m_wake.wait_for(lock, kCancelPeriod, [this] { return m_ended; }))
                  if (from.cancelled())
                      to.cancel();
          })
    {
    }
    ~PassOnCancel()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_wake.notify_one();
        m_thread.join();
    }
    PassOnCancel(const PassOnCancel&) = delete;
    PassOnCancel& operator=(const PassOnCancel&) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ended = false;
    std::thread m_thread;
};

class Running
{
public:
    Running(const SweepPlan& plan, const DeviceProfile& device, const SweepSink& sink, Progress& progress,
            const SweepOptions& options, std::size_t ended)
        : m_plan(plan), m_device(device), m_sink(sink), m_progress(progress), m_options(options), m_ended(ended)
    {
    }

    bool simulateOne(const Due& due)
    {
        const Scenario scenario = scenarioOf(m_plan, due.point, due.repeat);
        auto result = simulate(scenario, m_device, &m_inner);
        if (m_progress.cancelled())
            return false;
        if (!result.ok())
            return tell({due.point, due.repeat, result.error(), {}, {}}, nullptr);
        const JudgedRun run(scenario, m_device, std::move(result).value());
        return tell({due.point, due.repeat, {}, runFigures(run), {}}, &run.result.trace);
    }

    bool measureOne(const Due& due)
    {
        const Scenario scenario = scenarioOf(m_plan, due.point, due.repeat);
        // Impossible settings are the point's own fault; whatever else fails would fail for the next as well.
        if (const auto checked = checkScenario(scenario); !checked.ok())
            return tell({due.point, due.repeat, checked.error(), {}, {}}, nullptr);
        MeasuredRunOptions options;
        options.device = m_plan.gpu;
        options.force = m_options.force;
        auto result =
            m_options.measure ? m_options.measure(scenario, options, m_inner) : measure(scenario, options, m_inner);
        if (!result.ok() && (result.isCancelled() || m_progress.cancelled() || m_measured == 0)) {
            m_error = result.failure();
            return false;
        }
        ++m_measured;
        if (!result.ok())
            return tell({due.point, due.repeat, result.error(), {}, {}}, nullptr);
        MeasuredRunResult& measured = result.value();
        const JudgedRun run(scenario, m_device, std::move(measured.run), measured.report);
        return tell({due.point, due.repeat, {}, runFigures(run), measured.device}, &run.result.trace);
    }

    Progress& inner() { return m_inner; }
    const std::optional<Error>& error() const { return m_error; }

private:
    bool tell(const SweepRun& run, const Trace* trace)
    {
        const std::lock_guard lock(m_mutex);
        if (m_progress.cancelled())
            return false;
        m_sink(run, m_options.traces && run.repeat == 0 ? trace : nullptr);
        m_progress.report(static_cast<double>(++m_ended) / static_cast<double>(m_plan.runs()));
        return true;
    }

    const SweepPlan& m_plan;
    const DeviceProfile& m_device;
    const SweepSink& m_sink;
    Progress& m_progress;
    const SweepOptions& m_options;
    Progress m_inner;  // of the runs under way: their fractions are nobody's business, a cancel is
    std::mutex m_mutex;
    std::size_t m_ended;
    std::size_t m_measured = 0;
    std::optional<Error> m_error;
};

}  // namespace

Result<void> runSweep(const SweepPlan& plan, const DeviceProfile& device, std::span<const SweepRun> done,
                      const SweepSink& sink, Progress& progress, const SweepOptions& options)
{
    if (auto checked = checkSweep(plan); !checked.ok())
        return checked;
    const std::vector<Due> due = dueRuns(plan, done);
    Running running(plan, device, sink, progress, options, plan.runs() - due.size());
    {
        const PassOnCancel passing(progress, running.inner());
        const auto one = [&](std::size_t at) {
            if (progress.cancelled())
                return false;
            return plan.engine == SweepEngine::Gpu ? running.measureOne(due[at]) : running.simulateOne(due[at]);
        };
        runInParallel(due.size(), plan.engine == SweepEngine::Gpu ? 1 : options.threads, one);
    }
    if (progress.cancelled())
        return Error::cancelled();
    if (running.error())
        return *running.error();
    progress.report(1);
    return {};
}

Result<SweepResult> runSweep(const SweepPlan& plan, const DeviceProfile& device, Progress& progress,
                             const SweepOptions& options)
{
    SweepResult result{plan, {}};
    RETURN_IF_ERROR(runSweep(
        plan, device, {}, [&](const SweepRun& run, const Trace*) { result.runs.push_back(run); }, progress, options));
    std::sort(result.runs.begin(), result.runs.end(), [](const SweepRun& a, const SweepRun& b) {
        return std::pair(a.point, a.repeat) < std::pair(b.point, b.repeat);
    });
    return result;
}

}  // namespace overlane
