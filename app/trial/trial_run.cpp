#include "app/trial/trial_run.h"

#include <csignal>
#include <sys/prctl.h>

#include <QStandardPaths>

#include "core/host/gpu_support.h"

namespace overlane
{

namespace
{

// The program under trial has five seconds to end before it is made to.
constexpr int kLongestEndMs = 12'000;
constexpr int kExitCancelled = 130;

}  // namespace

TrialRun::TrialRun(QObject* parent) : QObject(parent), m_program(usualProgram())
{
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGINT); });
    connect(&m_process, &QProcess::readyReadStandardError, this, &TrialRun::readLines);
    connect(&m_process, &QProcess::finished, this, &TrialRun::end);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        emit runningChanged();
        emit failed(tr("%1 could not be started: %2.").arg(m_program, m_process.errorString()));
    });
}

TrialRun::~TrialRun()
{
    m_process.disconnect(this);
    if (!running())
        return;
    cancel();
    m_process.waitForFinished(kLongestEndMs);
}

QString TrialRun::usualProgram()
{
    const QString beside = QString::fromStdString(companionPath("overlane").string());
    return beside.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("overlane")) : beside;
}

void TrialRun::start(const TrialRequest& request)
{
    if (running())
        return;
    m_request = request;
    m_cancelling = false;
    m_said.clear();
    m_line.clear();
    QStringList arguments = {QStringLiteral("try"), QStringLiteral("--json"), QStringLiteral("--budget"),
                             QStringLiteral("%1s").arg(request.budgetSeconds)};
    if (!request.directory.isEmpty())
        arguments << QStringLiteral("--directory") << request.directory;
    m_clock.start();
    m_process.start(m_program, arguments << QStringLiteral("--") << request.command);
    emit runningChanged();
}

void TrialRun::cancel()
{
    if (!running() || m_cancelling)
        return;
    m_cancelling = true;
    // As Ctrl+C does: it ends its run and answers with what it has.
    if (m_process.processId() > 0)
        ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
    emit runningChanged();
}

void TrialRun::readLines()
{
    m_line += m_process.readAllStandardError();
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n')) {
        const QByteArray line = m_line.left(end);
        m_line.remove(0, end + 1);
        take(line);
    }
}

void TrialRun::take(const QByteArray& line)
{
    const TrialNews news = parseTrialNews({line.constData(), static_cast<std::size_t>(line.size())});
    if (news.kind == TrialNews::Kind::Other)
        m_said += QString::fromStdString(news.words) + '\n';
    else
        m_said.clear();
    emit told(news);
}

void TrialRun::end(int code, QProcess::ExitStatus status)
{
    readLines();
    if (!m_line.isEmpty())
        take(m_line);
    const QByteArray output = m_process.readAllStandardOutput();
    const bool wasCancelled = m_cancelling || (status == QProcess::NormalExit && code == kExitCancelled);
    m_cancelling = false;
    emit runningChanged();
    if (!output.trimmed().isEmpty()) {
        const auto answer = parseTrialAnswer({output.constData(), static_cast<std::size_t>(output.size())});
        if (answer.ok())
            emit finished(answer.value());
        else
            emit failed(QString::fromStdString(answer.error()));
        return;
    }
    const QString said = m_said.trimmed();
    if (wasCancelled)
        emit cancelledEarly();
    else if (status == QProcess::CrashExit)
        emit failed(
            tr("overlane try was ended by force, before it could answer; a run of the program may still be "
               "there."));
    else
        emit failed(said.isEmpty() ? tr("overlane try ended without an answer (exit code %1).").arg(code) : said);
}

}  // namespace overlane
