// Bookmarks: named times that a person marked in a trace.
//
// Lives on the GUI thread; the one owner of them, everybody else asks it and listens to it. Ascending
// in time, at most one for each time. As text: one line for each, nanoseconds, a tab, the name. With an
// undo stack, what a person does can be taken back until the marks of another trace take their place.
#pragma once

#include <cstdint>
#include <vector>

#include <QObject>
#include <QString>

class QUndoStack;

namespace overlane
{

struct Bookmark {
    std::int64_t timeNs = 0;
    QString name;
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

class Bookmarks : public QObject
{
    Q_OBJECT

public:
    explicit Bookmarks(QObject* parent = nullptr);

    // Whoever shares it takes back what came last, whatever it was. Not owned.
    void setUndoStack(QUndoStack* undo) { m_undo = undo; }

    const std::vector<Bookmark>& all() const { return m_all; }
    // Takes the place of one that is there already.
    void add(std::int64_t timeNs, const QString& name);
    void remove(std::int64_t timeNs);
    void clear();
    // The one nearest to a time, at most `reachNs` away; nullptr where there is none.
    const Bookmark* nearest(std::int64_t timeNs, std::int64_t reachNs) const;
    // The first after and the last before a time; nullptr where there is none.
    const Bookmark* after(std::int64_t timeNs) const;
    const Bookmark* before(std::int64_t timeNs) const;

    QString toText() const;
    // Replaces all; lines that are no bookmark are left out.
    void setText(const QString& text);
    // Another trace is shown: what was done before cannot be taken back in it.
    void forgetChanges() { m_generation = ++m_generations; }
    // A trace that was left is shown again: what was done in it can be taken back again.
    int generation() const { return m_generation; }
    void resume(int generation) { m_generation = generation; }

signals:
    void changed();

private:
    class Change;

    void change(const QString& what, std::vector<Bookmark> next);
    void put(std::vector<Bookmark> all);

    std::vector<Bookmark> m_all;
    QUndoStack* m_undo = nullptr;
    int m_generation = 0;  // of the marks; changes of another one are void
    int m_generations = 0;
};

}  // namespace overlane
