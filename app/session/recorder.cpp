#include "app/session/recorder.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <QFile>

#include "app/session/failure_sentence.h"
#include "app/session/growing_file.h"
#include "app/widgets/text.h"
#include "core/base/descriptor.h"

namespace overlane
{

namespace
{

constexpr std::array kEndings = {SIGINT, SIGKILL};

// Where the output goes until the program runs: a start that fails leaves the log of an earlier recording, and none of
// its own.
QString untilStarted(const QString& log)
{
    return log + u".starting"_s;
}

}  // namespace

Recorder::Recorder(QObject* parent) : QObject(parent)
{
    makeThere();
}

Recorder::~Recorder()
{
    join();
}

void Recorder::start(const RecordOptions& options, const QString& log)
{
    if (recording())
        return;
    join();
    m_unstarted = QFile::encodeName(untilStarted(log));
    const int descriptor = open(m_unstarted.constData(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        emit notStarted(u"The program's output cannot be written to %1: %2."_s.arg(
            log, QString::fromLocal8Bit(std::strerror(errno))));
        return;
    }
    m_phase = Phase::Starting;
    m_endings = 0;
    m_wishes = {};
    m_host.clear();
    m_file = QString::fromStdString(options.output);
    m_log = log;
    m_thread = std::thread([this, options, descriptor] { run(options, descriptor); });
}

void Recorder::join()
{
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.quit = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

void Recorder::stopRecording()
{
    m_there.leave();
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.stop = true;
    }
    m_wake.notify_one();
}

void Recorder::endProgram()
{
    if (m_there.running()) {
        m_there.interrupt();
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        ++m_wishes.endings;
    }
    m_wake.notify_one();
}

Recorder::Wishes Recorder::waitFor(RecordSession& session)
{
    Wishes wishes;
    {
        std::unique_lock lock(m_mutex);
        m_wake.wait_for(lock, kPollPeriod, [this] { return m_wishes.stop || m_wishes.quit || m_wishes.endings > 0; });
        wishes = std::exchange(m_wishes, {});
        m_wishes.quit = wishes.quit;  // said once, meant for good
    }
    for (; wishes.endings > 0; --wishes.endings)
        session.signal(kEndings.at(static_cast<std::size_t>(std::min(m_endings++, 1))));
    return wishes;
}

void Recorder::run(const RecordOptions& options, int log)
{
    std::unique_ptr<RecordSession> session;
    try {
        runWhole(session, options, log);
    } catch (...) {
        if (session)
            session->stopRecording();
        else
            ::unlink(m_unstarted.constData());
        m_news.post([this, thrown = std::current_exception()] { tellFailure(thrown); });
    }
}

// What was recorded by then stays in the file and in the folder beside it.
void Recorder::tellFailure(const std::exception_ptr& thrown)
{
    QString sentence = failureSentence(u"Recording"_s, thrown);
    switch (std::exchange(m_phase, Phase::Idle)) {
        case Phase::Starting:
            emit notStarted(sentence);
            break;
        case Phase::Recording: {
            const QString folder = text(recordingFolder(m_file.toStdString()));
            sentence += ' ' +
                        u"What was recorded is in %1; in a terminal, \"overlane record --recover %1 -o FILE\" "
                        "makes a trace of it."_s.arg(folder);
            emit finished({m_file, sentence, {}, {}, {}});
            break;
        }
        case Phase::Idle:
        case Phase::GoesOn:
            emit warned(sentence);
    }
}

void Recorder::runWhole(std::unique_ptr<RecordSession>& owned, const RecordOptions& options, int log)
{
    Descriptor output(log);
    RecordOptions own = options;
    own.program.outputFile = log;
    auto started = RecordSession::start(own);
    output = Descriptor();
    if (!started.ok()) {
        ::unlink(m_unstarted.constData());
        m_news.post([this, sentence = text(started.error())] {
            m_phase = Phase::Idle;
            emit notStarted(sentence);
        });
        return;
    }
    owned = std::move(started).value();
    RecordSession& session = *owned;
    std::rename(m_unstarted.constData(), QFile::encodeName(m_log).constData());
    m_news.post([this] {
        m_phase = Phase::Recording;
        emit this->started();
    });
    record(session);

    auto ended = session.finish();
    RecorderOutcome outcome;
    outcome.file = text(options.output);
    outcome.program = session.programEnd();
    if (ended.ok()) {
        outcome.totals = ended.value().totals;
        for (const std::string& warning : ended.value().warnings)
            outcome.warnings << text(warning);
    } else {
        outcome.error = text(ended.error());
    }
    m_news.post([this, outcome] {
        m_phase = outcome.program ? Phase::Idle : Phase::GoesOn;
        emit finished(outcome);
    });
    if (!outcome.program)
        outlive(session);
}

void Recorder::record(RecordSession& session)
{
    std::int64_t knownEvents = 0;
    const std::string file = m_file.toStdString();
    while (session.poll()) {
        const RecorderStatus status{session.state(), session.elapsedNs(), session.totals()};
        m_news.post([this, status] { emit progressed(status); });
        for (const std::string& warning : session.takeWarnings())
            m_news.post([this, sentence = text(warning)] { emit warned(sentence); });
        // The size of the file is no measure: it grows in steps, ahead of what is in it.
        if (status.totals.events != std::exchange(knownEvents, status.totals.events) && isReadLive(file))
            m_news.post([this] { emit grown(); });
        // Stopped here, by its duration or by its size: the file is complete.
        if (session.state() == RecordSession::State::Stopped)
            return;
        const Wishes wishes = waitFor(session);
        if (wishes.stop || wishes.quit) {
            session.stopRecording();
            return;
        }
    }
}

void Recorder::outlive(RecordSession& session)
{
    while (!session.programEnd())
        if (waitFor(session).quit)
            return;
    m_news.post([this, end = *session.programEnd()] {
        m_phase = Phase::Idle;
        emit programEnded(end);
    });
}

}  // namespace overlane
