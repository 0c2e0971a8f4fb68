// Role hints: what the ranges and operators around the call of a copy tell of what it carries.
//
// Names that libraries write themselves (FSDP, torch.autograd.graph, Lightning, vLLM) and that people give
// ranges. Asked of a few copies per size, not of all. One thread.
#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/copy_role.h"
#include "core/trace/name_classes.h"
#include "core/trace/trace.h"

namespace overlane
{

// Of one name; none where it tells nothing.
std::optional<CopyRole> roleOfName(std::string_view name);

class RoleHints
{
public:
    explicit RoleHints(const Trace& trace);
    // By the innermost range or operator around a call that tells; none where none does.
    std::optional<CopyRole> around(EventIndex call);

private:
    const Trace& m_trace;
    NameClasses<std::uint8_t> m_names;
};

}  // namespace overlane
