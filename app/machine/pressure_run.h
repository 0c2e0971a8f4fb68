// PressureRun: the memory experiment as a program of its own, `overlane pressure`, with what it reports.
//
// Lives on the GUI thread and never waits for it. The experiment is never part of this program: what it
// takes is its own, and its guardian cleans up even where both are killed.
#pragma once

#include <string_view>

#include <QObject>
#include <QString>

#include "app/session/overlane_process.h"
#include "core/pressure/pressure_experiment.h"

namespace overlane
{

class PressureRun : public QObject
{
    Q_OBJECT

public:
    explicit PressureRun(QObject* parent = nullptr);

    void setProgram(const QString& program) { m_process.setProgram(program); }
    const QString& program() const { return m_process.program(); }

    // Does nothing while one is under way.
    void start();
    // It cleans up before it ends, and reports what it saw.
    void cancel() { m_process.cancel(); }
    bool running() const { return m_process.running(); }
    bool cancelling() const { return m_process.cancelling(); }

signals:
    void runningChanged();
    // `fraction` of its steps; `line` says what goes on.
    void progressed(double fraction, const QString& line);
    void finished(const overlane::PressureReport& report);
    void failed(const QString& sentence);

private:
    bool take(std::string_view line);
    void end(const OverlaneProcess::End& end);

    OverlaneProcess m_process;
};

}  // namespace overlane
