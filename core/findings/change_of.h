// The change that a finding asks for, by what its copies carry and in the words of the framework that ran.
//
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/analysis/copy_role.h"
#include "core/analysis/program_traits.h"
#include "core/findings/rule.h"

namespace overlane
{

struct ChangeTexts {
    std::string own;      // in the words of the framework that ran, or in no framework's
    std::string pyTorch;  // names a DataLoader only where the trace has one
    std::string cuda;
};
// `isPageable`: most of the copies that the finding is about.
ChangeTexts changeOf(const Rule& rule, const RuleAnswer& answer, CopyRole role, bool isPageable,
                     const ProgramTraits& program);

// The rule's title, or what it is called where the copies carry something else than it speaks of.
std::string_view titleOf(const Rule& rule, CopyRole role, const ProgramTraits& program);

}  // namespace overlane
