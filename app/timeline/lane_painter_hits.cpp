// What LanePainter draws of a search: its hits, outlined, the other bars behind a veil.
#include <algorithm>

#include "app/timeline/in_parallel.h"
#include "app/timeline/lane_painter.h"
#include "app/timeline/timeline_metrics.h"

namespace overlane
{

namespace
{

using Hits = std::vector<EventIndex>::const_iterator;

// The first that is not `behind`, which holds of the first ones only. Mostly it is near: the steps begin short.
template <typename Behind>
Hits firstAhead(Hits first, Hits last, const Behind& behind)
{
    for (std::ptrdiff_t step = 1; first != last && behind(*first); step *= 2) {
        const Hits probe = first + std::min(step, last - first - 1);
        if (probe == first || !behind(*probe))
            return std::partition_point(first + 1, probe == first ? last : probe, behind);
        first = probe;
    }
    return first;
}

}  // namespace

// A hit that ends within the one drawn before it is left out, however many there are.
void LanePainter::findHits(const LaneScene& scene)
{
    m_hits.clear();
    if (scene.highlights == nullptr || scene.highlights->empty())
        return;
    std::vector<const LaneRow*> shown;
    for (const LaneRow& row : scene.layout->rows)
        if (row.bottomPx() > scene.scrollPx && row.topPx < scene.scrollPx + scene.sizePx.height())
            shown.push_back(&row);
    m_hits.resize(shown.size());
    const auto& hits = *scene.highlights;
    const TimeScale scale(scene.range, plotWidthPx(scene.sizePx.width()));
    const auto rightOf = [&](EventIndex hit) {
        return kLabelWidthPx +
               static_cast<int>(std::min(scale.widthPx() + 2, scale.toPx(scene.trace->interval(hit).endNs)));
    };
    inParallel(shown.size(), [&](std::size_t i) {
        const LaneRow& row = *shown[i];
        for (const EventRange range : row.rows) {
            const EventRange visible = visibleEvents(*scene.trace, range, scene.range);
            const Hits end = std::lower_bound(hits.begin(), hits.end(), EventIndex(visible.last));
            int lastRight = -1;
            for (Hits hit = std::lower_bound(hits.begin(), end, EventIndex(visible.first)); hit != end;
                 hit = firstAhead(hit, end, [&](EventIndex next) { return rightOf(next) <= lastRight; })) {
                const double leftPx = std::max(-2.0, scale.toPx(scene.trace->interval(*hit).startNs));
                const int left = kLabelWidthPx + static_cast<int>(leftPx);
                lastRight = std::max(rightOf(*hit), left + 2);
                m_hits[i].push_back(
                    {left, lastRight, row.topPx - scene.scrollPx + 1, row.heightPx - 3, scene.trace->kind(*hit)});
            }
        }
    });
}

void LanePainter::paintHits(QPainter& painter, const LaneScene& scene) const
{
    if (scene.highlights == nullptr || scene.highlights->empty())
        return;
    // The others step back, so that hits are seen among bars of any color.
    QColor veil = scene.palette->lanes;
    veil.setAlpha(165);
    painter.fillRect(QRect(kLabelWidthPx, 0, plotWidthPx(scene.sizePx.width()), scene.sizePx.height()), veil);
    for (const std::vector<Hit>& row : m_hits)
        for (const Hit& hit : row) {
            const QRect rect(hit.leftPx, hit.topPx, hit.rightPx - hit.leftPx, hit.heightPx);
            const QRect outer = rect.adjusted(-1, -1, 1, 1);
            if (!scene.dirtyPx.isEmpty() && !outer.intersects(scene.dirtyPx))
                continue;
            painter.fillRect(outer, scene.palette->highlight);
            if (const QRect inner = rect.adjusted(1, 1, -1, -1); !inner.isEmpty())
                painter.fillRect(inner, scene.palette->kind(hit.kind));
        }
}

}  // namespace overlane
