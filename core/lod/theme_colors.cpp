#include "core/lod/theme_colors.h"

#include <cmath>
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
    set(EventKind::HostWork, 0xa1b3ba, 0x617583);
    set(EventKind::HostBlocked, 0xd65f09, 0xe37120);
    set(EventKind::RuntimeCall, 0x9388e6, 0xcb97c8);
    set(EventKind::CopyH2D, 0x0c65b6, 0x1995ec);
    set(EventKind::CopyD2H, 0x65b8e4, 0x72cfff);
    set(EventKind::CopyD2D, 0xc8a102, 0xe8d444);
    set(EventKind::CopyOther, 0x727289, 0xa2a29f);
    set(EventKind::Kernel, 0x1c9760, 0x0c9172);
    set(EventKind::Memset, 0x94d0ad, 0xa7d8bc);
    set(EventKind::Sync, 0xa34700, 0xb75b1c);
    set(EventKind::Loader, 0xeeba35, 0xe99f12);
    set(EventKind::LoaderWait, 0xf6e4c0, 0x544322);
    set(EventKind::Annotation, 0xcdc0f1, 0x6a518c);
    set(EventKind::Step, 0x9074ab, 0x8d7ab7);
    set(EventKind::Overhead, 0xa38684, 0xa28a96);
    set(EventKind::Instant, 0x303840, 0xd6dde6);
    set(EventKind::ProgramFrame, 0xaf9c6e, 0x859a6c);
    set(EventKind::LibraryFrame, 0xdbd8d3, 0x414846);
    return colors;
}

std::array<Rgb, kEventKindCount> kindsOfHighContrast()
{
    std::array<Rgb, kEventKindCount> colors{};
    const auto set = [&](EventKind kind, Rgb color) { colors[static_cast<std::size_t>(kind)] = color; };
    set(EventKind::HostWork, 0xabd0cc);
    set(EventKind::HostBlocked, 0xf58a8e);
    set(EventKind::RuntimeCall, 0xa4afc3);
    set(EventKind::CopyH2D, 0x92dcfc);
    set(EventKind::CopyD2H, 0xc3dfc6);
    set(EventKind::CopyD2D, 0xf7e349);
    set(EventKind::CopyOther, 0xc19ee5);
    set(EventKind::Kernel, 0x20b45f);
    set(EventKind::Memset, 0xd1ffd6);
    set(EventKind::Sync, 0xf47100);
    set(EventKind::Loader, 0xfab732);
    set(EventKind::LoaderWait, 0xfef1ad);
    set(EventKind::Annotation, 0xd6acfe);
    set(EventKind::Step, 0xba86e4);
    set(EventKind::Overhead, 0x8695be);
    set(EventKind::Instant, 0xfbffff);
    set(EventKind::ProgramFrame, 0xdec27f);
    set(EventKind::LibraryFrame, 0xbbedf1);
    return colors;
}

constexpr Rgb kDarkInk = 0x101418;
constexpr Rgb kLightInk = 0xffffff;

double relativeLuminance(Rgb color)
{
    const auto linear = [color](unsigned shift) {
        const double value = static_cast<double>((color >> shift) & 0xffU) / 255;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
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
    c.warning = pick(0xa05a00, 0xf0ad3c);
    c.error = pick(0xb3261e, 0xff7a6e);
    c.kinds = kindColors(dark);
    return c;
}

ThemeColors makeHighContrast()
{
    ThemeColors c;
    c.dark = true;
    c.window = 0x000000;
    c.panel = 0x000000;
    c.lanes = 0x000000;
    c.lanesAlternate = 0x0d0d0d;
    c.text = 0xffffff;
    c.mutedText = 0xd0d7de;
    c.border = 0x9aa5b1;
    c.grid = 0x3d444c;
    c.selection = 0xffffff;
    c.hover = 0xffff66;
    c.highlight = 0xff8cc6;
    c.link = 0xffa8e0;
    c.accent = 0x7cc6ff;
    c.good = 0x4fe3b5;
    c.warning = 0xffc24d;
    c.error = 0xffa199;
    c.kinds = kindsOfHighContrast();
    return c;
}

}  // namespace

const ThemeColors& themeColors(bool dark)
{
    static const ThemeColors kLight = makeColors(false);
    static const ThemeColors kDark = makeColors(true);
    return dark ? kDark : kLight;
}

const ThemeColors& highContrastColors()
{
    static const ThemeColors kColors = makeHighContrast();
    return kColors;
}

std::string hexColor(Rgb color)
{
    return fmt::format("#{:06x}", color & 0xffffffU);
}

Rgb textOn(Rgb background)
{
    static const double kDarkLuminance = relativeLuminance(kDarkInk);
    const double ground = relativeLuminance(background) + 0.05;
    return ground / (kDarkLuminance + 0.05) > 1.05 / ground ? kDarkInk : kLightInk;
}

Rgb patternGround(Rgb ink, Rgb background)
{
    const auto mix = [&](int shift) {
        return ((((ink >> shift) & 0xffU) * 38 + ((background >> shift) & 0xffU) * 62) / 100) << shift;
    };
    return mix(16) | mix(8) | mix(0);
}

}  // namespace overlane
