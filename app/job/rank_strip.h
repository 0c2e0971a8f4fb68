// What the window draws of a job: one strip a rank on the common clock, and the collectives that join them.
//
// Values, made on a worker (job_picture.h); read on the GUI thread. Nanoseconds on the common clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <QString>

#include "core/base/interval.h"
#include "core/job/rank_digest.h"

namespace overlane
{

// A rank's part in a collective: it waits until the last rank has come, then data moves.
struct StripMember {
    Interval interval;
    std::int64_t lastCameNs = 0;  // interval.startNs where the collective could not be matched: nothing is waiting
    std::size_t call = SIZE_MAX;  // into JobStrips::calls; SIZE_MAX: not matched
};

struct RankStrip {
    QString label;    // "rank 3 on node1"
    QString path;     // of its trace
    QString trouble;  // why there is none, a sentence; empty where it was read
    Interval span;
    Interval cellsOver;
    std::vector<DigestCell> cells;     // over cellsOver, equally long
    std::vector<Interval> steps;       // without warm-up, in order of start
    std::vector<StripMember> members;  // in order of start
};

struct StripCall {
    QString title;                     // "all-reduce, 26.0 MiB, group 0"
    QString timing;                    // "moves data for 1.20 ms; rank 1 came last, 9.30 ms behind the first"
    std::vector<std::size_t> strips;   // who takes part, beside `members`
    std::vector<std::size_t> members;  // into RankStrip::members
};

struct JobStrips {
    Interval span;    // of all ranks
    Interval active;  // in which all ranks that were read take steps; `span` where there is no such
    std::vector<RankStrip> ranks;
    std::vector<StripCall> calls;
};

}  // namespace overlane
