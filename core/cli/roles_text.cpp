#include "core/cli/roles_text.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/content/column_table.h"
#include "core/content/terminal.h"

namespace overlane
{

OrderedJson rolesJson(const std::vector<RoleShare>& shares, std::int64_t iterations)
{
    OrderedJson json = OrderedJson::array();
    for (const RoleShare& share : shares) {
        OrderedJson one{{"role", copyRoleName(share.role)}, {"role_id", copyRoleId(share.role)},
                        {"way", copyWayName(share.way)},    {"confidence", std::round(share.confidence * 100) / 100},
                        {"copies", share.copies},           {"bytes", share.bytes},
                        {"duration_ns", share.durationNs},  {"exposed_ns", share.exposedNs}};
        if (iterations > 0) {
            one["bytes_per_iteration"] = share.bytes / iterations;
            one["exposed_per_iteration_ns"] = share.exposedNs / iterations;
        }
        json.push_back(std::move(one));
    }
    return json;
}

std::string rolesText(const std::vector<RoleShare>& shares, std::int64_t iterations)
{
    if (shares.empty())
        return {};
    const std::int64_t parts = iterations > 0 ? iterations : 1;
    const std::string each = iterations > 0 ? " each" : "";
    ColumnTable table({"copies carry", "way", "#copies", "#bytes" + each, "#exposed" + each, "#confidence"});
    for (const RoleShare& share : shares)
        table.row({std::string(copyRoleName(share.role)), std::string(copyWayName(share.way)),
                   formatCount(share.copies), share.bytes > 0 ? formatBytes(share.bytes / parts) : "-",
                   formatDuration(share.exposedNs / parts),
                   share.role == CopyRole::Unknown ? "-" : formatShare(share.confidence)});
    return (iterations > 0 ? wrapText(fmt::format("what the copies of {} carry; each: per iteration",
                                                  counted(iterations, "iteration")),
                                      "  ")
                           : std::string()) +
           table.text();
}

OrderedJson programJson(const ProgramTraits& program)
{
    return {{"framework", frameworkName(program.framework)},
            {"evidence", program.evidence},
            {"has_loader", program.hasLoader}};
}

}  // namespace overlane
