// What the tables of a comparison show: step figures and causes, kernels, copies, findings.
//
// Pure functions. Nanoseconds and bytes as values, words as text.
#pragma once

#include <cstdint>
#include <vector>

#include "app/second/compare_source.h"
#include "app/widgets/cell_table.h"

namespace overlane
{

struct CompareTable {
    std::vector<CellColumn> columns;
    std::vector<CellRow> rows;
};

// Where a row of the kernels or copies comes from.
struct WorkPlace {
    std::size_t device = 0;
    std::size_t row = 0;
};

CompareTable figuresTable(const Comparison& comparison);
CompareTable kernelsTable(const Comparison& comparison);
CompareTable copiesTable(const Comparison& comparison);
CompareTable findingsTable(const std::vector<FindingChange>& findings, bool perStep);

enum class WorkKind : std::uint8_t { Kernels, Copies };
// Of the row given as number `row`.
const WorkChange& workOf(const Comparison& comparison, WorkKind kind, int row, WorkPlace& place);
// The first kernel or copy of that row in a trace, at or behind the aligned moment; none where it has none.
EventIndex firstOf(const AnalysedTrace& trace, const AlignedSide& side, WorkKind kind, const WorkChange& work,
                   std::int32_t device, MemoryKind memory);

// The sentence and every table, to be pasted.
QString comparisonPlain(const ComparedTraces& compared);

}  // namespace overlane
