// TrialRun: a trial of settings as a program of its own, `overlane try`, with what it reports.
//
// Lives on the GUI thread and never waits for it, but for its end where it is destroyed. Where this program dies,
// the trial is interrupted too, and ends what it runs.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include "app/trial/trial_answer.h"

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
    // Ends what runs, as cancel() does.
    ~TrialRun() override;

    // `overlane` beside this program or on the PATH; empty where there is none.
    static QString usualProgram();
    void setProgram(const QString& program) { m_program = program; }
    const QString& program() const { return m_program; }

    // Does nothing while one is under way.
    void start(const TrialRequest& request);
    // It ends its run and still answers with what it has.
    void cancel();
    bool running() const { return m_process.state() != QProcess::NotRunning; }
    bool cancelling() const { return m_cancelling; }
    const TrialRequest& request() const { return m_request; }
    qint64 elapsedMs() const { return m_clock.isValid() ? m_clock.elapsed() : 0; }

signals:
    void runningChanged();
    void told(const overlane::TrialNews& news);
    // One of these in the end, behind runningChanged().
    void finished(const overlane::TrialAnswer& answer);
    void cancelledEarly();  // with nothing to show
    void failed(const QString& words);

private:
    void readLines();
    void take(const QByteArray& line);
    void end(int code, QProcess::ExitStatus status);

    QProcess m_process;
    QString m_program;
    TrialRequest m_request;
    QElapsedTimer m_clock;
    QByteArray m_line;  // that is not whole yet
    QString m_said;     // behind the last line that was progress or a run: why it failed, if it did
    bool m_cancelling = false;
};

}  // namespace overlane
