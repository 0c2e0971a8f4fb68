#include "app/session/gpu_runs.h"

#include <thread>
#include <utility>

#include "app/session/driver_question.h"
#include "app/session/growing_file.h"
#include "app/widgets/text.h"
#include "core/devices/device_profile.h"

namespace overlane
{

namespace
{

class ProcessRun : public GpuRun
{
public:
    explicit ProcessRun(std::unique_ptr<MeasuredRun> run) : m_run(std::move(run)) {}

    bool poll() override { return m_run->poll(); }
    void stop() override { m_run->stop(); }
    void cancel() override { m_run->cancel(); }
    std::string file() const override { return m_run->file(); }
    std::int64_t elapsedNs() const override { return m_run->elapsedNs(); }
    RecordingTotals totals() const override { return m_run->totals(); }
    Result<MeasuredRunResult> finish(Progress& progress) override { return m_run->finish(progress); }

private:
    std::unique_ptr<MeasuredRun> m_run;
};

Result<std::unique_ptr<GpuRun>> startProcess(const Scenario& scenario, const MeasuredRunOptions& options)
{
    ASSIGN_OR_RETURN(auto started, MeasuredRun::start(scenario, options));
    return std::unique_ptr<GpuRun>(std::make_unique<ProcessRun>(std::move(started)));
}

}  // namespace

struct GpuRuns::Job {
    Starter starter;
    Scenario scenario;
    std::optional<DeviceProfile> simulated;
    MeasuredRunOptions options;
    QString device;
};

GpuRuns::~GpuRuns()
{
    m_leaving = true;
}

QString GpuRuns::deviceName() const
{
    const auto device = static_cast<std::size_t>(m_options.device);
    return m_support && device < m_support->devices.size() ? text(m_support->devices[device]) : u"the GPU"_s;
}

GpuRuns::GpuRuns(QObject* parent) : QObject(parent), m_starter(startProcess) {}

void GpuRuns::detect(std::function<GpuSupport()> ask)
{
    askDriver(this, std::move(ask), [this](const GpuSupport& support) {
        m_support = support;
        emit supportChanged();
    });
}

void GpuRuns::start(const Scenario& scenario, const DeviceProfile* alsoSimulated)
{
    if (busy())
        return;
    Job job{m_starter, scenario, {}, m_options, deviceName()};
    if (alsoSimulated != nullptr)
        job.simulated = *alsoSimulated;
    m_worker.run(
        u"Running on the GPU"_s, [this, job = std::move(job)](Progress& progress) { return run(job, progress); },
        [this](const Result<GpuAnswer>& answer) {
            if (answer.ok())
                emit measured(answer.value());
            else if (!answer.isCancelled())
                emit failed(text(answer.error()));
        });
}

Result<GpuAnswer> GpuRuns::run(const Job& job, Progress& progress)
{
    GpuAnswer answer;
    std::shared_ptr<const AnalyzedTrace> asA;
    if (job.simulated) {
        auto simulated = simulatedTrace(job.scenario, *job.simulated, progress);
        if (!simulated.ok())
            return simulated.failure();
        answer.simulated = std::move(simulated).value();
        answer.simulated->title = u"simulated, %1"_s.arg(text(job.simulated->name));
        asA = std::make_shared<const AnalyzedTrace>(*answer.simulated);
        progress.report(0);
    }
    ASSIGN_OR_RETURN(auto started, job.starter(job.scenario, job.options));
    GpuRun& run = *started;
    watch(run, job, progress, asA);
    Progress unhindered;  // a run that was stopped is read all the same
    ASSIGN_OR_RETURN(auto finished, run.finish(unhindered));
    MeasuredRunResult result = std::move(finished);
    answer.remarks = wrongDataSentences(result.report);
    for (const std::string& warning : result.warnings)
        answer.remarks << text(warning);
    answer.measured = analyzed(std::move(result.run.trace));
    answer.measured.made = Laboratory::State{job.scenario, {}, {}};
    answer.measured.gpu = text(result.device);
    answer.measured.partial = result.stopped;
    return answer;
}

// Until the run has ended.
void GpuRuns::watch(GpuRun& run, const Job& job, const Progress& progress,
                    const std::shared_ptr<const AnalyzedTrace>& simulated)
{
    std::int64_t knownEvents = 0;
    while (run.poll()) {
        if (m_leaving)
            run.cancel();
        else if (progress.cancelled())
            run.stop();
        const RecordingTotals totals = run.totals();
        const GpuRunStatus status{run.elapsedNs(), totals.kernels, totals.copies};
        m_news.post([this, status] { emit progressed(status); });
        if (totals.events != std::exchange(knownEvents, totals.events) && isReadLive(run.file())) {
            const GpuGrowth growth{text(run.file()), job.scenario, job.device, simulated};
            m_news.post([this, growth] { emit grown(growth); });
        }
        std::this_thread::sleep_for(kPollPeriod);
    }
}

QStringList wrongDataSentences(const GpuRunReport& report)
{
    QStringList sentences;
    if (report.wrongResults > 0)
        sentences << u"Data race: %1 of %2 results were read before their copy completed."_s.arg(report.wrongResults)
                         .arg(report.resultsChecked);
    if (report.wrongBatches > 0)
        sentences << u"Data race: %1 of %2 batches were overwritten while still being copied."_s
                         .arg(report.wrongBatches)
                         .arg(report.batchesChecked);
    return sentences;
}

}  // namespace overlane
