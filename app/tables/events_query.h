// EventsQuery: which events a list shows and in which order, answered by one pure function, and the columns of the
// list.
//
// A value. findEvents() reads an immutable trace and may run on any thread; it reports progress, looks
// for a cancel every few thousand events and keeps no state. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
    bool copiesOnly = false;                      // of every direction
    std::optional<CopyCause> why;                 // copies of which this is the first reason
    std::optional<Interval> range;                // events that lie in it or touch it
    std::optional<std::vector<EventRange>> rows;  // events of these alone
    std::int64_t leastNs = 0;                     // shorter events are left out
    int column = Start;
    bool descending = false;

    friend bool operator==(const EventsQuery&, const EventsQuery&) = default;
};

// An event of a list. Refers to its trace and the analysis of that; without one no copy has a role or a reason.
struct ListedEvent {
    const Trace& trace;
    const Analysis* analysis;
    EventIndex at;

    Interval interval() const { return trace.interval(at); }
    EventKind kind() const { return trace.kind(at); }
    const CopyInfo* copy() const { return trace.copy(at); }  // nullptr for other events, which have none of these
    std::optional<CopyRole> role() const;
    std::optional<CopyCause> reason() const;  // the first
};

struct EventColumn {
    const char* title;
    const char* exported;  // the title in a file, with the unit
    int digits;            // how wide it is; 0: as wide as the others leave it
    QString (*text)(const ListedEvent&);
    std::int64_t (*key)(const ListedEvent&);  // what it is sorted by; nullptr: the name
    bool isNumber = false;                    // of which the key is exported, unless the text is empty
    QString (*tip)(const ListedEvent&) = nullptr;
    QString (*exportedText)(const ListedEvent&) = nullptr;   // where it is another one
    std::string (*explained)(const ListedEvent&) = nullptr;  // key of an explanation (core/lessons/explanations.h)
};
// In the order of EventsQuery::Column.
std::span<const EventColumn> eventColumns();

// Events that are equal in the sorted column keep the order of the trace's columns. An Error only where cancelled.
Result<std::vector<EventIndex>> findEvents(const Trace& trace, const EventsQuery& query, Progress& progress,
                                           const Analysis* analysis = nullptr);

}  // namespace overlane
