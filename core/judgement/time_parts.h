// Where the time of a range goes on a device: kernels, then each loss as verdict and findings speak of it, most first,
// start and end of the work last. The parts add up to the range.
//
// Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/lost_time.h"
#include "core/analysis/summary.h"
#include "core/content/block.h"
#include "core/judgement/judgement.h"
#include "core/trace/event.h"

namespace overlane
{

struct TimePart {
    std::optional<LostCause> cause;  // none: kernels
    std::int64_t timeNs = 0;

    std::string_view name() const;   // "exposed copies"
    std::string_view brief() const;  // "copies"
    EventKind drawnAs() const;
};

// `device` is one of the judgement's summary. Empty where the kernels of the range were not recorded: time without them
// means nothing then.
std::vector<TimePart> timeParts(const Judgement& judgement, const DeviceSummary& device);
// A row for each part, with its share of the range; of causes that are spoken of as one, the remark has each.
Table timeTable(const Judgement& judgement, const DeviceSummary& device);

}  // namespace overlane
