// The verdict of one copy: ranked reasons why it did not hide behind compute, each with the events
// that prove it, or what the trace lacks to tell.
//
// judgeCopies() fills the causes of all copies while an Analysis is built; copyVerdict() looks up the
// evidence of one of them, by binary search, when somebody asks. Pure functions, any thread;
// nanoseconds. The rules are those of core/analysis/copy_cause.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_cause.h"
#include "core/trace/trace.h"

namespace overlane
{

// What an event has to do with a reason.
enum class EvidenceRole : std::uint8_t {
    Call,          // the call that asked for the copy
    Consumer,      // the next kernel of the stream
    Before,        // the work before it: what it waited behind
    HidingKernel,  // the kernel that hides most of it
    OtherCopy,     // the copy that held the engine
    Sync,          // where the host waited for the device
    StreamWait,    // where its stream was told to wait
    HostDoing,     // what the host did instead of asking for the copy
};
constexpr int kEvidenceRoleCount = 8;
// "issued by", "its consumer"; stable.
std::string_view evidenceRoleName(EvidenceRole role);

struct CopyEvidence {
    EvidenceRole role = EvidenceRole::Call;
    EventIndex event;
};

struct CopyReason {
    CopyCause cause = CopyCause::Unknown;
    std::vector<CopyEvidence> evidence;
    // For the causes that say "unknown": the record that the trace lacks. Else empty.
    std::string missing;
};

struct CopyVerdict {
    EventIndex copy;
    std::int64_t durationNs = 0;
    std::int64_t hiddenNs = 0;
    std::vector<CopyReason> reasons;  // what must be fixed first comes first

    bool empty() const { return reasons.empty(); }
    CopyCause cause() const { return reasons.empty() ? CopyCause::Unknown : reasons.front().cause; }
};

// Of a host-to-device or device-to-host copy, or of a migration of unified memory; empty for any
// other event.
CopyVerdict copyVerdict(const Trace& trace, const Analysis& analysis, EventIndex copy);

}  // namespace overlane
