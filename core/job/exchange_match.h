// matchExchanges(): which sends and receives of two ranks are one exchange.
//
// A group of two leaves no doubt of the other end, also where one kernel carries out a send and a receive, as those of
// a pipeline's microbatches do (torch.distributed.pipelining, batch_isend_irecv). Both ranks' kernels are paired in
// their order, from where alignRank() says. That they are pairs is seen from their ends, which lie as far apart in one
// as in the next but for the latency of a link and the drift of clocks; where they do not, the ranks divide their sends
// and receives differently over kernels, and all stay alone. So exchanges end together. A pure function; any thread.
#pragma once

#include "core/job/collective_match.h"

namespace overlane
{

// Adds them behind the collectives, and takes them off `pointToPoint`.
void matchExchanges(const RankDigests& digests, CollectiveMatch& match);

}  // namespace overlane
