// matchSendsAndReceives(): which send of one rank is which receive of another.
//
// Between two ranks of a group sends arrive in their order, so that the first send of a step is its first receive.
// Steps are those that the program numbers, else all sends are counted from the start of the recordings; where both
// ranks have not the same number of them, which belongs to which cannot be told, and they stay alone. A pure function;
// any thread.
#pragma once

#include "core/job/collective_match.h"

namespace overlane
{

// Adds them behind the collectives, and leaves in `pointToPoint` how many stay alone.
void matchSendsAndReceives(const RankDigests& digests, CollectiveMatch& match);

}  // namespace overlane
