#include "app/machine/memory_bar.h"

#include <algorithm>
#include <numeric>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "app/machine/bytes_text.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kTitlePx = 18;
constexpr int kBarPx = 24;
constexpr int kGapPx = 4;
constexpr int kSwatchPx = 12;
constexpr int kLegendPx = 18;
constexpr int kLegendGapPx = 16;
constexpr int kOverflowPx = 3;

QString legendText(const MemoryBar::Part& part)
{
    return part.label + u"  "_s + bytesText(part.bytes);
}

}  // namespace

QColor memoryColor(const Palette& palette, MemoryBar::Role role)
{
    switch (role) {
        case MemoryBar::Role::Processes:
        case MemoryBar::Role::Others:
            return palette.kind(EventKind::RuntimeCall);
        case MemoryBar::Role::Shared:
            return palette.kind(EventKind::CopyD2H);
        case MemoryBar::Role::Kernel:
            return palette.mutedText;
        case MemoryBar::Role::PageCache:
            return palette.kind(EventKind::Kernel);
        case MemoryBar::Role::Pinned:
            return palette.kind(EventKind::CopyH2D);
        case MemoryBar::Role::Loader:
            return palette.kind(EventKind::Loader);
        case MemoryBar::Role::Swap:
            return palette.warning;
        case MemoryBar::Role::Free:
            break;
    }
    return palette.grid;
}

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void MemoryBar::setParts(const QString& title, std::int64_t totalBytes, std::vector<Part> parts)
{
    const bool other = parts.size() != m_parts.size();
    m_title = title;
    m_total = totalBytes;
    m_parts = std::move(parts);
    QStringList spoken;
    for (const Part& part : m_parts)
        spoken << legendText(part);
    setAccessibleName(title);
    setAccessibleDescription(spoken.join(u", "_s));
    if (other)
        updateGeometry();
    update();
}

void MemoryBar::setLegendShown(bool shown)
{
    m_legend = shown;
    updateGeometry();
}

QRect MemoryBar::barRect() const
{
    return {0, kTitlePx, width() - 1, kBarPx};
}

std::vector<int> MemoryBar::edges() const
{
    const std::int64_t sum = std::accumulate(m_parts.begin(), m_parts.end(), std::int64_t{0},
                                             [](std::int64_t so, const Part& part) { return so + part.bytes; });
    const auto scale =
        static_cast<double>(barRect().width()) / static_cast<double>(std::max({sum, m_total, std::int64_t{1}}));
    std::vector<int> found = {0};
    std::int64_t so = 0;
    for (const Part& part : m_parts) {
        so += part.bytes;
        found.push_back(static_cast<int>(static_cast<double>(so) * scale));
    }
    found.push_back(static_cast<int>(static_cast<double>(m_total) * scale));
    return found;
}

int MemoryBar::partAt(QPoint at) const
{
    if (!barRect().contains(at))
        return -1;
    const std::vector<int> bounds = edges();
    for (std::size_t part = 0; part < m_parts.size(); ++part)
        if (at.x() >= bounds[part] && at.x() < bounds[part + 1])
            return static_cast<int>(part);
    return -1;
}

template <typename Draw>
int MemoryBar::layOutLegend(int widthPx, Draw draw) const
{
    const QFontMetrics metrics(font());
    int x = 0, line = 0;
    for (const Part& part : m_parts) {
        const int needed = kSwatchPx + kGapPx + metrics.horizontalAdvance(legendText(part));
        if (x > 0 && x + needed > widthPx) {
            x = 0;
            ++line;
        }
        draw(part, QRect(x, line * kLegendPx, needed, kLegendPx));
        x += needed + kLegendGapPx;
    }
    return line + 1;
}

int MemoryBar::legendLines(int widthPx) const
{
    return m_legend && !m_parts.empty() ? layOutLegend(widthPx, [](const Part&, const QRect&) {}) : 0;
}

int MemoryBar::heightForWidth(int widthPx) const
{
    return kTitlePx + kBarPx + kGapPx + legendLines(widthPx) * kLegendPx + 2;
}

QSize MemoryBar::sizeHint() const
{
    const int wide = width() > 0 ? width() : 600;
    return {600, heightForWidth(wide)};
}

bool MemoryBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QStringList lines;
    for (const Part& part : m_parts)
        lines << legendText(part);
    lines << u"All  %1"_s.arg(bytesText(m_total));
    QToolTip::showText(help->globalPos(), lines.join('\n'), this);
    return true;
}

void MemoryBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Palette& palette = Palette::current(this->palette());
    const QRect bar = barRect();
    painter.setPen(palette.text);
    painter.drawText(QRect(0, 0, width(), kTitlePx), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_title, Qt::ElideRight, width()));
    const std::vector<int> bounds = edges();
    for (std::size_t part = 0; part < m_parts.size(); ++part)
        painter.fillRect(QRect(bounds[part], bar.top(), bounds[part + 1] - bounds[part], bar.height()),
                         memoryColor(palette, m_parts[part].role));
    const int end = bounds.back();
    painter.setPen(palette.border);
    painter.drawRect(QRect(bar.left(), bar.top(), std::min(end, bar.width()), bar.height() - 1));
    if (bounds[m_parts.size()] > end + 1) {  // beyond the RAM
        painter.fillRect(QRect(end, bar.top(), bounds[m_parts.size()] - end, kOverflowPx), palette.error);
        painter.fillRect(QRect(end, bar.bottom() - kOverflowPx + 1, bounds[m_parts.size()] - end, kOverflowPx),
                         palette.error);
        painter.fillRect(QRect(end - 1, bar.top() - 2, 2, bar.height() + 4), palette.text);
    }
    if (!m_legend)
        return;
    painter.translate(0, bar.bottom() + 1 + kGapPx);
    layOutLegend(width(), [&](const Part& part, const QRect& at) {
        const QRect swatch(at.left(), at.top() + (kLegendPx - kSwatchPx) / 2, kSwatchPx, kSwatchPx);
        painter.fillRect(swatch, memoryColor(palette, part.role));
        painter.setPen(palette.border);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(palette.text);
        painter.drawText(at.adjusted(kSwatchPx + kGapPx, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, legendText(part));
    });
}

}  // namespace overlane
