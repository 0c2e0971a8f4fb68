#include "app/theme/palette.h"

#include <QPainter>

namespace overlane
{

namespace
{

std::array<QColor, kEventKindCount> kindColors(bool dark)
{
    std::array<QColor, kEventKindCount> colors;
    const auto set = [&](EventKind kind, QRgb light, QRgb darker) {
        colors[static_cast<std::size_t>(kind)] = QColor::fromRgb(dark ? darker : light);
    };
    set(EventKind::HostWork, 0xa9b4c0, 0x66727f);
    set(EventKind::HostBlocked, 0xd55e00, 0xe8742a);
    set(EventKind::RuntimeCall, 0xcc79a7, 0xcf86b0);
    set(EventKind::CopyH2D, 0x0072b2, 0x2f8fd0);
    set(EventKind::CopyD2H, 0x56b4e9, 0x7cc8f2);
    set(EventKind::CopyD2D, 0xc9b700, 0xe3d447);
    set(EventKind::CopyOther, 0x6b7785, 0x93a0ae);
    set(EventKind::Kernel, 0x009e73, 0x17a67d);
    set(EventKind::Memset, 0x7fcfb4, 0x8fdcc4);
    set(EventKind::Sync, 0xa34700, 0xb65c1e);
    set(EventKind::Loader, 0xe69f00, 0xd9991a);
    set(EventKind::LoaderWait, 0xf3e3bd, 0x4f452c);
    set(EventKind::Annotation, 0xc3b6e2, 0x6a5f93);
    set(EventKind::Step, 0x8c7fc0, 0x8a7dc4);
    set(EventKind::Overhead, 0x8f8f8f, 0x9a9a9a);
    set(EventKind::Instant, 0x303840, 0xd7dde4);
    return colors;
}

Palette makePalette(bool dark)
{
    Palette p;
    p.dark = dark;
    const auto pick = [dark](QRgb light, QRgb darker) { return QColor::fromRgb(dark ? darker : light); };
    p.window = pick(0xf3f4f6, 0x1b1f24);
    p.panel = pick(0xffffff, 0x21262c);
    p.lanes = pick(0xfcfcfd, 0x15181c);
    p.lanesAlternate = pick(0xf3f5f8, 0x191d22);
    p.text = pick(0x1c232b, 0xe3e8ee);
    p.mutedText = pick(0x5c6773, 0x9aa5b1);
    p.border = pick(0xd3d8de, 0x343b44);
    p.grid = pick(0xe6e9ed, 0x262c33);
    p.selection = pick(0x11181f, 0xffffff);
    p.hover = pick(0x45505c, 0xc3ccd6);
    p.highlight = pick(0xd6006e, 0xff5fa8);
    p.link = pick(0xb0308a, 0xf08fd0);
    p.accent = pick(0x0a66a8, 0x58aeea);
    p.good = pick(0x00795a, 0x2fc79a);
    p.warning = pick(0xa85f00, 0xf0ad3c);
    p.error = pick(0xb3261e, 0xff7a6e);
    p.kinds = kindColors(dark);
    p.series = {p.kind(EventKind::CopyH2D), p.kind(EventKind::Loader),  p.kind(EventKind::Kernel),
                p.kind(EventKind::Sync),    p.kind(EventKind::CopyD2H), p.kind(EventKind::RuntimeCall),
                p.kind(EventKind::Step),    p.kind(EventKind::CopyD2D)};
    return p;
}

}  // namespace

MemoryPattern memoryPattern(MemoryKind kind)
{
    switch (kind) {
        case MemoryKind::Pageable:
            return MemoryPattern::Hatch;
        case MemoryKind::Managed:
            return MemoryPattern::Dots;
        case MemoryKind::Unknown:
            return MemoryPattern::Outline;
        case MemoryKind::Pinned:
        case MemoryKind::Device:
        case MemoryKind::Array:
            break;
    }
    return MemoryPattern::Solid;
}

QColor Palette::textOn(const QColor& background) const
{
    const double luminance = 0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue();
    return luminance > 135 ? QColor(0x10, 0x14, 0x18) : QColor(0xff, 0xff, 0xff);
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
        palette.setColor(QPalette::Disabled, role, dark ? mutedText.darker(140) : mutedText.lighter(150));
    return palette;
}

const Palette& Palette::lightTheme()
{
    static const Palette palette = makePalette(false);
    return palette;
}

const Palette& Palette::darkTheme()
{
    static const Palette palette = makePalette(true);
    return palette;
}

const Palette& Palette::current(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? darkTheme() : lightTheme();
}

bool patternInk(MemoryPattern pattern, bool dense, int xPx, int yPx)
{
    switch (pattern) {
        case MemoryPattern::Solid:
        case MemoryPattern::Outline:
            return true;
        case MemoryPattern::Hatch:
            return dense ? ((xPx + yPx) & 3) < 3 : ((xPx + yPx) & 7) < 3;
        case MemoryPattern::Dots:
            return (xPx & 3) < 2 && (yPx & 3) < 2;
    }
    return true;
}

QColor patternGround(const QColor& ink, const QColor& background)
{
    const auto mix = [](int a, int b) { return (a * 38 + b * 62) / 100; };
    return {mix(ink.red(), background.red()), mix(ink.green(), background.green()), mix(ink.blue(), background.blue())};
}

QPixmap patternSwatch(const Palette& palette, const QColor& ink, MemoryPattern pattern, bool dense, QSize sizePx,
                      double devicePixelRatio)
{
    QImage image(sizePx * devicePixelRatio, QImage::Format_RGB32);
    const QColor ground = patternGround(ink, palette.lanes);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const bool edge = x == 0 || y == 0 || x == image.width() - 1 || y == image.height() - 1;
            const bool inked = pattern == MemoryPattern::Outline ? edge : patternInk(pattern, dense, x, y);
            image.setPixel(x, y, (inked ? ink : ground).rgb());
        }
    image.setDevicePixelRatio(devicePixelRatio);
    return QPixmap::fromImage(image);
}

}  // namespace overlane
