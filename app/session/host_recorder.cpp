#include "app/session/host_recorder.h"

#include <csignal>
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kLeavePatienceMs = 2000;
constexpr qint64 kLastWordsBytes = 4096;

QString lastWords(const QString& log)
{
    QFile file(log);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - kLastWordsBytes));
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    return lines.isEmpty() ? QString() : lines.last().trimmed();
}

void addNumber(QStringList& words, const char* name, double value)
{
    if (value > 0)
        words << name << QString::number(value, 'g', 12);
}

}  // namespace

QString folderOfRanks(const QString& output)
{
    const QFileInfo file(output);
    return file.dir().filePath(file.completeBaseName());
}

Result<QStringList> hostRecordArguments(const HostRecordOptions& options, const QString& log)
{
    static const QRegularExpression variable(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    const RecordOptions& record = options.record;
    QStringList words{"record", "--host", options.host, "--progress-json", "--output-to", log};
    const bool hasRanks = !options.launcher.isEmpty();
    words << "-o" << (hasRanks ? folderOfRanks(text(record.output)) + '/' : text(record.output));
    if (hasRanks)
        words << "--launcher" << options.launcher;
    if (record.overwrite)
        words << "--overwrite";
    if (!record.program.directory.empty())
        words << "--directory" << text(record.program.directory);
    if (options.kinds != "default")
        words << "--kinds" << options.kinds;
    if (record.pytorch)
        words << "--pytorch";
    if (record.stacksUs == 0)
        words << "--no-stacks";
    addNumber(words, "--delay", record.delaySeconds);
    addNumber(words, "--duration", record.durationSeconds);
    if (record.iterations > 0)
        words << "--iterations" << QString::number(record.iterations) << "--after"
              << QString::number(record.afterIterations);
    if (!record.title.empty())
        words << "--title" << text(record.title);
    if (record.maxBytes > 0)
        words << "--max-size" << QString::number(record.maxBytes);
    QStringList names;
    for (const auto& [name, value] : record.program.environment) {
        if (!variable.match(text(name)).hasMatch())
            return Error{
                u"Environment: \"%1\" is no name of a variable that a shell takes."_s.arg(text(name)).toStdString()};
        names << text(name);
    }
    if (!names.isEmpty())
        words << "--send-variables" << names.join(',');
    words << "--";
    for (const std::string& word : record.program.command)
        words << text(word);
    return words;
}

HostRecorder::HostRecorder(QObject* parent)
    : QObject(parent),
      m_process([this](std::string_view line) { return take(line); }, kLeavePatienceMs, nullptr,
                OverlaneProcess::Manner::Apart)
{
    connect(&m_process, &OverlaneProcess::ended, this, &HostRecorder::end);
    connect(&m_process, &OverlaneProcess::notStarted, this, [this](const QString& sentence) {
        m_outcome.error = sentence;
        emit finished(m_outcome);
    });
}

Result<void> HostRecorder::start(const HostRecordOptions& options, const QString& log)
{
    ASSIGN_OR_RETURN(const QStringList arguments, hostRecordArguments(options, log));
    if (m_process.program().isEmpty())
        return Error{"The command line, overlane, is not next to this program. Install it to record over ssh."};
    std::vector<std::pair<std::string, std::string>> variables;
    for (const auto& [name, value] : options.record.program.environment)
        variables.emplace_back(kSentPrefix + name, value);
    m_process.setVariables(variables);
    m_host = options.host;
    m_log = log;
    m_outcome = {};
    if (!options.launcher.isEmpty())
        m_outcome.folder = folderOfRanks(text(options.record.output));
    m_folder.clear();
    m_following = m_ended = false;
    m_interrupts = 0;
    m_process.start(arguments);
    return {};
}

void HostRecorder::interrupt()
{
    m_process.signal(m_following && m_interrupts > 0 ? SIGTERM : SIGINT);
    m_interrupts += m_following ? 1 : 0;
}

void HostRecorder::leave()
{
    if (m_following)
        m_process.signal(SIGHUP);
}

// With a capital, unless the machine's name is first.
QString HostRecorder::sentenceOf(const std::string& words) const
{
    QString sentence = text(words);
    if (!sentence.isEmpty() && !sentence.startsWith(m_host))
        sentence[0] = sentence[0].toUpper();
    return sentence;
}

bool HostRecorder::take(std::string_view line)
{
    const auto news = parseHostNews(line);
    if (!news)
        return false;
    switch (news->kind) {
        case HostNews::Kind::Step:
            m_following = false;
            emit stepped(news->fraction > 0
                             ? u"%1: %2 %"_s.arg(sentenceOf(news->words)).arg(qRound(news->fraction * 100))
                             : sentenceOf(news->words) + u" …"_s);
            break;
        case HostNews::Kind::Started:
            m_following = true;
            m_folder = text(news->words);
            emit started();
            break;
        case HostNews::Kind::Status: {
            constexpr std::string_view kSpeaker = "overlane: ";
            const bool speaks = news->words.starts_with(kSpeaker);
            emit progressed(sentenceOf(news->words.substr(speaks ? kSpeaker.size() : 0)));
            break;
        }
        case HostNews::Kind::Note:
            emit warned(sentenceOf(news->words));
            break;
        case HostNews::Kind::Ended:
            m_ended = true;
            m_outcome.program = news->end;
            for (const std::string& file : news->files)
                m_outcome.files << text(file);
            break;
    }
    return true;
}

void HostRecorder::end(const OverlaneProcess::End& end)
{
    m_following = false;
    m_outcome.wasCancelled = !m_ended && end.wasCancelled;
    if (m_ended && m_outcome.files.isEmpty()) {
        const QString words = lastWords(m_log);
        m_outcome.error = u"The recording there left no trace%1"_s.arg(
            words.isEmpty() ? u"."_s : u"; the last line of its output: %1"_s.arg(words));
    } else if (!m_ended) {
        m_outcome.error =
            end.said.isEmpty() ? u"The recording ended without a word of why."_s : sentenceOf(end.said.toStdString());
    }
    emit finished(std::exchange(m_outcome, {}));
}

}  // namespace overlane
