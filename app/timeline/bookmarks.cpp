#include "app/timeline/bookmarks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPointer>
#include <QStringList>
#include <QUndoCommand>
#include <QUndoStack>

#include "app/widgets/text.h"

namespace overlane
{

// All of them before and after: there are a handful.
class Bookmarks::Change : public QUndoCommand
{
public:
    Change(Bookmarks* bookmarks, const QString& what, std::vector<Bookmark> next)
        : QUndoCommand(what),
          m_bookmarks(bookmarks),
          m_generation(bookmarks->m_generation),
          m_before(bookmarks->m_all),
          m_after(std::move(next))
    {
    }
    void undo() override { show(m_before); }
    void redo() override { show(m_after); }

private:
    void show(const std::vector<Bookmark>& all)
    {
        if (m_bookmarks == nullptr || m_generation != m_bookmarks->m_generation)
            setObsolete(true);  // the stack drops it
        else
            m_bookmarks->put(all);
    }

    QPointer<Bookmarks> m_bookmarks;
    int m_generation;
    std::vector<Bookmark> m_before;
    std::vector<Bookmark> m_after;
};

Bookmarks::Bookmarks(QObject* parent) : QObject(parent) {}

void Bookmarks::change(const QString& what, std::vector<Bookmark> next)
{
    if (m_undo != nullptr)
        m_undo->push(new Change(this, what, std::move(next)));
    else
        put(std::move(next));
}

void Bookmarks::put(std::vector<Bookmark> all)
{
    if (all == m_all)
        return;
    m_all = std::move(all);
    emit changed();
}

void Bookmarks::add(std::int64_t timeNs, const QString& name)
{
    const Bookmark bookmark{timeNs, name.simplified()};
    std::vector<Bookmark> next = m_all;
    const auto place = std::ranges::lower_bound(next, timeNs, {}, &Bookmark::timeNs);
    if (place != next.end() && *place == bookmark)
        return;
    const bool there = place != next.end() && place->timeNs == timeNs;
    if (there)
        *place = bookmark;
    else
        next.insert(place, bookmark);
    change(there ? u"bookmark's name"_s : u"bookmark"_s, std::move(next));
}

void Bookmarks::remove(std::int64_t timeNs)
{
    std::vector<Bookmark> next = m_all;
    if (std::erase_if(next, [&](const Bookmark& bookmark) { return bookmark.timeNs == timeNs; }) > 0)
        change(u"removed bookmark"_s, std::move(next));
}

void Bookmarks::clear()
{
    forgetChanges();
    put({});
}

const Bookmark* Bookmarks::nearest(std::int64_t timeNs, std::int64_t reachNs) const
{
    const auto distance = [&](const Bookmark& bookmark) { return std::abs(bookmark.timeNs - timeNs); };
    const auto found = std::ranges::min_element(m_all, {}, distance);
    return found != m_all.end() && distance(*found) <= reachNs ? &*found : nullptr;
}

const Bookmark* Bookmarks::after(std::int64_t timeNs) const
{
    const auto found = std::ranges::upper_bound(m_all, timeNs, {}, &Bookmark::timeNs);
    return found != m_all.end() ? &*found : nullptr;
}

const Bookmark* Bookmarks::before(std::int64_t timeNs) const
{
    const auto found = std::ranges::lower_bound(m_all, timeNs, {}, &Bookmark::timeNs);
    return found != m_all.begin() ? &*std::prev(found) : nullptr;
}

QString Bookmarks::toText() const
{
    QString text;
    for (const Bookmark& bookmark : m_all)
        text += u"%1\t%2\n"_s.arg(QString::number(bookmark.timeNs), bookmark.name);
    return text;
}

void Bookmarks::setText(const QString& text)
{
    std::vector<Bookmark> read;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const qlonglong timeNs = line.section(QLatin1Char('\t'), 0, 0).toLongLong(&isNumber);
        if (isNumber)
            read.push_back({timeNs, line.section(QLatin1Char('\t'), 1).simplified()});
    }
    std::ranges::stable_sort(read, {}, &Bookmark::timeNs);
    const auto sameTime = [](const Bookmark& a, const Bookmark& b) { return a.timeNs == b.timeNs; };
    read.erase(std::unique(read.begin(), read.end(), sameTime), read.end());
    if (read == m_all)
        return;
    forgetChanges();
    put(std::move(read));
}

}  // namespace overlane
