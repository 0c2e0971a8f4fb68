// identityOfName(): which rank a file is of, as far as its name says.
//
// Known: "rank3", "rank_3", "-r3-", "worker3" (PyTorch's tensorboard_trace_handler, torchtitan, Holistic Trace
// Analysis), "rank_3_of_8", "local_rank_1", "gpu3", and "HOST_PID.TIME.pt.trace.json", which tells the host. Where the
// file's name says nothing, that of its folder may ("rank3/trace.json"). Pure functions, any thread.
#pragma once

#include <string_view>
#include <vector>

#include "core/job/rank_digest.h"

namespace overlane
{

RankIdentity identityOfName(std::string_view path);

// For names of which none says a rank: their last number, where it tells all of them apart ("trace_0.json",
// "report.1.sqlite") and may be a rank. Empty where it does not.
std::vector<int> ranksByNumber(const std::vector<std::string_view>& names);

// "rank9" before "rank10".
bool naturallyLess(std::string_view a, std::string_view b);

}  // namespace overlane
