#include "app/timeline/lane_raster.h"

#include <algorithm>
#include <cmath>

namespace overlane
{

namespace
{

// Of a bar too narrow for a pattern across: dashes, dots, or two caps with nothing between.
bool narrowInk(MemoryPattern pattern, int fromTopPx, int fromBottomPx)
{
    switch (pattern) {
        case MemoryPattern::Hatch:
            return fromTopPx % 6 < 3;
        case MemoryPattern::Dots:
            return fromTopPx % 4 < 1;
        case MemoryPattern::Outline:
            return fromTopPx < 3 || fromBottomPx < 3;
        case MemoryPattern::Solid:
            break;
    }
    return true;
}

}  // namespace

void LaneRaster::begin(QSize sizePx, const QColor& background, double devicePixelRatio)
{
    m_dotPx = std::max(1, static_cast<int>(std::lround(devicePixelRatio)));
    if (m_image.size() != sizePx)
        m_image = QImage(sizePx, QImage::Format_RGB32);
    m_bits = m_image.bits();
    m_stride = m_image.bytesPerLine();
    m_image.fill(background.rgb());
}

void LaneRaster::fill(int leftPx, int rightPx, int topPx, int bottomPx, QRgb color)
{
    leftPx = std::max(leftPx, 0);
    rightPx = std::min(rightPx, m_image.width());
    topPx = std::max(topPx, 0);
    bottomPx = std::min(bottomPx, m_image.height());
    if (leftPx >= rightPx)
        return;
    for (int y = topPx; y < bottomPx; ++y)
        std::fill(line(y) + leftPx, line(y) + rightPx, color);
}

void LaneRaster::draw(const Bar& bar)
{
    if (bar.pattern == MemoryPattern::Solid) {
        fill(bar.leftPx, bar.rightPx, bar.topPx, bar.bottomPx, bar.ink);
        return;
    }
    const int left = std::max(bar.leftPx, 0);
    const int right = std::min(bar.rightPx, m_image.width());
    const int top = std::max(bar.topPx, 0);
    const int bottom = std::min(bar.bottomPx, m_image.height());
    const bool narrow = bar.rightPx - bar.leftPx <= kNarrowPx * m_dotPx;
    const int solidTo = bar.mixed ? bar.topPx + (bar.bottomPx - bar.topPx) / 2 : bar.topPx;
    for (int y = top; y < bottom; ++y) {
        QRgb* pixels = line(y);
        const bool edge = y == bar.topPx || y == bar.bottomPx - 1 || y < solidTo;
        if (edge || narrow) {
            const bool inked =
                edge || narrowInk(bar.pattern, (y - bar.topPx) / m_dotPx, (bar.bottomPx - 1 - y) / m_dotPx);
            std::fill(pixels + left, pixels + std::max(left, right), inked ? bar.ink : bar.ground);
            continue;
        }
        if (bar.pattern == MemoryPattern::Outline) {
            std::fill(pixels + left, pixels + std::max(left, right), bar.ground);
            for (const int x : {bar.leftPx, bar.rightPx - 1})
                if (x >= left && x < right)
                    pixels[x] = bar.ink;
            continue;
        }
        for (int x = left; x < right; ++x) {
            const bool dense = x >= bar.denseFromPx && x < bar.denseToPx;
            pixels[x] = patternInk(bar.pattern, dense, x / m_dotPx, (y - bar.topPx) / m_dotPx) ? bar.ink : bar.ground;
        }
    }
}

}  // namespace overlane
