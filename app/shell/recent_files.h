// RecentFiles: the files opened or saved last, newest first, kept in the user's settings.
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
        set(all.mid(0, kMost));
    }
    void remove(const QString& path)
    {
        QStringList all = paths();
        all.removeAll(path);
        set(all);
    }
    void clear() { set({}); }

private:
    static void set(const QStringList& paths) { QSettings().setValue("recentFiles", paths); }
};

}  // namespace overlane
