// RangeInsight: what the analysis says of a range, ready to be shown: the findings, and per device the
// copies by reason and the idle time by cause.
//
// Values, made on a worker by a pure function; nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/ui/analysed_trace.h"
#include "core/findings/finding.h"
#include "core/findings/finding_facts.h"

namespace overlane
{

// Copies of one direction that start in a range. Exposed: less than half of its time lies under kernels.
struct CopySums {
    struct Reason {
        CopyCause cause = CopyCause::Unknown;
        std::int64_t copies = 0;
        std::int64_t exposedNs = 0;
    };
    std::int64_t copies = 0;
    std::int64_t exposedCopies = 0;
    std::int64_t exposedNs = 0;   // of all copies
    std::vector<Reason> reasons;  // of the exposed copies, most time first
};

struct DeviceInsight {
    std::int32_t device = -1;
    Interval range;
    CopySums toDevice;
    CopySums toHost;
    std::int64_t kernelBusyNs = 0;
    // By cause, as many as kLostCauseCount; adds up to the range without kernelBusyNs.
    std::array<std::int64_t, kLostCauseCount> lostNs{};

    std::int64_t idleNs() const { return range.lengthNs() - kernelBusyNs; }
};

struct RangeInsight {
    std::shared_ptr<const Trace> trace;
    Interval range;          // what the findings are about
    bool selected = false;   // the range was asked for; else it is what a verdict of the trace is about
    bool hasKernels = true;  // every kernel of the range was recorded: time without kernels means something
    FindingList findings;
    std::vector<DeviceInsight> devices;  // in `range`
};

RangeInsight rangeInsight(const AnalysedTrace& shown, const FindingFacts& facts, std::optional<Interval> selected);

std::vector<DeviceInsight> deviceInsights(const Analysis& analysis, Interval range);

}  // namespace overlane
