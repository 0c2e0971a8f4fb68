#include "core/fleet/fleet_versions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/statistics.h"
#include "core/compare/speed.h"

namespace overlane
{
namespace
{

struct Gathered {
    FleetVersion version;
    std::vector<double> stepNs;
};

// By group and version as they are named.
std::vector<Gathered> gather(const Fleet& fleet)
{
    std::map<std::pair<std::string_view, std::string_view>, std::vector<const FleetRun*>> runs;
    for (const FleetRun& run : fleet.runs)
        if (run.isRead())
            runs[{fleet.groupOf(run), fleet.versionOf(run)}].push_back(&run);
    std::vector<Gathered> made;
    for (const auto& [names, of] : runs) {
        Gathered one;
        one.version.group = of.front()->group;
        one.version.version = of.front()->version;
        one.version.runs = static_cast<std::int64_t>(of.size());
        std::vector<double> overlaps;
        std::vector<std::int64_t> recorded;
        double gpuNs = 0;
        for (const FleetRun* run : of) {
            gpuNs += run->gpuNs();
            one.version.lostGpuNs += run->lostNs();
            if (run->stepNs > 0)
                one.stepNs.push_back(static_cast<double>(run->stepNs));
            if (run->overlap)
                overlaps.push_back(*run->overlap);
            if (run->recordedS)
                recorded.push_back(*run->recordedS);
        }
        one.version.lostShare = gpuNs > 0 ? one.version.lostGpuNs / gpuNs : 0;
        if (!recorded.empty())
            one.version.recordedS = median(std::move(recorded));
        if (!one.stepNs.empty())
            one.version.stepNs = median(one.stepNs);
        if (!overlaps.empty())
            one.version.overlap = median(std::move(overlaps));
        made.push_back(std::move(one));
    }
    return made;
}

// Groups stay together; where the times of all versions of a group are known, these order them.
void order(std::vector<Gathered>& gathered)
{
    for (auto begin = gathered.begin(); begin != gathered.end();) {
        const auto end = std::find_if(begin, gathered.end(),
                                      [&](const Gathered& one) { return one.version.group != begin->version.group; });
        if (std::all_of(begin, end, [](const Gathered& one) { return one.version.recordedS.has_value(); }))
            std::stable_sort(begin, end, [](const Gathered& a, const Gathered& b) {
                return a.version.recordedS < b.version.recordedS;
            });
        begin = end;
    }
}

std::vector<Gathered> ordered(const Fleet& fleet)
{
    std::vector<Gathered> gathered = gather(fleet);
    order(gathered);
    return gathered;
}

}  // namespace

std::vector<FleetVersion> fleetVersions(const Fleet& fleet)
{
    std::vector<FleetVersion> versions;
    for (Gathered& one : ordered(fleet))
        versions.push_back(one.version);
    return versions;
}

std::vector<FleetChange> fleetChanges(const Fleet& fleet)
{
    const std::vector<Gathered> all = ordered(fleet);
    std::vector<FleetChange> changes;
    std::vector<RankTest> tests;
    std::vector<double> p;
    for (std::size_t at = 1; at < all.size(); ++at) {
        const Gathered& before = all[at - 1];
        const Gathered& after = all[at];
        if (before.version.group != after.version.group || before.version.version == kNoPlace ||
            after.version.version == kNoPlace || before.stepNs.empty() || after.stepNs.empty())
            continue;
        changes.push_back({after.version.group, before.version.version, after.version.version, before.stepNs.size(),
                           after.stepNs.size(), median(before.stepNs), median(after.stepNs)});
        tests.push_back(rankTest(before.stepNs, after.stepNs));
        p.push_back(tests.back().p);
    }
    const std::vector<double> adjusted = adjustedForMany(p);
    for (std::size_t at = 0; at < changes.size(); ++at) {
        FleetChange& change = changes[at];
        change.p = adjusted[at];
        change.claim = claimOf(change.runsBefore, change.runsAfter, tests[at], change.p);
        if (isClaimed(change.claim) && aboutTheSame(change.stepBeforeNs, change.stepAfterNs))
            change.claim = Claim::WithinSpread;
    }
    std::stable_sort(changes.begin(), changes.end(), [](const FleetChange& a, const FleetChange& b) {
        return std::tuple(!isClaimed(a.claim), -a.change()) < std::tuple(!isClaimed(b.claim), -b.change());
    });
    return changes;
}

}  // namespace overlane
