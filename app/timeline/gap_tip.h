// What the tool tip of a gap between kernels says, as rich text: how long, why, and what shows it.
//
// A few binary searches per piece; GUI thread.
#pragma once

#include <QString>

#include "app/theme/palette.h"
#include "app/timeline/idle_lane.h"

namespace overlane
{

QString gapTip(const Trace& trace, const Analysis& analysis, const IdleGapAt& gap, const Palette& palette);

}  // namespace overlane
