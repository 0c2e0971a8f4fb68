#include "app/theme/palette.h"

#include <algorithm>

#include <QPainter>

#include "core/lod/theme_colors.h"

namespace overlane
{

namespace
{

Palette makePalette(const ThemeColors& colors)
{
    const auto made = [](Rgb color) { return QColor::fromRgb(color); };
    Palette p;
    p.dark = colors.dark;
    p.window = made(colors.window);
    p.panel = made(colors.panel);
    p.lanes = made(colors.lanes);
    p.lanesAlternate = made(colors.lanesAlternate);
    p.text = made(colors.text);
    p.mutedText = made(colors.mutedText);
    p.border = made(colors.border);
    p.grid = made(colors.grid);
    p.selection = made(colors.selection);
    p.hover = made(colors.hover);
    p.highlight = made(colors.highlight);
    p.link = made(colors.link);
    p.accent = made(colors.accent);
    p.good = made(colors.good);
    p.warning = made(colors.warning);
    p.error = made(colors.error);
    std::transform(colors.kinds.begin(), colors.kinds.end(), p.kinds.begin(), made);
    p.series = {p.kind(EventKind::CopyH2D), p.kind(EventKind::Loader),  p.kind(EventKind::Kernel),
                p.kind(EventKind::Sync),    p.kind(EventKind::CopyD2H), p.kind(EventKind::RuntimeCall),
                p.kind(EventKind::Step),    p.kind(EventKind::CopyD2D)};
    return p;
}

}  // namespace

QColor Palette::textOn(const QColor& background) const
{
    return QColor::fromRgb(overlane::textOn(Rgb{background.rgb() & 0xffffffU}));
}

QPalette Palette::toQPalette() const
{
    QPalette palette;
    const QColor button = dark ? panel.lighter(125) : panel;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, panel);
    palette.setColor(QPalette::AlternateBase, lanesAlternate);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, mutedText);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::ToolTipBase, panel);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::BrightText, error);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, textOn(accent));
    palette.setColor(QPalette::Light, dark ? panel.lighter(150) : QColor(Qt::white));
    palette.setColor(QPalette::Midlight, dark ? panel.lighter(120) : window.lighter(102));
    palette.setColor(QPalette::Mid, border);
    palette.setColor(QPalette::Dark, dark ? QColor(0x0d, 0x10, 0x13) : border.darker(120));
    palette.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : border.darker(150));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role,
                         highContrast ? border
                         : dark       ? mutedText.darker(140)
                                      : mutedText.lighter(150));
    return palette;
}

const Palette& Palette::lightTheme()
{
    static const Palette palette = makePalette(themeColors(false));
    return palette;
}

const Palette& Palette::darkTheme()
{
    static const Palette palette = makePalette(themeColors(true));
    return palette;
}

const Palette& Palette::highContrastTheme()
{
    static const Palette palette = [] {
        Palette made = makePalette(highContrastColors());
        made.highContrast = true;
        return made;
    }();
    return palette;
}

const Palette& Palette::current(const QPalette& palette)
{
    const QColor window = palette.color(QPalette::Window);
    if (window == highContrastTheme().window)
        return highContrastTheme();
    return window.lightness() < 128 ? darkTheme() : lightTheme();
}

bool patternInk(MemoryPattern pattern, bool dense, int xPx, int yPx)
{
    switch (pattern) {
        case MemoryPattern::Solid:
        case MemoryPattern::Outline:
            return true;
        case MemoryPattern::Hatch:
            return dense ? (xPx + yPx) % kDenseHatchPeriodPx < kDenseHatchInkPx
                         : (xPx + yPx) % kHatchPeriodPx < kHatchInkPx;
        case MemoryPattern::Dots:
            return xPx % kDotPeriodPx < kDotInkPx && yPx % kDotPeriodPx < kDotInkPx;
    }
    return true;
}

QColor patternGround(const QColor& ink, const QColor& background)
{
    return QColor::fromRgb(patternGround(Rgb{ink.rgb() & 0xffffffU}, Rgb{background.rgb() & 0xffffffU}));
}

}  // namespace overlane
