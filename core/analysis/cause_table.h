// The causes of idle time as a table: a row for each, with its id, its words, what it is drawn as, what proves and what
// shows it, and what a verdict says of it. Which rules speak of a cause is in core/findings/cause_family.h. The causes
// of exposed copies are in core/analysis/copy_cause.h.
//
// Constants; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/analysis/cause_proofs.h"
#include "core/analysis/lost_time.h"
#include "core/base/enum_set.h"
#include "core/trace/event.h"

namespace overlane
{

struct LossFacts;  // core/analysis/loss_text.h
using LossFunction = std::string (*)(const LossFacts&);
// A text in which `{}` stands for the time, or a function where it takes more to say.
using LossText = std::variant<std::string_view, LossFunction>;

// What a cause counts to where many ranks are compared (core/job/rank_parts.h).
enum class CauseGroup : std::uint8_t { Communication, Copies, Loader, Host, Idle };

struct LostCauseRow {
    LostCause cause;
    std::string_view id;       // "launch_bound": what files, keys and JSON name it by; never changes
    std::string_view name;     // "launch-bound": in tables and sentences
    std::string_view brief;    // "launches": a word or two, beside the name of a track
    std::string_view changed;  // "idling between launches": behind "3 ms less"
    EventKind drawnAs;         // whose color stands for it, wherever causes are drawn
    CauseGroup group;
    std::string_view explanation;
    std::string_view lesson;  // key of the lesson that shows it (resources/lessons)
    CauseProofs proofs;       // none for Ends, which lies outside, and Unknown, which is left over
    LossText sentence;        // of a verdict that names it
    LossText advice;
    bool mayBeWarmUp = false;     // a late host may be the cause: where nearly all of it is early, it is warm-up
    bool isOfData = false;        // loading or copying another way would win it
    bool goesWithCopies = false;  // it belongs to the finding that the copy belongs to
    bool delaysCopies = false;    // a copy right behind it, which nothing hides, came late with it
    // Counted with another cause where it is spoken of; needs neither sentence nor advice.
    std::optional<LostCause> spokenAs;
    // The events that show it: on the launching thread, else on the device; where both are empty, the work that ended
    // the gap. idleEvidence() knows more of some.
    EnumSet<EventKind> shownOnHost;
    EnumSet<EventKind> shownOnDevice;
};
// In the order of LostCause.
std::span<const LostCauseRow> lostCauses();
const LostCauseRow& rowOf(LostCause cause);
LostCause spokenOf(LostCause cause);
// Sums by cause as they are spoken of.
using LostSums = std::array<std::int64_t, kLostCauseCount>;
LostSums spokenSums(LostSums lostNs);

}  // namespace overlane
