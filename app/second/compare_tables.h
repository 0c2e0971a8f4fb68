// The tables of a comparison (core/compare/comparison_tables.h) that the window shows, and the events behind their
// rows.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include <QString>

#include "app/second/compare_source.h"
#include "core/content/block.h"

namespace overlane
{

// Where a row of the kernels or copies comes from.
struct WorkPlace {
    std::size_t device = 0;
    std::size_t row = 0;
};

enum class WorkKind : std::uint8_t { Kernels, Copies };
// Of the row given as number `row`.
const WorkChange& workOf(const Comparison& comparison, WorkKind kind, int row, WorkPlace& place);
// The first kernel or copy of that row in a trace, at or behind the aligned moment; none where it has none.
EventIndex firstOf(const AnalyzedTrace& trace, const AlignedSide& side, WorkKind kind, const WorkChange& work,
                   std::int32_t device, MemoryKind memory);

// The tables as the window shows them.
struct ComparedTables {
    Table figures;
    Table findings;
    Table copies;
    Table kernels;
};
ComparedTables shownTables(const ComparedTraces& compared);

// The sentence and every table shown, to be pasted.
QString comparisonPlain(const ComparedTraces& compared);

}  // namespace overlane
