// Metrics on disk: a file for Prometheus that is replaced as a whole, and one for OpenTelemetry that gets a line each
// time and makes room at kMostLineBytes.
//
// Functions of the file system; one thread. The Errors name the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace overlane
{

constexpr std::int64_t kMostLineBytes = 16 << 20;

Result<void> writeMetricFile(const std::string& file, std::string_view text);
// At `mostBytes` the file becomes FILE.1, in place of the one before, and a new one begins.
Result<void> appendMetricLine(const std::string& file, std::string_view line, std::int64_t mostBytes = kMostLineBytes);

}  // namespace overlane
