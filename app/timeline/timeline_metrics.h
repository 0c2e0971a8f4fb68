// The measures of the timeline in logical pixels: one place, so that lanes, ruler and gauges align.
#pragma once

namespace overlane
{

constexpr int kLabelWidthPx = 240;  // track names, left of every time axis
constexpr int kRightMarginPx = 14;  // the scroll bar's place, kept free by ruler and gauges too
constexpr int kRowPx = 20;          // one lane
constexpr int kHeaderRowPx = 22;    // the name of an open group
constexpr int kGroupGapPx = 5;      // above a process or device
constexpr int kBarInsetPx = 1;      // above and below a bar
constexpr int kIndentPx = 12;       // per level of the tree
constexpr int kArrowPx = 16;
constexpr int kOverviewPx = 30;
constexpr int kRulerPx = 26;
constexpr int kBookmarkPx = 18;  // under the ruler, where there are bookmarks
constexpr int kLegendPx = 22;    // one line of the legend
constexpr int kDragThresholdPx = 4;
constexpr int kTextMinimumPx = 34;  // narrower bars carry no text

constexpr int plotWidthPx(int widgetWidthPx)
{
    const int width = widgetWidthPx - kLabelWidthPx - kRightMarginPx;
    return width > 0 ? width : 0;
}

}  // namespace overlane
