#include "core/analysis/loop_iterations.h"

#include <algorithm>
#include <utility>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// What so many of the iterations ask for is usual.
constexpr double kCommon = 0.75;
// A pause of so many iterations, in which nothing else is asked for, is one of the loop itself.
constexpr std::int64_t kLongestStall = 16;

class Placer
{
public:
    Placer(const LoopFamilies& families, const LoopFamily& family, const WorkMeter& work)
        : m_families(families), m_all(families.all()), m_requests(m_all.requests), m_family(family), m_work(work)
    {
    }

    LoopIterations place()
    {
        std::vector<std::uint8_t> isMember(m_all.kinds.size());
        for (const std::uint32_t token : m_family.tokens)
            isMember[token] = 1;
        const std::vector<std::uint32_t> starts = beginIterations(firstMembers(m_family), isMember);
        LoopIterations found;
        found.beginsWith = m_all.names[m_requests[starts.back()].token];
        endIterations(starts, isMember, m_family.medianNs, found);
        found.confidence = likeness(starts);
        return found;
    }

private:
    std::vector<std::uint32_t> lastMembers(const std::vector<std::uint32_t>& starts,
                                           const std::vector<std::uint8_t>& isMember) const;
    std::vector<std::uint32_t> firstMembers(const LoopFamily& family) const;
    std::vector<std::uint32_t> beginIterations(std::vector<std::uint32_t> starts,
                                               const std::vector<std::uint8_t>& isMember) const;
    std::uint32_t restBehind(const std::vector<std::uint32_t>& lasts, std::uint32_t most) const;
    void endIterations(const std::vector<std::uint32_t>& starts, const std::vector<std::uint8_t>& isMember,
                       std::int64_t medianNs, LoopIterations& found) const;
    double likeness(const std::vector<std::uint32_t>& starts) const;

    const LoopFamilies& m_families;
    const GpuRequests& m_all;
    const std::vector<GpuRequest>& m_requests;
    const LoopFamily& m_family;
    const WorkMeter& m_work;
};

// The last member of each iteration that a head begins.
std::vector<std::uint32_t> Placer::lastMembers(const std::vector<std::uint32_t>& starts,
                                               const std::vector<std::uint8_t>& isMember) const
{
    std::vector<std::uint32_t> lasts(starts);
    std::size_t iteration = 0;
    for (std::uint32_t at = starts.front(); at < m_requests.size(); ++at) {
        m_work.count();
        while (iteration + 1 < starts.size() && starts[iteration + 1] <= at)
            ++iteration;
        if (isMember[m_requests[at].token])
            lasts[iteration] = at;
    }
    return lasts;
}

// The members that begin the iterations: of those that the last iteration asks for before the head, the first.
// What that one has too many is before the loop. Ends with few of the members behind them are no iterations.
std::vector<std::uint32_t> Placer::firstMembers(const LoopFamily& family) const
{
    const LoopFamilies::Places heads = m_families.placesOf(family.head);
    LoopFamilies::Places begins = heads;
    std::vector<std::uint8_t> isFull(m_all.kinds.size());
    std::size_t full = 0;
    for (const std::uint32_t token : family.tokens) {
        const LoopFamilies::Places places = m_families.placesOf(token);
        if (places.size() < heads.size())
            continue;
        isFull[token] = 1;
        ++full;
        if (places.back() < begins.back() && places.back() > heads[heads.size() - 2])
            begins = places.last(heads.size());
    }
    std::vector<std::uint32_t> starts(begins.begin(), begins.end());
    const auto isWhole = [&](std::size_t iteration) {
        const std::size_t last = iteration + 1 < starts.size() ? starts[iteration + 1] : m_requests.size();
        std::size_t members = 0;
        for (std::size_t at = starts[iteration]; at < last; ++at) {
            m_work.count();
            members += isFull[m_requests[at].token];
        }
        return 2 * members > full;
    };
    std::size_t first = 0;
    while (first + kFewestIterations < starts.size() && !isWhole(first))
        ++first;
    while (first + kFewestIterations < starts.size() && !isWhole(starts.size() - 1))
        starts.pop_back();
    starts.erase(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(first));
    return starts;
}

// How many of the requests behind the last iteration's last member are usual behind those of the others, too. The rest
// is the program's end: it waits for all once more, or reads what came out.
std::uint32_t Placer::restBehind(const std::vector<std::uint32_t>& lasts, std::uint32_t most) const
{
    std::uint32_t rest = 0;
    for (; rest < most && lasts.back() + 1 + rest < m_requests.size(); ++rest) {
        m_work.count(lasts.size());
        const std::uint32_t token = m_requests[lasts.back() + 1 + rest].token;
        const auto alike = std::count_if(lasts.begin(), lasts.end() - 1, [&](std::uint32_t last) {
            return last + 1 + rest < m_requests.size() && m_requests[last + 1 + rest].token == token;
        });
        if (static_cast<double>(alike) < kCommon * static_cast<double>(lasts.size() - 1))
            break;
    }
    return rest;
}

