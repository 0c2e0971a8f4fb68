// Whose a copy and whose an idle moment is, so that no nanosecond is in two findings. finding_facts.cpp applies it, and
// itself gives what holds the host, and the excess of slow copies.
//
// An idle moment follows its cause (core/analysis/lost_time.h) to the one rule that speaks of it; where the cause is a
// copy, it follows the owner of that copy. A copy belongs to what must be fixed first: a call that
// waits for it before pageable memory, else in the order of ownerOfCopy(). Pure functions; any thread.
#pragma once

#include <optional>

#include "core/analysis/device_activity.h"
#include "core/analysis/lost_time.h"
#include "core/findings/finding.h"

namespace overlane
{

// What stands around a copy.
struct CopyContext {
    bool toDevice = true;
    bool waitFollows = false;           // the call behind its own waits for the device, for its stream or an event
    bool streamWithoutKernels = false;  // its stream is known to carry no kernel, others are known to
    bool linkTooNarrow = false;         // the link is busy most of the time, and longer than the kernels
    bool besideOtherDirection = false;  // waited for in a gap in which a copy the other way ran alone, too
    std::optional<LostCause> delay;     // why it came late, where everything before it did (core/analysis/lost_time.h)
    RuleId behind = RuleId::None;       // owner of the copy that it came right behind
};
RuleId ownerOfCopy(const CopyRecord& copy, const CopyContext& context);

// What stands around an idle piece.
struct PieceContext {
    RuleId copy = RuleId::None;  // owner of the copy that the piece waits for or was held by
    bool pinsMemory = false;     // a thread that launches was page-locking memory
};
RuleId ownerOfIdle(LostCause cause, const PieceContext& context);

}  // namespace overlane
