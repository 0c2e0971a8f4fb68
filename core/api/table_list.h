// The tables that liboverlane hands out: a row for each, with the function that makes it.
//
// A table holds on to the trace, or to the judgement that its columns come from, and to nothing that changes. Making it
// gathers the places of its rows (4 bytes each); columns are made batch by batch, or are the trace's own. Any thread;
// nanoseconds since the start of the trace, bytes.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/api/arguments.h"
#include "core/api/arrow_stream.h"
#include "core/api/opened_trace.h"

namespace overlane
{

struct TableAsked {
    const OpenedTrace& trace;
    Arguments& arguments;
    Progress& progress;
    bool isUnderstood = false;  // as in Asked

    Result<void> understood()
    {
        RETURN_IF_ERROR(arguments.done());
        isUnderstood = true;
        return {};
    }
};

struct TableKind {
    std::string_view name;
    std::string_view content;  // one sentence
    Result<ArrowTable> (*make)(TableAsked& asked);
};
std::span<const TableKind> allTables();
// An Error that names the nearest one.
Result<const TableKind*> findTable(std::string_view name);

Result<ArrowTable> makeEvents(TableAsked& asked);
Result<ArrowTable> makeKernels(TableAsked& asked);
Result<ArrowTable> makeCopies(TableAsked& asked);
Result<ArrowTable> makeCalls(TableAsked& asked);
Result<ArrowTable> makeHost(TableAsked& asked);
Result<ArrowTable> makeRanges(TableAsked& asked);
Result<ArrowTable> makeIterations(TableAsked& asked);
Result<ArrowTable> makeIdle(TableAsked& asked);
Result<ArrowTable> makeNames(TableAsked& asked);
Result<ArrowTable> makeTracks(TableAsked& asked);
Result<ArrowTable> makeCounters(TableAsked& asked);

}  // namespace overlane
