// GpuRuns: what this machine's GPU offers, and runs of the laboratory's settings on it, one at a time.
//
// Lives on the GUI thread; asks the driver and runs on other threads. The run itself is a process of
// its own (core/runs), or whatever setStarter() puts in its place. Times in nanoseconds.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include <QObject>
#include <QString>
#include <QStringList>

#include "app/session/analyzed_trace.h"
#include "app/session/background_worker.h"
#include "app/session/mailbox.h"
#include "core/runs/measured_run.h"
#include "core/system/gpu_support.h"

namespace overlane
{

// A run under way: core's MeasuredRun, or what stands for it. One thread.
class GpuRun
{
public:
    virtual ~GpuRun() = default;
    virtual bool poll() = 0;
    // Ends soon and keeps what ran.
    virtual void stop() = 0;
    // Ends at once and keeps nothing.
    virtual void cancel() = 0;
    // What is recorded so far, a growing file; empty where there is none.
    virtual std::string file() const = 0;
    virtual std::int64_t elapsedNs() const = 0;
    virtual RecordingTotals totals() const = 0;
    virtual Result<MeasuredRunResult> finish(Progress& progress) = 0;
};

struct GpuRunStatus {
    std::int64_t elapsedNs = 0;
    std::int64_t kernels = 0;
    std::int64_t copies = 0;
};

// A run under way whose recording holds more than before.
struct GpuGrowth {
    QString file;
    Scenario scenario;
    QString device;
    std::shared_ptr<const AnalyzedTrace> simulated;  // the same settings, where both were asked for
};

struct GpuAnswer {
    AnalyzedTrace measured;
    std::optional<AnalyzedTrace> simulated;  // the same settings, where both were asked for
    QStringList remarks;                     // wrong results first, then what the recording lacks
};

class GpuRuns : public QObject
{
    Q_OBJECT

public:
    using Starter = std::function<Result<std::unique_ptr<GpuRun>>(const Scenario&, const MeasuredRunOptions&)>;

    explicit GpuRuns(QObject* parent = nullptr);
    // Ends the run under way at once.
    ~GpuRuns() override;

    // Asks the driver on another thread; supportChanged() follows.
    void detect(std::function<GpuSupport()> ask = detectGpuSupport);
    // Empty until the driver has answered.
    const std::optional<GpuSupport>& support() const { return m_support; }
    void setStarter(Starter starter) { m_starter = std::move(starter); }

    int device() const { return m_options.device; }
    void setDevice(int device) { m_options.device = device; }
    QString deviceName() const;
    // Whether runs may lock more memory than is safe.
    void setForce(bool force) { m_options.force = force; }

    // With a profile the same settings are simulated as well. Does nothing while a run is under way.
    void start(const Scenario& scenario, const DeviceProfile* alsoSimulated = nullptr);
    // Stops the run under way and shows what ran, if anything did.
    void cancel() { m_worker.cancel(); }
    bool busy() const { return m_worker.busy(); }
    BackgroundWorker* worker() { return &m_worker; }

signals:
    void supportChanged();
    void progressed(const overlane::GpuRunStatus& status);  // about ten times a second
    void grown(const overlane::GpuGrowth& growth);          // about once a second
    void measured(const overlane::GpuAnswer& answer);
    void failed(const QString& sentence);

private:
    struct Job;
    Result<GpuAnswer> run(const Job& job, Progress& progress);
    void watch(GpuRun& run, const Job& job, const Progress& progress,
               const std::shared_ptr<const AnalyzedTrace>& simulated);

    std::optional<GpuSupport> m_support;
    Starter m_starter;
    MeasuredRunOptions m_options;
    std::atomic<bool> m_leaving = false;
    Mailbox m_news;
    BackgroundWorker m_worker;
};

// What a run says about wrong data, as sentences; none where all was right.
QStringList wrongDataSentences(const GpuRunReport& report);

}  // namespace overlane
