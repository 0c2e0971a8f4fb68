// Metrics as one line of OTLP JSON, which the OpenTelemetry Collector reads from a file (its otlpjsonfile receiver) or
// takes as the body of a request to /v1/metrics.
//
// Source: opentelemetry.io, "OTLP Specification" (JSON Protobuf encoding) and "OpenTelemetry Protocol File Exporter".
// Names have dots and no unit there, units are those of UCUM. Pure function, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/watch/metric.h"

namespace overlane
{

// Ends with a line feed. `unixNs`: when the figures were taken.
std::string otlpLine(std::span<const Metric> metrics, const WatchedProgram& program, std::int64_t unixNs);

}  // namespace overlane
