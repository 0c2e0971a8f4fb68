// What LanePainter draws of the analysis: idle time on compute lanes, badges beside the tracks' names.
#include <algorithm>
#include <cmath>

#include "app/theme/cause_color.h"
#include "app/timeline/lane_painter.h"
#include "app/timeline/timeline_metrics.h"
#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

constexpr int kIdleBandPx = 4;  // along the bottom of the lane: quieter than any bar
constexpr int kBandAlpha = 190;
constexpr int kGapAlpha = 60;
constexpr int kBadgeMarkPx = 6;
constexpr int kBadgeFontPx = 11;

QColor withAlpha(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

}  // namespace

bool isComputeLane(const Trace& trace, const LaneRow& row)
{
    return !row.header && row.rowInTrack == 0 && trace.track(row.track).kind == TrackKind::EngineCompute;
}

void LanePainter::findIdle(const LaneScene& scene)
{
    if (scene.analysis == nullptr || !scene.idleShown)
        return;
    const int width = plotWidthPx(scene.sizePx.width());
    for (const LaneRow& row : scene.layout->rows) {
        const LostTime* lost =
            isComputeLane(*scene.trace, row) ? scene.analysis->lost(scene.trace->track(row.track).device) : nullptr;
        if (lost == nullptr)
            continue;
        for (const IdleSpan& span : idleSpans(*lost, scene.range, width))
            m_idle.push_back({row.bottomPx() - scene.scrollPx - kBarInsetPx - kIdleBandPx, span});
    }
}

void LanePainter::paintIdle(QPainter& painter, const LaneScene& scene) const
{
    if (scene.analysis == nullptr)
        return;
    for (const IdleItem& item : m_idle)
        painter.fillRect(kLabelWidthPx + item.span.leftPx, item.topPx, item.span.rightPx - item.span.leftPx,
                         kIdleBandPx, withAlpha(causeColor(*scene.palette, item.span.cause), kBandAlpha));
    if (scene.hoveredGap && scene.hoveredGap != scene.selectedGap)
        paintGap(painter, scene, *scene.hoveredGap, false);
    if (scene.selectedGap)
        paintGap(painter, scene, *scene.selectedGap, true);
}

void LanePainter::paintGap(QPainter& painter, const LaneScene& scene, const IdleGapAt& gap, bool selected) const
{
    const LostTime* lost = scene.analysis->lost(gap.device);
    const Interval shown = gap.interval.intersected(scene.range);
    if (lost == nullptr || shown.empty())
        return;
    const int width = plotWidthPx(scene.sizePx.width());
    const TimeScale scale(scene.range, width);
    for (const LaneRow& row : scene.layout->rows) {
        if (!isComputeLane(*scene.trace, row) || scene.trace->track(row.track).device != gap.device)
            continue;
        const int top = row.topPx - scene.scrollPx + kBarInsetPx;
        const int height = row.heightPx - 2 * kBarInsetPx;
        const int first = kLabelWidthPx + static_cast<int>(std::lround(scale.toPx(shown.startNs)));
        const int pixels = std::max(1, static_cast<int>(std::lround(scale.lengthPx(shown.lengthNs()))));
        for (const IdleSpan& span : idleSpans(*lost, shown, pixels)) {
            const QColor color = causeColor(*scene.palette, span.cause);
            const QRect part(first + span.leftPx, top, span.rightPx - span.leftPx, height);
            painter.fillRect(part, withAlpha(color, kGapAlpha));
            painter.fillRect(part.adjusted(0, height - kIdleBandPx, 0, 0), color);
        }
        const int left = static_cast<int>(std::lround(scale.toPx(gap.interval.startNs)));
        const int right = static_cast<int>(std::lround(scale.toPx(gap.interval.endNs)));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(selected ? scene.palette->selection : scene.palette->hover, selected ? 2 : 1));
        const int seenLeft = std::clamp(left, -2, width + 2);
        painter.drawRect(kLabelWidthPx + seenLeft, top, std::clamp(right, -2, width + 2) - seenLeft - 1, height - 1);
    }
}

void LanePainter::paintBadge(QPainter& painter, const LaneScene& scene, const LaneRow& row, QRect room) const
{
    if (scene.badges == nullptr || row.rowInTrack != 0 || row.bundle)
        return;
    const auto found = scene.badges->find(row.track);
    if (found == scene.badges->end())
        return;
    QFont font = painter.font();
    font.setPixelSize(kBadgeFontPx);
    const QFontMetrics metrics(font);
    for (const QString& text : found->second.texts) {
        const int width = metrics.horizontalAdvance(text);
        if (width + kBadgeMarkPx + 4 > room.width())
            continue;
        const int left = room.right() - width + 1;
        painter.save();
        painter.setFont(font);
        painter.fillRect(left - kBadgeMarkPx - 4, room.center().y() - kBadgeMarkPx / 2 + 1, kBadgeMarkPx, kBadgeMarkPx,
                         found->second.color);
        painter.setPen(scene.palette->mutedText);
        painter.drawText(QRect(left, room.top(), width, room.height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        painter.restore();
        return;
    }
}

}  // namespace overlane
