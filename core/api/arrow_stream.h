// A table as a stream of the Arrow C stream interface: record batches of bounded size, made when they are asked for.
//
// Streams and batches share the table and may be released in any order, on any thread, one thread at a time each.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/api/arrow_abi.h"
#include "core/tables/arrow_table.h"

namespace overlane
{

// Fills a structure that is the caller's to release.
void exportStream(std::shared_ptr<const ArrowTable> table, ArrowArrayStream* stream);

}  // namespace overlane
