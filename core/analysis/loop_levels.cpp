#include "core/analysis/loop_levels.h"

#include <algorithm>
#include <span>
#include <utility>

namespace overlane
{
namespace
{

// A level is the program's loop only where it is steady for this part of the longest steady time.
constexpr double kSteadyShare = 0.5;
// Levels steady for less than this part are not shown either.
constexpr double kShownShare = 0.4;
constexpr std::size_t kMostLevels = 8;
// Levels whose iterations are as many up to this part are one.
constexpr double kSameCount = 0.12;
// What a loop around another one has of its own, at least: of that one's own work, where it repeats that
// often, and where it repeats more often.
constexpr double kLeastOwnShare = 0.08;
constexpr double kFewInner = 16;
constexpr double kLeastOwnShareOfMany = 0.3;
// A level with less of the own work of another one sets no measure for it.
constexpr double kNotTrifling = 0.25;
// Of all requests or of their time, of those from its first to its last iteration, and from its first on.
constexpr double kCovered = 0.3;
constexpr double kCoveredWithin = 0.7;
constexpr double kCoveredSince = 0.8;
// One of so many iterations may have another phase behind it.
constexpr std::size_t kFewestPerPhase = 8;

bool isLess(std::int64_t part, double share, std::int64_t whole)
{
    return static_cast<double>(part) < share * static_cast<double>(whole);
}

// Trials of a compiler may repeat for longer than the loop that they are made for, but do little of their own.
std::int64_t longestSteadyNs(const LoopFamilies& families)
{
    std::size_t heaviest = 0;
    for (const LoopFamily& family : families.families())
        if (family.steadyNs > 0)
            heaviest = std::max(heaviest, family.weight);
    std::int64_t longestNs = 0;
    for (const LoopFamily& family : families.families())
        if (static_cast<double>(family.weight) >= kNotTrifling * static_cast<double>(heaviest))
            longestNs = std::max(longestNs, family.steadyNs);
    return longestNs;
}

// Against the level inside it that has most of its own. A loop that alone copies to the device feeds what is in it,
// the more so where it alone copies back what came of it.
bool hasOwnWork(const LoopFamily& outer, std::span<const LoopFamily* const> inside)
{
    const LoopFamily* inner = nullptr;
    bool innerCopies = false;
    bool innerCopiesBack = false;
    for (const LoopFamily* each : inside)
        if (each->count >= 2 * outer.count - outer.count / kOddPerMany) {
            innerCopies |= each->copiesIn;
            innerCopiesBack |= each->copiesBack;
            if (!inner || each->weight > inner->weight)
                inner = each;
        }
    const bool feeds = outer.copiesIn && !innerCopies;
    const bool takesBack = outer.copiesBack && !innerCopiesBack;
    if (!inner || (feeds && (takesBack || outer.weight >= kLeastOwnWork)))
        return true;
    const double times = static_cast<double>(inner->count) / static_cast<double>(outer.count);
    const double share = times <= kFewInner ? kLeastOwnShare : kLeastOwnShareOfMany;
    return outer.weight >= kLeastOwnWork &&
           static_cast<double>(outer.weight) >= share * static_cast<double>(inner->weight);
}

// A loop fills the time between its first and its last iteration, and a fair part of the whole: all from its
// beginning on, where preparation was long.
bool coversEnough(const GpuRequests& all, const LoopFamily& family, const std::vector<Interval>& iterations,
                  const WorkMeter& work)
{
    std::size_t covered = 0;
    std::size_t within = 0;
    std::size_t since = 0;
    std::size_t phases = 0;  // between two iterations
    std::size_t iteration = 0;
    std::size_t before = 0;  // which iteration the last phase comes before
    for (const GpuRequest& request : all.requests) {
        work.count();
        if (request.startNs < iterations.front().startNs)
            continue;
        ++since;
        within += request.startNs < iterations.back().endNs;
        while (iteration < iterations.size() && iterations[iteration].endNs <= request.startNs)
            ++iteration;
        if (iteration == iterations.size())
            continue;
        const bool isInside = iterations[iteration].startNs <= request.startNs;
        covered += isInside;
        if (!isInside && std::exchange(before, iteration) != iteration)
            ++phases;
    }
    const auto isPart = [covered](double share, std::size_t of) {
        return static_cast<double>(covered) >= share * static_cast<double>(of);
    };
    const std::int64_t spanNs = all.requests.back().endNs - all.requests.front().startNs;
    return isPart(kCoveredWithin, within) && phases * kFewestPerPhase <= iterations.size() &&
           (!isLess(family.steadyNs, kCovered, spanNs) || isPart(kCovered, all.requests.size()) ||
            (family.weight >= kLeastOwnWork && isPart(kCoveredSince, since)));
}

// The levels to show, those with the fewest iterations first.
std::vector<const LoopFamily*> shownLevels(const LoopFamilies& families, std::int64_t longestNs)
{
    std::vector<const LoopFamily*> shown;
    for (auto family = families.families().rbegin(); family != families.families().rend(); ++family) {
        if (family->steadyNs == 0 || isLess(family->steadyNs, kShownShare, longestNs))
            continue;
        const bool isSame = !shown.empty() && static_cast<double>(family->count) <=
                                                  (1 + kSameCount) * static_cast<double>(shown.back()->count);
        if (!isSame)
            shown.push_back(&*family);
        else if (family->weight > shown.back()->weight)
            shown.back() = &*family;
    }
    if (shown.size() > kMostLevels)
        shown.resize(kMostLevels);
    return shown;
}

}  // namespace

LoopLevels findLoopLevels(const GpuRequests& requests, std::optional<std::size_t> wished, const WorkMeter& work)
{
    LoopLevels found;
    if (requests.requests.size() < 2 * kFewestIterations)
        return found;
    const LoopFamilies families(requests, work);
    const std::int64_t longestNs = longestSteadyNs(families);
    const std::vector<const LoopFamily*> shown = shownLevels(families, longestNs);
    for (const LoopFamily* family : shown)
        found.levels.push_back(
            {requests.names[family->head], family->count, family->medianNs, family->steadyNs, family->weight});
    for (std::size_t at = 0; at < shown.size() && !found.chosen; ++at) {
        const LoopFamily& family = *shown[at];
        if (wished ? at != *wished
                   : isLess(family.steadyNs, kSteadyShare, longestNs) ||
                         !hasOwnWork(family, std::span(shown).subspan(at + 1)))
            continue;
        LoopIterations iterations = iterationsOf(families, family, work);
        if (!wished && (iterations.confidence < kLeastLoopConfidence ||
                        !coversEnough(requests, family, iterations.intervals, work)))
            continue;
        found.levels[at].name = iterations.beginsWith;
        found.levels[at].iterations = iterations.intervals.size();
        found.iterations = std::move(iterations);
        found.chosen = at;
    }
    return found;
}

}  // namespace overlane
