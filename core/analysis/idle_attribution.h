// Idle attribution: the time without kernels of a device as a list of pieces, each with its cause and,
// on request, what proves it: the copy, the call or operator that was late, the wait, the loader's
// actor that held everybody up.
//
// Pieces come from the sets of core/analysis/lost_time.h, so they are disjoint, in order of time, and
// their lengths add up to the time without kernels exactly. Contiguous pieces are one gap of the
// compute lane. Pure functions; a query costs as much as the pieces in its range. Any thread; ns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/lost_time.h"
#include "core/trace/trace.h"

namespace overlane
{

struct IdlePiece {
    Interval interval;
    LostCause cause = LostCause::Unknown;

    friend bool operator==(const IdlePiece&, const IdlePiece&) = default;
};

// The pieces of a device that reach into a range, cut at its ends; empty for a device without GPU work.
std::vector<IdlePiece> idlePieces(const Analysis& analysis, std::int32_t device, Interval range);
std::vector<IdlePiece> idlePieces(const LostTime& lost, Interval range);

struct IdleEvidence {
    EventIndex event;   // the copy, wait, sync or other event that the piece is about
    EventIndex late;    // the innermost call or operator of the launching thread that fills at least half of it
    EventIndex next;    // the work of the device that the gap ended with
    std::string actor;  // Batches only: the loader's actor that worked most meanwhile
};
// In microseconds: binary searches on the tracks involved.
IdleEvidence idleEvidence(const Trace& trace, const Analysis& analysis, std::int32_t device, const IdlePiece& piece);

// The actor, call or event that the evidence names; empty where it names none.
std::string evidenceName(const Trace& trace, const IdlePiece& piece, const IdleEvidence& evidence);
// "Waiting for batches, 3.10 ms: worker 2 was still at work."
std::string idlePieceText(const Trace& trace, const IdlePiece& piece, const IdleEvidence& evidence);

}  // namespace overlane
