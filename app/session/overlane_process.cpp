#include "app/session/overlane_process.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

#include <QProcessEnvironment>
#include <QStandardPaths>

#include "app/widgets/text.h"
#include "core/system/gpu_support.h"

namespace overlane
{

namespace
{

constexpr int kExitCancelled = 130;
constexpr QLatin1String kSpeaker("overlane: ");

}  // namespace

OverlaneProcess::OverlaneProcess(TakeNews take, int patienceMs, QObject* parent, Manner manner)
    : QObject(parent), m_take(std::move(take)), m_patienceMs(patienceMs), m_manner(manner), m_program(usualProgram())
{
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([manner] {
        if (manner == Manner::Apart)
            ::setsid();
        ::prctl(PR_SET_PDEATHSIG, manner == Manner::Apart ? SIGHUP : SIGINT);
    });
    connect(&m_process, &QProcess::readyReadStandardError, this, &OverlaneProcess::readLines);
    connect(&m_process, &QProcess::finished, this, &OverlaneProcess::end);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        emit runningChanged();
        emit notStarted(u"%1 could not be started: %2."_s.arg(m_program, m_process.errorString()));
    });
}

OverlaneProcess::~OverlaneProcess()
{
    m_process.disconnect(this);
    if (!running())
        return;
    if (m_manner == Manner::Apart)
        signal(SIGHUP);
    else
        cancel();
    m_process.waitForFinished(m_patienceMs);
}

QString OverlaneProcess::usualProgram()
{
    const QString beside = QString::fromStdString(companionPath("overlane").string());
    return beside.isEmpty() ? QStandardPaths::findExecutable(u"overlane"_s) : beside;
}

void OverlaneProcess::start(const QStringList& arguments)
{
    if (running())
        return;
    m_cancelling = false;
    m_said.clear();
    m_line.clear();
    m_process.start(m_program, arguments);
    emit runningChanged();
}

void OverlaneProcess::cancel()
{
    if (!running() || m_cancelling)
        return;
    m_cancelling = true;
    signal(SIGINT);
    emit runningChanged();
}

void OverlaneProcess::signal(int number)
{
    if (m_process.processId() > 0)
        ::kill(static_cast<pid_t>(m_process.processId()), number);
}

void OverlaneProcess::setVariables(const std::vector<std::pair<std::string, std::string>>& variables)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : variables)
        environment.insert(QString::fromStdString(name), QString::fromStdString(value));
    m_process.setProcessEnvironment(environment);
}

void OverlaneProcess::readLines()
{
    m_line += m_process.readAllStandardError();
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n')) {
        const QByteArray line = m_line.left(end);
        m_line.remove(0, end + 1);
        takeLine(line);
    }
}

void OverlaneProcess::takeLine(const QByteArray& line)
{
    if (m_take({line.constData(), static_cast<std::size_t>(line.size())})) {
        m_said.clear();
        return;
    }
    const QString words = QString::fromUtf8(line).trimmed();
    m_said += (words.startsWith(kSpeaker) ? words.mid(kSpeaker.size()) : words) + '\n';
}

void OverlaneProcess::end(int code, QProcess::ExitStatus status)
{
    readLines();
    if (!m_line.isEmpty())
        takeLine(std::exchange(m_line, {}));
    const bool wasKilled = status == QProcess::CrashExit;
    const bool wasCancelled = std::exchange(m_cancelling, false) || (!wasKilled && code == kExitCancelled);
    const End end{m_process.readAllStandardOutput(), m_said.trimmed(), code, wasCancelled, wasKilled};
    emit runningChanged();
    emit ended(end);
}

}  // namespace overlane
