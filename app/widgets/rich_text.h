// Blocks of the core as the rich text of a label: their HTML in the colors of the theme.
//
// Pure functions.
#pragma once

#include <string_view>

#include <QString>

#include "app/theme/palette.h"
#include "core/content/block.h"

namespace overlane
{

// HTML of the core as rich text takes it, which aligns no cell by its class.
QString richHtml(std::string_view html);
QString richText(const Blocks& blocks, const Palette& colors);

}  // namespace overlane
