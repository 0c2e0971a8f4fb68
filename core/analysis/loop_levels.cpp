#include "core/analysis/loop_levels.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "core/base/saturated.h"

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
// Turns that a level leaves out at a time, at most.
constexpr std::size_t kMostLeftOut = 3;
// So many levels are tried as the alternative to one.
constexpr std::ptrdiff_t kMostAlternatives = 8;
// What a loop around another one has of its own, at least: of that one's own work, where it repeats that
// often, and where it repeats more often.
constexpr double kLeastOwnShare = 0.08;
constexpr double kFewInner = 16;
constexpr double kLeastOwnShareOfMany = 0.3;
// The same of one that alone copies in: the copy, and work on what came, or what comes of it.
constexpr std::size_t kLeastFeeding = 2;
// A level with less of the own work of another one sets no measure for it.
constexpr double kNotTrifling = 0.25;
// Of all requests or of their time, of those from its first to its last iteration, and from its first quarter on.
constexpr double kCovered = 0.3;
constexpr double kCoveredWithin = 0.7;
constexpr double kCoveredSince = 0.8;
// One of so many iterations may have another phase behind it.
constexpr std::size_t kFewestPerPhase = 8;
// A loop that only pauses behind groups of another one's iterations: for this part of the time, at least. An epoch has
// more iterations than this.
constexpr double kLeastPaused = 0.1;
constexpr std::size_t kMostInGroup = 64;

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

// Whether several copies to the device lie in nearly all turns of a loop, of whatever sizes: those of what differs in
// length from turn to turn are of no family.
bool copiesInEachTurn(const LoopFamilies& families, const LoopFamily& loop, const WorkMeter& work)
{
    const LoopFamilies::Places heads = families.placesOf(loop.head);
    const GpuRequests& all = families.all();
    std::size_t full = 0;
    for (std::size_t turn = 0; turn + 1 < heads.size(); ++turn) {
        std::size_t copies = 0;
        for (std::uint32_t at = heads[turn]; at < heads[turn + 1]; ++at) {
            work.count();
            copies += all.kinds[all.requests[at].token] == RequestKind::CopyIn;
        }
        full += copies >= kLeastOwnWork;
    }
    return full + full / kOddPerMany + 1 >= heads.size();
}

// Against the level inside it that has most of its own. A loop that alone copies to the device feeds what is in it,
// the more so where it alone copies back what came of it.
bool hasOwnWork(const LoopFamilies& families, const LoopFamily& outer, std::span<const LoopFamily* const> inside,
                const WorkMeter& work)
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
    if (!inner || (feeds && (takesBack || outer.weight >= kLeastFeeding || copiesInEachTurn(families, outer, work))))
        return true;
    const double times = static_cast<double>(inner->count) / static_cast<double>(outer.count);
    const double share = times <= kFewInner ? kLeastOwnShare : kLeastOwnShareOfMany;
    return outer.weight >= kLeastOwnWork &&
           static_cast<double>(outer.weight) >= share * static_cast<double>(inner->weight);
}

// A loop fills the time between its first and its last iteration, and a fair part of the whole: all from its first
// quarter on, where preparation was long and went on in its first iterations.
bool coversEnough(const GpuRequests& all, const LoopFamily& family, const std::vector<Interval>& iterations,
                  const WorkMeter& work)
{
    const std::int64_t settledNs = iterations[iterations.size() / 4].startNs;
    std::size_t covered = 0;
    std::size_t within = 0;
    std::size_t coveredSince = 0;
    std::size_t since = 0;   // it settled
    std::size_t phases = 0;  // between two iterations
    std::size_t iteration = 0;
    std::size_t before = 0;  // which iteration the last phase comes before
    for (const GpuRequest& request : all.requests) {
        work.count();
        if (request.startNs < iterations.front().startNs)
            continue;
        const bool isSettled = request.startNs >= settledNs;
        since += isSettled;
        within += request.startNs < iterations.back().endNs;
        while (iteration < iterations.size() && iterations[iteration].endNs <= request.startNs)
            ++iteration;
        if (iteration == iterations.size())
            continue;
        const bool isInside = iterations[iteration].startNs <= request.startNs;
        covered += isInside;
        coveredSince += isInside && isSettled;
        if (!isInside && std::exchange(before, iteration) != iteration)
            ++phases;
    }
    const auto isPart = [](std::size_t part, double share, std::size_t of) {
        return static_cast<double>(part) >= share * static_cast<double>(of);
    };
    const std::int64_t spanNs = all.requests.back().endNs - all.requests.front().startNs;
    const bool isProgram = family.weight >= kLeastOwnWork ||
                           std::any_of(family.tokens.begin(), family.tokens.end(),
                                       [&all](std::uint32_t token) { return all.kinds[token] == RequestKind::Graph; });
    const bool isLong = !isLess(family.steadyNs, kCovered, spanNs) || isPart(covered, kCovered, all.requests.size());
    return phases * kFewestPerPhase <= iterations.size() && ((isLong && isPart(covered, kCoveredWithin, within)) ||
                                                             (isProgram && isPart(coveredSince, kCoveredSince, since)));
}

