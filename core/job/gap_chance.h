// How often ranks that are all alike would fall apart as these do.
//
// dealtChance() asks the steps of the recording. Ranks are alike where any of them could have had any other's step. So
// the ranks of each stretch of steps are dealt anew at random, and the largest gap between neighbors among the longest
// means is compared with the one that was seen: a permutation test with the largest statistic (Westfall and Young 1993,
// "Resampling-Based Multiple Testing"), which needs no shape of the times, keeps slow steps that all ranks share, and
// counts that any rank could have been the slowest. A host that is slow for some steps together is no proof of so many
// steps: they are dealt in stretches of (1 + r) / (1 - r) steps, r the correlation of a step with the next (the factor
// by which correlated observations count for fewer: Bartlett 1946; r by Kendall's correction for short series, 1954).
// Where that leaves too few stretches to deal, the difference to the next rank is put to Student's test with as many
// observations as there are stretches.
//
// outlierChance() asks the other ranks: whatever made their medians differ from each other, slow phases and hosts that
// are never equal among it, is what chance does here. A rank is put to Student's test against the spread of the rest
// (Grubbs 1969, "Procedures for Detecting Outlying Observations"); it needs some ranks, and no independent steps.
//
// Both multiply what a single test says by the sets of ranks that might have stood out as well (Bonferroni), where the
// dealing does not count them itself. Pure functions with a fixed seed; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overlane
{

// Fewer stretches are not dealt.
constexpr std::size_t kLeastStretches = 4;

// How many ranks may stand out: the first quarter. More of them are the job.
constexpr std::size_t mostThatStandOut(std::size_t ranks)
{
    return ranks / 4 > 1 ? ranks / 4 : 1;
}

// `suspects`: the ranks of which it is asked, at most mostThatStandOut(), not all.
// `series`: of each rank, equally long. The correlation of the suspects' own steps counts, too.
double dealtChance(const std::vector<std::vector<std::int64_t>>& series, const std::vector<std::uint32_t>& suspects);
// `medians`: of each rank.
double outlierChance(const std::vector<std::int64_t>& medians, const std::vector<std::uint32_t>& suspects);

// That Student's t with so many degrees of freedom (1 or more, whole or not) is as large by chance.
double studentChance(double t, double freedom);

}  // namespace overlane
