// Calibrator: a calibration of this machine's GPU under way, for the dialog that shows it.
//
// Lives on the GUI thread and looks at the process ten times a second; the process measures. What is measured so far
// is in record() while it runs. `setStarter` puts something else in the place of core's CalibrationRun.
#pragma once

#include <functional>
#include <memory>

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/calibration/calibration_run.h"

namespace overlane
{

// core's CalibrationRun, or what stands for it.
class CalibrationProcess
{
public:
    virtual ~CalibrationProcess() = default;
    virtual bool poll(CalibrationNews& news) = 0;
    virtual void cancel() = 0;
    virtual Result<CalibratedProfile> finish() = 0;
};

class Calibrator : public QObject
{
    Q_OBJECT

public:
    using Starter = std::function<Result<std::unique_ptr<CalibrationProcess>>(const CalibrationRunOptions&)>;

    explicit Calibrator(QObject* parent = nullptr);
    // Ends what runs, and does not wait for it.
    ~Calibrator() override;

    void setStarter(Starter starter) { m_starter = std::move(starter); }
    // Does nothing while one is under way.
    void start(const CalibrationRunOptions& options);
    void cancel();
    bool running() const { return m_process != nullptr; }
    bool cancelling() const { return m_cancelling; }
    const CalibrationRecord& record() const { return m_record; }

signals:
    void progressed(double fraction, const QString& doing);
    void recordGrown();
    // `calibrated` is valid during the signal.
    void finished(const overlane::CalibratedProfile& calibrated);
    void failed(const QString& sentence);
    void stopped();  // cancelled
    void runningChanged();

private:
    void look();

    Starter m_starter;
    std::shared_ptr<CalibrationProcess> m_process;
    CalibrationRecord m_record;
    QTimer m_timer;
    double m_fraction = 0;
    QString m_doing;
    bool m_cancelling = false;
};

}  // namespace overlane
