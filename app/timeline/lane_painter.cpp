#include "app/timeline/lane_painter.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <QPainterPath>

#include "app/timeline/in_parallel.h"
#include "app/timeline/timeline_metrics.h"
#include "app/widgets/text.h"
#include "core/analysis/pageable_memory.h"
#include "core/base/units.h"
#include "core/lod/ruler_ticks.h"

namespace overlane
{

namespace
{

constexpr int kTextInsetPx = 4;
constexpr int kReturnMarkMinimumPx = 24;  // on narrower bars the marks hide what they mark
constexpr double kGridSpacingPx = 110;

QRgb mixed(const QColor& ink, const QColor& ground, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return qRgb(mix(ink.red(), ground.red()), mix(ink.green(), ground.green()), mix(ink.blue(), ground.blue()));
}

// The color that the program gave a range; nearer to the text where it would vanish in the lane.
QColor programsColor(std::uint32_t color, const Palette& palette, const QColor& background)
{
    constexpr int kLeastContrast = 45;  // of 255
    const QColor own(static_cast<int>(color >> 16 & 0xFF), static_cast<int>(color >> 8 & 0xFF),
                     static_cast<int>(color & 0xFF));
    if (std::abs(qGray(own.rgb()) - qGray(background.rgb())) >= kLeastContrast)
        return own;
    return QColor(mixed(own, palette.text, 0.55));
}

// Where several kinds of memory share a bar, the pattern is that of the one to watch.
MemoryPattern patternOf(MemorySet memory)
{
    if (memory & kPageableMemory)
        return MemoryPattern::Hatch;
    if (memory & kManagedMemory)
        return MemoryPattern::Dots;
    return memory & kUnknownMemory ? MemoryPattern::Outline : MemoryPattern::Solid;
}

int scaled(int px, double ratio)
{
    return static_cast<int>(std::lround(px * ratio));
}

}  // namespace

namespace
{

QRect eventRect(const LaneScene& scene, EventIndex event, const LaneRow& row);

}  // namespace

QRect eventRect(const LaneScene& scene, EventIndex event)
{
    const int index = scene.layout->rowOf(*scene.trace, event);
    return index < 0 ? QRect() : eventRect(scene, event, scene.layout->rows[static_cast<std::size_t>(index)]);
}

namespace
{

// Of an event that another part of the lanes shows: on the edge between them, under its time.
QRect linkEnd(const LaneScene& scene, EventIndex event)
{
    const QRect shown = eventRect(scene, event);
    if (scene.part == LanePart::All || scene.layout->rowOf(*scene.trace, event) >= 0)
        return shown;
    LaneRow edge;
    edge.topPx = scene.scrollPx + (scene.part == LanePart::Pinned ? -1 : scene.sizePx.height());
    return eventRect(scene, event, edge);
}

QRect eventRect(const LaneScene& scene, EventIndex event, const LaneRow& row)
{
    const int width = plotWidthPx(scene.sizePx.width());
    const TimeScale scale(scene.range, width);
    const Interval interval = scene.trace->interval(event);
    const double left = std::clamp(scale.toPx(interval.startNs), -1.0, width + 1.0);
    const double right = std::clamp(scale.toPx(interval.endNs), -1.0, width + 1.0);
    const int x = static_cast<int>(std::lround(left));
    if (right < 0 || left >= width)
        return {};
    return {kLabelWidthPx + x, row.topPx - scene.scrollPx + kBarInsetPx,
            std::max(1, static_cast<int>(std::lround(right)) - x), row.heightPx - 2 * kBarInsetPx};
}

}  // namespace

void LanePainter::rasterize(const LaneScene& scene)
{
    m_items.clear();
    m_marks.clear();
    m_idle.clear();
    const double ratio = scene.devicePixelRatio;
    const int width = scaled(plotWidthPx(scene.sizePx.width()), ratio);
    const int height = scaled(scene.sizePx.height(), ratio);
    m_raster.begin({std::max(1, width), std::max(1, height)}, scene.palette->lanes, ratio);
    const TimeScale device(scene.range, width);

    for (const LaneRow& row : scene.layout->rows)
        if (row.stripe != 0 && !row.header)
            m_raster.fill(0, width, scaled(row.topPx - scene.scrollPx, ratio),
                          scaled(row.bottomPx() - scene.scrollPx, ratio), scene.palette->lanesAlternate.rgb());
    for (const RulerTick& tick : rulerTicks(scene.range, width / ratio, kGridSpacingPx).ticks)
        if (tick.major) {
            const int x = static_cast<int>(device.toPx(tick.timeNs));
            m_raster.fill(x, x + 1, 0, height, scene.palette->grid.rgb());
        }
    // Of two runs on one axis the shorter one ends where its ground does.
    if (const std::int64_t endNs = scene.trace->span().endNs; endNs < scene.range.endNs) {
        const int x = static_cast<int>(std::lround(std::max(0.0, device.toPx(endNs))));
        m_raster.fill(x, width, 0, height, scene.palette->window.rgb());
        m_raster.fill(x, x + std::max(1, scaled(1, ratio)), 0, height, scene.palette->mutedText.rgb());
    }
    std::vector<const LaneRow*> shown;
    for (const LaneRow& row : scene.layout->rows)
        if (row.bottomPx() > scene.scrollPx && row.topPx < scene.scrollPx + scene.sizePx.height())
            shown.push_back(&row);
    std::vector<std::vector<LaneBar>> bars(shown.size());
    inParallel(shown.size(),
               [&](std::size_t i) { bars[i] = laneBars(*scene.pyramid, shown[i]->rows, scene.range, width); });
    for (std::size_t i = 0; i < shown.size(); ++i)
        rasterizeRow(scene, *shown[i], bars[i], device);
    findIdle(scene);
}

void LanePainter::rasterizeRow(const LaneScene& scene, const LaneRow& row, std::span<const LaneBar> bars,
                               const TimeScale& device)
{
    const double ratio = scene.devicePixelRatio;
    const Palette& palette = *scene.palette;
    const QColor& background = row.stripe != 0 ? palette.lanesAlternate : palette.lanes;
    const int top = scaled(row.topPx - scene.scrollPx + kBarInsetPx, ratio);
    const int bottom = scaled(row.bottomPx() - scene.scrollPx - kBarInsetPx, ratio);
    for (const LaneBar& bar : bars) {
        QColor ink = palette.kind(bar.kind);
        if (const std::uint32_t own = bar.count == 1 ? scene.trace->color(bar.event) : 0; own != 0)
            ink = programsColor(own, palette, background);
        LaneRaster::Bar drawn;
        drawn.leftPx = bar.leftPx;
        drawn.rightPx = bar.rightPx;
        drawn.topPx = top;
        drawn.bottomPx = bottom;
        if (row.color != 0)
            ink = programsColor(row.color, palette, background);
        drawn.ink = ink.rgb();
        if (bar.level < kFullLevel)
            drawn.ink = mixed(ink, background, 0.3 + 0.7 * bar.level / kFullLevel);
        const bool marked = bar.count == 1 && bar.widthPx() >= kReturnMarkMinimumPx * ratio;
        if (isCopy(bar.kind)) {
            drawn.pattern = patternOf(bar.memory);
            drawn.mixed = std::popcount(bar.memory) > 1;
            drawn.ground = patternGround(QColor(drawn.ink), background).rgb();
            if (bar.count == 1 && bar.widthPx() > LaneRaster::kNarrowPx) {
                const Interval staged = stagedPart(*scene.trace, bar.event);
                if (!staged.empty()) {
                    drawn.denseFromPx = static_cast<int>(std::lround(device.toPx(staged.startNs)));
                    drawn.denseToPx = static_cast<int>(std::lround(device.toPx(staged.endNs)));
                }
                if (const auto returned = returnedDuring(*scene.trace, bar.event); marked && returned)
                    m_marks.push_back({static_cast<int>(device.toPx(*returned) / ratio), row.topPx, row.heightPx});
            }
        } else if (marked && (bar.kind == EventKind::RuntimeCall || bar.kind == EventKind::HostBlocked)) {
            const EventIndex work = scene.trace->link(bar.event);
            if (work.valid() && isCopy(scene.trace->kind(work)))
                m_marks.push_back({static_cast<int>(bar.rightPx / ratio) - 1, row.topPx, row.heightPx});
        }
        m_raster.draw(drawn);

        const int widthPx = static_cast<int>(bar.widthPx() / ratio);
        if (widthPx >= kTextMinimumPx) {
            const bool patterned = drawn.pattern == MemoryPattern::Hatch || drawn.pattern == MemoryPattern::Dots;
            const QColor ground(drawn.pattern == MemoryPattern::Outline ? drawn.ground : drawn.ink);
            m_items.push_back({QRect(kLabelWidthPx + static_cast<int>(bar.leftPx / ratio), row.topPx - scene.scrollPx,
                                     widthPx, row.heightPx),
                               bar.event, bar.count, patterned ? QColor() : palette.textOn(ground)});
        }
    }
}

void LanePainter::paintTexts(QPainter& painter, const LaneScene& scene)
{
    const QFontMetrics metrics(painter.font());
    QColor pen;
    for (const TextItem& item : m_items) {
        if (!scene.dirtyPx.isEmpty() && !item.rect.intersects(scene.dirtyPx))
            continue;
        const QRect inner = item.rect.adjusted(kTextInsetPx, 0, -kTextInsetPx, 0);
        QString text;
        quint64 key = 0;
        if (item.count > 1) {
            text = u"\u00d7 "_s + QString::fromStdString(formatCount(item.count));
            key = (quint64{1} << 40) + item.count;
            if (metrics.averageCharWidth() * text.size() > inner.width())
                continue;
        } else if (const CopyInfo* copy = scene.trace->copy(item.event); copy != nullptr && copy->bytes > 0) {
            // The lane says which way it goes.
            text = QString::fromStdString(formatBytes(copy->bytes));
            key = (quint64{1} << 60) + static_cast<quint64>(copy->bytes);
            if (metrics.horizontalAdvance(text) > inner.width())
                continue;
        } else {
            const std::string_view name = scene.trace->name(item.event);
            text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
            key = BarText::keyOf(scene.trace->columns().name[item.event.index()]);
        }
        QColor color = item.color;
        if (!color.isValid()) {  // on a pattern the text needs a ground of its own
            color = scene.palette->text;
            const int textWidth = metrics.horizontalAdvance(text.left(200));
            if (textWidth * 2 > inner.width())  // the pattern says more
                continue;
            const QColor ground = scene.palette->lanes;
            painter.fillRect(QRect(inner.left() - 2, item.rect.top() + 3, textWidth + 4, item.rect.height() - 6),
                             QColor(ground.red(), ground.green(), ground.blue(), 215));
        }
        if (color != pen) {
            painter.setPen(color);
            pen = color;
        }
        m_texts.draw(painter, metrics, key, text, inner);
    }
}

void LanePainter::paintMarks(QPainter& painter, const LaneScene& scene)
{
    const QColor ink = scene.palette->dark ? QColor(Qt::white) : QColor(Qt::black);
    for (const Mark& mark : m_marks) {
        const int x = kLabelWidthPx + mark.xPx;
        const int y = mark.topPx - scene.scrollPx;
        painter.fillRect(x, y, 1, mark.heightPx, ink);
        painter.fillRect(x - 2, y, 5, 2, ink);  // a small T: the call returned here
    }
}

void LanePainter::paintBookmarks(QPainter& painter, const LaneScene& scene) const
{
    if (scene.bookmarks == nullptr)
        return;
    const int width = plotWidthPx(scene.sizePx.width());
    const TimeScale scale(scene.range, width);
    painter.setPen(QPen(scene.palette->text, 1, Qt::DashLine));
    for (const Bookmark& bookmark : *scene.bookmarks)
        if (const double x = scale.toPx(bookmark.timeNs + scene.bookmarkOffsetNs); x >= 0 && x < width)
            painter.drawLine(kLabelWidthPx + static_cast<int>(x), 0, kLabelWidthPx + static_cast<int>(x),
                             scene.sizePx.height());
}

void LanePainter::paintSelection(QPainter& painter, const LaneScene& scene) const
{
    const int width = plotWidthPx(scene.sizePx.width());
    if (scene.selectedRange) {
        const TimeScale scale(scene.range, width);
        const int left = static_cast<int>(std::clamp(scale.toPx(scene.selectedRange->startNs), 0.0, double(width)));
        const int right = static_cast<int>(std::clamp(scale.toPx(scene.selectedRange->endNs), 0.0, double(width)));
        QColor fill = scene.palette->accent;
        fill.setAlpha(30);
        painter.fillRect(kLabelWidthPx + left, 0, right - left, scene.sizePx.height(), fill);
        painter.fillRect(kLabelWidthPx + left, 0, 1, scene.sizePx.height(), scene.palette->accent);
        painter.fillRect(kLabelWidthPx + right - 1, 0, 1, scene.sizePx.height(), scene.palette->accent);
    }
    painter.setBrush(Qt::NoBrush);
    for (const EventIndex event : {scene.hovered, scene.selected}) {
        if (!event.valid())
            continue;
        if (const QRect rect = eventRect(scene, event); !rect.isNull()) {
            const bool selected = event == scene.selected;
            painter.setPen(QPen(selected ? scene.palette->selection : scene.palette->hover, selected ? 2 : 1));
            painter.drawRect(rect.adjusted(0, 0, selected ? 0 : -1, selected ? 0 : -1));
        }
    }
}

void LanePainter::paintLinks(QPainter& painter, const LaneScene& scene, EventIndex event) const
{
    constexpr std::size_t kMostCurves = 64;
    if (!event.valid() || event.index() >= scene.trace->eventCount())
        return;
    const EventIndex other = scene.trace->link(event);
    if (!other.valid())
        return;
    const EventKind kind = scene.trace->kind(event);
    const bool onDevice = isCopy(kind) || kind == EventKind::Kernel || kind == EventKind::Memset;
    const EventIndex call = onDevice ? other : event;
    const QRect from = linkEnd(scene, call);
    std::vector<EventIndex> work = scene.trace->linkedWork(call);
    work.resize(std::min(work.size(), kMostCurves));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(scene.palette->link, 1.5));
    painter.setBrush(Qt::NoBrush);
    for (const EventIndex target : work) {
        const QRect to = linkEnd(scene, target);
        if (from.isNull() || to.isNull() || target == call || (from.height() < 0 && to.height() < 0))
            continue;
        const bool down = to.top() > from.top();
        const QPointF a(from.left() + 1, down ? from.bottom() : from.top());
        const QPointF b(to.left() + 1, down ? to.top() : to.bottom());
        QPainterPath path(a);
        const double bend = (b.y() - a.y()) / 2;
        path.cubicTo(a + QPointF(0, bend), b - QPointF(0, bend), b);
        painter.drawPath(path);
        const double tip = down ? -5 : 5;
        QPainterPath arrow(b);
        arrow.lineTo(b + QPointF(-3.5, tip));
        arrow.lineTo(b + QPointF(3.5, tip));
        arrow.closeSubpath();
        painter.fillPath(arrow, scene.palette->link);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void LanePainter::paint(QPainter& painter, const LaneScene& scene)
{
    if (m_dirty) {
        rasterize(scene);
        m_dirty = false;
        m_hitsDirty = true;
    }
    if (m_hitsDirty) {
        findHits(scene);
        m_hitsDirty = false;
    }
    const QRect plot(kLabelWidthPx, 0, plotWidthPx(scene.sizePx.width()), scene.sizePx.height());
    painter.drawImage(QRectF(plot), m_raster.image(), QRectF(m_raster.image().rect()));
    painter.save();
    painter.setClipRect(plot);
    paintTexts(painter, scene);
    paintMarks(painter, scene);
    paintHits(painter, scene);
    paintBookmarks(painter, scene);
    paintIdle(painter, scene);
    paintSelection(painter, scene);
    if (scene.hovered != scene.selected)
        paintLinks(painter, scene, scene.hovered);
    paintLinks(painter, scene, scene.selected);
    painter.restore();
    paintLabels(painter, scene);
}

}  // namespace overlane
