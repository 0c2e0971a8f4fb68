// Blocks of the core as the rich text of a label: their HTML in the colors of the theme.
//
// Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include <QColor>
#include <QString>

#include "app/theme/palette.h"
#include "core/content/block.h"

namespace overlane
{

// HTML of the core as rich text takes it, which aligns no cell by its class.
QString richHtml(std::string_view html);
QString richText(const Blocks& blocks, const Palette& colors);
// With a square in a color of its own before each row.
QString richText(const Table& table, const std::vector<QColor>& rowColors, const Palette& colors);
QString colorSquare(const QColor& color);

}  // namespace overlane
