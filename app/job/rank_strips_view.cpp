#include "app/job/rank_strips_view.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "app/theme/cause_color.h"
#include "app/theme/palette.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_shortcuts.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

constexpr int kLeastRankPx = 44;  // one rank
constexpr int kMostRankPx = 110;  // where there is room
constexpr int kMembersPx = 14;    // its communication
constexpr int kInsetPx = 4;
constexpr int kAroundPx = 2;  // a collective is narrower than a hand is steady
constexpr double kNotchOfWheel = 120;
constexpr double kStripZoomPerNotch = 1.25;
constexpr double kStripPanPerNotch = 0.15;

// The share of a part of the time, weighted over the cells that it covers.
struct CellMean {
    double compute = 0;
    double communication = 0;
    double copies = 0;
};

CellMean meanOf(const RankStrip& strip, Interval part)
{
    CellMean mean;
    const auto count = static_cast<double>(strip.cells.size());
    const TimeScale scale(strip.cellsOver, count);
    const double from = std::clamp(scale.toPx(part.startNs), 0.0, count);
    const double to = std::clamp(scale.toPx(part.endNs), 0.0, count);
    if (to <= from)
        return mean;
    for (auto at = static_cast<std::size_t>(from); at < strip.cells.size() && static_cast<double>(at) < to; ++at) {
        const double covered = std::min(to, static_cast<double>(at) + 1) - std::max(from, static_cast<double>(at));
        mean.compute += covered * strip.cells[at].compute;
        mean.communication += covered * strip.cells[at].communication;
        mean.copies += covered * strip.cells[at].copies;
    }
    const double whole = 255 * (to - from);
    return {mean.compute / whole, mean.communication / whole, mean.copies / whole};
}

}  // namespace

RankStrips::RankStrips(ViewRange* view, QWidget* parent)
    : QAbstractScrollArea(parent), m_view(view), m_keys(view, [this] {
          const Interval range = m_view->range();
          return m_view->cursor()->ns().value_or(range.startNs + range.lengthNs() / 2);
      })
{
    setObjectName("rankStrips");
    setAccessibleName(u"Timeline of the ranks"_s);
    setAccessibleDescription(u"Up and down choose a rank, Enter opens its trace; the table below says the same."_s);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    connect(view, &ViewRange::rangeChanged, viewport(), qOverload<>(&QWidget::update));
    connect(view->cursor(), &TimeCursor::moved, viewport(), qOverload<>(&QWidget::update));
}

void RankStrips::set(const JobStrips& strips)
{
    m_strips = strips;
    m_hit.reset();
    if (m_chosen >= static_cast<int>(m_strips.ranks.size()))
        m_chosen = -1;
    fitScrollBar();
    viewport()->update();
}

void RankStrips::choose(int rank)
{
    if (rank < 0 || rank >= static_cast<int>(m_strips.ranks.size()) || rank == m_chosen)
        return;
    m_chosen = rank;
    const int top = topOf(static_cast<std::size_t>(rank)) + verticalScrollBar()->value();
    verticalScrollBar()->setValue(std::clamp(verticalScrollBar()->value(), top + rankPx() - viewport()->height(), top));
    viewport()->update();
    emit rankChosen(rank);
}

int RankStrips::topOf(std::size_t rank) const
{
    return static_cast<int>(rank) * rankPx() - verticalScrollBar()->value();
}

int RankStrips::rankAt(int yPx) const
{
    const int rank = (yPx + verticalScrollBar()->value()) / rankPx();
    return yPx >= 0 && rank < static_cast<int>(m_strips.ranks.size()) ? rank : -1;
}

int RankStrips::rankPx() const
{
    const int ranks = std::max(1, static_cast<int>(m_strips.ranks.size()));
    return std::clamp(viewport()->height() / ranks, kLeastRankPx, kMostRankPx);
}

int RankStrips::cellsPx() const
{
    return rankPx() - kMembersPx - 2 * kInsetPx - 2;
}

std::int64_t RankStrips::timeAt(int xPx) const
{
    return TimeScale(m_view->range(), plotWidthPx(width())).toNs(xPx - kLabelWidthPx);
}

