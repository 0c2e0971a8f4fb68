// RecentFiles: the files opened or saved last, kept in the user's settings.
#pragma once

#include <QSettings>
#include <QStringList>

namespace overlane
{

class RecentFiles
{
public:
    static constexpr int kMost = 10;

    QStringList paths() const { return QSettings().value("recentFiles").toStringList(); }
    void add(const QString& path)
    {
        QStringList all = paths();
        all.removeAll(path);
        all.prepend(path);
        QSettings().setValue("recentFiles", QStringList(all.mid(0, kMost)));
    }
};

}  // namespace overlane
