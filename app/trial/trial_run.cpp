#include "app/trial/trial_run.h"

#include "app/widgets/text.h"

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
    connect(&m_process, &OverlaneProcess::runningChanged, this, &TrialRun::runningChanged);
    connect(&m_process, &OverlaneProcess::ended, this, &TrialRun::end);
    connect(&m_process, &OverlaneProcess::notStarted, this, &TrialRun::failed);
}

void TrialRun::start(const TrialRequest& request)
{
    if (running())
        return;
    m_request = request;
    QStringList arguments = {u"try"_s, u"--json"_s, u"--progress-json"_s, u"--budget"_s,
                             u"%1s"_s.arg(request.budgetSeconds)};
    if (!request.directory.isEmpty())
        arguments << u"--directory"_s << request.directory;
    m_clock.start();
    m_process.start(arguments << u"--"_s << request.command);
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

void TrialRun::end(const OverlaneProcess::End& end)
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
            u"overlane try was ended by force, before it could answer; a run of the program may still be "
            "there."_s);
    } else {
        emit failed(end.said.isEmpty() ? u"overlane try ended without an answer (exit code %1)."_s.arg(end.code)
                                       : end.said);
    }
}

}  // namespace overlane
