#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/cli/fleet_answer.h"
#include "core/cli/fleet_report.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/content/terminal.h"
#include "core/fleet/fleet_blocks.h"
#include "core/fleet/fleet_file.h"
#include "core/fleet/fleet_page.h"

namespace overlane
{
namespace
{

std::string oneOf(const std::vector<std::string>& names)
{
    constexpr std::size_t kMost = 12;
    std::vector<std::string> some(names.begin(), names.begin() + std::ptrdiff_t(std::min(kMost, names.size())));
    return fmt::format("{}{}", fmt::join(some, ", "), names.size() > kMost ? ", ..." : "");
}

Result<FleetQuery> queryOf(const FleetReportOptions& options, const Fleet& fleet)
{
    FleetQuery query;
    query.mostRows = static_cast<std::size_t>(options.worst);
    if (!options.group.empty()) {
        if (std::find(fleet.groups.begin(), fleet.groups.end(), options.group) == fleet.groups.end())
            return Error{fmt::format("No run is of the group {}. The groups: {}.", options.group, oneOf(fleet.groups))};
        query.group = options.group;
    }
    if (options.cause.empty())
        return query;
    std::vector<std::string> ids;
    for (FleetPlace cause = 0; cause < fleet.causes.size(); ++cause) {
        ids.push_back(fleet.causes[cause].id);
        if (ids.back() == options.cause)
            query.cause = cause;
    }
    if (!query.cause)
        return Error{fmt::format("No run lost time to {}. The causes: {}.", options.cause, oneOf(ids))};
    return query;
}

}  // namespace

int reportFleet(const FleetReportOptions& options, CommandOutput to)
{
    LongTask reading("Reading the fleet", options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal);
    const Result<Fleet> read = readFleet(options.folder, reading.progress());
    if (!read.ok())
        return fail(read.failure(), to);
    const Fleet& fleet = read.value();
    const Result<FleetQuery> query = queryOf(options, fleet);
    if (!query.ok())
        return fail(query.failure(), to, kExitUsage);
    if (!options.page.empty()) {
        const std::string page =
            fleetPage(fleetBlocks(fleet, query.value(), query.value().mostRows), fleet.path, OVERLANE_VERSION);
        if (const Result<void> written = writeTextFile(options.page, page); !written.ok())
            return fail(written.failure(), to);
        to.err << fmt::format("{} written, {}\n", options.page, formatBytes(static_cast<std::int64_t>(page.size())));
    }
    if (options.json)
        to.out << toText(fleetJson(fleet, query.value()));
    else if (options.page.empty())
        to.out << terminalText(fleetBlocks(fleet, query.value(), query.value().mostRows));
    return kExitOk;
}

}  // namespace overlane
