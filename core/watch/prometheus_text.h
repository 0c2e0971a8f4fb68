// Metrics as text that Prometheus reads, through the textfile collector of node_exporter for one.
//
// Valid in both of its text formats: version 0.0.4 and OpenMetrics 1.0, so without times, which the textfile collector
// refuses. Source: prometheus.io, "Exposition formats"; the OpenMetrics specification. Pure function, any thread.
#pragma once

#include <span>
#include <string>

#include "core/watch/metric.h"

namespace overlane
{

std::string prometheusText(std::span<const Metric> metrics, const MetricLabels& labels);

}  // namespace overlane
