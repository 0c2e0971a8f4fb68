#include "app/machine/pressure_run.h"

#include <optional>

#include "app/widgets/text.h"
#include "core/pressure/pressure_news.h"

namespace overlane
{

namespace
{

constexpr int kLongestCleanUpMs = 5'000;

}  // namespace

PressureRun::PressureRun(QObject* parent)
    : QObject(parent), m_process([this](std::string_view line) { return take(line); }, kLongestCleanUpMs)
{
    connect(&m_process, &OverlaneProcess::runningChanged, this, &PressureRun::runningChanged);
    connect(&m_process, &OverlaneProcess::ended, this, &PressureRun::end);
    connect(&m_process, &OverlaneProcess::notStarted, this, &PressureRun::failed);
}

void PressureRun::start()
{
    m_process.start({u"pressure"_s, u"--yes"_s, u"--json"_s, u"--progress-json"_s});
}

bool PressureRun::take(std::string_view line)
{
    const std::optional<ProcessNews> news = parseProcessNews(line);
    if (news)
        emit progressed(news->fraction, QString::fromStdString(news->words));
    return news.has_value();
}

void PressureRun::end(const OverlaneProcess::End& end)
{
    if (const auto report = parsePressureReport(end.output.toStdString()))
        emit finished(*report);
    else if (end.wasKilled)
        emit failed(u"The experiment was ended by force; its guardian removes what it left."_s);
    else
        emit failed(end.said.isEmpty() ? u"The experiment ended without a result (exit code %1)."_s.arg(end.code)
                                       : end.said);
}

}  // namespace overlane
