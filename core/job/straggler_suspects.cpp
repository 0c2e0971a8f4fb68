#include "core/job/straggler_suspects.h"

#include <algorithm>
#include <utility>

#include "core/base/statistics.h"
#include "core/job/gap_chance.h"

namespace overlane
{
namespace
{

constexpr double kLeastExplained = 0.4;  // part of the gap that a reason has to explain

}  // namespace

Suspects::Suspects(const OwnSteps& steps, Measure measure) : m_steps(steps), m_measure(measure)
{
    for (std::uint32_t rank = 0; rank < steps.ranks(); ++rank)
        m_order.push_back(rank);
    std::stable_sort(m_order.begin(), m_order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return ownNs(a) > ownNs(b); });
    for (std::size_t at = 1; at <= mostThatStandOut(steps.ranks()); ++at)
        if (const std::int64_t gapNs = ownNs(m_order[at - 1]) - ownNs(m_order[at]); gapNs > m_gapNs) {
            m_gapNs = gapNs;
            m_count = at;
        }
}

std::vector<std::uint32_t> Suspects::ranks() const
{
    return {m_order.begin(), m_order.begin() + static_cast<std::ptrdiff_t>(m_count)};
}

const OwnStep& Suspects::of(std::uint32_t rank) const
{
    return m_measure == Measure::Mean ? m_steps.mean(rank) : m_steps.median(rank);
}

std::int64_t Suspects::othersPartNs(std::size_t part) const
{
    std::vector<std::int64_t> theirs;
    for (std::size_t at = m_count; at < m_order.size(); ++at)
        theirs.push_back(of(m_order[at]).partNs[part]);
    return lowerMedian(std::move(theirs));
}

Straggler Suspects::reasonOf(Straggler found) const
{
    const OwnStep& own = of(found.rank);
    // Where the GPU alone fills the step, more time of the host costs nothing, and the other way round.
    const bool fillsGpu = own.gpuNs >= own.ownNs() - m_gapNs / 2;
    const bool fillsHost = own.hostNs >= own.ownNs() - m_gapNs / 2;
    for (std::size_t part = 0; part < own.partNs.size(); ++part) {
        const auto reason = static_cast<StragglerReason>(part);
        const bool isOfGpu = reason == StragglerReason::Compute || reason == StragglerReason::Link;
        // A call that copies and its copy are the same time, of host and GPU.
        if (fillsGpu != fillsHost && isOfGpu != fillsGpu && reason != StragglerReason::CopyCalls)
            continue;
        if (reason == StragglerReason::Link && found.reason == StragglerReason::CopyCalls)
            continue;
        const std::int64_t moreNs = own.partNs[part] - othersPartNs(part);
        if (static_cast<double>(moreNs) < kLeastExplained * static_cast<double>(m_gapNs) || moreNs <= found.moreNs)
            continue;
        found.reason = reason;
        found.moreNs = moreNs;
        found.partNs = own.partNs[part];
    }
    return found;
}

template <typename Series, typename Figure>
double Suspects::chanceOf(Series seriesOf, Figure figure) const
{
    std::vector<std::int64_t> medians;
    std::vector<std::vector<std::int64_t>> series;
    for (std::uint32_t rank = 0; rank < m_steps.ranks(); ++rank)
        if (m_measure == Measure::Median)
            medians.push_back(figure(m_steps.median(rank)));
        else
            series.push_back(seriesOf(rank));
    return m_measure == Measure::Median ? outlierChance(medians, ranks()) : dealtChance(series, ranks());
}

double Suspects::chance() const
{
    return chanceOf([&](std::uint32_t rank) { return m_steps.seriesOf(rank); },
                    [](const OwnStep& step) { return step.ownNs(); });
}

double Suspects::chance(StragglerReason reason) const
{
    const auto part = static_cast<std::size_t>(reason);
    return chanceOf([&](std::uint32_t rank) { return m_steps.seriesOf(rank, static_cast<OwnPart>(reason)); },
                    [&](const OwnStep& step) { return step.partNs[part]; });
}

}  // namespace overlane
