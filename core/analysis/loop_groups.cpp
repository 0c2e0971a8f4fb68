#include "core/analysis/loop_groups.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// Behind a group there is so many times what usually is between two iterations.
constexpr std::size_t kOtherRequests = 3;
// A pause is one where there is no more than this.
constexpr double kNothingElse = 1.25;
// Streams that a program splits an iteration's work over.
constexpr std::size_t kMostStreams = 16;

std::vector<std::int64_t> timesBetween(const std::vector<GpuRequest>& requests, LoopFamilies::Places places)
{
    std::vector<std::int64_t> timesNs;
    timesNs.reserve(places.size());
    for (std::size_t at = 1; at < places.size(); ++at)
        timesNs.push_back(requests[places[at]].startNs - requests[places[at - 1]].startNs);
    return timesNs;
}

// Iterations of a family, in groups.
struct Grouped {
    const LoopFamily* family = nullptr;
    std::vector<std::size_t> firsts;  // the first iteration of each group
    std::size_t usual = 0;            // iterations of a group
    std::int64_t usualNs = 0;         // from one iteration to the next
    std::size_t usualRequests = 0;
    bool byStreams = false;
};

bool isNearlyAll(std::size_t part, std::size_t of)
{
    return part + of / kOddPerMany >= of;
}

// How many streams a family's iterations take in turn; 0 where they do not.
std::size_t streamsInTurn(const std::vector<GpuRequest>& requests, LoopFamilies::Places places)
{
    std::map<std::uint32_t, std::size_t> seen;
    for (const std::uint32_t place : places)
        ++seen[requests[place].stream];
    const auto streams = static_cast<std::size_t>(
        std::count_if(seen.begin(), seen.end(), [](const auto& each) { return each.second >= kFewestIterations; }));
    if (streams < 2 || streams > kMostStreams || seen.count(kNoStream) > 0)
        return 0;
    std::size_t inTurn = 0;
    for (std::size_t at = streams; at < places.size(); ++at) {
        const std::uint32_t stream = requests[places[at]].stream;
        const auto isIt = [&](std::uint32_t place) { return requests[place].stream == stream; };
        inTurn +=
            isIt(places[at - streams]) && std::none_of(places.begin() + static_cast<std::ptrdiff_t>(at - streams) + 1,
                                                       places.begin() + static_cast<std::ptrdiff_t>(at), isIt);
    }
    return isNearlyAll(inTurn, places.size() - streams) ? streams : 0;
}

// Iterations that take streams in turn, where always behind the same stream's the program asks for more. Two buffers
// that a loop fills in turn have nothing behind the second.
std::optional<Grouped> groupedByStreams(const LoopFamilies& families, const LoopFamily& family, const WorkMeter& work)
{
    const LoopFamilies::Places places = families.placesOf(family.head);
    if (family.steadyNs == 0 || places.size() < 2 * kManyIterations)
        return std::nullopt;
    const std::vector<GpuRequest>& requests = families.all().requests;
    work.count(places.size());
    const std::size_t streams = streamsInTurn(requests, places);
    if (streams == 0)
        return std::nullopt;
    work.count(places.size() * streams);
    std::vector<std::vector<std::int64_t>> behind(streams);  // requests up to the next iteration, by turn
    for (std::size_t at = 0; at + 1 < places.size(); ++at)
        behind[at % streams].push_back(places[at + 1] - places[at]);
    std::vector<std::int64_t> usual;
    usual.reserve(behind.size());
    for (const std::vector<std::int64_t>& counts : behind)
        usual.push_back(lowerMedian(counts));
    const auto last = static_cast<std::size_t>(std::max_element(usual.begin(), usual.end()) - usual.begin());
    std::int64_t others = 0;
    for (std::size_t turn = 0; turn < streams; ++turn)
        others = turn == last ? others : std::max(others, usual[turn]);
    const auto more = static_cast<std::size_t>(
        std::count_if(behind[last].begin(), behind[last].end(), [&](std::int64_t count) { return count > others; }));
    if (!isNearlyAll(more, behind[last].size()))
        return std::nullopt;
    Grouped found{&family, {}, streams, family.medianNs, static_cast<std::size_t>(others), true};
    for (std::size_t at = (last + 1) % streams; at < places.size(); at += streams)
        found.firsts.push_back(at);
    return found.firsts.size() < kManyIterations ? std::nullopt : std::optional(found);
}

