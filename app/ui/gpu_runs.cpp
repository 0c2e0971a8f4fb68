#include "app/ui/gpu_runs.h"

#include <chrono>
#include <thread>

#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>

#include "app/ui/text.h"
#include "core/engine/device_profile.h"

namespace overlane
{

namespace
{

constexpr auto kPollPeriod = std::chrono::milliseconds(100);

class ProcessRun : public GpuRun
{
public:
    explicit ProcessRun(std::unique_ptr<MeasuredRun> run) : m_run(std::move(run)) {}

    bool poll() override { return m_run->poll(); }
    void cancel() override { m_run->cancel(); }
    std::int64_t elapsedNs() const override { return m_run->elapsedNs(); }
    RecordingTotals totals() const override { return m_run->totals(); }
    Result<MeasuredRunResult> finish(Progress& progress) override { return m_run->finish(progress); }

private:
    std::unique_ptr<MeasuredRun> m_run;
};

Result<std::unique_ptr<GpuRun>> startProcess(const Scenario& scenario, const MeasuredRunOptions& options)
{
    auto started = MeasuredRun::start(scenario, options);
    if (!started.ok())
        return Error{started.error()};
    return std::unique_ptr<GpuRun>(std::make_unique<ProcessRun>(std::move(started).value()));
}

}  // namespace

struct GpuRuns::Job {
    Starter starter;
    Scenario scenario;
    std::optional<DeviceProfile> simulated;
    MeasuredRunOptions options;
};

GpuRuns::GpuRuns(QObject* parent) : QObject(parent), m_starter(startProcess) {}

void GpuRuns::detect(std::function<GpuSupport()> ask)
{
    // Goes with this object; the answer of a driver that is slow then falls on nobody.
    auto* watcher = new QFutureWatcher<GpuSupport>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        m_support = watcher->result();
        watcher->deleteLater();
        emit supportChanged();
    });
    auto promise = std::make_shared<QPromise<GpuSupport>>();
    promise->start();
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, ask = std::move(ask)] {
        promise->addResult(ask());
        promise->finish();
    });
}

void GpuRuns::start(const Scenario& scenario, const DeviceProfile* alsoSimulated)
{
    if (busy())
        return;
    Job job{m_starter, scenario, {}, m_options};
    if (alsoSimulated != nullptr)
        job.simulated = *alsoSimulated;
    m_worker.post(tr("Running on the GPU"),
                  [this, job = std::move(job)](Progress& progress) -> BackgroundWorker::Continuation {
                      const auto answer = std::make_shared<Result<GpuAnswer>>(run(job, progress));
                      return [this, answer] {
                          if (answer->ok())
                              emit measured(answer->value());
                          else if (answer->error() != Progress::kCancelled)
                              emit failed(text(answer->error()));
                      };
                  });
}

Result<GpuAnswer> GpuRuns::run(const Job& job, Progress& progress)
{
    GpuAnswer answer;
    if (job.simulated) {
        auto simulated = simulatedTrace(job.scenario, *job.simulated, progress);
        if (!simulated.ok())
            return Error{simulated.error()};
        answer.simulated = std::move(simulated).value();
        answer.simulated->title = tr("simulated, %1").arg(text(job.simulated->name));
        progress.report(0);
    }
    auto started = job.starter(job.scenario, job.options);
    if (!started.ok())
        return Error{started.error()};
    GpuRun& run = *started.value();
    while (run.poll()) {
        if (progress.cancelled())
            run.cancel();
        const RecordingTotals totals = run.totals();
        const GpuRunStatus status{run.elapsedNs(), totals.kernels, totals.copies};
        QMetaObject::invokeMethod(
            this, [this, status] { emit progressed(status); }, Qt::QueuedConnection);
        std::this_thread::sleep_for(kPollPeriod);
    }
    auto finished = run.finish(progress);
    if (!finished.ok())
        return Error{finished.error()};
    MeasuredRunResult result = std::move(finished).value();
    answer.remarks = wrongDataSentences(result.report);
    for (const std::string& warning : result.warnings)
        answer.remarks << text(warning);
    answer.measured = analysed(std::move(result.run.trace));
    answer.measured.made = Laboratory::State{job.scenario, {}, {}};
    answer.measured.gpu = text(result.device);
    return answer;
}

QStringList wrongDataSentences(const GpuRunReport& report)
{
    QStringList sentences;
    if (report.wrongResults > 0)
        sentences << GpuRuns::tr("Really wrong results: %1 of %2 results were read before they had arrived.")
                         .arg(report.wrongResults)
                         .arg(report.resultsChecked);
    if (report.wrongBatches > 0)
        sentences << GpuRuns::tr(
                         "Really wrong data: %1 of %2 batches were overwritten before their copy had read them.")
                         .arg(report.wrongBatches)
                         .arg(report.batchesChecked);
    return sentences;
}

}  // namespace overlane
