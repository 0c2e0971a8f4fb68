// Recorder: one recording of a program at a time, on a thread of its own (core/recorder) or on another machine
// (app/session/host_recorder.h).
//
// All members are called from the thread this object lives in; answers come as signals. A recording
// ends with the program, its duration, its size limit or stopRecording(); where the program outlives
// it, it can still be ended from here. Destroying the recorder keeps the file and leaves the program. An
// exception on its thread, out of memory above all, ends the recording with a sentence, not the window.
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <QObject>
#include <QString>
#include <QStringList>

#include "app/session/host_recorder.h"
#include "app/session/mailbox.h"
#include "core/recorder/record_session.h"

namespace overlane
{

struct RecorderStatus {
    RecordSession::State state = RecordSession::State::Waiting;
    std::int64_t elapsedNs = 0;
    RecordingTotals totals;
    QString words;  // on another machine: the recorder's own line, in place of the rest
};

// How a recording came out. The trace is in `file` where `error` is empty.
struct RecorderOutcome {
    QString file;
    QString error;
    QStringList warnings;
    RecordingTotals totals;
    std::optional<ProgramEnd> program;  // none where it goes on, unrecorded
    QString host;                       // empty: this machine
};

class Recorder : public QObject
{
    Q_OBJECT

public:
    enum class Phase : std::uint8_t {
        Idle,
        Starting,
        Recording,
        GoesOn,  // the recording is complete, the program still runs
    };

    explicit Recorder(QObject* parent = nullptr);
    ~Recorder() override;

    // Started or notStarted follows. Not while starting or recording; a program that goes on from an
    // earlier recording is let go. Both outputs of the program go to `log`, which is replaced once it runs.
    void start(const RecordOptions& options, const QString& log);
    // On another machine: stepped() tells what goes on before and after the program runs there.
    void startThere(const HostRecordOptions& options, const QString& log);
    // Where one starts on another machine, or its trace is brought: notStarted() or finished() follows.
    void cancelStep();
    // On another machine it ends the connection: the program is recorded to its end there.
    void stopRecording();
    // Asks the program to end (SIGINT), and makes it (SIGKILL; on another machine SIGTERM) when called again.
    void endProgram();

    Phase phase() const { return m_phase; }
    bool recording() const { return m_phase == Phase::Starting || m_phase == Phase::Recording; }
    // Where it is or was recorded; empty: this machine.
    const QString& host() const { return m_host; }
    // The program runs on another machine, and is followed.
    bool following() const { return m_there.following(); }
    HostRecorder& there() { return m_there; }
    const QString& file() const { return m_file; }
    const QString& log() const { return m_log; }

signals:
    void started();
    void notStarted(const QString& sentence);  // empty: cancelled
    void stepped(const QString& sentence);
    void progressed(const overlane::RecorderStatus& status);  // about ten times a second
    void warned(const QString& sentence);
    void grown();  // the file holds more, and is small enough to be read while it grows
    void finished(const overlane::RecorderOutcome& outcome);
    void programEnded(const overlane::ProgramEnd& end);  // after finished(), where it went on

private:
    struct Wishes {
        bool stop = false;
        bool quit = false;
        int endings = 0;  // how often the program is to be asked to end
    };

    void makeThere();
    void endThere(const HostRecorder::Outcome& there);
    void run(const RecordOptions& options, int log);
    void runWhole(std::unique_ptr<RecordSession>& session, const RecordOptions& options, int log);
    void tellFailure(const std::exception_ptr& thrown);
    void record(RecordSession& session);
    void outlive(RecordSession& session);
    // Sleeps until the next poll or a wish; sends the signals that were wished.
    Wishes waitFor(RecordSession& session);
    void join();

    HostRecorder m_there;
    QString m_host;
    QStringList m_warnings;  // of the recording there
    Mailbox m_news;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    Wishes m_wishes;
    std::thread m_thread;

    Phase m_phase = Phase::Idle;
    int m_endings = 0;  // how often the program was asked to end
    QString m_file;
    QString m_log;
    QByteArray m_unstarted;  // where it is until the program runs; its bytes are there where no memory is left
};

}  // namespace overlane
