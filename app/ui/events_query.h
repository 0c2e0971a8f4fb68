// EventsQuery: which events a list shows and in which order, answered by one pure function.
//
// A value. findEvents() reads an immutable trace and may run on any thread; it reports progress, looks
// for a cancel every few thousand events and keeps no state. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>

#include "core/base/progress.h"
#include "core/trace/trace.h"

namespace overlane
{

struct EventsQuery {
    enum Column { Start, Duration, Name, Kind, Track, Bytes, Memory, ColumnCount };

    QString name;  // part of the event's name, any case; empty for all
    std::optional<EventKind> kind;
    std::optional<Interval> range;  // events that lie in it or touch it
    int column = Start;
    bool descending = false;

    friend bool operator==(const EventsQuery&, const EventsQuery&) = default;
};

// Events that are equal in the sorted column keep the order of the trace's columns. None where cancelled.
std::optional<std::vector<EventIndex>> findEvents(const Trace& trace, const EventsQuery& query, Progress& progress);

}  // namespace overlane
