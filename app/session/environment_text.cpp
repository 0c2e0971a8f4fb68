#include "app/session/environment_text.h"

#include <algorithm>
#include <array>

#include <QObject>
#include <QRegularExpression>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr std::array kSecretWords = {"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"};

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> parseEnvironment(const QString& lines)
{
    std::vector<std::pair<std::string, std::string>> variables;
    for (const QString& line : lines.split('\n')) {
        const QString trimmed = line.trimmed();
        if (trimmed.isEmpty())
            continue;
        const qsizetype equals = trimmed.indexOf('=');
        if (equals <= 0)
            return Error{u"Environment: \"%1\" is not of the form NAME=VALUE."_s.arg(trimmed).toStdString()};
        variables.emplace_back(trimmed.left(equals).trimmed().toStdString(), trimmed.mid(equals + 1).toStdString());
    }
    return variables;
}

bool looksSecret(const QString& name, const QString& value)
{
    static const QRegularExpression addressWithPassword(u"://[^/\\s:@]*:[^/\\s@]+@"_s);
    const auto isIn = [&](const char* word) { return name.contains(QLatin1String(word), Qt::CaseInsensitive); };
    return std::any_of(kSecretWords.begin(), kSecretWords.end(), isIn) || value.contains(addressWithPassword);
}

StorableEnvironment storableEnvironment(const QString& lines)
{
    StorableEnvironment answer;
    QStringList kept;
    for (const QString& line : lines.split('\n')) {
        const QString name = line.section('=', 0, 0).trimmed();
        if (line.contains('=') && looksSecret(name, line.section('=', 1)))
            answer.leftOut << name;
        else
            kept << line;
    }
    answer.leftOut.removeDuplicates();
    answer.lines = kept.join('\n');
    return answer;
}

}  // namespace overlane
