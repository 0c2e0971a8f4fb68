// EventsQuery: which events a list shows and in which order, answered by one pure function.
//
// A value. findEvents() reads an immutable trace and may run on any thread; it reports progress, looks
// for a cancel every few thousand events and keeps no state. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_cause.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace overlane
{

struct EventsQuery {
    enum Column { Start, Duration, Name, Kind, Track, Bytes, Memory, Carries, Why, ColumnCount };

    QString name;  // part of the event's name, any case; empty for all
    std::optional<EventKind> kind;
    std::optional<CopyCause> why;   // copies of which this is the first reason
    std::optional<Interval> range;  // events that lie in it or touch it
    int column = Start;
    bool descending = false;

    friend bool operator==(const EventsQuery&, const EventsQuery&) = default;
};

// Events that are equal in the sorted column keep the order of the trace's columns. An Error only where cancelled.
// Without an analysis no copy has a reason.
Result<std::vector<EventIndex>> findEvents(const Trace& trace, const EventsQuery& query, Progress& progress,
                                           const Analysis* analysis = nullptr);

// The first reason of a copy; none for other events.
std::optional<CopyCause> firstReason(const Trace& trace, const Analysis* analysis, EventIndex event);

}  // namespace overlane
