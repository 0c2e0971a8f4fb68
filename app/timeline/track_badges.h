// Badges of the engines' tracks: how many copies are exposed and why, how much of the time no kernel runs
// and what most of that is for; with all sums in the tool tip.
//
// Pure; GUI thread (colors).
#pragma once

#include "app/theme/palette.h"
#include "app/timeline/track_badge.h"
#include "core/judgement/judgement.h"
#include "core/trace/trace.h"

namespace overlane
{

TrackBadges trackBadges(const Judgement& judgement, const Trace& trace, const Palette& palette);

}  // namespace overlane
