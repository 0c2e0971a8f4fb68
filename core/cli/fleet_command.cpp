#include <fmt/format.h>
#include <memory>
#include <string_view>

#include "core/cli/cli.h"
#include "core/cli/fleet_report.h"

namespace overlane
{
namespace
{

constexpr std::string_view kReport = "report";

struct FleetOptions {
    std::string action;
    FleetReportOptions report;
};

std::string fleetHelp()
{
    return R"(FOLDER is what `overlane fleet scan` wrote. The report says what the runs lost and to what, how well
their copies hide, which version of a group became slower than the one before, and which runs lost
most. Two versions are compared by one value of each run; with fewer than 5 runs nothing is claimed.

Examples:
  overlane fleet report fleet/
  overlane fleet report fleet/ --group resnet --cause batches --worst 50
  overlane fleet report fleet/ -o fleet.html

)" + std::string(kExitCodesHelp);
}

CommandAction declareFleet(OptionList& list)
{
    auto options = std::make_shared<FleetOptions>();
    list.add("ACTION", options->action, "report").required().oneOf({std::string(kReport)});
    list.add("FOLDER", options->report.folder, "The fleet's folder, or its fleet.sqlite").required();
    list.add("-o,--output", options->report.page, "Write one HTML page instead").type("FILE");
    list.add("--group", options->report.group, "List runs of this group only");
    list.add("--cause", options->report.cause, "List runs that lost 5 % or more to this cause only");
    list.add("--worst", options->report.worst, "Rows of each list").within(std::int64_t{1}, std::int64_t{1'000'000});
    list.flag("--json", options->report.json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return reportFleet(options->report, to); };
}

}  // namespace

constinit const Command fleetCommand = {"fleet", "Compare many runs: what they lost, and what became slower.",
                                        fleetHelp, declareFleet};

}  // namespace overlane
