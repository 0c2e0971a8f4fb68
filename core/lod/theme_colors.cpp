#include "core/lod/theme_colors.h"

#include <fmt/format.h>

namespace overlane
{
namespace
{

std::array<Rgb, kEventKindCount> kindColors(bool dark)
{
    std::array<Rgb, kEventKindCount> colors{};
    const auto set = [&](EventKind kind, Rgb light, Rgb darker) {
        colors[static_cast<std::size_t>(kind)] = dark ? darker : light;
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
    set(EventKind::ProgramFrame, 0xb58a5a, 0xa67c4e);
    set(EventKind::LibraryFrame, 0xd9d3ca, 0x4a4640);
    return colors;
}

ThemeColors makeColors(bool dark)
{
    ThemeColors c;
    c.dark = dark;
    const auto pick = [dark](Rgb light, Rgb darker) { return dark ? darker : light; };
    c.window = pick(0xf3f4f6, 0x1b1f24);
    c.panel = pick(0xffffff, 0x21262c);
    c.lanes = pick(0xfcfcfd, 0x15181c);
    c.lanesAlternate = pick(0xf3f5f8, 0x191d22);
    c.text = pick(0x1c232b, 0xe3e8ee);
    c.mutedText = pick(0x5c6773, 0x9aa5b1);
    c.border = pick(0xd3d8de, 0x343b44);
    c.grid = pick(0xe6e9ed, 0x262c33);
    c.selection = pick(0x11181f, 0xffffff);
    c.hover = pick(0x45505c, 0xc3ccd6);
    c.highlight = pick(0xd6006e, 0xff5fa8);
    c.link = pick(0xb0308a, 0xf08fd0);
    c.accent = pick(0x0a66a8, 0x58aeea);
    c.good = pick(0x00795a, 0x2fc79a);
    c.warning = pick(0xa85f00, 0xf0ad3c);
    c.error = pick(0xb3261e, 0xff7a6e);
    c.kinds = kindColors(dark);
    return c;
}

}  // namespace

const ThemeColors& themeColors(bool dark)
{
    static const ThemeColors kLight = makeColors(false);
    static const ThemeColors kDark = makeColors(true);
    return dark ? kDark : kLight;
}

std::string hexColor(Rgb color)
{
    return fmt::format("#{:06x}", color & 0xffffffU);
}

Rgb patternGround(Rgb ink, Rgb background)
{
    const auto mix = [&](int shift) {
        return ((((ink >> shift) & 0xffU) * 38 + ((background >> shift) & 0xffU) * 62) / 100) << shift;
    };
    return mix(16) | mix(8) | mix(0);
}

}  // namespace overlane
