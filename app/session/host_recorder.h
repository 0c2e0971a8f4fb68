// HostRecorder: a recording on another machine, as a process of `overlane record --host`, which sends what is missing
// there, follows the program and brings the trace.
//
// Lives on the GUI thread. ssh has no terminal to ask for passwords on: keys, an agent, or an ssh-askpass. Destroyed,
// or should this program die, it leaves a program that runs there to be recorded to its end.
#pragma once

#include <optional>

#include <QObject>
#include <QString>
#include <QStringList>

#include "app/session/overlane_process.h"
#include "core/recorder/host_news.h"
#include "core/recorder/record_session.h"

namespace overlane
{

struct HostRecordOptions {
    QString host;   // as ssh takes it
    QString kinds;  // names, with commas
    RecordOptions record;
    QString launcher;  // as typed, "srun -n 8"; empty: one trace of all processes
};

// Where the traces of a job's ranks are brought: the name of the file without its ending.
QString folderOfRanks(const QString& output);

// The arguments of `overlane`. The Error: a variable's name that a shell does not take.
Result<QStringList> hostRecordArguments(const HostRecordOptions& options, const QString& log);

class HostRecorder : public QObject
{
    Q_OBJECT

public:
    struct Outcome {
        QStringList files;
        QString folder;                     // that has them, where a launcher started the ranks of a job
        std::optional<ProgramEnd> program;  // none where its end was not seen
        QString error;                      // empty where the traces are here
        bool wasCancelled = false;
    };

    explicit HostRecorder(QObject* parent = nullptr);

    // Not while running(). `log` gets what the program writes.
    Result<void> start(const HostRecordOptions& options, const QString& log);
    // Ends a step as Ctrl+C does. While the program runs: asks it to end (SIGINT), and again when called again
    // (SIGTERM).
    void interrupt();
    // The program continues there and is recorded to its end; the error says how to bring the trace then.
    void leave();

    bool running() const { return m_process.running(); }
    // Between started() and the first step after the program's end.
    bool following() const { return m_following; }
    // Of the recording there, for `overlane record --fetch`; empty before it began.
    const QString& folder() const { return m_folder; }
    void setProgram(const QString& program) { m_process.setProgram(program); }

signals:
    void stepped(const QString& sentence);
    void started();
    void progressed(const QString& status);
    void warned(const QString& sentence);
    void finished(const overlane::HostRecorder::Outcome& outcome);

private:
    QString sentenceOf(const std::string& words) const;
    bool take(std::string_view line);
    void end(const OverlaneProcess::End& end);

    OverlaneProcess m_process;
    QString m_host;
    QString m_log;
    QString m_folder;
    Outcome m_outcome;
    bool m_following = false;
    bool m_ended = false;  // the traces are here
    int m_interrupts = 0;
};

}  // namespace overlane
