#include "app/calibrate/calibrator.h"

#include <utility>

#include "app/widgets/pool_job.h"
#include "app/widgets/text.h"
#include "core/base/progress.h"

namespace overlane
{

namespace
{

constexpr int kLookMs = 100;

class OwnProcess : public CalibrationProcess
{
public:
    explicit OwnProcess(std::unique_ptr<CalibrationRun> run) : m_run(std::move(run)) {}
    bool poll(CalibrationNews& news) override { return m_run->poll(news); }
    void cancel() override { m_run->cancel(); }
    Result<CalibratedProfile> finish() override { return m_run->finish(); }

private:
    std::unique_ptr<CalibrationRun> m_run;
};

Result<std::unique_ptr<CalibrationProcess>> startProcess(const CalibrationRunOptions& options)
{
    ASSIGN_OR_RETURN(auto run, CalibrationRun::start(options));
    return std::unique_ptr<CalibrationProcess>(std::make_unique<OwnProcess>(std::move(run)));
}

}  // namespace

Calibrator::Calibrator(QObject* parent) : QObject(parent), m_starter(startProcess)
{
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &Calibrator::look);
}

Calibrator::~Calibrator()
{
    // Ending a process that holds a GPU takes a while.
    if (m_process)
        runOnPool([process = std::move(m_process)]() mutable { process.reset(); });
}

void Calibrator::start(const CalibrationRunOptions& options)
{
    if (running())
        return;
    auto started = m_starter(options);
    if (!started.ok()) {
        emit failed(text(started.error()));
        return;
    }
    m_process = std::move(started).value();
    m_record = {};
    m_fraction = 0;
    m_doing.clear();
    m_cancelling = false;
    m_timer.start();
    emit runningChanged();
}

void Calibrator::cancel()
{
    if (!running() || m_cancelling)
        return;
    m_cancelling = true;
    m_process->cancel();
    emit runningChanged();
}

void Calibrator::look()
{
    CalibrationNews news;
    news.fraction = m_fraction;
    news.doing = m_doing.toStdString();
    const bool goesOn = m_process->poll(news);
    m_fraction = news.fraction;
    m_doing = text(news.doing);
    emit progressed(m_fraction, m_doing);
    if (!news.series.empty()) {
        m_record.series.insert(m_record.series.end(), news.series.begin(), news.series.end());
        emit recordGrown();
    }
    if (goesOn)
        return;
    m_timer.stop();
    const auto answer = m_process->finish();
    m_process.reset();
    m_cancelling = false;
    emit runningChanged();
    if (answer.ok())
        emit finished(answer.value());
    else if (answer.isCancelled())
        emit stopped();
    else
        emit failed(text(answer.error()));
}

}  // namespace overlane
