// LaneRaster: bars written straight into an image, row by row of pixels.
//
// Lives on the GUI thread, owns the image. A crowded screen has tens of thousands of one-pixel bars;
// as fillRect calls they cost more than a frame has. Device pixels throughout.
#pragma once

#include <QColor>
#include <QImage>
#include <QSize>

#include "app/theme/palette.h"

namespace overlane
{

class LaneRaster
{
public:
    struct Bar {
        int leftPx = 0;
        int rightPx = 0;
        int topPx = 0;
        int bottomPx = 0;
        QRgb ink = 0;
        QRgb ground = 0;  // for patterns
        MemoryPattern pattern = MemoryPattern::Solid;
        bool mixed = false;   // solid above, the pattern below: copies of several kinds of memory
        int denseFromPx = 0;  // the staged part; empty where from >= to
        int denseToPx = 0;
    };

    // A bar of at most this width shows its pattern from top to bottom only, so that one pixel tells.
    static constexpr int kNarrowPx = 7;

    // Keeps the memory where the size stays. Patterns are as large to the eye on every display.
    void begin(QSize sizePx, const QColor& background, double devicePixelRatio = 1);
    void fill(int leftPx, int rightPx, int topPx, int bottomPx, QRgb color);
    void draw(const Bar& bar);
    const QImage& image() const { return m_image; }

private:
    QRgb* line(int yPx) { return reinterpret_cast<QRgb*>(m_bits + static_cast<std::ptrdiff_t>(yPx) * m_stride); }

    QImage m_image;
    uchar* m_bits = nullptr;
    qsizetype m_stride = 0;
    int m_dotPx = 1;  // of a pattern
};

}  // namespace overlane
