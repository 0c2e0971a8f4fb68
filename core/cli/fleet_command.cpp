#include <fmt/format.h>
#include <memory>
#include <string_view>

#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/fleet_report.h"
#include "core/cli/fleet_scan.h"

namespace overlane
{
namespace
{

constexpr std::string_view kScan = "scan";
constexpr std::string_view kReport = "report";
constexpr const char* kUsualFolder = "fleet";

struct FleetOptions {
    std::string action;
    std::vector<std::string> paths;
    std::string output;
    std::string group;
    FleetScan scan;
    FleetReportOptions report;
};

int scan(const FleetOptions& options, CommandOutput to)
{
    if (options.paths.empty())
        return fail("Which traces? overlane fleet scan URL -o FOLDER", to, kExitUsage);
    FleetScan asked = options.scan;
    asked.urls = options.paths;
    asked.output = options.output.empty() ? kUsualFolder : options.output;
    asked.group = options.group;
    return scanFleet(asked, to);
}

int report(const FleetOptions& options, CommandOutput to)
{
    if (options.paths.size() > 1)
        return fail("One fleet at a time: overlane fleet report FOLDER", to, kExitUsage);
    FleetReportOptions asked = options.report;
    asked.folder = options.paths.empty() ? kUsualFolder : options.paths.front();
    asked.page = options.output;
    asked.group = options.group;
    return reportFleet(asked, to);
}

int fleet(const FleetOptions& options, CommandOutput to)
{
    if (options.action == kScan)
        return scan(options, to);
    if (options.action == kReport)
        return report(options, to);
    return fail(fmt::format("There is no action \"{}\" of a fleet: write scan or report.", options.action), to,
                kExitUsage);
}

std::string fleetHelp()
{
    return R"(scan reads every trace below the URLs, thousands of them, into FOLDER: a row for each with its figures,
verdict, causes and findings, those of `overlane info --json`. FOLDER holds Parquet files for DuckDB
and polars, and fleet.sqlite. A URL is a path, a pattern, or one of an object store: s3://, gs://, hf://.

Files that are in FOLDER already are left out, unless their size, time or ETag has changed. A file that
cannot be read is a row with its error. Ctrl+C leaves what was read; the same command continues.

Python does the work, with Dask on all cores of this machine, with a Dask scheduler or a Ray cluster:
pip install overlane[fleet]. OVERLANE_PYTHON names another Python than that of PATH.

report needs no Python. It says what the runs of a scanned FOLDER lost and to what, how well their
copies hide, which version of a group became slower than the one before, and which runs lost most.
Two versions are compared by one value of each run; with fewer than 5 runs nothing is claimed.

Examples:
  overlane fleet scan runs/ -o fleet/
  overlane fleet scan s3://bucket/traces -o fleet/ --group 'traces/([^/]+)' --version-of 'v([0-9.]+)'
  overlane fleet scan runs/ -o fleet/ --engine dask://scheduler:8786
  overlane fleet report fleet/
  overlane fleet report fleet/ --group resnet --cause batches --worst 50
  overlane fleet report fleet/ -o fleet.html

)" + std::string(kExitCodesHelp);
}

CommandAction declareFleet(OptionList& list)
{
    auto options = std::make_shared<FleetOptions>();
    FleetScan& scan = options->scan;
    FleetReportOptions& report = options->report;
    list.add("ACTION", options->action, "scan: read traces into FOLDER; report: what is in FOLDER").required();
    list.add("URL", options->paths, "scan: folders, files, patterns, URLs of object stores; report: FOLDER");
    list.add("-o,--output", options->output, "scan: the folder of the data set (fleet); report: one HTML page instead")
        .type("PATH");
    list.add("--group", options->group,
             "scan: a run's group is what the first group of REGEX takes of the URL, else its folder; "
             "report: list runs of this group only")
        .type("REGEX");
    list.add("--engine", scan.engine, "local, dask://HOST:PORT, ray, or ray://HOST:PORT").type("NAME").showDefault();
    list.add("--workers", scan.workers, "Processes on this machine; as many as cores where it is left out")
        .positive()
        .type("N");
    list.add("--version-of", scan.versionOf, "What the first group of REGEX takes of the URL is a run's version")
        .type("REGEX");
    list.add("--only", scan.only, "Of folders, URLs in which REGEX is found").type("REGEX");
    list.flag("--retry-failed", scan.retryFailed, "Read files again whose row has an error");
    list.flag("--no-easiest", scan.noEasiest, "Predict no change for each trace, which takes most of the time");
    list.add("--cause", report.cause, "report: list runs that lost 5 % or more to this cause only");
    list.add("--worst", report.worst, "report: rows of each list").within(std::int64_t{1}, std::int64_t{1'000'000});
    list.flag("--json", report.json, "report: print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return fleet(*options, to); };
}

}  // namespace

constinit const Command fleetCommand = {"fleet", "Judge thousands of traces, and say what they lost.", fleetHelp,
                                        declareFleet};

}  // namespace overlane
