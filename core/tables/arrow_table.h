// A table: named columns of one length. Columns share what they read; a copy of a table is cheap. Any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "core/tables/arrow_column.h"

namespace overlane
{

// Of what is made at once.
constexpr std::size_t kMostBatchRows = 65'536;

struct ArrowTable {
    std::vector<ArrowColumn> columns;
    std::size_t rows = 0;
};

}  // namespace overlane
