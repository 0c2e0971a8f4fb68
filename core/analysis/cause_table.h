// The causes of idle time and of exposed copies as two tables: a row for each, with its id, its words and what it is
// drawn as. Sentences of a verdict and advice need figures and stand in verdict_text.h and advice.h; which rules speak
// of a cause is in core/findings/cause_family.h, what explains it in core/lessons/explanation_texts.h.
//
// Constants; any thread.
#pragma once

#include <span>
#include <string_view>

#include "core/analysis/copy_cause.h"
#include "core/analysis/lost_time.h"
#include "core/trace/event.h"

namespace overlane
{

struct LostCauseRow {
    LostCause cause;
    std::string_view id;       // "launch_bound": what files, keys and JSON name it by; never changes
    std::string_view name;     // "launch-bound": in tables and sentences
    std::string_view brief;    // "launches": a word or two, beside the name of a track
    std::string_view changed;  // "idling between launches": behind "3 ms less"
    EventKind drawnAs;         // whose colour stands for it, wherever causes are drawn
};
// In the order of LostCause.
std::span<const LostCauseRow> lostCauses();
const LostCauseRow& rowOf(LostCause cause);

struct CopyCauseRow {
    CopyCause cause;
    std::string_view id;        // "same_stream"
    std::string_view name;      // "same stream as the kernels"
    std::string_view brief;     // "same stream"
    std::string_view sentence;  // what happened to such a copy
};
// In the order of CopyCause.
std::span<const CopyCauseRow> copyCauses();
const CopyCauseRow& rowOf(CopyCause cause);

}  // namespace overlane
