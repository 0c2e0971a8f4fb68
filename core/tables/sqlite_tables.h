// Tables of a trace as a SQLite database for other programs, a table for each; docs/export.md describes it.
//
// Stateless, any thread. The new file takes its name when complete and on disk, in place of an older one. It is no
// trace and is not read again.
#pragma once

#include <span>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/tables/table_list.h"

namespace overlane
{

constexpr int kSqliteTablesVersion = 1;

// `source` is what the trace was read from. The Error is the reason alone, without the name of the file.
Result<void> writeSqliteTables(TableAsked& asked, std::span<const TableKind* const> kinds, const std::string& source,
                               const std::string& path);

}  // namespace overlane
