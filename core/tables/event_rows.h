// EventRows: the events of a table in order of start, and the columns that every such table has.
//
// Owns their places and shares the trace; immutable, any thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/steps.h"
#include "core/base/enum_set.h"
#include "core/base/work_meter.h"
#include "core/tables/arrow_column.h"
#include "core/trace/trace.h"

namespace overlane
{

struct EventRows {
    std::shared_ptr<const Trace> trace;
    std::vector<EventIndex> events;

    EventIndex at(std::size_t row) const { return events[row]; }
};

std::shared_ptr<const EventRows> eventRows(const std::shared_ptr<const Trace>& trace, EnumSet<EventKind> kinds,
                                           const WorkMeter& work);

// event, start_ns, duration_ns, name.
std::vector<ArrowColumn> eventColumns(const std::shared_ptr<const EventRows>& rows);
// device and stream (null where the trace does not tell).
void addPlaceColumns(const std::shared_ptr<const EventRows>& rows, std::vector<ArrowColumn>& columns);
// The number of the iteration in which the event starts; null outside of all.
ArrowColumn iterationColumn(const std::shared_ptr<const EventRows>& rows, std::vector<Step> steps);
// Trace::link(), called `name`.
ArrowColumn linkColumn(const std::shared_ptr<const EventRows>& rows, std::string name);
// All names of the trace as a dictionary; places are string ids.
std::shared_ptr<const ArrowTexts> traceNames(const Trace& trace);
// kindName() of each kind.
std::shared_ptr<const ArrowTexts> eventKindNames();

// A dictionary of the texts that `text` answers for 0 to count - 1.
template <typename Text>
std::shared_ptr<const ArrowTexts> textsFor(int count, Text text)
{
    auto texts = std::make_shared<ArrowTexts>();
    for (int at = 0; at < count; ++at)
        texts->add(text(at));
    return texts;
}

}  // namespace overlane
