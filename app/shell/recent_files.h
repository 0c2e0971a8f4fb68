// RecentFiles: the files opened or saved last, newest first, with what their traces said. GUI thread; user's settings.
#pragma once

#include <QSettings>
#include <QStringList>
#include <QVariantMap>

namespace overlane
{

class RecentFiles
{
public:
    static constexpr int kMost = 10;

    QStringList paths() const { return QSettings().value("recentFiles").toStringList(); }
    // The headline when it was opened last; empty where it is not known.
    QString headline(const QString& path) const { return headlines().value(path).toString(); }
    // Without a headline the one that is known stays.
    void add(const QString& path, const QString& headline = {})
    {
        QStringList all = paths();
        all.removeAll(path);
        all.prepend(path);
        set(all.mid(0, kMost), path, headline);
    }
    void remove(const QString& path)
    {
        QStringList all = paths();
        all.removeAll(path);
        set(all);
    }
    void clear() { set({}); }

private:
    static QVariantMap headlines() { return QSettings().value("recentHeadlines").toMap(); }
    static void set(const QStringList& paths, const QString& path = {}, const QString& headline = {})
    {
        const QVariantMap known = headlines();
        QVariantMap kept;
        for (const QString& each : paths)
            if (known.contains(each))
                kept.insert(each, known.value(each));
        if (!headline.isEmpty())
            kept.insert(path, headline);
        QSettings settings;  // one: a file is written for each
        settings.setValue("recentHeadlines", kept);
        settings.setValue("recentFiles", paths);
    }
};

}  // namespace overlane
