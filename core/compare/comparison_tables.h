// The tables of a comparison: figures of a step with the causes of idle time, kernels, copies, findings.
//
// Pure functions, any thread. Each table has every column; who shows it picks those that there is room for
// (Table::picked). A difference has a tone only where it may be claimed.
#pragma once

#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/finding_changes.h"
#include "core/content/block.h"

namespace overlane
{

// "Aligned at ProfilerStep#6 of A and ProfilerStep#7 of B, and compared from there on."
std::string alignedSentence(const Comparison& comparison);

// Columns figure, a_ns, b_ns, change_ns, claim: means, of which kernels and causes add up to the whole.
Table meanTable(const Comparison& comparison, const DeviceComparison& device);
// Columns figure, a, a_half, b, b_half, change, claim, sure; without rows where there are no steps.
Table medianTable(const Comparison& comparison, const DeviceComparison& device);
// Columns name, and a_ns, b_ns, change_ns, a_median_ns, b_median_ns, a_count, b_count, claim, sure.
Table kernelTable(const Comparison& comparison, const DeviceComparison& device);
// The same with a_bytes_per_second, b_bytes_per_second, a_hidden, b_hidden.
Table copyTable(const Comparison& comparison, const DeviceComparison& device);
// Columns finding, id, fate, a_ns, b_ns, change_ns.
Table findingTable(const std::vector<FindingChange>& findings, bool perStep);

// Of all devices in one table, rows named "GPU 1: ..." where there are several. Figures hold medians and means.
Table allFigures(const Comparison& comparison);
Table allKernels(const Comparison& comparison);
Table allCopies(const Comparison& comparison);

}  // namespace overlane
