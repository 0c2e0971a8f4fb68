// OverlaneProcess: the command line, `overlane`, as a process of its own for what must not run inside the window.
//
// Lives on the GUI thread and never waits for it, but for its end where it is destroyed. Where this program dies, the
// tool is told by a signal, and ends what it runs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace overlane
{

class OverlaneProcess : public QObject
{
    Q_OBJECT

public:
    // Takes a line of standard error; false where it is no progress, but something said to people.
    using TakeNews = std::function<bool(std::string_view line)>;

    struct End {
        QByteArray output;  // on standard output, all of it
        QString said;       // on standard error behind the last progress: why it failed, if it did
        int code = 0;
        bool wasCancelled = false;  // by cancel(), or by somebody else as Ctrl+C does it
        bool wasKilled = false;
    };

    // Apart: without the terminal of this program, and told of its end by SIGHUP, where Below gets SIGINT.
    enum class Manner : bool { Below, Apart };

    // `patienceMs`: how long it may take to end where this is destroyed.
    OverlaneProcess(TakeNews take, int patienceMs, QObject* parent = nullptr, Manner manner = Manner::Below);
    // Ends what runs, as cancel() does; of one Apart by SIGHUP.
    ~OverlaneProcess() override;

    // Beside this program or on the PATH; empty where there is none.
    static QString usualProgram();
    void setProgram(const QString& program) { m_program = program; }
    const QString& program() const { return m_program; }

    // Does nothing while one is under way.
    void start(const QStringList& arguments);
    // As Ctrl+C does: it ends its work and answers with what it has.
    void cancel();
    // Without being taken for cancelled.
    void signal(int number);
    // Set for the next start, besides those of this program.
    void setVariables(const std::vector<std::pair<std::string, std::string>>& variables);
    bool running() const { return m_process.state() != QProcess::NotRunning; }
    bool cancelling() const { return m_cancelling; }

signals:
    void runningChanged();
    // One of these in the end, behind runningChanged().
    void ended(const overlane::OverlaneProcess::End& end);
    void notStarted(const QString& sentence);

private:
    void readLines();
    void takeLine(const QByteArray& line);
    void end(int code, QProcess::ExitStatus status);

    const TakeNews m_take;
    const int m_patienceMs;
    const Manner m_manner;
    QProcess m_process;
    QString m_program;
    QByteArray m_line;  // that is not whole yet
    QString m_said;
    bool m_cancelling = false;
};

}  // namespace overlane
