#include "app/timeline/lane_raster.h"

#include <algorithm>

namespace overlane
{

void LaneRaster::begin(QSize sizePx, const QColor& background)
{
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
    if (bar.pattern == MemoryPattern::Solid || bar.rightPx - bar.leftPx < 2) {
        fill(bar.leftPx, bar.rightPx, bar.topPx, bar.bottomPx, bar.ink);
        return;
    }
    if (bar.pattern == MemoryPattern::Outline) {
        fill(bar.leftPx, bar.rightPx, bar.topPx, bar.bottomPx, bar.ink);
        fill(bar.leftPx + 1, bar.rightPx - 1, bar.topPx + 1, bar.bottomPx - 1, bar.ground);
        return;
    }
    const int left = std::max(bar.leftPx, 0);
    const int right = std::min(bar.rightPx, m_image.width());
    const int top = std::max(bar.topPx, 0);
    const int bottom = std::min(bar.bottomPx, m_image.height());
    for (int y = top; y < bottom; ++y) {
        QRgb* pixels = line(y);
        const bool edge = y == bar.topPx || y == bar.bottomPx - 1;
        for (int x = left; x < right; ++x) {
            const bool dense = x >= bar.denseFromPx && x < bar.denseToPx;
            pixels[x] = edge || patternInk(bar.pattern, dense, x, y - bar.topPx) ? bar.ink : bar.ground;
        }
    }
}

}  // namespace overlane
