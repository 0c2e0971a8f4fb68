// PressureRun: the memory experiment as a program of its own, `overlane pressure`, with what it reports.
//
// Lives on the GUI thread and never waits for it. The experiment is never part of this program: what it
// takes is its own, and its guardian cleans up even where both are killed. Bytes and nanoseconds.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <QObject>
#include <QString>

#include "app/session/tool_process.h"

namespace overlane
{

struct PressureOutcome {
    struct Step {
        std::int64_t pinnedBytes = 0;
        std::int64_t batches = 0;
        std::int64_t medianBatchNs = 0;
        std::int64_t slowBatchNs = 0;  // the ninth decile
        std::int64_t pageCacheBytes = 0;
        std::int64_t pageCacheModelBytes = 0;
        std::int64_t swapBytes = 0;
        std::int64_t swapModelBytes = 0;
    };
    std::vector<Step> steps;
    QString conclusion;
    QString ended;  // why before its end; empty: it ran to its end
};

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
    void finished(const overlane::PressureOutcome& outcome);
    void failed(const QString& sentence);

private:
    bool take(std::string_view line);
    void end(const ToolProcess::End& end);

    ToolProcess m_process;
};

}  // namespace overlane
