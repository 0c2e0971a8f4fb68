#include "app/machine/pressure_run.h"

#include <csignal>
#include <optional>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>

#include "core/host/gpu_support.h"

namespace overlane
{

namespace
{

constexpr int kLongestCleanUpMs = 5'000;

std::optional<PressureOutcome> parsedOutcome(const QByteArray& text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text);
    if (!document.isObject() || !document.object().value("steps").isArray())
        return {};
    PressureOutcome outcome;
    outcome.ended = document.object().value("ended").toString();
    outcome.conclusion = document.object().value("conclusion").toString();
    const QJsonArray steps = document.object().value("steps").toArray();
    for (const auto& value : steps) {
        const QJsonObject step = value.toObject();
        outcome.steps.push_back({step.value("pinned_bytes").toInteger(), step.value("batches").toInteger(),
                                 step.value("batch_ns_median").toInteger(), step.value("batch_ns_p90").toInteger(),
                                 step.value("page_cache_bytes").toInteger(),
                                 step.value("page_cache_bytes_model").toInteger(), step.value("swap_bytes").toInteger(),
                                 step.value("swap_bytes_model").toInteger()});
    }
    return outcome;
}

}  // namespace

PressureRun::PressureRun(QObject* parent) : QObject(parent), m_program(usualProgram())
{
    connect(&m_process, &QProcess::readyReadStandardError, this, &PressureRun::readLines);
    connect(&m_process, &QProcess::finished, this, &PressureRun::end);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        emit runningChanged();
        emit failed(tr("%1 could not be started: %2.").arg(m_program, m_process.errorString()));
    });
}

PressureRun::~PressureRun()
{
    m_process.disconnect(this);
    if (!running())
        return;
    cancel();
    m_process.waitForFinished(kLongestCleanUpMs);
}

QString PressureRun::usualProgram()
{
    const QString beside = QString::fromStdString(companionPath("overlane").string());
    return beside.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("overlane")) : beside;
}

void PressureRun::start()
{
    if (running())
        return;
    m_cancelling = false;
    m_said.clear();
    m_line.clear();
    m_process.start(m_program, {QStringLiteral("pressure"), QStringLiteral("--yes"), QStringLiteral("--json")});
    emit runningChanged();
}

void PressureRun::cancel()
{
    if (!running() || m_cancelling)
        return;
    m_cancelling = true;
    // As Ctrl+C does: it ends its loader, cleans up and still reports.
    if (m_process.processId() > 0)
        ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
    emit runningChanged();
}

// "step 2 of 7, 74.0 MiB pinned: batch 3.1 ms, ..."
void PressureRun::readLines()
{
    static const QRegularExpression kStep(QStringLiteral("^step (\\d+) of (\\d+), (.*)$"));
    m_line += m_process.readAllStandardError();
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n')) {
        const QString line = QString::fromUtf8(m_line.left(end)).trimmed();
        m_line.remove(0, end + 1);
        const QRegularExpressionMatch match = kStep.match(line);
        if (!match.hasMatch()) {
            m_said += line.toUtf8() + '\n';
            continue;
        }
        const double steps = std::max(1, match.captured(2).toInt());
        emit progressed((match.captured(1).toInt() - 0.5) / steps, line);
    }
}

void PressureRun::end(int code, QProcess::ExitStatus status)
{
    readLines();
    m_said += m_line;
    const auto outcome = parsedOutcome(m_process.readAllStandardOutput());
    m_cancelling = false;
    emit runningChanged();
    if (outcome) {
        emit finished(*outcome);
    } else if (status == QProcess::CrashExit) {
        emit failed(tr("The experiment was ended by force; its guardian removes what it left."));
    } else {
        const QString said = QString::fromUtf8(m_said).trimmed();
        emit failed(said.isEmpty() ? tr("The experiment ended without a result (exit code %1).").arg(code) : said);
    }
}

}  // namespace overlane