// Whether the turns of one level are those of another one, with a few left out here and there: a kernel is another one
// where lengths differ. Validations between epochs are more at a time.
bool leavesTurnsOut(const LoopFamilies& families, const LoopFamily& fewer, const LoopFamily& more,
                    const WorkMeter& work)
{
    if (more.count >= 2 * fewer.count || more.weight <= fewer.weight)
        return false;
    const LoopFamilies::Places turns = families.placesOf(fewer.head), others = families.placesOf(more.head);
    work.count(turns.size() + others.size());
    std::size_t alike = 0;
    auto next = std::lower_bound(others.begin(), others.end(), turns.front());
    for (std::size_t turn = 0; turn + 1 < turns.size(); ++turn) {
        const auto end = std::lower_bound(next, others.end(), turns[turn + 1]);
        const auto inside = static_cast<std::size_t>(end - next);
        if (inside > 1 + kMostLeftOut)
            return false;
        alike += inside == 1;
        next = end;
    }
    return 2 * alike > turns.size();
}

// Whether each turn of a loop makes one level's request or another one's: a choice within the loop, and none around it.
bool isChoiceWithin(const LoopFamilies& families, const LoopFamily& level, const LoopFamily& loop,
                    const WorkMeter& work)
{
    const LoopFamilies::Places turns = families.placesOf(loop.head), chosen = families.placesOf(level.head);
    const auto turnOf = [&](std::uint32_t place) {
        return std::upper_bound(turns.begin(), turns.end(), place) - turns.begin();
    };
    std::vector<bool> isTaken(turns.size() + 1, false);
    const auto takesOthers = [&](LoopFamilies::Places places) {
        work.count(places.size());
        return std::all_of(places.begin(), places.end(), [&](std::uint32_t place) {
            const auto turn = static_cast<std::size_t>(turnOf(place));
            const bool isFree = !isTaken[turn];
            isTaken[turn] = true;
            return isFree;
        });
    };
    // By count, most first: those that make up the rest, or all of it but one.
    const std::vector<LoopFamily>& all = families.families();
    const auto hasMore = [](const LoopFamily& family, std::size_t count) { return family.count > count; };
    const auto rest = std::lower_bound(all.begin(), all.end(), loop.count - level.count, hasMore);
    const auto end = std::lower_bound(rest, all.end(), loop.count - std::min(loop.count, level.count + 2), hasMore);
    return std::any_of(rest, rest + std::min<std::ptrdiff_t>(end - rest, kMostAlternatives),
                       [&](const LoopFamily& other) {
                           if (other.weight < kLeastOwnWork)
                               return false;
                           isTaken.assign(isTaken.size(), false);
                           return takesOthers(chosen) && takesOthers(families.placesOf(other.head));
                       });
}

// The levels to show, those with the fewest iterations first.
std::vector<const LoopFamily*> shownLevels(const LoopFamilies& families, std::int64_t longestNs, const WorkMeter& work)
{
    std::vector<const LoopFamily*> shown;
    for (auto family = families.families().rbegin(); family != families.families().rend(); ++family) {
        if (family->steadyNs == 0 || isLess(family->steadyNs, kShownShare, longestNs))
            continue;
        std::erase_if(shown, [&](const LoopFamily* level) {
            return level->weight < family->weight && isChoiceWithin(families, *level, *family, work);
        });
        const bool isSame = !shown.empty() && static_cast<double>(family->count) <=
                                                  (1 + kSameCount) * static_cast<double>(shown.back()->count);
        if (!isSame && (shown.empty() || !leavesTurnsOut(families, *shown.back(), *family, work)))
            shown.push_back(&*family);
        else if (family->weight > shown.back()->weight)
            shown.back() = &*family;
    }
    if (shown.size() > kMostLevels)
        shown.resize(kMostLevels);
    return shown;
}