// What an iteration asks for before its first member: as much as the program does before that of the first
// iteration, where that is no more than lies between two iterations; else, where the program ends with the
// loop, what does not come behind the last one; else the copies to the device right before.
std::vector<std::uint32_t> Placer::beginIterations(std::vector<std::uint32_t> starts,
                                                   const std::vector<std::uint8_t>& isMember) const
{
    const std::vector<std::uint32_t> lasts = lastMembers(starts, isMember);
    std::vector<std::int64_t> between;
    std::vector<std::int64_t> copies;
    for (std::size_t at = 1; at < starts.size(); ++at) {
        between.push_back(starts[at] - lasts[at - 1] - 1);
        std::uint32_t first = starts[at];
        while (first > lasts[at - 1] + 1 && m_all.kinds[m_requests[first - 1].token] == RequestKind::CopyIn)
            --first;
        m_work.count(starts[at] - first + 1);
        copies.push_back(starts[at] - first);
    }
    const std::uint32_t firstMember = starts.front();
    const auto usual = static_cast<std::uint32_t>(lowerMedian(between));
    const std::uint32_t behindLast = restBehind(lasts, usual);
    auto before = static_cast<std::uint32_t>(lowerMedian(copies));
    bool fromMember = false;  // counted from the last member of the iteration before
    if (starts.front() <= usual + usual / 2) {
        before = std::min(starts.front(), usual);
    } else if (2 * behindLast < usual) {
        before = usual - behindLast;
        fromMember = true;
    }
    for (std::size_t at = starts.size(); at-- > 0;) {
        const std::uint32_t earliest = at == 0 ? 0 : lasts[at - 1] + 1;
        if (fromMember && at > 0)
            starts[at] = std::min(earliest + behindLast, starts[at]);
        else
            starts[at] = std::max(earliest, starts[at] - std::min(starts[at], before));
    }
    // Where the program pauses for longer than iterations take, it still prepares the first one.
    for (std::uint32_t at = firstMember; at > starts.front(); --at)
        if (m_requests[at].startNs - m_requests[at - 1].endNs > kPauseFactor * m_family.medianNs)
            starts.front() = at;
    return starts;
}

void Placer::endIterations(const std::vector<std::uint32_t>& starts, const std::vector<std::uint8_t>& isMember,
                           std::int64_t medianNs, LoopIterations& found) const
{
    const std::vector<std::uint32_t> lasts = lastMembers(starts, isMember);
    std::vector<std::int64_t> restsNs;  // behind the last member
    std::vector<std::int64_t> pausesNs;
    std::vector<std::int64_t> restCounts;
    for (std::size_t at = 0; at + 1 < starts.size(); ++at) {
        restCounts.push_back(starts[at + 1] - lasts[at]);
        restsNs.push_back(m_requests[starts[at + 1] - 1].endNs - m_requests[lasts[at]].endNs);
        pausesNs.push_back(
            std::max<std::int64_t>(0, m_requests[starts[at + 1]].startNs - m_requests[starts[at + 1] - 1].endNs));
    }
    const std::int64_t restNs = std::max<std::int64_t>(0, median(restsNs));
    found.usualPauseNs = median(pausesNs);
    const auto restCount = static_cast<std::uint32_t>(lowerMedian(restCounts));
    for (std::size_t at = 0; at < starts.size(); ++at) {
        const std::int64_t startNs = m_requests[starts[at]].startNs;
        const bool isLast = at + 1 == starts.size();
        const std::int64_t nextNs = isLast ? m_requests.back().endNs : m_requests[starts[at + 1]].startNs;
        std::int64_t endNs = nextNs;
        const auto isStall = [&] {
            return nextNs - startNs <= kLongestStall * medianNs && starts[at + 1] - lasts[at] <= restCount;
        };
        if (isLast || (nextNs - startNs > kPauseFactor * medianNs && !isStall()))
            endNs = std::min(nextNs, m_requests[lasts[at]].endNs + restNs);
        if (isLast)
            endNs = std::min(endNs, startNs + kPauseFactor * medianNs);
        found.intervals.push_back({startNs, std::max(startNs, endNs)});
    }
}

// The mean part of the kinds of requests in an iteration or usual in one that are both.
double Placer::likeness(const std::vector<std::uint32_t>& starts) const
{
    std::vector<std::uint32_t> seenIn(m_all.kinds.size());  // the number of the last iteration
    std::vector<std::uint32_t> iterationsWith(m_all.kinds.size());
    const auto eachKind = [&](auto visit, auto end) {
        std::fill(seenIn.begin(), seenIn.end(), 0);
        for (std::size_t iteration = 0; iteration < starts.size(); ++iteration) {
            const std::size_t last = iteration + 1 < starts.size() ? starts[iteration + 1] : m_requests.size();
            for (std::size_t at = starts[iteration]; at < last; ++at) {
                m_work.count();
                const std::uint32_t token = m_requests[at].token;
                if (std::exchange(seenIn[token], static_cast<std::uint32_t>(iteration + 1)) != iteration + 1)
                    visit(token);
            }
            end();
        }
    };
    eachKind([&](std::uint32_t token) { ++iterationsWith[token]; }, [] {});
    const auto isUsual = [&](std::uint32_t token) {
        return static_cast<double>(iterationsWith[token]) >= kCommon * static_cast<double>(starts.size());
    };
    double usual = 0;
    for (std::uint32_t token = 0; token < iterationsWith.size(); ++token)
        usual += isUsual(token);
    double sum = 0;
    double kinds = 0;
    double shared = 0;
    eachKind(
        [&](std::uint32_t token) {
            ++kinds;
            shared += isUsual(token);
        },
        [&] {
            sum += kinds + usual > shared ? shared / (kinds + usual - shared) : 0;
            kinds = shared = 0;
        });
    return sum / static_cast<double>(starts.size());
}

}  // namespace

LoopIterations iterationsOf(const LoopFamilies& families, const LoopFamily& family, const WorkMeter& work)
{
    return Placer(families, family, work).place();
}

}  // namespace overlane
