#include "app/timeline/overview_strip.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QPainter>

#include "app/theme/palette.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

constexpr int kBandPx = 8;

}  // namespace

OverviewStrip::OverviewStrip(ViewRange* view, QWidget* parent) : QWidget(parent), m_view(view)
{
    setFixedHeight(kOverviewPx);
    setMouseTracking(true);
    connect(view, &ViewRange::rangeChanged, this, [this] { update(); });
    connect(view, &ViewRange::limitsChanged, this, [this] {
        m_bands = {};
        update();
    });
}

void OverviewStrip::setTrace(std::shared_ptr<const TracePyramids> pyramids)
{
    m_pyramids = std::move(pyramids);
    m_bands = {};
    m_spans = m_pyramids ? OverviewSpans::begun(m_pyramids, m_view->limits(), bandsPx()) : nullptr;
    update();
}

void OverviewStrip::resizeEvent(QResizeEvent*)
{
    if (m_pyramids && !(m_spans && m_spans->isOf(m_view->limits(), bandsPx())))
        m_spans = OverviewSpans::begun(m_pyramids, m_view->limits(), bandsPx());
}

void OverviewStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_bands = {};
    QWidget::changeEvent(event);
}

// In pixels of the device.
int OverviewStrip::bandsPx() const
{
    return std::max(1, static_cast<int>(std::lround(plotWidthPx(width()) * devicePixelRatioF())));
}

void OverviewStrip::drawBands()
{
    const double ratio = devicePixelRatioF();
    const int width = bandsPx();
    const auto scaled = [ratio](int px) { return static_cast<int>(std::lround(px * ratio)); };
    const Palette& colors = Palette::current(palette());
    QImage image(width, scaled(kOverviewPx), QImage::Format_RGB32);
    image.fill(colors.lanes.rgb());
    if (m_pyramids) {
        if (!m_spans || !m_spans->isOf(m_view->limits(), width))
            m_spans = std::make_shared<OverviewSpans>(m_pyramids, m_view->limits(), width);
        const OverviewSpans::Bands& spans = m_spans->bands();
        QPainter painter(&image);
        for (int band = 0; band < kLaneBandCount; ++band) {
            const int top = scaled(2 + band * (kBandPx + 1));
            for (const LaneSpan& span : spans[static_cast<std::size_t>(band)]) {
                QColor color = colors.kind(span.kind);
                color.setAlpha(70 + 185 * span.level / kFullLevel);
                const int left = static_cast<int>(span.startPx);
                painter.fillRect(left, top, std::max(1, static_cast<int>(std::ceil(span.endPx)) - left),
                                 scaled(kBandPx), color);
            }
        }
    }
    m_bands = QPixmap::fromImage(image);
    m_bands.setDevicePixelRatio(ratio);
}

void OverviewStrip::paintEvent(QPaintEvent*)
{
    const int plot = plotWidthPx(width());
    if (m_bands.width() != bandsPx() || m_bands.devicePixelRatio() != devicePixelRatioF())
        drawBands();
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.drawPixmap(kLabelWidthPx, 0, m_bands);
    painter.setPen(colors.mutedText);
    painter.drawText(QRect(8, 0, kLabelWidthPx - 16, height()), Qt::AlignVCenter | Qt::AlignRight, u"whole run"_s);

    const TimeScale scale(m_view->limits(), plot);
    const int left = kLabelWidthPx + static_cast<int>(scale.toPx(m_view->range().startNs));
    const int right = kLabelWidthPx + static_cast<int>(std::ceil(scale.toPx(m_view->range().endNs)));
    QColor shade = colors.window;
    shade.setAlpha(185);
    painter.fillRect(kLabelWidthPx, 0, left - kLabelWidthPx, height(), shade);
    painter.fillRect(right, 0, kLabelWidthPx + plot - right, height(), shade);
    painter.setPen(colors.accent);
    painter.drawRect(left, 0, std::max(2, right - left - 1), height() - 2);
    painter.fillRect(0, height() - 1, width(), 1, colors.border);
}

void OverviewStrip::contextMenuEvent(QContextMenuEvent* event)
{
    const int plot = plotWidthPx(width());
    const int x = event->pos().x() - kLabelWidthPx;
    if (m_pyramids && x >= 0 && x < plot)
        emit contextMenuRequested(TimeScale(m_view->limits(), plot).toNs(x), event->globalPos());
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::RightButton)
        return;  // a menu moves nothing
    constexpr int kReachPx = 5;
    const TimeScale scale(m_view->limits(), plotWidthPx(width()));
    const Interval range = m_view->range();
    const double x = event->position().x() - kLabelWidthPx;
    const std::int64_t nowNs = scale.toNs(x);
    m_grip = Grip::Middle;
    if (std::abs(x - scale.toPx(range.startNs)) <= kReachPx)
        m_grip = Grip::Left;
    else if (std::abs(x - scale.toPx(range.endNs)) <= kReachPx)
        m_grip = Grip::Right;
    else if (!range.contains(nowNs))
        m_view->setRange({nowNs - range.lengthNs() / 2, nowNs - range.lengthNs() / 2 + range.lengthNs()});
    m_gripNs = m_view->range().startNs - nowNs;
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    const TimeScale scale(m_view->limits(), plotWidthPx(width()));
    const double x = event->position().x() - kLabelWidthPx;
    const std::int64_t nowNs = scale.toNs(x);
    Interval range = m_view->range();
    if (!(event->buttons() & Qt::LeftButton)) {
        const bool edge = std::abs(x - scale.toPx(range.startNs)) <= 5 || std::abs(x - scale.toPx(range.endNs)) <= 5;
        setCursor(edge ? Qt::SplitHCursor : Qt::ArrowCursor);
        return;
    }
    if (m_grip == Grip::Middle)
        m_view->panBy(nowNs + m_gripNs - range.startNs);
    else if (m_grip == Grip::Left)
        m_view->setRange({std::min(nowNs, range.endNs - ViewRange::kMinimumNs), range.endNs});
    else
        m_view->setRange({range.startNs, std::max(nowNs, range.startNs + ViewRange::kMinimumNs)});
}

}  // namespace overlane