void RankStrips::fitScrollBar()
{
    const int content = static_cast<int>(m_strips.ranks.size()) * rankPx();
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rankPx());
    verticalScrollBar()->setRange(0, std::max(0, content - viewport()->height()));
}

void RankStrips::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    fitScrollBar();
}

void RankStrips::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), colors.lanes);
    painter.fillRect(0, 0, kLabelWidthPx - 1, viewport()->height(), colors.panel);
    for (std::size_t rank = 0; rank < m_strips.ranks.size(); ++rank)
        if (topOf(rank) + rankPx() > 0 && topOf(rank) < viewport()->height())
            paintRank(painter, rank);
    painter.setClipRect(kLabelWidthPx, 0, plotWidthPx(width()), viewport()->height());
    paintJoined(painter);
    painter.setClipping(false);
    paintCursorLine(painter, *m_view, viewport()->size(), colors.mutedText);
    painter.fillRect(kLabelWidthPx - 1, 0, 1, viewport()->height(), colors.border);
}

void RankStrips::paintRank(QPainter& painter, std::size_t rank)
{
    const Palette& colors = Palette::current(palette());
    const RankStrip& strip = m_strips.ranks[rank];
    const int top = topOf(rank);
    const bool isChosen = static_cast<int>(rank) == m_chosen;
    const QRect label(0, top, kLabelWidthPx - 1, rankPx() - 1);
    if (isChosen)
        painter.fillRect(label, colors.accent);
    if (isChosen && hasFocus())
        painter.fillRect(0, top, 3, rankPx() - 1, colors.selection);
    painter.setPen(isChosen ? colors.textOn(colors.accent) : colors.text);
    const QString title = painter.fontMetrics().elidedText(strip.label, Qt::ElideMiddle, kLabelWidthPx - 18);
    painter.drawText(label.adjusted(10, kInsetPx, -8, 0), Qt::AlignLeft | Qt::AlignTop, title);
    const QRect plot(kLabelWidthPx, top, plotWidthPx(width()), rankPx());
    painter.save();
    painter.setClipRect(plot.adjusted(0, 0, kRightMarginPx, 0));
    if (!strip.trouble.isEmpty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(plot.adjusted(8, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(strip.trouble, Qt::ElideRight, plot.width() - 16));
    } else {
        const TimeScale scale(m_view->range(), plot.width());
        bool alternate = false;
        for (const Interval& step : strip.steps) {
            alternate = !alternate;
            if (alternate && step.overlaps(m_view->range()))
                painter.fillRect(
                    QRectF(kLabelWidthPx + scale.toPx(step.startNs), top, scale.lengthPx(step.lengthNs()), rankPx()),
                    colors.lanesAlternate);
        }
        paintCells(painter, strip, top + kInsetPx);
        paintMembers(painter, rank, top + kInsetPx + cellsPx() + 2);
    }
    painter.restore();
    painter.fillRect(0, top + rankPx() - 1, viewport()->width(), 1, colors.border);
}

// Per column of pixels: what computes, above it communication and copies that nothing computes beside.
void RankStrips::paintCells(QPainter& painter, const RankStrip& strip, int top)
{
    const Palette& colors = Palette::current(palette());
    const int columns = plotWidthPx(width());
    const TimeScale scale(m_view->range(), columns);
    if (scale.degenerate() || strip.cells.empty())
        return;
    const QColor communication = causeColor(colors, LostCause::Communication);
    for (int column = 0; column < columns; ++column) {
        const Interval part{scale.columnStartNs(column, columns), scale.columnStartNs(column + 1, columns)};
        const CellMean mean = meanOf(strip, part);
        const auto heightOf = [height = cellsPx()](double share) {
            return static_cast<int>(std::lround(share * height));
        };
        const int compute = heightOf(mean.compute);
        const int moves = std::min(heightOf(mean.communication), cellsPx() - compute);
        const int copies = std::min(heightOf(mean.copies), cellsPx() - compute - moves);
        int bottom = top + cellsPx();
        const auto fill = [&](int height, const QColor& color) {
            painter.fillRect(kLabelWidthPx + column, bottom - height, 1, height, color);
            bottom -= height;
        };
        fill(compute, colors.kind(EventKind::Kernel));
        fill(moves, communication);
        fill(copies, colors.kind(EventKind::CopyH2D));
    }
}

void RankStrips::paintMembers(QPainter& painter, std::size_t rank, int top)
{
    const Palette& colors = Palette::current(palette());
    const TimeScale scale(m_view->range(), plotWidthPx(width()));
    const QColor moves = causeColor(colors, LostCause::Communication);
    const QColor waits = patternGround(moves, colors.lanes);
    const Interval range = m_view->range();
    double drawnPx = -1;  // up to where a pixel is drawn already: a million members have no more pixels
    for (std::size_t at = 0; at < m_strips.members(rank); ++at) {
        const StripMember member = m_strips.member(rank, at);
        if (member.interval.startNs >= range.endNs)
            break;
        if (member.interval.endNs <= range.startNs)
            continue;
        const double left = scale.toPx(member.interval.startNs);
        const double right = std::max(left + 1, scale.toPx(member.interval.endNs));
        if (right <= drawnPx)
            continue;
        drawnPx = std::floor(right);
        const double came = std::clamp(scale.toPx(member.lastCameNs), left, right);
        painter.fillRect(QRectF(kLabelWidthPx + left, top, came - left, kMembersPx), waits);
        painter.fillRect(QRectF(kLabelWidthPx + came, top, right - came, kMembersPx), moves);
        if (came - left >= 3) {
            painter.setPen(moves);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(kLabelWidthPx + left, top, came - left - 1, kMembersPx - 1));
        }
    }
}

