// StagedRun: stands for a run on a real GPU, and does what its Stage says.
#pragma once

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>

#include <QTemporaryDir>

#include "app/session/gpu_runs.h"
#include "core/devices/device_profile.h"
#include "core/engine/gpu_backend.h"
#include "core/io/format.h"
#include "core/loader/run.h"
#include "core/trace/trace_builder.h"
#include "core/trace/trace_origin.h"
#include "core/trace/trace_slice.h"

namespace overlane
{

// What the test does to the run under way, and sees of it.
struct Stage {
    std::atomic<bool> ends = true;
    std::atomic<bool> stopped = false;
    std::atomic<bool> cancelled = false;
    std::atomic<bool> clockStarts = true;   // else there is nothing to keep of a stopped run
    std::atomic<bool> live = false;         // whether the run has a file that grows
    std::atomic<std::int64_t> grownNs = 0;  // how much of it there is
    std::atomic<int> starts = 0;
    GpuRunReport report;
    std::vector<std::string> warnings;
    std::string refusal;
};

// Counts up until it may end, then answers with a simulated trace that says it is measured. While it
// is live its file holds the first `grownNs` of that trace.
class StagedRun : public GpuRun
{
public:
    StagedRun(Stage& stage, Scenario scenario) : m_stage(stage), m_scenario(std::move(scenario)) {}

    bool poll() override
    {
        ++m_polls;
        if (m_stage.live)
            write();
        return !m_stage.cancelled && !m_stage.stopped && (m_polls < 3 || !m_stage.ends);
    }
    void stop() override { m_stage.stopped = true; }
    void cancel() override { m_stage.cancelled = true; }
    std::string file() const override { return m_folder.filePath("run.overlane").toStdString(); }
    std::int64_t elapsedNs() const override { return m_polls * std::int64_t{100'000'000}; }
    RecordingTotals totals() const override
    {
        RecordingTotals totals;
        totals.events = m_writtenNs;
        totals.kernels = std::int64_t{10} * m_polls;
        totals.copies = std::int64_t{20} * m_polls;
        return totals;
    }
    Result<MeasuredRunResult> finish(Progress& progress) override
    {
        if (m_stage.cancelled || (m_stage.stopped && !m_stage.clockStarts))
            return Error::cancelled();
        auto run = simulate(m_scenario, allDeviceProfiles().front(), &progress);
        if (!run.ok())
            return Error{run.error()};
        MeasuredRunResult result;
        result.run = std::move(run).value();
        result.report = m_stage.report;
        result.device = "NVIDIA H200";
        result.warnings = m_stage.warnings;
        result.stopped = m_stage.stopped;
        const Trace& whole = result.run.trace;
        TraceMetadata metadata = whole.metadata();
        metadata.format = rowOf(TraceOrigin::Measured).id;
        result.run.trace = sliceTrace(whole, result.stopped ? begun() : Interval{0, whole.span().endNs + 1}, metadata);
        return result;
    }

private:
    Interval begun() const { return {0, std::max<std::int64_t>(1, m_stage.grownNs)}; }
    // Its kernels alone, and the start of the clock, as a recording has it from the first moment.
    void write()
    {
        if (m_stage.grownNs == m_writtenNs)
            return;
        Progress progress;
        const auto run = simulate(m_scenario, allDeviceProfiles().front(), &progress);
        const Trace& whole = run.value().trace;
        const Trace part = sliceTrace(whole, begun(), whole.metadata());
        TraceBuilder builder;
        Event event;
        event.track = builder.addTrack({}, TrackKind::Annotations, "Run");
        event.kind = EventKind::Instant;
        event.name = builder.intern(kMeasuredRun);
        builder.addEvent(event);
        const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
        const TrackId compute = builder.addTrack(device, TrackKind::EngineCompute, "compute", 0);
        for (std::size_t at = 0; at < part.eventCount(); ++at) {
            if (part.kind(EventIndex(at)) != EventKind::Kernel)
                continue;
            event = part.event(EventIndex(at));
            event.track = compute;
            event.name = builder.intern(part.name(EventIndex(at)));
            builder.addEvent(event);
        }
        const std::string next = m_folder.filePath("next.overlane").toStdString();
        ASSERT_TRUE(writeTrace(builder.build(false), next, progress).ok());
        std::filesystem::rename(next, file());
        m_writtenNs = m_stage.grownNs;
    }

    Stage& m_stage;
    const Scenario m_scenario;
    const QTemporaryDir m_folder;
    std::int64_t m_writtenNs = 0;
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
