#include "app/lessons/code_lines.h"

#include <QRegularExpression>
#include <QStringList>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr qsizetype kWidestRemark = 40;  // characters, its mark and indentation included

QStringList remarkLines(const QString& indent, const QString& mark, const QString& words)
{
    QStringList lines;
    QString line;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
        if (!line.isEmpty() && line.size() + 1 + word.size() > kWidestRemark) {
            lines << line;
            line.clear();
        }
        line = line.isEmpty() ? indent + mark + ' ' + word : line + ' ' + word;
    }
    return line.isEmpty() ? lines : lines << line;
}

}  // namespace

QString withRemarksAbove(const QString& markdown)
{
    static const QRegularExpression kFence(u"^\\s*(```|~~~)"_s);
    static const QRegularExpression kRemark(u"^(\\s*)(.*?)(?:^|\\s)\\s*(#|//)\\s+(.+)$"_s);
    QStringList lines;
    bool code = false;
    for (const QString& line : markdown.split('\n')) {
        if (kFence.match(line).hasMatch())
            code = !code;
        const QRegularExpressionMatch found = code ? kRemark.match(line) : QRegularExpressionMatch();
        const bool alone = found.hasMatch() && found.captured(2).trimmed().isEmpty();
        if (!found.hasMatch() || (alone && line.size() <= kWidestRemark)) {
            lines << line;
            continue;
        }
        lines << remarkLines(found.captured(1), found.captured(3), found.captured(4));
        if (!alone)
            lines << found.captured(1) + found.captured(2).trimmed();
    }
    return lines.join('\n');
}

}  // namespace overlane
