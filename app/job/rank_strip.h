// What the window draws of a job: one strip a rank on the common clock, and the collectives that join them.
//
// Views of an AnalyzedJob, which they keep: nothing of a digest is copied, and members and calls are made when they are
// looked at. Made on a worker (job_picture.h), then immutable; copies share all that is large. Nanoseconds on the
// common clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "core/base/interval.h"
#include "core/job/job_analysis.h"
#include "core/job/packed_rows.h"

namespace overlane
{

// A rank's part in a collective: it waits until the last rank has come, then data moves.
struct StripMember {
    Interval interval;
    std::int64_t lastCameNs = 0;  // interval.startNs where the collective could not be matched: nothing is waiting
    std::size_t call = SIZE_MAX;  // of JobStrips::call(); SIZE_MAX: not matched
};

struct RankStrip {
    QString label;                        // "rank 3 on node1"
    QString path;                         // of its trace
    QString trouble;                      // why there is none, a sentence; empty where it was read
    std::optional<std::uint32_t> digest;  // into JobAnalysis::digests; none: there is nothing to compare
    Interval span;
    Interval cellsOver;
    SharedList<DigestCell> cells;  // over cellsOver, equally long
    std::vector<Interval> steps;   // without warm-up, in order of start
};

struct StripCall {
    // A member of a rank: places in JobStrips::ranks and of its members.
    struct Part {
        std::size_t rank = 0;
        std::size_t member = 0;
    };
    QString title;   // "all-reduce, 26.0 MiB, group 0"
    QString timing;  // "moves data for 1.20 ms; rank 1 came last, 9.30 ms behind the first"
    std::vector<Part> parts;
};

class JobStrips
{
public:
    JobStrips() = default;
    explicit JobStrips(std::shared_ptr<const AnalyzedJob> of);

    std::size_t members(std::size_t rank) const;  // in order of start
    StripMember member(std::size_t rank, std::size_t at) const;
    std::size_t calls() const { return m_of ? m_of->analysis.match.collectives.size() : 0; }
    StripCall call(std::size_t at) const;

    Interval span;    // of all ranks
    Interval active;  // in which all ranks that were read take steps; `span` where there is no such
    std::vector<RankStrip> ranks;

private:
    Interval intervalOf(std::uint32_t digest, std::size_t member) const;
    void findCalls();
    void frame();

    std::shared_ptr<const AnalyzedJob> m_of;
    // By digest, of each of its collectives the number of its call + 1; 0: none.
    std::shared_ptr<const std::vector<PackedRows>> m_callOf;
};

}  // namespace overlane
