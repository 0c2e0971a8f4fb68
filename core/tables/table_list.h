// The tables of a trace, for Python, SQL and spreadsheets: a row for each, with the function that makes it.
//
// A table holds on to the trace, or to the judgement that its columns come from, and to nothing that changes. Making it
// gathers the places of its rows (4 bytes each); columns are made batch by batch, or are the trace's own. Any thread;
// nanoseconds since the start of the trace, bytes.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/judgement/judged_trace.h"
#include "core/tables/arrow_table.h"

namespace overlane
{

struct TableOptions {
    std::string iteration;  // of tables that are judged: one of the trace's loops; empty: the program's own
    std::string group;      // of the sums by name: WorkGroupRow::id; empty: all
    bool whole = false;     // of the sums by name: the whole trace, not the range that is judged
};

struct TableAsked {
    std::shared_ptr<const Trace> trace;
    // The trace judged by options.iteration; made when a table first asks for it.
    std::function<Result<std::shared_ptr<const JudgedTrace>>()> judged;
    TableOptions options;
    Progress& progress;
};

struct TableKind {
    std::string_view name;
    std::string_view content;  // one sentence
    Result<ArrowTable> (*make)(TableAsked& asked);
    bool isJudged = false;   // takes TableOptions::iteration
    bool sumsNames = false;  // takes the other options
};
std::span<const TableKind> allTables();

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
