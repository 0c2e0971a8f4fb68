#include "app/timeline/bookmarks.h"

#include <algorithm>
#include <cmath>

#include <QStringList>

namespace overlane
{

Bookmarks::Bookmarks(QObject* parent) : QObject(parent) {}

void Bookmarks::add(std::int64_t timeNs, const QString& name)
{
    const Bookmark bookmark{timeNs, name.simplified()};
    const auto place = std::ranges::lower_bound(m_all, timeNs, {}, &Bookmark::timeNs);
    if (place != m_all.end() && *place == bookmark)
        return;
    if (place != m_all.end() && place->timeNs == timeNs)
        *place = bookmark;
    else
        m_all.insert(place, bookmark);
    emit changed();
}

void Bookmarks::remove(std::int64_t timeNs)
{
    if (std::erase_if(m_all, [&](const Bookmark& bookmark) { return bookmark.timeNs == timeNs; }) > 0)
        emit changed();
}

void Bookmarks::clear()
{
    if (m_all.empty())
        return;
    m_all.clear();
    emit changed();
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
        text += QStringLiteral("%1\t%2\n").arg(QString::number(bookmark.timeNs), bookmark.name);
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
    m_all = std::move(read);
    emit changed();
}

}  // namespace overlane
