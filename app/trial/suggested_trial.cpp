#include "app/trial/suggested_trial.h"

#include <QRegularExpression>

#include "app/session/command_text.h"
#include "app/session/environment_text.h"
#include "app/widgets/text.h"
#include "core/trace/trace.h"

namespace overlane
{

namespace
{

QString wordsOf(const QString& command)
{
    const Result<QStringList> words = parseCommand(command);
    return words.ok() ? words.value().join(' ') : QString();
}

// A title has the words without the quotes around them: where spaces were among them nobody knows, but no other
// sign may mean anything.
QString lineOf(const QString& title)
{
    if (wordsOf(title) == title)
        return title;
    QStringList words = title.split(' ', Qt::SkipEmptyParts);
    for (QString& word : words)
        word = shellQuoted(word);
    return words.join(' ');
}

// `env` in front sets the variables that the recording had.
SuggestedTrial ofLast(const LastRecorded& last, bool ofTrace)
{
    const auto variables = parseEnvironment(last.environment);
    QString command;
    if (variables.ok() && !last.command.trimmed().isEmpty())
        for (const auto& [name, value] : variables.value())
            command += (command.isEmpty() ? u"env "_s : QString()) + shellQuoted(text(name) + '=' + text(value)) + ' ';
    return {command + last.command.trimmed(), last.directory, ofTrace};
}

}  // namespace

QString shellQuoted(const QString& word)
{
    static const QRegularExpression kPlain(u"^[\\w@%+=:,./-]+$"_s, QRegularExpression::UseUnicodePropertiesOption);
    if (kPlain.match(word).hasMatch())
        return word;
    return '\'' + QString(word).replace('\'', u"'\\''"_s) + '\'';
}

SuggestedTrial suggestedTrial(const TraceMetadata* trace, const LastRecorded& last)
{
    if (trace == nullptr || originOf(trace->format) != TraceOrigin::Recorded || trace->isLaboratoryRun())
        return ofLast(last, false);
    const QString title = text(trace->title);
    if (!title.isEmpty() && title == wordsOf(last.command))
        return ofLast(last, true);
    // What was put together without its recorder has the program's name alone for a title.
    const auto property = trace->properties.find("command");
    if (!title.contains(' ') && property != trace->properties.end() && !property->second.empty())
        return {lineOf(text(property->second)), {}, true};
    return title.isEmpty() ? ofLast(last, false) : SuggestedTrial{lineOf(title), {}, true};
}

}  // namespace overlane
