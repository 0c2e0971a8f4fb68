// SARIF: the answers of `check` as a SARIF 2.1.0 log, for code hosts and editors.
//
// Pure function, any thread. Written after the OASIS standard "Static Analysis Results Interchange
// Format (SARIF) Version 2.1.0". Limits that fired are results of level "error"; findings that no limit
// fired on are results too, by their severity and never above "warning"; rules that could not be asked
// are notifications of the invocation.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/report/trace_check.h"

namespace overlane
{

std::string sarifText(std::span<const FileCheck> files, std::string_view version, int exitCode);

}  // namespace overlane
