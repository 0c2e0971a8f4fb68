// Recorder, of a program on another machine.
#include <utility>

#include "app/session/recorder.h"
#include "app/widgets/text.h"

namespace overlane
{

void Recorder::makeThere()
{
    connect(&m_there, &HostRecorder::stepped, this, &Recorder::stepped);
    connect(&m_there, &HostRecorder::warned, this, [this](const QString& sentence) {
        m_warnings << sentence;
        if (m_phase == Phase::Recording)
            emit warned(sentence);
    });
    connect(&m_there, &HostRecorder::started, this, [this] {
        m_phase = Phase::Recording;
        emit started();
        for (const QString& sentence : m_warnings)
            emit warned(sentence);
    });
    connect(&m_there, &HostRecorder::progressed, this, [this](const QString& words) {
        RecorderStatus status;
        status.words = words;
        emit progressed(status);
    });
    connect(&m_there, &HostRecorder::finished, this, &Recorder::endThere);
}

void Recorder::startThere(const HostRecordOptions& options, const QString& log)
{
    if (recording())
        return;
    join();
    m_warnings.clear();
    if (const Result<void> started = m_there.start(options, log); !started.ok()) {
        emit notStarted(text(started.error()));
        return;
    }
    m_phase = Phase::Starting;
    m_host = options.host;
    m_file = text(options.record.output);
    m_log = log;
}

void Recorder::cancelStep()
{
    if (m_there.running() && !m_there.following())
        m_there.interrupt();
}

void Recorder::endThere(const HostRecorder::Outcome& there)
{
    const Phase was = std::exchange(m_phase, Phase::Idle);
    if (was == Phase::Starting) {
        emit notStarted(there.wasCancelled ? QString() : there.error);
        return;
    }
    RecorderOutcome outcome;
    outcome.host = m_host;
    outcome.file = there.files.isEmpty() ? m_file : there.folder.isEmpty() ? there.files.first() : there.folder;
    outcome.error = there.error;
    outcome.warnings = m_warnings;
    outcome.program = there.program;
    if (there.files.size() > 1 && there.folder.isEmpty())
        outcome.warnings
            << u"The recording has %1 traces: %2."_s.arg(there.files.size()).arg(there.files.join(u", "_s));
    m_file = outcome.file;
    emit finished(outcome);
}

}  // namespace overlane
