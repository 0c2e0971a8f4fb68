#include "app/timeline/legend_row.h"

#include <algorithm>

#include <QEvent>
#include <QPainter>

#include "app/timeline/lane_raster.h"
#include "app/timeline/timeline_metrics.h"
#include "app/widgets/text.h"
#include "core/analysis/pageable_memory.h"

namespace overlane
{

namespace
{

constexpr QSize kSwatchPx(18, 12);
constexpr int kSwatchGapPx = 5;
constexpr int kEntryGapPx = 14;
constexpr int kInsetPx = 8;

// Drawn as the lanes draw it.
QPixmap swatch(const Palette& colors, const LegendEntry& entry, double ratio)
{
    const QSize size = kSwatchPx * ratio;
    LaneRaster raster;
    raster.begin(size, colors.panel, ratio);
    LaneRaster::Bar bar;
    bar.rightPx = size.width();
    bar.bottomPx = size.height();
    bar.ink = colors.kind(entry.kind).rgb();
    bar.ground = patternGround(colors.kind(entry.kind), colors.lanes).rgb();
    bar.pattern = entry.pattern;
    bar.mixed = entry.sample == LegendEntry::Sample::Mixed;
    bar.denseToPx = entry.sample == LegendEntry::Sample::Staged ? bar.rightPx : 0;
    raster.draw(bar);
    QPixmap pixmap = QPixmap::fromImage(raster.image());
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

}  // namespace

std::vector<LegendEntry> legendEntries(const std::vector<const Pyramid*>& traces)
{
    MemorySet memory = 0;
    bool stages = false;
    for (const Pyramid* pyramid : traces) {
        if (pyramid == nullptr)
            continue;
        memory |= pyramid->memory();
        stages = stages || !readsPageableMemory(pyramid->trace());
    }
    const auto has = [&](EventKind kind) {
        return std::ranges::any_of(traces,
                                   [kind](const Pyramid* pyramid) { return pyramid != nullptr && pyramid->has(kind); });
    };
    const bool empty = std::ranges::none_of(
        traces, [](const Pyramid* pyramid) { return pyramid != nullptr && pyramid->trace().eventCount() > 0; });
    using Sample = LegendEntry::Sample;
    const bool copies = has(EventKind::CopyH2D);
    std::vector<LegendEntry> entries;
    // Both beside each other, whichever there is: the difference is what to look for.
    if (copies || empty)
        entries = {{u"H2D pinned"_s, EventKind::CopyH2D, MemoryPattern::Solid, Sample::Bar},
                   {u"pageable"_s, EventKind::CopyH2D, MemoryPattern::Hatch, Sample::Bar}};
    const auto add = [&](bool shown, const QString& name, EventKind kind, MemoryPattern pattern = MemoryPattern::Solid,
                         Sample sample = Sample::Bar) {
        if (shown)
            entries.push_back({name, kind, pattern, sample});
    };
    const bool pageable = (memory & kPageableMemory) != 0;
    add(pageable && copies && stages, u"staged by the call"_s, EventKind::CopyH2D, MemoryPattern::Hatch,
        Sample::Staged);
    add(memory & kManagedMemory, u"managed"_s, EventKind::CopyH2D, MemoryPattern::Dots);
    add(memory & kUnknownMemory, u"unknown memory"_s, EventKind::CopyH2D, MemoryPattern::Outline);
    add(pageable && (memory & kLockedMemory), u"pinned and pageable"_s, EventKind::CopyH2D, MemoryPattern::Hatch,
        Sample::Mixed);
    constexpr std::pair<EventKind, const char*> kKinds[] = {
        {EventKind::CopyD2H, "D2H"},
        {EventKind::CopyD2D, "D2D"},
        {EventKind::CopyOther, "other copy"},
        {EventKind::Kernel, "kernel"},
        {EventKind::Memset, "memset"},
        {EventKind::RuntimeCall, "call"},
        {EventKind::HostBlocked, "host blocked"},
        {EventKind::Sync, "sync"},
        {EventKind::Loader, "loader"},
        {EventKind::LoaderWait, "waiting"},
        {EventKind::HostWork, "host work"},
        {EventKind::Step, "step"},
        {EventKind::Annotation, "annotation"},
        {EventKind::Overhead, "profiler"},
        {EventKind::Instant, "instant"},
        {EventKind::ProgramFrame, "program code"},
        {EventKind::LibraryFrame, "library code"},
    };
    for (const auto& [kind, name] : kKinds)
        add(has(kind), text(name), kind);
    add(copies, u"call returned"_s, EventKind::CopyH2D, MemoryPattern::Solid, Sample::Returned);
    return entries;
}

std::vector<QRect> legendPlaces(const std::vector<int>& widthsPx, int widthPx)
{
    std::vector<QRect> places;
    int x = kInsetPx;
    int y = 0;
    for (const int wanted : widthsPx) {
        const int width = std::min(wanted, std::max(1, widthPx - 2 * kInsetPx));
        if (x > kInsetPx && x + width > widthPx - kInsetPx) {
            x = kInsetPx;
            y += kLegendPx;
        }
        places.emplace_back(x, y, width, kLegendPx);
        x += width + kEntryGapPx;
    }
    return places;
}

LegendRow::LegendRow(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(u"Legend"_s);
    setTraces({});
}

void LegendRow::setTraces(const std::vector<const Pyramid*>& traces)
{
    m_entries = legendEntries(traces);
    arrange();
}

void LegendRow::resizeEvent(QResizeEvent*)
{
    arrange();
}

void LegendRow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        arrange();
    QWidget::changeEvent(event);
}

void LegendRow::arrange()
{
    std::vector<int> widths;
    for (const LegendEntry& entry : m_entries)
        widths.push_back(kSwatchPx.width() + kSwatchGapPx + fontMetrics().horizontalAdvance(entry.text));
    m_places = legendPlaces(widths, width());
    setFixedHeight(m_places.empty() ? kLegendPx : m_places.back().bottom() + 3);
    update();
}

void LegendRow::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(0, 0, width(), 1, colors.border);
    painter.setPen(colors.mutedText);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const LegendEntry& entry = m_entries[i];
        const QRect place = m_places[i].translated(0, 1);
        const int top = place.top() + (place.height() - kSwatchPx.height()) / 2;
        if (entry.sample == LegendEntry::Sample::Returned) {
            const int middle = place.left() + kSwatchPx.width() / 2;
            painter.fillRect(middle, top, 1, kSwatchPx.height(), colors.text);
            painter.fillRect(middle - 2, top, 5, 2, colors.text);
        } else {
            painter.drawPixmap(place.left(), top, swatch(colors, entry, devicePixelRatioF()));
        }
        painter.drawText(place.adjusted(kSwatchPx.width() + kSwatchGapPx, 0, 2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         entry.text);
    }
}

}  // namespace overlane
