#include "app/trial/trial_run.h"

namespace overlane
{

namespace
{

// The program under trial has five seconds to end before it is made to.
constexpr int kLongestEndMs = 12'000;

}  // namespace

TrialRun::TrialRun(QObject* parent)
    : QObject(parent), m_process([this](std::string_view line) { return take(line); }, kLongestEndMs)
{
    connect(&m_process, &ToolProcess::runningChanged, this, &TrialRun::runningChanged);
    connect(&m_process, &ToolProcess::ended, this, &TrialRun::end);
    connect(&m_process, &ToolProcess::notStarted, this, &TrialRun::failed);
}

void TrialRun::start(const TrialRequest& request)
{
    if (running())
        return;
    m_request = request;
    QStringList arguments = {QStringLiteral("try"), QStringLiteral("--json"), QStringLiteral("--progress-json"),
                             QStringLiteral("--budget"), QStringLiteral("%1s").arg(request.budgetSeconds)};
    if (!request.directory.isEmpty())
        arguments << QStringLiteral("--directory") << request.directory;
    m_clock.start();
    m_process.start(arguments << QStringLiteral("--") << request.command);
}

bool TrialRun::take(std::string_view line)
{
    const std::optional<TrialNews> news = parseTrialNews(line);
    if (news)
        emit told(*news);
    else
        emit said(QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())).trimmed());
    return news.has_value();
}

void TrialRun::end(const ToolProcess::End& end)
{
    if (!end.output.trimmed().isEmpty()) {
        const auto answer = parseTrialAnswer({end.output.constData(), static_cast<std::size_t>(end.output.size())});
        if (answer.ok())
            emit finished(answer.value());
        else
            emit failed(QString::fromStdString(answer.error()));
    } else if (end.wasCancelled) {
        emit cancelledEarly();
    } else if (end.wasKilled) {
        emit failed(
            tr("overlane try was ended by force, before it could answer; a run of the program may still be "
               "there."));
    } else {
        emit failed(end.said.isEmpty() ? tr("overlane try ended without an answer (exit code %1).").arg(end.code)
                                       : end.said);
    }
}

}  // namespace overlane
