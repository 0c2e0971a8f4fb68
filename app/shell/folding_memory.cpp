#include "app/shell/folding_memory.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>
#include <QStringList>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr const char* kSetting = "foldings";  // a key and a folding for each file, in turns

QString keyOf(const QString& path)
{
    const QFileInfo file(path);
    const QString real = file.canonicalFilePath();
    if (real.isEmpty())
        return {};
    return u"%1|%2|%3"_s.arg(QString::number(file.size()), QString::number(file.lastModified().toMSecsSinceEpoch()),
                             real);
}

// A file under its path alone, for what is known of it no longer to pile up.
QString pathOf(const QString& key)
{
    return key.section('|', 2);
}

}  // namespace

QString FoldingMemory::of(const QString& path) const
{
    const QString key = keyOf(path);
    const QStringList all = QSettings().value(kSetting).toStringList();
    for (qsizetype i = 0; !key.isEmpty() && i + 1 < all.size(); i += 2)
        if (all[i] == key)
            return all[i + 1];
    return {};
}

void FoldingMemory::keep(const QString& path, const QString& folding)
{
    const QString key = keyOf(path);
    if (key.isEmpty())
        return;
    QSettings settings;
    const QStringList all = settings.value(kSetting).toStringList();
    QStringList next;
    if (!folding.isEmpty() && folding.size() <= kLongest)
        next << key << folding;
    for (qsizetype i = 0; i + 1 < all.size() && next.size() / 2 < kMost; i += 2)
        if (pathOf(all[i]) != pathOf(key))
            next << all[i] << all[i + 1];
    if (next != all)
        settings.setValue(kSetting, next);
}

}  // namespace overlane