// The members of the collective under the mouse, from rank to rank.
void RankStrips::paintJoined(QPainter& painter)
{
    const std::size_t number = m_hit ? m_strips.member(m_hit->rank, m_hit->member).call : SIZE_MAX;
    if (number == SIZE_MAX)
        return;
    const Palette& colors = Palette::current(palette());
    const TimeScale scale(m_view->range(), plotWidthPx(width()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    std::optional<QPointF> starts;
    std::optional<QPointF> ends;
    for (const StripCall::Part& part : m_strips.call(number).parts) {
        const Interval interval = m_strips.member(part.rank, part.member).interval;
        const int top = topOf(part.rank) + kInsetPx + cellsPx() + 2;
        const double left = kLabelWidthPx + scale.toPx(interval.startNs);
        const double right = kLabelWidthPx + scale.toPx(interval.endNs);
        painter.setPen(QPen(colors.selection, 1.5));
        painter.drawRect(QRectF(left, top, std::max(1.0, right - left), kMembersPx));
        painter.setPen(QPen(colors.link, 1.2));
        if (starts) {
            painter.drawLine(*starts, QPointF(left, top));
            painter.drawLine(*ends, QPointF(right, top));
        }
        starts = QPointF(left, top + kMembersPx);
        ends = QPointF(right, top + kMembersPx);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::optional<RankStrips::Hit> RankStrips::hitAt(QPoint pos) const
{
    const int rank = rankAt(pos.y());
    if (rank < 0 || pos.x() < kLabelWidthPx)
        return {};
    const auto place = static_cast<std::size_t>(rank);
    const std::int64_t around = TimeScale(m_view->range(), plotWidthPx(width())).lengthNs(kAroundPx);
    const std::int64_t ns = timeAt(pos.x());
    // Collectives of several streams may overlap: the nearest, of those the one that began last.
    std::optional<Hit> nearest;
    std::int64_t distance = around;
    for (std::size_t at = 0; at < m_strips.members(place); ++at) {
        const Interval interval = m_strips.member(place, at).interval;
        if (interval.startNs > ns + around)
            break;
        const std::int64_t away = std::max<std::int64_t>({interval.startNs - ns, ns - interval.endNs, 0});
        if (away > distance)
            continue;
        nearest = Hit{place, at};
        distance = away;
    }
    return nearest;
}

QString RankStrips::tipAt(QPoint pos) const
{
    const int rank = rankAt(pos.y());
    if (rank < 0)
        return {};
    const RankStrip& strip = m_strips.ranks[static_cast<std::size_t>(rank)];
    if (!strip.trouble.isEmpty())
        return strip.trouble;
    if (pos.x() < kLabelWidthPx)
        return u"%1: %2"_s.arg(strip.label, strip.path);
    const std::optional<Hit> hit = hitAt(pos);
    if (!hit)
        return {};
    const StripMember member = m_strips.member(hit->rank, hit->member);
    const QString times = u"%1: %2, of which %3 waiting for the last rank"_s.arg(
        strip.label, durationText(member.interval.lengthNs()),
        durationText(
            std::clamp<std::int64_t>(member.lastCameNs - member.interval.startNs, 0, member.interval.lengthNs())));
    if (member.call == SIZE_MAX)
        return u"%1: communication, %2; not matched with other ranks"_s.arg(strip.label,
                                                                            durationText(member.interval.lengthNs()));
    const StripCall call = m_strips.call(member.call);
    return u"%1\n%2\n%3"_s.arg(call.title, times, call.timing);
}

bool RankStrips::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave) {
        m_view->cursor()->pointAt({});
        m_hit.reset();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void RankStrips::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / kNotchOfWheel;
    if (event->modifiers() & Qt::ControlModifier)
        m_view->zoomBy(std::pow(kStripZoomPerNotch, notches), timeAt(static_cast<int>(event->position().x())),
                       ViewRange::Pace::Smooth);
    else if ((event->modifiers() & Qt::ShiftModifier) || delta.y() == 0)
        m_view->panBy(std::llround(-notches * kStripPanPerNotch * static_cast<double>(m_view->target().lengthNs())),
                      ViewRange::Pace::Smooth);
    else
        verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(std::lround(notches * rankPx())));
    event->accept();
}

void RankStrips::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_pressed = event->position().toPoint();
    m_pressedRange = m_view->range();
    m_dragged = false;
}

void RankStrips::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint pos = event->position().toPoint();
    if (m_pressed && (m_dragged || std::abs(pos.x() - m_pressed->x()) >= kDragThresholdPx)) {
        m_dragged = true;
        const TimeScale scale(m_pressedRange, plotWidthPx(width()));
        const std::int64_t moved = scale.lengthNs(m_pressed->x() - pos.x());
        m_view->setRange({m_pressedRange.startNs + moved, m_pressedRange.endNs + moved});
        return;
    }
    point(pos);
}

