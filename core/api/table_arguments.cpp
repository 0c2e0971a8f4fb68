#include "core/api/table_arguments.h"

#include <algorithm>
#include <vector>

#include "core/cli/nearest_name.h"
#include "core/names/named_work.h"

namespace overlane
{

Result<TableOptions> tableOptions(const TableKind& table, Arguments& arguments)
{
    TableOptions options;
    if (table.isJudged)
        options.iteration = arguments.text("iteration");
    if (table.sumsNames) {
        options.group = arguments.text("of");
        options.whole = arguments.flag("whole");
        std::vector<std::string_view> ids;
        for (const WorkGroupRow& group : workGroups())
            ids.push_back(group.id);
        if (!options.group.empty() && std::find(ids.begin(), ids.end(), options.group) == ids.end())
            return Error{unknownName("group", options.group, ids)};
    }
    RETURN_IF_ERROR(arguments.done());
    return options;
}

}  // namespace overlane
