// The arguments of a table, as a caller of the library gives them. Pure; any thread.
#pragma once

#include "core/api/arguments.h"
#include "core/tables/table_list.h"

namespace overlane
{

// An Error where one is wrong or is not of this table.
Result<TableOptions> tableOptions(const TableKind& table, Arguments& arguments);

}  // namespace overlane
