// What LanePainter draws left of the lanes: the tracks' names, and whether they are open.
#include "app/timeline/lane_painter.h"
#include "app/timeline/timeline_metrics.h"

namespace overlane
{

namespace
{

constexpr int kBadgeGapPx = 10;
constexpr int kLabelInsetPx = 4;

QFont labelFont(const LaneRow& row, QFont font)
{
    if (row.header || row.depth == 0)
        font.setWeight(QFont::DemiBold);
    return font;
}

int labelWidthPx(const LaneRow& row)
{
    return kLabelWidthPx - kLabelInsetPx - row.depth * kIndentPx - kArrowPx - 6;
}

struct FittedTitle {
    QString text;
    int widthPx = 0;
};

// A device that does not fit goes without its maker, then without the end of its name. Measured no more often than it
// changes: to measure a name takes as long as to draw it, and elidedText() five times as long.
FittedTitle fittedTitle(const Trace& trace, const LaneRow& row, const QFontMetrics& metrics)
{
    QString name = QString::fromStdString(rowTitle(trace, row));
    int widthPx = metrics.horizontalAdvance(name);
    const bool device = trace.track(row.track).kind == TrackKind::Device;
    if (device)
        for (const auto* maker : {"NVIDIA ", "GeForce ", "AMD ", "Tesla "})
            if (widthPx > labelWidthPx(row) && name.contains(QLatin1String(maker))) {
                name.remove(QLatin1String(maker));
                widthPx = metrics.horizontalAdvance(name);
            }
    if (widthPx <= labelWidthPx(row))
        return {name, widthPx};
    name = metrics.elidedText(name, device ? Qt::ElideRight : Qt::ElideMiddle, labelWidthPx(row));
    return {name, metrics.horizontalAdvance(name)};
}

}  // namespace

bool isLabelCut(const Trace& trace, const LaneRow& row, const QFont& font)
{
    return QFontMetrics(labelFont(row, font)).horizontalAdvance(QString::fromStdString(rowTitle(trace, row))) >
           labelWidthPx(row);
}

void LanePainter::paintLabels(QPainter& painter, const LaneScene& scene) const
{
    const Palette& palette = *scene.palette;
    painter.fillRect(0, 0, kLabelWidthPx, scene.sizePx.height(), palette.panel);
    painter.fillRect(kLabelWidthPx - 1, 0, 1, scene.sizePx.height(), palette.border);
    const QFont plain = painter.font();
    TrackId named;
    for (const LaneRow& row : scene.layout->rows) {
        const int y = row.topPx - scene.scrollPx;
        if (y + row.heightPx <= 0 || y >= scene.sizePx.height())
            continue;
        // A track whose first row is scrolled away keeps its name on the first one in sight.
        const bool legible = 2 * y >= -row.heightPx;
        if (row.rowInTrack != 0 && (row.track == named || !legible))
            continue;
        if (legible)
            named = row.track;
        if (row.header || row.depth == 0)
            painter.fillRect(0, y, scene.sizePx.width() - kRightMarginPx, 1, palette.border);
        const int x = kLabelInsetPx + row.depth * kIndentPx;
        if (row.collapsible) {
            const QPointF c(x + 6, y + row.heightPx / 2.0);
            QPolygonF arrow;
            if (row.collapsed)
                arrow << c + QPointF(-2.5, -4) << c + QPointF(2.5, 0) << c + QPointF(-2.5, 4);
            else
                arrow << c + QPointF(-4, -2.5) << c + QPointF(4, -2.5) << c + QPointF(0, 2.5);
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(palette.mutedText);
            painter.drawPolygon(arrow);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        painter.setFont(labelFont(row, plain));
        painter.setPen(palette.text);
        const QRect rect(x + kArrowPx, y, labelWidthPx(row), row.heightPx);
        const QFontMetrics metrics(painter.font());
        const FittedTitle title = fittedTitle(*scene.trace, row, metrics);
        painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, title.text);
        painter.setFont(plain);
        paintBadge(painter, scene, row, rect.adjusted(title.widthPx + kBadgeGapPx, 0, 0, 0));
    }
    painter.setFont(plain);
}

}  // namespace overlane
