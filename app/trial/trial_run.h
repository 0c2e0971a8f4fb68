// TrialRun: a trial of settings as a program of its own, `overlane try`, with what it reports.
//
// Lives on the GUI thread.
#pragma once

#include <string_view>

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>

#include "app/session/overlane_process.h"
#include "core/trial/trial_answer.h"
#include "core/trial/trial_news.h"

namespace overlane
{

struct TrialRequest {
    QStringList command;
    QString directory;  // empty: where this program runs
    qint64 budgetSeconds = 300;
};

class TrialRun : public QObject
{
    Q_OBJECT

public:
    explicit TrialRun(QObject* parent = nullptr);

    void setProgram(const QString& program) { m_process.setProgram(program); }
    const QString& program() const { return m_process.program(); }

    // Does nothing while one is under way.
    void start(const TrialRequest& request);
    // It ends its run and still answers with what it has.
    void cancel() { m_process.cancel(); }
    bool running() const { return m_process.running(); }
    bool cancelling() const { return m_process.cancelling(); }
    const TrialRequest& request() const { return m_request; }
    qint64 elapsedMs() const { return m_clock.isValid() ? m_clock.elapsed() : 0; }

signals:
    void runningChanged();
    void told(const overlane::TrialNews& news);
    // A line that is no progress: words of the program's own, or why it fails.
    void said(const QString& line);
    // One of these in the end, behind runningChanged().
    void finished(const overlane::TrialAnswer& answer);
    void cancelledEarly();  // with nothing to show
    void failed(const QString& words);

private:
    bool take(std::string_view line);
    void end(const OverlaneProcess::End& end);

    OverlaneProcess m_process;
    TrialRequest m_request;
    QElapsedTimer m_clock;
};

}  // namespace overlane
