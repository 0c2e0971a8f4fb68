// The color of an idle cause, the same in the window as in the report. GUI thread.
#pragma once

#include <QColor>

#include "app/theme/palette.h"
#include "core/analysis/lost_time.h"

namespace overlane
{

QColor causeColor(const Palette& palette, LostCause cause);

}  // namespace overlane
