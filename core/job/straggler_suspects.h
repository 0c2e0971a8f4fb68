// Suspects: the ranks of a job by their own steps, and those that stand out behind the largest gap.
//
// By means, which a job pays for, or by medians, which a few steps do not move. Borrows the steps, which have to
// outlive it. Immutable; any thread; nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/job/own_steps.h"
#include "core/job/straggler.h"

namespace overlane
{

enum class Measure : std::uint8_t { Mean, Median };

class Suspects
{
public:
    // Of two ranks or more.
    Suspects(const OwnSteps& steps, Measure measure);

    // Between the last that stands out and the next rank.
    std::int64_t gapNs() const { return m_gapNs; }
    // Those that stand out, longest own step first; one at least.
    std::vector<std::uint32_t> ranks() const;
    std::int64_t ownNs(std::uint32_t rank) const { return of(rank).ownNs(); }
    // The own step of the next rank.
    std::int64_t nextNs() const { return ownNs(m_order[m_count]); }
    // With the part of its step that explains most of the gap, where one does.
    Straggler reasonOf(Straggler found) const;
    // That ranks which are all alike fall apart so (gap_chance.h): of whole steps, or of the part that is the reason.
    double chance() const;
    double chance(StragglerReason reason) const;

private:
    const OwnStep& of(std::uint32_t rank) const;
    template <typename Series, typename Figure>
    double chanceOf(Series seriesOf, Figure figure) const;
    std::int64_t othersPartNs(std::size_t part) const;

    const OwnSteps& m_steps;
    const Measure m_measure;
    std::vector<std::uint32_t> m_order;  // longest own step first
    std::size_t m_count = 1;
    std::int64_t m_gapNs = 0;
};

}  // namespace overlane
