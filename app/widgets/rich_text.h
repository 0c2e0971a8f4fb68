// Blocks of the core as the rich text of a label: their HTML in the colors of the theme.
//
// A pure function.
#pragma once

#include <QString>

#include "app/theme/palette.h"
#include "core/content/block.h"

namespace overlane
{

QString richText(const Blocks& blocks, const Palette& colors);

}  // namespace overlane
