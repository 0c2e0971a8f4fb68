// JobFigures: the ranks of a job in one measure, their median, and what differs from it.
//
// Per step where every rank has steps, else of each rank's active range. Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/job/job.h"
#include "core/job/job_analysis.h"
#include "core/job/own_steps.h"
#include "core/job/rank_parts.h"

namespace overlane
{

// A difference from the median rank that is worth a mark, as a part of the median rank's step.
constexpr double kNotableShare = 0.05;
// Steps that differ by less are equally long: collectives make all ranks keep pace.
constexpr double kSamePaceShare = 0.02;

struct RankFigures {
    std::size_t rank = 0;     // place in Job::ranks
    std::int64_t stepNs = 0;  // or the active range
    RankPartTimes partNs{};

    // Without what the rank may only wait for others in.
    std::int64_t ownNs() const { return stepNs - partNs[static_cast<std::size_t>(RankPart::Communication)]; }
};

struct JobFigures {
    bool perStep = false;
    std::optional<UnlikeSteps> unlike;  // then times are of whole ranges
    std::vector<RankFigures> ranks;     // those with GPU work of which every kernel was recorded, in the job's order
    RankFigures median;                 // of each figure by itself
    std::int64_t notableNs = 0;

    // All steps are about equally long.
    bool keepsPace = false;
    // Place in `ranks` of the one that takes longest by itself, outside communication: in that it may wait for others.
    // None of one rank.
    std::optional<std::size_t> slowest;
    // The part in which it takes longest beyond the median rank, communication aside. None where none is longer.
    std::optional<RankPart> slowestPart;
    std::int64_t slowestMoreNs = 0;      // of its own time
    std::int64_t slowestPartMoreNs = 0;  // of that part
};
JobFigures jobFigures(const Job& job);

// The pace, the rank that takes longest by itself and its largest difference; empty where there are no two ranks.
std::string slowestSentence(const Job& job, const JobFigures& figures);
// A row per rank; a figure that differs notably from the median has a sign behind it and its difference in the remark.
Table jobTable(const Job& job, const JobFigures& figures);
// What its columns and signs mean.
std::string jobTableWords(const Job& job, const JobFigures& figures);
// The rows that differ most, in their order: for where there is no room for all.
Table mostDifferentRows(const JobFigures& figures, const Table& table, std::size_t rows);
// The answer: who holds up the others and why; where that cannot be told, what was seen, and who takes longest.
Blocks jobAnswer(const Job& job, const JobFigures& figures, const JobAnalysis& analysis);
// Everything that is said of a job: the answer, the table, what is missing or broken.
Blocks jobBlocks(const Job& job, std::size_t mostRows = SIZE_MAX);

}  // namespace overlane