void RankStrips::point(QPoint pos)
{
    m_view->cursor()->pointAt(timeAtPx(*m_view, pos.x(), width()));
    const std::optional<Hit> hit = hitAt(pos);
    if (hit == m_hit)
        return;
    m_hit = hit;
    viewport()->update();
}

void RankStrips::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_pressed && !m_dragged)
        choose(rankAt(event->position().toPoint().y()));
    m_pressed.reset();
}

void RankStrips::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const int rank = rankAt(event->position().toPoint().y()); rank >= 0)
        emit rankOpened(rank);
}

void RankStrips::keyPressEvent(QKeyEvent* event)
{
    const TimelineAction action = timelineAction(*event);
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)
        choose(m_chosen < 0 ? 0 : m_chosen + (event->key() == Qt::Key_Down ? 1 : -1));
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_chosen >= 0)
        emit rankOpened(m_chosen);
    else if (action == TimelineAction::FitAll)
        m_view->fitAll();
    else if (action == TimelineAction::FitSelection)
        m_view->glideTo(m_strips.active);
    else if (action == TimelineAction::ZoomBack)
        m_view->back();
    else if (action == TimelineAction::ZoomForward)
        m_view->forward();
    else if (!m_keys.press(action, event->isAutoRepeat()))
        QAbstractScrollArea::keyPressEvent(event);
}

void RankStrips::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat())
        m_keys.release(timelineAction(*event));
}

void RankStrips::focusOutEvent(QFocusEvent* event)
{
    m_keys.releaseAll();
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

}  // namespace overlane
