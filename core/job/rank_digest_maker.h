// digestOf(): what a job needs of one rank, from its judged trace.
//
// A pure function, any thread; cancellable through the WorkMeter. A step lasts until the next one starts, as a step's
// time does (core/analysis/steps.h), and its parts are the device's in that time, so that they sum to it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/work_meter.h"
#include "core/job/rank_digest.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

// As many cells as a strip has, in equal parts of the trace.
constexpr std::size_t kDigestCells = 720;

// With several devices in the trace: that of the rank (its local rank, else its rank among the devices of a host), else
// the busiest. `file`, its stamp and its damage are the caller's.
RankDigest digestOf(const JudgedTrace& judged, const RankIdentity& identity, const WorkMeter& work = {});

// One for each device with work where the trace is of no rank of several; else that of digestOf() alone.
std::vector<RankDigest> digestsOfGpus(const JudgedTrace& judged, const RankIdentity& identity,
                                      const WorkMeter& work = {});

}  // namespace overlane
