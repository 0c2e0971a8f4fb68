// JUnit: the answers of `check` as JUnit XML, which every CI reads.
//
// Pure function, any thread. One suite per file, one test per limit: a failure where it fired, skipped
// where the trace cannot tell, an error where the file could not be read. After the schema of Apache
// Ant's JUnit task as CI systems read it (testsuites, testsuite, testcase).
#pragma once

#include <span>
#include <string>

#include "core/report/trace_check.h"

namespace overlane
{

std::string junitText(std::span<const FileCheck> files);

}  // namespace overlane
