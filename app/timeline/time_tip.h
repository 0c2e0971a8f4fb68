// Where a device's time goes (core/judgement/time_parts.h) as rich text, each part beside its color.
//
// Pure; GUI thread (colors).
#pragma once

#include <QString>

#include "app/theme/palette.h"
#include "core/judgement/judgement.h"

namespace overlane
{

QString timeTip(const Judgement& judgement, const DeviceSummary& device, const Palette& palette);

}  // namespace overlane
