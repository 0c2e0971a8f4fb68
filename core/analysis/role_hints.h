// Role hints: what the ranges and operators around the call of a copy tell of what it carries.
//
// Names that libraries write themselves (FSDP, torch.autograd.graph, Lightning, vLLM) and that people give
// ranges. That an optimizer asks for a copy is told by functions of Python, sampled ones too, and by ranges; what it
// copies then follows from the order of copies. Asked of a few copies per size, not of all. One thread.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/analysis/copy_role.h"
#include "core/base/interval.h"
#include "core/trace/name_classes.h"
#include "core/trace/trace.h"

namespace overlane
{

// Of one name; none where it tells nothing.
std::optional<CopyRole> roleOfName(std::string_view name);

// Whether it is that of an optimizer's step, or of a function of one.
bool isOptimizerName(std::string_view name);

struct RoleHint {
    std::optional<CopyRole> role;
    std::optional<Interval> optimizer;  // the innermost range or function of one
};

class RoleHints
{
public:
    explicit RoleHints(const Trace& trace);
    // By the innermost ranges or operators around a call that tell; none where none does.
    RoleHint around(EventIndex call);

private:
    void look(const Track& track, std::int64_t timeNs, RoleHint& hint);

    const Trace& m_trace;
    NameClasses<std::uint8_t> m_names;
    std::map<std::pair<TrackId, std::int64_t>, TrackId> m_stacks;  // of a process' threads
};

}  // namespace overlane