// Where a loop whose turns are groups stands among the levels, outermost first.
std::size_t placeOfGroups(const std::vector<const LoopFamily*>& levels, const LoopGroups& groups)
{
    return static_cast<std::size_t>(std::count_if(
        levels.begin(), levels.end(), [&](const LoopFamily* level) { return level->count < groups.family->count; }));
}

bool hasLevelOf(const std::vector<const LoopFamily*>& levels, std::size_t count)
{
    return std::any_of(levels.begin(), levels.end(), [count](const LoopFamily* level) {
        const auto [fewer, more] = std::minmax(level->count, count);
        return static_cast<double>(more) <= (1 + kSameCount) * static_cast<double>(fewer);
    });
}

// The host does something of its own for long behind each group.
bool isOuterLoop(const LoopGroups& groups, const LoopEvidence* evidence)
{
    std::int64_t pausesNs = 0;
    for (const Interval pause : groups.pauses)
        pausesNs = saturatedSum(pausesNs, pause.lengthNs());
    const std::int64_t spanNs = groups.groups.back().endNs - groups.groups.front().startNs;
    return groups.areQuiet && groups.iterations <= kMostInGroup && !isLess(pausesNs, kLeastPaused, spanNs) &&
           evidence && evidence->hostWorksBetween(groups);
}

}  // namespace

LoopLevels findLoopLevels(const GpuRequests& requests, std::optional<std::size_t> wished, const WorkMeter& work,
                          const LoopEvidence* evidence)
{
    LoopLevels found;
    if (requests.requests.size() < 2 * kFewestIterations)
        return found;
    const LoopFamilies families(requests, work);
    const std::int64_t longestNs = longestSteadyNs(families);
    const std::vector<const LoopFamily*> levels = shownLevels(families, longestNs, work);

    // The iterations of a level, if it may be the program's loop.
    const auto tried = [&](const LoopFamilies& of, const LoopFamily& family) -> std::optional<LoopIterations> {
        LoopIterations iterations = iterationsOf(of, family, work);
        if (iterations.confidence < kLeastLoopConfidence ||
            !coversEnough(of.all(), family, iterations.intervals, work) ||
            (evidence && evidence->areTrials(iterations.intervals)))
            return std::nullopt;
        return iterations;
    };
    std::size_t own = 0;  // the place of the program's loop among the levels
    std::optional<LoopIterations> iterations;
    for (std::size_t at = 0; at < levels.size() && !iterations; ++at) {
        const LoopFamily& family = *levels[at];
        own = at;
        if (!isLess(family.steadyNs, kSteadyShare, longestNs) &&
            hasOwnWork(families, family, std::span(levels).subspan(at + 1), work))
            iterations = tried(families, family);
    }
    // Phases that take turns are epochs and validations, where one of them is a loop by itself.
    std::optional<LoopGroups> groups = findLoopGroups(families, work);
    const std::size_t place = groups ? placeOfGroups(levels, *groups) : 0;
    if (groups && (hasLevelOf(levels, groups->family->count) ||
                   (iterations && !groups->byStreams && (!groups->areQuiet || own < place))))
        groups.reset();
    std::vector<std::pair<const LoopFamilies*, const LoopFamily*>> shown;
    shown.reserve(levels.size() + 1);
    for (const LoopFamily* family : levels)
        shown.emplace_back(&families, family);
    if (groups) {
        shown.insert(shown.begin() + static_cast<std::ptrdiff_t>(place), {groups->families.get(), groups->family});
        own += own >= place;
        if (!iterations || (groups->byStreams && own > place) || isOuterLoop(*groups, evidence))
            if (std::optional<LoopIterations> outer = tried(*groups->families, *groups->family)) {
                iterations = std::move(outer);
                own = place;
            }
    }
    for (const auto& [of, family] : shown)
        found.levels.push_back(
            {of->all().names[family->head], family->count, family->medianNs, family->steadyNs, family->weight});
    if (wished) {
        iterations.reset();
        own = *wished;
        if (own < shown.size())
            iterations = iterationsOf(*shown[own].first, *shown[own].second, work);
    }
    if (iterations) {
        found.levels[own].name = iterations->beginsWith;
        found.levels[own].iterations = iterations->intervals.size();
        found.iterations = std::move(*iterations);
        found.chosen = own;
    }
    return found;
}

}  // namespace overlane
