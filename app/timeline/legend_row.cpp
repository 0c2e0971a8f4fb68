#include "app/timeline/legend_row.h"

#include <QPainter>

#include "app/theme/palette.h"
#include "app/timeline/timeline_metrics.h"

namespace overlane
{

namespace
{

struct Entry {
    const char* text;
    EventKind kind;
    MemoryPattern pattern = MemoryPattern::Solid;
    bool dense = false;
};

// In the order of importance: what does not fit is left out from the end.
constexpr Entry kEntries[] = {
    {QT_TRANSLATE_NOOP("LegendRow", "H2D pinned"), EventKind::CopyH2D},
    {QT_TRANSLATE_NOOP("LegendRow", "pageable"), EventKind::CopyH2D, MemoryPattern::Hatch},
    {QT_TRANSLATE_NOOP("LegendRow", "staged by the call"), EventKind::CopyH2D, MemoryPattern::Hatch, true},
    {QT_TRANSLATE_NOOP("LegendRow", "managed"), EventKind::CopyH2D, MemoryPattern::Dots},
    {QT_TRANSLATE_NOOP("LegendRow", "unknown"), EventKind::CopyH2D, MemoryPattern::Outline},
    {QT_TRANSLATE_NOOP("LegendRow", "D2H"), EventKind::CopyD2H},
    {QT_TRANSLATE_NOOP("LegendRow", "D2D"), EventKind::CopyD2D},
    {QT_TRANSLATE_NOOP("LegendRow", "kernel"), EventKind::Kernel},
    {QT_TRANSLATE_NOOP("LegendRow", "call"), EventKind::RuntimeCall},
    {QT_TRANSLATE_NOOP("LegendRow", "host blocked"), EventKind::HostBlocked},
    {QT_TRANSLATE_NOOP("LegendRow", "sync"), EventKind::Sync},
    {QT_TRANSLATE_NOOP("LegendRow", "loader"), EventKind::Loader},
    {QT_TRANSLATE_NOOP("LegendRow", "waiting"), EventKind::LoaderWait},
    {QT_TRANSLATE_NOOP("LegendRow", "host work"), EventKind::HostWork},
    {QT_TRANSLATE_NOOP("LegendRow", "annotation"), EventKind::Annotation},
    {QT_TRANSLATE_NOOP("LegendRow", "memset"), EventKind::Memset},
};

}  // namespace

LegendRow::LegendRow(QWidget* parent) : QWidget(parent)
{
    setFixedHeight(kLegendPx);
    setAccessibleName(tr("Legend"));
}

void LegendRow::paintEvent(QPaintEvent*)
{
    constexpr QSize kSwatchPx(18, 12);
    constexpr int kGapPx = 14;
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(0, 0, width(), 1, colors.border);
    int x = 8;
    const int y = (height() - kSwatchPx.height()) / 2;
    painter.setPen(colors.mutedText);
    for (const Entry& entry : kEntries) {
        const QString text = tr(entry.text);
        const int textWidth = painter.fontMetrics().horizontalAdvance(text);
        if (x + kSwatchPx.width() + 5 + textWidth > width() - kRightMarginPx)
            break;
        painter.drawPixmap(
            x, y,
            patternSwatch(colors, colors.kind(entry.kind), entry.pattern, entry.dense, kSwatchPx, devicePixelRatioF()));
        x += kSwatchPx.width() + 5;
        painter.drawText(QRect(x, 0, textWidth + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += textWidth + kGapPx;
    }
    const QString mark = tr("call returned");
    const int markWidth = painter.fontMetrics().horizontalAdvance(mark);
    if (x + 12 + markWidth <= width() - kRightMarginPx) {
        painter.fillRect(x + 2, y, 1, kSwatchPx.height(), colors.text);
        painter.fillRect(x, y, 5, 2, colors.text);
        painter.drawText(QRect(x + 11, 0, markWidth + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, mark);
    }
}

}  // namespace overlane
