// Palette: every color and pattern of the window, for light, dark and high contrast.
//
// A value, read on the GUI thread, made of the numbers in core/lod/theme_colors.h.
#pragma once

#include <array>
#include <cstdint>

#include <QApplication>
#include <QColor>
#include <QPalette>

#include "core/trace/event.h"

namespace overlane
{

enum class Theme : std::uint8_t { System = 0, Light = 1, Dark = 2, HighContrast = 3 };

// How a copy is filled, by the memory on its host side.
enum class MemoryPattern : std::uint8_t {
    Solid = 0,    // pinned, device, array
    Hatch = 1,    // pageable
    Dots = 2,     // managed
    Outline = 3,  // unknown
};

struct Palette {
    bool dark = false;
    bool highContrast = false;  // dark, too

    QColor window;          // behind docks and tool bars
    QColor panel;           // lists, fields, the label column of the timeline
    QColor lanes;           // behind the lanes: idle time
    QColor lanesAlternate;  // every other track
    QColor text;
    QColor mutedText;
    QColor border;
    QColor grid;       // ruler lines through the lanes
    QColor selection;  // outline of the selected event, fill (translucent) of the selected range
    QColor hover;
    QColor highlight;  // search hits
    QColor link;       // the curve between a call and its GPU work
    QColor accent;     // buttons, focus
    QColor good;       // hidden copies, gains
    QColor warning;
    QColor error;

    std::array<QColor, kEventKindCount> kinds;
    std::array<QColor, 8> series;  // gauges, in order

    QColor kind(EventKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
    // Black or white-ish, whichever reads on `background`.
    QColor textOn(const QColor& background) const;
    QPalette toQPalette() const;

    static const Palette& lightTheme();
    static const Palette& darkTheme();
    static const Palette& highContrastTheme();
    // The palette that goes with a widget's colors.
    static const Palette& current(const QPalette& palette = QApplication::palette());
};

// Whether a pixel of a patterned bar takes the bar's color (true) or the paler ground. `dense` is
// the staged part of a pageable copy. Coordinates in pixels, so that neighbors join seamlessly.
bool patternInk(MemoryPattern pattern, bool dense, int xPx, int yPx);
// The paler ground of a patterned bar.
QColor patternGround(const QColor& ink, const QColor& background);

// Sets style, palette, style sheet and the 13 px interface font.
void applyTheme(QApplication& application, Theme theme);

}  // namespace overlane
