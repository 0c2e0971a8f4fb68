// EventWalk: a list of events, visited one after another, round and round.
//
// A value. Before the first step no event is visited: next() then goes to `first`, previous() to the one before it.
// found() takes what a job found as a walk and as marks for the lanes, on the worker, since there may be millions.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QString>

#include "app/timeline/event_set.h"
#include "core/base/result.h"
#include "core/base/strong_id.h"
#include "core/base/units.h"

namespace overlane
{

struct FoundEvents {
    std::vector<EventIndex> inOrder;
    EventSet marks;
};

inline Result<FoundEvents> found(Result<std::vector<EventIndex>> events)
{
    if (!events.ok())
        return events.failure();
    EventSet marks = eventSet(events.value());
    return FoundEvents{std::move(events).value(), std::move(marks)};
}

class EventWalk
{
public:
    void set(FoundEvents found)
    {
        m_events = std::move(found.inOrder);
        m_marks = std::move(found.marks);
        m_at.reset();
    }
    const std::vector<EventIndex>& events() const { return m_events; }
    const EventSet& marks() const { return m_marks; }

    // None where there are no events.
    EventIndex next(std::size_t first = 0) { return go(m_at ? (*m_at + 1) % count() : first); }
    EventIndex previous(std::size_t first = 0)
    {
        const std::size_t from = m_at.value_or(first);
        return go(from > 0 ? from - 1 : count() - 1);
    }

    // "3 of 48", before the first step "48 events", without any "no event".
    QString text() const
    {
        const auto shown = [](std::size_t number) {
            return QString::fromStdString(formatCount(static_cast<std::int64_t>(number)));
        };
        if (m_events.empty())
            return QStringLiteral("no event");
        if (!m_at)
            return m_events.size() == 1 ? QStringLiteral("1 event")
                                        : shown(m_events.size()) + QStringLiteral(" events");
        return shown(*m_at + 1) + QStringLiteral(" of ") + shown(m_events.size());
    }

private:
    std::size_t count() const { return m_events.size(); }
    EventIndex go(std::size_t place)
    {
        if (m_events.empty())
            return {};
        m_at = place;
        return m_events[place];
    }

    std::vector<EventIndex> m_events;
    EventSet m_marks;
    std::optional<std::size_t> m_at;
};

}  // namespace overlane
