#include "app/session/command_text.h"

#include <wordexp.h>

#include <QFileInfo>
#include <QObject>

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
        return Error{QObject::tr("Pipes, redirections and several commands need a shell: sh -c '…'. Quote "
                                 "brackets and other signs that a shell would read.")
                         .toStdString()};
    if (failure != 0)
        return Error{QObject::tr("The command line cannot be read; is a quote left open?").toStdString()};
    return answer;
}

QString programName(const QStringList& words)
{
    if (words.isEmpty())
        return {};
    for (const QString& word : words)
        if (word.endsWith(QStringLiteral(".py")))
            return QFileInfo(word).completeBaseName();
    return QFileInfo(words.front()).completeBaseName();
}

}  // namespace overlane
