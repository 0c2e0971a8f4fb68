// The collectives of one rank: what its digest holds of them, read from its trace.
//
// A communication kernel is a member of a collective. What the program's profiler tells of it (Trace::collective()) is
// taken first; else its kind is told from its name and, where NCCL runs several kinds in one kernel (SendRecv,
// Generic), from the range on the host around the call that launched it ("nccl:all_to_all", "NCCL: ncclAllGather"). A
// collective of no known group is of its stream's, since libraries have a stream for each group, and is counted in the
// order of the stream. Of a send or receive that range names both ends ("nccl:send 0->1", "nccl:recv 1<-0": torch/csrc/
// distributed/c10d/ProcessGroupNCCL.cpp, pointToPoint()). Copies between GPUs are no collectives. Pure; any thread;
// nanoseconds, bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/work_meter.h"
#include "core/job/rank_digest.h"
#include "core/trace/trace.h"

namespace overlane
{

struct RankCollectives {
    std::vector<DigestGroup> groups;            // in order of the first collective
    std::vector<DigestCollective> collectives;  // in order of start
};

// Of one device, or of all of them. The analysis is of this trace.
RankCollectives rankCollectives(const Trace& trace, const Analysis& analysis, std::optional<std::int32_t> device = {},
                                const WorkMeter& work = {});

}  // namespace overlane