std::optional<Grouped> groupedOf(const LoopFamilies& families, const LoopFamily& family, const WorkMeter& work)
{
    const LoopFamilies::Places places = families.placesOf(family.head);
    if (family.steadyNs == 0 || places.size() < 2 * kManyIterations)
        return std::nullopt;
    work.count(places.size());
    const std::vector<std::int64_t> timesNs = timesBetween(families.all().requests, places);
    Grouped found{&family, {0}, 0, median(timesNs), 0, false};
    std::vector<std::int64_t> counts;
    for (std::size_t at = 1; at < places.size(); ++at)
        counts.push_back(places[at] - places[at - 1]);
    found.usualRequests = static_cast<std::size_t>(lowerMedian(counts));
    for (std::size_t at = 1; at < places.size(); ++at)
        if (timesNs[at - 1] / kPauseFactor > found.usualNs ||
            places[at] - places[at - 1] > kOtherRequests * found.usualRequests)
            found.firsts.push_back(at);
    if (found.firsts.size() < kManyIterations || places.size() < 2 * found.firsts.size())
        return std::nullopt;
    const auto sizeOf = [&](std::size_t group) {
        return (group + 1 < found.firsts.size() ? found.firsts[group + 1] : places.size()) - found.firsts[group];
    };
    std::vector<std::int64_t> sizes;
    for (std::size_t group = 0; group < found.firsts.size(); ++group)
        sizes.push_back(static_cast<std::int64_t>(sizeOf(group)));
    found.usual = static_cast<std::size_t>(lowerMedian(sizes));
    if (found.usual < 2)
        return std::nullopt;
    // A slow iteration, one of warm-up for one, parts a group in two.
    std::vector<std::size_t> joined{0};
    for (std::size_t group = 1; group < found.firsts.size(); ++group)
        if (found.firsts[group] + sizeOf(group) - joined.back() > found.usual)
            joined.push_back(found.firsts[group]);
    found.firsts = std::move(joined);
    std::size_t odd = 0;
    for (std::size_t group = 0; group < found.firsts.size(); ++group)
        odd += sizeOf(group) != found.usual;
    if (found.firsts.size() < kManyIterations || odd > found.firsts.size() / kOddPerMany)
        return std::nullopt;
    return found;
}

// The first request of each kind in a group becomes one of another kind.
void markFirsts(const LoopFamilies& families, const Grouped& grouped, GpuRequests& requests, const WorkMeter& work)
{
    const LoopFamilies::Places heads = families.placesOf(grouped.family->head);
    for (const std::uint32_t token : grouped.family->tokens) {
        const LoopFamilies::Places places = families.placesOf(token);
        work.count(places.size());
        const auto marked = static_cast<std::uint32_t>(requests.kinds.size());
        requests.kinds.push_back(requests.kinds[token]);
        requests.names.push_back(requests.names[token]);
        auto place = places.begin();
        for (std::size_t group = 0; group < grouped.firsts.size(); ++group) {
            place = std::lower_bound(place, places.end(), heads[grouped.firsts[group]]);
            const bool isLast = group + 1 == grouped.firsts.size();
            if (place != places.end() && (isLast || *place < heads[grouped.firsts[group + 1]]))
                requests.requests[*place].token = marked;
        }
    }
}

}  // namespace

std::optional<LoopGroups> findLoopGroups(const LoopFamilies& families, const WorkMeter& work)
{
    std::vector<Grouped> all;
    for (const LoopFamily& family : families.families())
        if (std::optional<Grouped> grouped = groupedByStreams(families, family, work))
            all.push_back(std::move(*grouped));
    const bool byStreams = !all.empty();
    for (const LoopFamily& family : families.families())
        if (std::optional<Grouped> grouped = byStreams ? std::nullopt : groupedOf(families, family, work))
            all.push_back(std::move(*grouped));
    if (all.empty())
        return std::nullopt;
    const Grouped& most = *std::max_element(
        all.begin(), all.end(), [](const Grouped& a, const Grouped& b) { return a.family->weight < b.family->weight; });

    LoopGroups found;
    found.byStreams = byStreams;
    auto requests = std::make_unique<GpuRequests>(families.all());
    const std::size_t kinds = requests->kinds.size();
    for (const Grouped& grouped : all)
        if (grouped.firsts.size() == most.firsts.size())
            markFirsts(families, grouped, *requests, work);
    found.requests = std::move(requests);
    found.families = std::make_unique<const LoopFamilies>(*found.requests, work);
    for (const LoopFamily& family : found.families->families())
        if (family.head >= kinds && family.steadyNs > 0 && (!found.family || family.weight > found.family->weight))
            found.family = &family;
    if (!found.family)
        return std::nullopt;

    const LoopFamilies::Places heads = families.placesOf(most.family->head);
    const auto startNs = [&](std::size_t iteration) { return families.all().requests[heads[iteration]].startNs; };
    std::size_t quiet = 0;
    for (std::size_t group = 0; group < most.firsts.size(); ++group) {
        const bool isLast = group + 1 == most.firsts.size();
        const std::size_t last = (isLast ? heads.size() : most.firsts[group + 1]) - 1;
        found.groups.push_back({startNs(most.firsts[group]), startNs(last)});
        if (isLast)
            continue;
        const std::int64_t nextNs = startNs(last + 1);
        found.pauses.push_back({std::min(startNs(last) + most.usualNs, nextNs), nextNs});
        quiet += static_cast<double>(heads[last + 1] - heads[last]) <=
                 kNothingElse * static_cast<double>(most.usualRequests);
    }
    found.iterations = most.usual;
    found.areQuiet = quiet + quiet / kOddPerMany >= found.pauses.size();
    return found;
}

}  // namespace overlane
