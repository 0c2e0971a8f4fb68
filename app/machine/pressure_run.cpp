#include "app/machine/pressure_run.h"

#include <optional>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/pressure/pressure_news.h"

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

PressureRun::PressureRun(QObject* parent)
    : QObject(parent), m_process([this](std::string_view line) { return take(line); }, kLongestCleanUpMs)
{
    connect(&m_process, &ToolProcess::runningChanged, this, &PressureRun::runningChanged);
    connect(&m_process, &ToolProcess::ended, this, &PressureRun::end);
    connect(&m_process, &ToolProcess::notStarted, this, &PressureRun::failed);
}

void PressureRun::start()
{
    m_process.start({QStringLiteral("pressure"), QStringLiteral("--yes"), QStringLiteral("--json"),
                     QStringLiteral("--progress-json")});
}

bool PressureRun::take(std::string_view line)
{
    const std::optional<PressureNews> news = parsePressureNews(line);
    if (news)
        emit progressed(news->fraction, QString::fromStdString(news->words));
    return news.has_value();
}

void PressureRun::end(const ToolProcess::End& end)
{
    if (const auto outcome = parsedOutcome(end.output))
        emit finished(*outcome);
    else if (end.wasKilled)
        emit failed(tr("The experiment was ended by force; its guardian removes what it left."));
    else
        emit failed(end.said.isEmpty() ? tr("The experiment ended without a result (exit code %1).").arg(end.code)
                                       : end.said);
}

}  // namespace overlane
