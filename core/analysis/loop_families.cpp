#include "core/analysis/loop_families.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// A token joins one of at most as many families with about as many requests.
constexpr std::size_t kMostCompared = 8;
// A token with fewer requests than this part of a family's is none of it.
constexpr double kLeastMember = 0.6;
// A single token must cut so many of the pieces alike.
constexpr double kAlike = 0.75;

}  // namespace

LoopFamilies::LoopFamilies(const GpuRequests& requests, const WorkMeter& work)
    : m_all(requests), m_requests(requests.requests), m_work(work)
{
    sortByToken();
    buildFamilies();
    for (LoopFamily& family : m_families) {
        findHead(family);
        measure(family);
    }
    // By count again, which is that of the heads now.
    std::stable_sort(m_families.begin(), m_families.end(),
                     [](const LoopFamily& a, const LoopFamily& b) { return a.count > b.count; });
}

void LoopFamilies::sortByToken()
{
    m_firstOf.assign(m_all.kinds.size() + 1, 0);
    for (const GpuRequest& request : m_requests)
        ++m_firstOf[request.token + 1];
    std::partial_sum(m_firstOf.begin(), m_firstOf.end(), m_firstOf.begin());
    std::vector<std::uint32_t> next(m_firstOf.begin(), m_firstOf.end() - 1);
    m_places.resize(m_requests.size());
    for (std::size_t at = 0; at < m_requests.size(); ++at) {
        m_work.count();
        m_places[next[m_requests[at].token]++] = static_cast<std::uint32_t>(at);
    }
}

// Whether they alternate, a b a b, but for a few. What one has before the other begins or after it ends,
// as weights that are copied as batches are, is not of the loop.
bool LoopFamilies::takeTurns(Places a, Places b) const
{
    if (a.front() > b.front())
        std::swap(a, b);
    a = a.subspan(static_cast<std::size_t>(std::lower_bound(a.begin(), a.end(), b.front()) - a.begin()) - 1);
    if (a.back() > b.back())
        a = a.first(static_cast<std::size_t>(std::upper_bound(a.begin(), a.end(), b.back()) - a.begin()));
    else
        b = b.first(static_cast<std::size_t>(std::upper_bound(b.begin(), b.end(), a.back()) - b.begin()) +
                    (b.back() > a.back() ? 1 : 0));
    m_work.count(a.size() + b.size());
    std::size_t repeated = 0;
    bool ofA = false;
    bool first = true;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size(); first = false) {
        const bool now = j == b.size() || (i < a.size() && a[i] < b[j]);
        repeated += !first && now == ofA;
        ofA = now;
        ++(now ? i : j);
    }
    const std::size_t least = std::min(a.size(), b.size());
    return least >= kFewestIterations && repeated <= (least < kManyIterations ? 0 : least / kOddPerMany);
}

void LoopFamilies::buildFamilies()
{
    std::vector<std::uint32_t> tokens;
    for (std::uint32_t token = 0; token < m_all.kinds.size(); ++token)
        if (placesOf(token).size() >= kFewestIterations)
            tokens.push_back(token);
    std::stable_sort(tokens.begin(), tokens.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return placesOf(a).size() > placesOf(b).size(); });
    for (const std::uint32_t token : tokens) {
        const std::size_t count = placesOf(token).size();
        std::size_t compared = 0;
        LoopFamily* joined = nullptr;
        // The families are in order of count, too: the nearest are the last.
        for (auto family = m_families.rbegin(); family != m_families.rend() && compared < kMostCompared; ++family) {
            if (static_cast<double>(count) < kLeastMember * static_cast<double>(family->count))
                break;
            ++compared;
            if (count >= kManyIterations
                    ? takeTurns(placesOf(family->tokens.front()), placesOf(token))
                    : count == family->count && takeTurns(placesOf(family->tokens.front()), placesOf(token))) {
                joined = &*family;
                break;
            }
        }
        if (!joined) {
            m_families.emplace_back();
            joined = &m_families.back();
            joined->count = count;
        }
        joined->tokens.push_back(token);
        const RequestKind kind = m_all.kinds[token];
        joined->weight += kind == RequestKind::Graph                                   ? 2
                          : kind == RequestKind::Kernel || kind == RequestKind::CopyIn ? 1
                                                                                       : 0;
        joined->copiesIn |= kind == RequestKind::CopyIn;
        joined->copiesBack |= kind == RequestKind::CopyBack;
    }
}

// A member stands for the family that has as many requests as the loop has iterations: the most that two
// members have, since one of a few more may be needed elsewhere. Of these the first one, which begins the
// loop's first iteration.
void LoopFamilies::findHead(LoopFamily& family) const
{
    std::size_t count = 0;
    std::size_t alike = 0;
    std::size_t at = 0;
    while (at < family.tokens.size() && alike < 2) {  // most requests first
        const std::size_t here = placesOf(family.tokens[at++]).size();
        alike = here == count ? alike + 1 : 1;
        count = here;
    }
    if (alike < 2) {
        const auto heaviest = std::find_if(family.tokens.rbegin(), family.tokens.rend(),
                                           [this](std::uint32_t t) { return m_all.kinds[t] == RequestKind::Graph; });
        count = placesOf(heaviest == family.tokens.rend() ? family.tokens.back() : *heaviest).size();
    }
    family.count = count;
    std::size_t first = m_requests.size();
    for (const std::uint32_t token : family.tokens)
        if (const Places places = placesOf(token); places.size() == count && places.front() < first) {
            first = places.front();
            family.head = token;
        }
}

// How long it is steady; nothing where it is no loop.
void LoopFamilies::measure(LoopFamily& family) const
{
    if (family.weight == 0)
        return;
    const Places places = placesOf(family.head);
    if (family.count < kManyIterations && family.weight < kLeastOwnWork)
        return;
    if (family.tokens.size() < 2 && !isRegular(places))
        return;
    std::vector<std::int64_t> timesNs;
    timesNs.reserve(places.size());
    for (std::size_t at = 1; at < places.size(); ++at)
        timesNs.push_back(m_requests[places[at]].startNs - m_requests[places[at - 1]].startNs);
    m_work.count(places.size());
    family.medianNs = median(timesNs);
    family.steadyNs = family.medianNs;
    for (const std::int64_t timeNs : timesNs)
        family.steadyNs += timeNs <= kPauseFactor * family.medianNs ? timeNs : 0;
}

// Whether a single token cuts the requests into pieces of the same size. A graph is work enough alone.
bool LoopFamilies::isRegular(Places places) const
{
    if (m_all.kinds[m_requests[places.front()].token] == RequestKind::Graph)
        return true;
    std::vector<std::int64_t> sizes;
    for (std::size_t at = 1; at < places.size(); ++at)
        sizes.push_back(static_cast<std::int64_t>(places[at] - places[at - 1]));
    m_work.count(sizes.size());
    const std::int64_t usual = lowerMedian(sizes);
    const auto alike = std::count(sizes.begin(), sizes.end(), usual);
    return usual >= 2 && static_cast<double>(alike) >= kAlike * static_cast<double>(sizes.size());
}

}  // namespace overlane
