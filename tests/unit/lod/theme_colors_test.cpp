// Colors that stand next to each other differ for the color-blind, too, and texts have contrast.
#include "core/lod/theme_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace overlane
{
namespace
{

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// Normal vision, protanopia, deuteranopia, tritanopia: Machado, Oliveira, Fernandes, "A Physiologically-based Model
// for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.0; for linear light.
constexpr std::array<Matrix, 4> kVisions{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};

Triple linearLight(Rgb color)
{
    const auto part = [color](unsigned shift) {
        const double value = static_cast<double>((color >> shift) & 0xffU) / 255;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return {part(16), part(8), part(0)};
}

Triple times(const Matrix& matrix, const Triple& value)
{
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        result[row] = matrix[row][0] * value[0] + matrix[row][1] * value[1] + matrix[row][2] * value[2];
    return result;
}

// Ottosson, "A perceptual color space for image processing" (2020), from linear sRGB.
Triple oklab(const Triple& linear)
{
    constexpr Matrix kCones{{{0.4122214708, 0.5363325363, 0.0514459929},
                             {0.2119034982, 0.6806995451, 0.1073969566},
                             {0.0883024619, 0.2817188376, 0.6299787005}}};
    constexpr Matrix kLab{{{0.2104542553, 0.7936177850, -0.0040720468},
                           {1.9779984951, -2.4285922050, 0.4505937099},
                           {0.0259040371, 0.7827717662, -0.8086757660}}};
    Triple cones = times(kCones, linear);
    for (double& cone : cones)
        cone = std::cbrt(cone);
    return times(kLab, cones);
}

// The least over all visions. 0.02 can just be told apart (CSS Color 4, "deltaEOK").
double leastDistance(Rgb a, Rgb b)
{
    const auto seen = [](Rgb color, const Matrix& vision) {
        Triple light = times(vision, linearLight(color));
        for (double& part : light)
            part = std::clamp(part, 0.0, 1.0);
        return oklab(light);
    };
    double least = 1;
    for (const Matrix& vision : kVisions) {
        const Triple left = seen(a, vision);
        const Triple right = seen(b, vision);
        least = std::min(least, std::hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2]));
    }
    return least;
}

// WCAG 2.2, "contrast ratio".
double contrast(Rgb a, Rgb b)
{
    const auto luminance = [](Rgb color) {
        const Triple light = linearLight(color);
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    };
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

void expectApart(const ThemeColors& colors, const std::vector<EventKind>& kinds, double floor)
{
    for (std::size_t i = 0; i < kinds.size(); ++i)
        for (std::size_t j = i + 1; j < kinds.size(); ++j)
            EXPECT_GE(leastDistance(colors.kind(kinds[i]), colors.kind(kinds[j])), floor)
                << kindName(kinds[i]) << " and " << kindName(kinds[j]);
}

struct NamedColors {
    const char* name;
    const ThemeColors* colors;
    double leastText;  // WCAG 2.2, 1.4.3 and 1.4.6
};

std::ostream& operator<<(std::ostream& out, const NamedColors& colors)
{
    return out << colors.name;
}

class ThemeColorsTest : public testing::TestWithParam<NamedColors>
{
protected:
    const ThemeColors& m_colors = *GetParam().colors;
};

TEST_P(ThemeColorsTest, NeighborsInTheLanesStayApart)
{
    constexpr double kFloor = 0.08;
    using enum EventKind;
    expectApart(m_colors, {Kernel, Memset, CopyH2D, CopyD2H, CopyD2D, CopyOther}, kFloor);
    expectApart(m_colors, {HostWork, HostBlocked, RuntimeCall, Sync, Loader, LoaderWait, Annotation, Overhead}, kFloor);
    expectApart(m_colors, {ProgramFrame, LibraryFrame, HostWork, HostBlocked, RuntimeCall, Sync}, kFloor);
    expectApart(m_colors, {Step, Annotation, Kernel, RuntimeCall}, kFloor);
    expectApart(m_colors, {Kernel, HostBlocked}, kFloor);
}

// Gauges and lines of plots, in the order of Palette::series.
TEST_P(ThemeColorsTest, LinesOfPlotsStayApart)
{
    using enum EventKind;
    expectApart(m_colors, {CopyH2D, Loader, Kernel, Sync, CopyD2H, RuntimeCall, Step, CopyD2D}, 0.08);
}

// Causes of idle time take the colors of kinds, and any may follow any.
TEST_P(ThemeColorsTest, AnyTwoKindsStayApart)
{
    std::vector<EventKind> kinds;
    kinds.reserve(kEventKindCount);
    for (int kind = 0; kind < kEventKindCount; ++kind)
        kinds.push_back(static_cast<EventKind>(kind));
    expectApart(m_colors, kinds, 0.05);
}

TEST_P(ThemeColorsTest, TextsHaveContrast)
{
    const double least = GetParam().leastText;
    for (const Rgb ground : {m_colors.window, m_colors.panel, m_colors.lanes, m_colors.lanesAlternate})
        for (const Rgb ink : {m_colors.text, m_colors.mutedText, m_colors.accent, m_colors.good, m_colors.warning,
                              m_colors.error, m_colors.highlight, m_colors.link})
            EXPECT_GE(contrast(ink, ground), least) << hexColor(ink) << " on " << hexColor(ground);
}

TEST_P(ThemeColorsTest, TextsOnBarsHaveContrast)
{
    constexpr double kLeast = 4.5;
    for (const Rgb bar : m_colors.kinds)
        EXPECT_GE(contrast(textOn(bar), bar), kLeast) << hexColor(bar);
    for (const Rgb bar : {m_colors.accent, m_colors.good, m_colors.warning, m_colors.error})
        EXPECT_GE(contrast(textOn(bar), bar), kLeast) << hexColor(bar);
}

// WCAG 2.2, 1.4.11: what is needed to tell parts of the window and of the lanes apart.
TEST(HighContrast, BordersAndMarksStandOut)
{
    const ThemeColors& colors = highContrastColors();
    for (const Rgb ground : {colors.window, colors.panel, colors.lanes, colors.lanesAlternate}) {
        for (const Rgb mark : {colors.border, colors.selection, colors.hover, colors.accent})
            EXPECT_GE(contrast(mark, ground), 3) << hexColor(mark) << " on " << hexColor(ground);
        for (const Rgb bar : colors.kinds)
            EXPECT_GE(contrast(bar, ground), 4.5) << hexColor(bar) << " on " << hexColor(ground);
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, ThemeColorsTest,
                         testing::Values(NamedColors{"light", &themeColors(false), 4.5},
                                         NamedColors{"dark", &themeColors(true), 4.5},
                                         NamedColors{"high contrast", &highContrastColors(), 7}));

}  // namespace
}  // namespace overlane
