// A fleet, made and opened, with the time and the most memory of the process.
//   fleet_bench make FOLDER [RUNS]      writes FOLDER/fleet.sqlite
//   fleet_bench open FOLDER             reads it, makes what the first picture needs, and lists its worst runs
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/resource.h>

#include "core/fleet/fleet_blocks.h"
#include "core/fleet/fleet_file.h"
#include "tests/support/made_fleet.h"

namespace overlane
{
namespace
{

constexpr int kUsualRuns = 100'000;
constexpr std::size_t kListedRuns = 1000;

int openFleet(const std::string& folder)
{
    const auto start = std::chrono::steady_clock::now();
    const auto elapsedS = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    Progress progress;
    const Result<Fleet> fleet = readFleet(folder, progress);
    if (!fleet.ok()) {
        std::fprintf(stderr, "%s\n", fleet.error().c_str());
        return 1;
    }
    const double readS = elapsedS();
    const Blocks blocks = fleetBlocks(fleet.value(), {}, kListedRuns);
    const double shownS = elapsedS();
    const FleetRows rows = fleetRows(fleet.value(), {.text = "run-77", .mostRows = kListedRuns});
    const double filteredS = elapsedS();
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "%zu runs: read after %.3f s, all sentences and tables after %.3f s, filtered (%zu match) in %.3f s; CPU "
        "%.3f s; most memory %ld MiB\n",
        fleet.value().runs.size(), readS, shownS, rows.matching, filteredS - shownS,
        double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
            double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
        usage.ru_maxrss / 1024);
    return blocks.empty() ? 1 : 0;
}

}  // namespace
}  // namespace overlane

int main(int count, char** arguments)
{
    const std::string what = count > 2 ? arguments[1] : "";
    if (what == "make") {
        std::filesystem::create_directories(arguments[2]);
        overlane::test::writeFleet(std::string(arguments[2]) + "/fleet.sqlite", 1,
                                   count > 3 ? std::atoi(arguments[3]) : overlane::kUsualRuns);
        return 0;
    }
    if (what == "open")
        return overlane::openFleet(arguments[2]);
    std::fprintf(stderr, "fleet_bench make FOLDER [RUNS], fleet_bench open FOLDER\n");
    return 2;
}
