// StagedRun: stands for a run on a real GPU, and does what its Stage says.
#pragma once

#include <atomic>

#include "app/ui/gpu_runs.h"
#include "core/engine/device_profile.h"
#include "core/loader/run.h"

namespace overlane
{

// What the test does to the run under way, and sees of it.
struct Stage {
    std::atomic<bool> ends = true;
    std::atomic<bool> cancelled = false;
    std::atomic<int> starts = 0;
    GpuRunReport report;
    std::vector<std::string> warnings;
    std::string refusal;
};

// Counts up until it may end, then answers with a simulated trace that says it is measured.
class StagedRun : public GpuRun
{
public:
    StagedRun(Stage& stage, Scenario scenario) : m_stage(stage), m_scenario(std::move(scenario)) {}

    bool poll() override { return !m_stage.cancelled && (++m_polls < 3 || !m_stage.ends); }
    void cancel() override { m_stage.cancelled = true; }
    std::int64_t elapsedNs() const override { return m_polls * std::int64_t{100'000'000}; }
    RecordingTotals totals() const override
    {
        RecordingTotals totals;
        totals.kernels = std::int64_t{10} * m_polls;
        totals.copies = std::int64_t{20} * m_polls;
        return totals;
    }
    Result<MeasuredRunResult> finish(Progress& progress) override
    {
        if (m_stage.cancelled)
            return Error{Progress::kCancelled};
        auto run = simulate(m_scenario, allDeviceProfiles().front(), &progress);
        if (!run.ok())
            return Error{run.error()};
        MeasuredRunResult result;
        result.run = std::move(run).value();
        result.report = m_stage.report;
        result.device = "NVIDIA H200";
        result.warnings = m_stage.warnings;
        return result;
    }

private:
    Stage& m_stage;
    const Scenario m_scenario;
    int m_polls = 0;
};

inline GpuRuns::Starter stagedStarter(Stage& stage)
{
    return [&stage](const Scenario& scenario, const MeasuredRunOptions&) {
        ++stage.starts;
        if (!stage.refusal.empty())
            return Result<std::unique_ptr<GpuRun>>(Error{stage.refusal});
        return Result<std::unique_ptr<GpuRun>>(std::make_unique<StagedRun>(stage, scenario));
    };
}

}  // namespace overlane
