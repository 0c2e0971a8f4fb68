// ThemeColors: every color of the product as a number, for light, dark and high contrast, in one place.
//
// Plain data, any thread; 0xRRGGBB. The window makes its palette of it, the report its style sheet.
// Event kinds begin at the colors of Okabe and Ito ("Color Universal Design", 2008), moved until any two stay apart
// for the color-blind (tests/unit/lod/theme_colors_test.cpp); memory kinds are told apart by pattern, whose periods
// are here as well.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/trace/event.h"

namespace overlane
{

using Rgb = std::uint32_t;

struct ThemeColors {
    bool dark = false;

    Rgb window = 0;          // behind docks and tool bars
    Rgb panel = 0;           // lists, fields, the label column of the timeline
    Rgb lanes = 0;           // behind the lanes: idle time
    Rgb lanesAlternate = 0;  // every other track
    Rgb text = 0;
    Rgb mutedText = 0;
    Rgb border = 0;
    Rgb grid = 0;       // ruler lines through the lanes
    Rgb selection = 0;  // outline of the selected event
    Rgb hover = 0;
    Rgb highlight = 0;  // search hits
    Rgb link = 0;       // the curve between a call and its GPU work
    Rgb accent = 0;     // buttons, focus
    Rgb good = 0;       // hidden copies, gains
    Rgb warning = 0;
    Rgb error = 0;

    std::array<Rgb, kEventKindCount> kinds{};

    Rgb kind(EventKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
};

const ThemeColors& themeColors(bool dark);
// On black: texts and marks at 7:1 or more, borders at 3:1 or more (WCAG 2.2, 1.4.6 and 1.4.11).
const ThemeColors& highContrastColors();

// "#0072b2".
std::string hexColor(Rgb color);
// Near black or white, whichever has more contrast with `background` (WCAG 2.2, "contrast ratio").
Rgb textOn(Rgb background);
// The paler ground of a patterned bar.
Rgb patternGround(Rgb ink, Rgb background);

// Diagonal hatch: of every kHatchPeriodPx pixels, kHatchInkPx are inked. Dense: the staged part of a
// pageable copy.
constexpr int kHatchPeriodPx = 8;
constexpr int kHatchInkPx = 3;
constexpr int kDenseHatchPeriodPx = 4;
constexpr int kDenseHatchInkPx = 3;
// Dots: squares of kDotInkPx on a grid of kDotPeriodPx.
constexpr int kDotPeriodPx = 4;
constexpr int kDotInkPx = 2;

}  // namespace overlane
