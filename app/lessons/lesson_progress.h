// LessonProgress: what a learner did so far: predictions, lessons run, exercises solved.
//
// Lives on the GUI thread. With settings, which must outlive it, everything is kept there at once, under
// "lessons/ID"; without, only as long as this object lives.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include <QObject>
#include <QString>

class QSettings;

namespace overlane
{

struct LessonPast {
    // What was predicted, by place of the question: the place of a choice, or a number in the unit of the
    // answer. NaN: skipped. Nothing: not asked yet.
    std::vector<std::optional<double>> predicted;
    std::set<int> right;  // places of predictions that were right when it last ran
    bool ran = false;
    std::set<int> solved;  // places of exercises

    bool started() const;
    friend bool operator==(const LessonPast& a, const LessonPast& b);
};

class LessonProgress : public QObject
{
    Q_OBJECT

public:
    explicit LessonProgress(QSettings* settings, QObject* parent = nullptr);

    LessonPast past(const QString& id) const;
    void keep(const QString& id, const LessonPast& past);
    void forget(const QString& id);
    void forgetAll();

    // The folder of own lessons that was opened last; empty where none was.
    QString folder() const;
    void keepFolder(const QString& folder);

signals:
    void changed();

private:
    QSettings* m_settings;
    std::map<QString, LessonPast> m_pasts;
    QString m_folder;
};

}  // namespace overlane
