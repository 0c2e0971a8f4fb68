#include "app/session/command_text.h"

#include <wordexp.h>

#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>

#include "app/widgets/text.h"

namespace overlane
{

Result<QStringList> parseCommand(const QString& line)
{
    wordexp_t words{};
    const int failure = wordexp(line.toLocal8Bit().constData(), &words, WRDE_NOCMD);
    QStringList answer;
    for (std::size_t i = 0; failure == 0 && i < words.we_wordc; ++i)
        answer << QString::fromLocal8Bit(words.we_wordv[i]);
    if (failure == 0 || failure == WRDE_NOSPACE)
        wordfree(&words);
    if (failure == WRDE_BADCHAR || failure == WRDE_CMDSUB)
        return Error{
            u"Pipes, redirections and several commands need a shell: sh -c '…'. Quote "
            "brackets and other signs that a shell would read."_s.toStdString()};
    if (failure != 0)
        return Error{u"The command line cannot be read; is a quote left open?"_s.toStdString()};
    return answer;
}

Result<QStringList> parseCommandThere(const QString& line)
{
    static const QRegularExpression expanded(u"[~$*?\\[]"_s);
    ASSIGN_OR_RETURN(QStringList words, parseCommand(line));
    if (words.isEmpty() || !line.contains(expanded))
        return words;
    return QStringList{"sh", "-c", "exec " + line.trimmed()};
}

QString programName(const QStringList& words)
{
    if (words.isEmpty())
        return {};
    for (const QString& word : words)
        if (word.endsWith(u".py"_s))
            return QFileInfo(word).completeBaseName();
    return QFileInfo(words.front()).completeBaseName();
}

}  // namespace overlane
