// The part of `overlane info` about what the copies of a range carry, and for which framework: a table, and JSON.
//
// Pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/program_traits.h"
#include "core/analysis/role_shares.h"
#include "core/cli/device_figures.h"

namespace overlane
{

// With figures per iteration where the range holds any; empty without copies.
OrderedJson rolesJson(const std::vector<RoleShare>& shares, std::int64_t iterations);
std::string rolesText(const std::vector<RoleShare>& shares, std::int64_t iterations);
OrderedJson programJson(const ProgramTraits& program);

}  // namespace overlane
