// Cause families: which findings may stand first for what a verdict names.
//
// Verdict, idle causes and findings are all made from the same lost time (core/analysis/lost_time.h), the first by
// cause, the last by what must be changed. The row of each rule lists the causes that it speaks of, so that a test can
// hold the verdict of a trace against its first finding, and a window can show them as one. Pure; any thread.
#pragma once

#include <span>

#include "core/analysis/copy_cause.h"
#include "core/analysis/lost_time.h"
#include "core/analysis/verdict.h"
#include "core/findings/finding.h"

namespace overlane
{

// By the rows of the rules; empty where none speaks of it.
std::span<const RuleId> rulesOf(LostCause cause);
std::span<const RuleId> rulesOf(CopyCause cause);

// The rules that may stand first beside a verdict; empty where none speaks of what it names.
std::span<const RuleId> rulesOf(const Verdict& verdict);

}  // namespace overlane
