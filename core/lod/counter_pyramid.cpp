#include "core/lod/counter_pyramid.h"

#include <algorithm>
#include <cassert>

#include "core/lod/cache_hint.h"
#include "core/lod/group_search.h"

namespace overlane
{

static_assert(CounterPyramid::kBranching == kSearchGroup, "firstInGroups() searches in the first level");

namespace
{

using Extremes = CounterPyramid::Extremes;

// Comparisons with what is no number are false: it is neither the lowest nor the highest.
void take(Extremes& into, double value)
{
    into.lowest = value < into.lowest ? value : into.lowest;
    into.highest = value > into.highest ? value : into.highest;
}

void take(Extremes& into, const Extremes& other)
{
    into.lowest = std::min(into.lowest, other.lowest);
    into.highest = std::max(into.highest, other.highest);
}

// From each 16 of a level, the last of which may be fewer, one of the level above.
template <typename Place>
std::vector<Extremes> above(const std::vector<Place>& level)
{
    std::vector<Extremes> nodes((level.size() + CounterPyramid::kBranching - 1) / CounterPyramid::kBranching);
    for (std::size_t i = 0; i < level.size(); ++i)
        take(nodes[i / CounterPyramid::kBranching], level[i]);
    return nodes;
}

// Takes the places of [first, last) in front of the first and behind the last whole 16 of them; what is left
// is a stretch of the level above. Returns how many it took.
template <typename Place>
std::size_t takeEnds(Extremes& into, const std::vector<Place>& level, std::size_t& first, std::size_t& last)
{
    constexpr std::size_t kBranching = CounterPyramid::kBranching;
    const std::size_t head = std::min(last, (first + kBranching - 1) / kBranching * kBranching);
    const std::size_t tail = std::max(head, last / kBranching * kBranching);
    for (std::size_t i = first; i < head; ++i)
        take(into, level[i]);
    for (std::size_t i = tail; i < last; ++i)
        take(into, level[i]);
    const std::size_t taken = (head - first) + (last - tail);
    first = head / kBranching;
    last = head == tail ? first : tail / kBranching;
    return taken;
}

}  // namespace

CounterPyramid::CounterPyramid(const CounterSeries& series) : m_series(&series)
{
    m_timesNs.reserve((series.timesNs.size() + kBranching - 1) / kBranching);
    for (std::size_t i = 0; i < series.timesNs.size(); i += kBranching)
        m_timesNs.push_back(series.timesNs[i]);
    if (series.values.empty())
        return;
    m_levels.push_back(above(series.values));
    while (m_levels.back().size() > 1)
        m_levels.push_back(above(m_levels.back()));
    m_all = m_levels.back().front();
}

CounterPyramid::Extremes CounterPyramid::extremes(std::uint32_t first, std::uint32_t last, std::size_t* looked) const
{
    assert(first < last && last <= m_series->values.size());
    Extremes found;
    std::size_t from = first;
    std::size_t to = last;
    std::size_t places = takeEnds(found, m_series->values, from, to);
    for (auto level = m_levels.begin(); from < to; ++level)
        places += takeEnds(found, *level, from, to);
    if (looked != nullptr)
        *looked += places;
    return found;
}

std::uint32_t CounterPyramid::firstFrom(std::uint32_t first, std::uint32_t last, std::int64_t timeNs,
                                        std::int64_t slackNs, std::size_t* looked) const
{
    std::size_t places = 0;
    const std::uint32_t found = firstInGroups(m_timesNs, m_series->timesNs, first, last, timeNs, slackNs, places);
    if (looked != nullptr)
        *looked += places;
    return found;
}

void CounterPyramid::hintCache(std::uint32_t index) const
{
    const std::size_t group = index / kBranching;
    overlane::hintCache(m_timesNs, group);
    overlane::hintCache(m_series->timesNs, group * kBranching, kBranching);
    overlane::hintCache(m_series->values, group * kBranching, kBranching);
    if (!m_levels.empty())
        overlane::hintCache(m_levels.front(), group - group % kBranching, kBranching);
}

std::size_t CounterPyramid::bytes() const
{
    std::size_t total = m_timesNs.capacity() * sizeof(std::int64_t);
    for (const auto& level : m_levels)
        total += level.capacity() * sizeof(Extremes);
    return total;
}

}  // namespace overlane
